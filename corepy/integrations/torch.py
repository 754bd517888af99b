"""PyTorch: arrays of Corepy as the argument of ``torch.asarray``.

It reads each object that has the buffer protocol as bytes of PyTorch's default dtype, whatever the
buffer's dtype is, before it looks for DLPack: float64 becomes pairs of meaningless float32. No
protocol of PyTorch's precedes that. It is called with an array of NumPy's over the same memory.
Tested with PyTorch 2.14.
"""

from __future__ import annotations

from types import ModuleType

from corepy.integrations import as_numpy, prepare


def _add_to_torch(torch: ModuleType) -> None:
    prepare(torch, "asarray", as_numpy)


COMPLETE = {"torch": _add_to_torch}
