"""float16 and bfloat16 beside PyTorch's: ``python -m asv_benchmarks.halves``.

10^7 elements, products of 1,024 x 1,024 matrices, and matrices of 4,096 x 4,096 by vectors, in one
process and in turns. Results are checked against PyTorch's. Ratios are PyTorch's time over
Corepy's: above 1 Corepy is faster. Deferred results are computed within the time.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

import numpy
import torch

import corepy
import corepy.array_api as xp

from .documents import PAGES
from .peers import Calls, main

SIZE = 10_000_000


def cases(_threads: int) -> dict[str, Callable[[], Calls]]:
    """Return how to make each case: the call of each library."""
    rng = numpy.random.default_rng(0)

    def ways(
        shapes: list[tuple[int, ...]],
        dtypes: tuple[str, ...],
        ours: Callable[..., Any],
        theirs: Callable[..., Any],
    ) -> Callable[[], Calls]:
        def make() -> Calls:
            arrays = [rng.standard_normal(shape, dtype=numpy.float32) for shape in shapes]
            tensors = [
                xp.asarray(x, dtype=getattr(xp, dtype), copy=True)
                for x, dtype in zip(arrays, dtypes, strict=True)
            ]
            others = [
                torch.from_numpy(x).to(getattr(torch, dtype))
                for x, dtype in zip(arrays, dtypes, strict=True)
            ]

            @corepy.config(fusion=True)
            def corepy_call() -> Any:
                return corepy.compute(ours(*tensors))

            return {"corepy": corepy_call, "torch": lambda: theirs(*others)}

        return make

    def cases_of(name: str) -> dict[str, Callable[[], Calls]]:
        ours, theirs = getattr(xp, name), getattr(torch, name)
        every, square = (SIZE,), (1024, 1024)

        def assign(out: Any, x: Any, y: Any) -> Any:
            out[...] = x + y
            return out

        return {
            f"{name}, x + y": ways([every] * 2, (name,) * 2, operator.add, operator.add),
            f"{name}, out[...] = x + y": ways(
                [every] * 3, (name,) * 3, assign, lambda out, x, y: torch.add(x, y, out=out)
            ),
            f"{name}, x * y + x": ways(
                [every] * 2, (name,) * 2, lambda x, y: x * y + x, lambda x, y: x * y + x
            ),
            f"{name}, exp(x)": ways([every], (name,), xp.exp, torch.exp),
            f"{name}, sum(x)": ways([every], (name,), xp.sum, torch.sum),
            f"{name} to float32": ways(
                [every], (name,), lambda x: xp.astype(x, xp.float32), lambda x: x.float()
            ),
            f"float32 to {name}": ways(
                [every], ("float32",), lambda x: xp.astype(x, ours), lambda x: x.to(theirs)
            ),
            f"{name}, product of 1,024 x 1,024": ways(
                [square] * 2, (name,) * 2, operator.matmul, operator.matmul
            ),
            f"{name}, 4,096 x 4,096 by a vector": ways(
                [(4096, 4096), (4096,)], (name,) * 2, operator.matmul, operator.matmul
            ),
        }

    return cases_of("float16") | cases_of("bfloat16")


if __name__ == "__main__":
    sys.exit(
        main(
            sys.argv[1:],
            "halves",
            (__doc__ or "").partition(":")[0],
            cases,
            lambda _case: 1e-2,
            PAGES / "halves.md",
        )
    )
