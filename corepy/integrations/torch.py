"""PyTorch: arrays of Corepy as the argument of ``torch.asarray``, and in batches of a DataLoader.

``torch.asarray`` reads each object that has the buffer protocol as bytes of PyTorch's default
dtype, whatever the buffer's dtype is, before it looks for DLPack: float64 becomes pairs of
meaningless float32. No protocol of PyTorch's precedes that. It is called with an array of NumPy's
over the same memory. `torch.utils.data.default_collate` has a registry of classes;
``default_convert``, which leaves arrays of other classes as they are, is called with NumPy's.
Tested with PyTorch 2.14.
"""

from __future__ import annotations

from types import ModuleType

from corepy._cython.core import Tensor
from corepy.integrations import as_numpy, prepare, preparing


def _add_to_batches(collate: ModuleType) -> None:
    collate.default_collate_fn_map[Tensor] = collate.collate_numpy_array_fn
    prepare(collate, "default_convert", as_numpy, 0, "data")


COMPLETE = {
    "torch": preparing(("asarray", 0, "obj")),
    "torch.utils.data._utils.collate": _add_to_batches,
}
