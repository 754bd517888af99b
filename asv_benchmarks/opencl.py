"""OpenCL's and WebGPU's devices beside NumPy: ``python -m asv_benchmarks.opencl``.

10^7 elements of float32, in one process and in turns. NumPy has one thread; drivers that compute on
the processor use all. Results are checked against NumPy's. Ratios are NumPy's time over Corepy's:
above 1 Corepy is faster.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy

import corepy
import corepy.array_api as xp

from .documents import ROOT
from .peers import Calls, main

SIZE = 10_000_000

#: Name -> a function of a namespace and two arrays. The last ones are computed as one kernel.
CASES: dict[str, Callable[..., Any]] = {
    "x + y": lambda xp, x, y: x + y,
    "exp": lambda xp, x, y: xp.exp(x),
    "sin": lambda xp, x, y: xp.sin(x),
    "x > y": lambda xp, x, y: x > y,
    "sum": lambda xp, x, y: xp.sum(x),
    "x[::2] + y[1::2]": lambda xp, x, y: x[::2] + y[1::2],
}
FUSED: dict[str, Callable[..., Any]] = {
    "polynomial of degree 5": lambda xp, x, y: ((((x * 2 + 3) * x - 1) * x + 0.5) * x - 2) * x + 1,
    "where(x > y, x * y, abs(y) / 2 + x)": lambda xp, x, y: xp.where(x > y, x * y, abs(y) / 2 + x),
    "2 * x + 3 * x * y - sin(x)": lambda xp, x, y: 2 * x + 3 * x * y - xp.sin(x),
    "mean((x - y)**2)": lambda xp, x, y: xp.mean((x - y) ** 2),
}


def cases(_threads: int) -> dict[str, Callable[[], Calls]]:
    """Return how to make each case: the call of each library."""
    rng = numpy.random.default_rng(0)
    arrays = [rng.standard_normal(SIZE, dtype=numpy.float32) for _ in range(2)]

    def ways(device: Any, function: Callable[..., Any], fused: bool) -> Callable[[], Calls]:
        def make() -> Calls:
            tensors = [xp.asarray(x, device=device) for x in arrays]

            def corepy_call() -> Any:
                if fused:
                    with corepy.fuse():
                        result = function(xp, *tensors)
                else:
                    result = function(xp, *tensors)
                device.backend.synchronize()
                return result

            return {"corepy": corepy_call, "numpy": lambda: function(numpy, *arrays)}

        return make

    devices = [
        device
        for device in corepy.available_devices()
        if device.backend.name in ("opencl", "webgpu")
    ]
    return {
        f"{device}, {name}{', fused' * fused}": ways(device, function, fused)
        for device in devices
        for fused, functions in ((False, CASES), (True, FUSED))
        for name, function in functions.items()
    }


if __name__ == "__main__":
    sys.exit(
        main(
            sys.argv[1:],
            "opencl",
            (__doc__ or "").partition(":")[0],
            cases,
            lambda _case: 1e-4,
            ROOT / "docs" / "gpu.md",
        )
    )
