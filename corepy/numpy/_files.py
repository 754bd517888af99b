"""Files of arrays. NumPy's formats have no bfloat16: here its name is the descriptor."""

from __future__ import annotations

import os
import zipfile
from typing import IO, Any

import numpy as np

from corepy._cython.core import Tensor, load_bfloat16
from corepy.numpy.conversion import call_numpy

__all__ = ["load", "save", "savez", "savez_compressed"]

_BFLOAT16 = {"descr": "bfloat16"}


def _is_bfloat16(x: Any) -> bool:
    return isinstance(x, (Tensor, np.ndarray)) and x.dtype.name == "bfloat16"


def _write(file: IO[bytes], array: Any) -> None:
    """Write an array of bfloat16, or another, in the format of .npy."""
    array = np.asanyarray(array)
    if not _is_bfloat16(array):
        np.lib.format.write_array(file, array)
        return
    header = _BFLOAT16 | {"fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(file, header)
    file.write(array.tobytes())


def save(file: Any, arr: Any, allow_pickle: bool = True) -> None:
    """Write an array. See `numpy.save`."""
    if not _is_bfloat16(arr):
        call_numpy("save", np.save, (file, arr, allow_pickle), {})
    elif hasattr(file, "write"):
        _write(file, arr)
    else:
        path = os.fspath(file)
        with open(path if path.endswith(".npy") else path + ".npy", "wb") as opened:
            _write(opened, arr)


def _save_several(name: str, compression: int, file: Any, args: Any, options: Any) -> None:
    arrays = {f"arr_{k}": x for k, x in enumerate(args)} | options
    if not any(map(_is_bfloat16, arrays.values())):
        call_numpy(name, getattr(np, name), (file, *args), options)
        return
    if not hasattr(file, "write"):
        file = os.fspath(file)
        file += "" if file.endswith(".npz") else ".npz"
    with zipfile.ZipFile(file, "w", compression) as archive:
        for key, x in arrays.items():
            with archive.open(f"{key}.npy", "w", force_zip64=True) as opened:
                _write(opened, x)


def savez(file: Any, *args: Any, **kwds: Any) -> None:
    """Write several arrays. See `numpy.savez`."""
    _save_several("savez", zipfile.ZIP_STORED, file, args, kwds)


def savez_compressed(file: Any, *args: Any, **kwds: Any) -> None:
    """Write several arrays, compressed. See `numpy.savez_compressed`."""
    _save_several("savez_compressed", zipfile.ZIP_DEFLATED, file, args, kwds)


def _prepare(file: IO[bytes]) -> None:
    """Load the package for bfloat16, if a file in the format of .npy has it."""
    if repr(_BFLOAT16)[1:-1].encode() in file.read(64):
        load_bfloat16()


class NpzFile(np.lib.npyio.NpzFile):
    """`numpy.lib.npyio.NpzFile` whose arrays are the drop-in's."""

    def __getitem__(self, key: str) -> Any:
        archive: Any = self.zip
        found = {key, f"{key}.npy"}.intersection(archive.namelist())
        if found:
            with archive.open(found.pop()) as member:
                _prepare(member)
        return call_numpy("load", super().__getitem__, (key,), {})


def load(
    file: Any,
    mmap_mode: str | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: str = "ASCII",
    *,
    max_header_size: int = 10000,
) -> Any:
    """Read an array, or open a file of several. See `numpy.load`."""
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            _prepare(opened)
    elif hasattr(file, "seek"):
        start = file.tell()
        _prepare(file)
        file.seek(start)
    options = {"encoding": encoding, "max_header_size": max_header_size}
    found = call_numpy("load", np.load, (file, mmap_mode, allow_pickle, fix_imports), options)
    if type(found) is np.lib.npyio.NpzFile:
        found.__class__ = NpzFile
    return found
