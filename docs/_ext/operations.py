"""What computes each operation of the schema, for the pages of the API reference.

Devices follow from the sources of the backends (`tools/operations_by_device.py`); whether an
operation is deferred, from a call of it on a tensor that is large enough.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import operations_by_device as by_device  # noqa: E402
from records import ROWS  # noqa: E402

import corepy  # noqa: E402
from corepy import array_api as xp  # noqa: E402

#: What the words of docs/operations.md mean for one function.
KINDS = {
    "view": "a view of the same memory",
    "composed": "composed of operations of the device",
    "native": "native",
    "native or library": "native, or by the library of the device, depending on the arguments",
    "library": "by the library of the device",
    "host": "computed on the host and copied to the device",
    "fallback": "not native: computed on `cpu` if the setting ``fallback`` allows it",
}


@cache
def devices(name: str) -> str:
    """Return which devices compute an operation natively, and what others do."""
    if name.removeprefix("linalg.") in by_device.NAMES:  # the same function
        name = name.removeprefix("linalg.")
    if name in by_device.VIEWS:
        return f"{KINDS['view']} on every device."
    if name in by_device.COMPOSED:
        return f"{KINDS['composed']}, on every device."
    found = {"`cpu`": "native"}
    for device, kinds in (("`cuda`", _cuda()), ("`opencl`, `webgpu`", _kernels())):
        found[device] = next(kind for kind, names in kinds.items() if name in names)
    parts: dict[str, list[str]] = {}
    for device, kind in found.items():
        parts.setdefault(kind, []).append(device)
    return "; ".join(f"{', '.join(on)}: {KINDS[kind]}" for kind, on in parts.items()) + "."


_cuda = cache(by_device.cuda)
_kernels = cache(by_device.kernels)


@cache
def deferred() -> set[str]:
    """Return the names of the operations that are deferred."""
    found = set()
    with corepy.config(fusion=True, fusion_threshold=0):
        for row in ROWS:
            places = (xp, corepy, corepy.nn)
            function = next((getattr(m, row.name) for m in places if hasattr(m, row.name)), None)
            arrays = [p for p in row.parameters if p.kind and not p.variadic]
            # Nodes are operations with a number, and casts.
            if function is None or not (row.work or row.name == "astype"):
                continue
            dtype = xp.int64 if "integer" in row.accepts[0] else xp.float64
            values = [xp.ones(4096, dtype=dtype) for _ in arrays]
            if row.name in ("where", "ldexp"):  # whose arrays are of several dtypes
                place = 0 if row.name == "where" else 1
                values[place] = xp.ones(4096, dtype=xp.int32 if place else xp.bool)
            if row.name == "astype":
                values.append(xp.float32)
            if corepy.lazy.is_deferred(function(*values)):
                found.add(row.name)
    return found
