"""Tensors as text: ``repr`` and ``str``, in NumPy's format, and HTML for Jupyter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corepy._cython.core import Tensor


def represent_array(x: Tensor) -> str:
    """Return ``repr(x)`` of the drop-in's array, NumPy's: ``array([1., 2.])``."""
    summary = x.device.backend.represent(x)
    if summary is not None:
        return summary
    array = np.asarray(x.to_device("cpu"))
    text = np.array_repr(array)
    if type(x).__name__ != "ndarray":  # a class that derives from it
        text = type(x).__name__ + text.removeprefix("array")
    if str(x.device) != "cpu":
        text = f"{text[:-1]}, device={str(x.device)!r})"
    return text


# The dtypes that are evident from the digits.
_DEFAULT_DTYPES = tuple(np.dtype(name) for name in ("bool", "int64", "float64", "complex128"))


def render(x: Tensor) -> str:
    """Return ``str(x)``: the elements, in NumPy's format."""
    text = x.device.backend.represent(x)
    if text is not None:
        return text
    array = np.asarray(x.to_device("cpu"))
    return str(array[()] if array.ndim == 0 else array)


def represent(x: Tensor) -> str:
    """Return ``repr(x)``, as in ``Tensor([1., 2.], dtype=float32, device='reference')``."""
    summary = x.device.backend.represent(x)
    if summary is not None:
        return summary
    array = np.asarray(x.to_device("cpu"))
    facts = []
    summarised = array.size > np.get_printoptions()["threshold"]
    if summarised or (array.size == 0 and array.shape != (0,)):
        facts.append(f"shape={array.shape}")
    if array.dtype not in _DEFAULT_DTYPES or array.size == 0:
        facts.append(f"dtype={array.dtype}")
    if str(x.device) != "cpu":
        facts.append(f"device={str(x.device)!r}")
    digits = "[]" if array.size == 0 else np.array2string(array, separator=", ", prefix="Tensor(")
    text = f"Tensor({digits}"
    tail = ", ".join(facts)
    if not tail:
        return text + ")"
    # A long last line keeps its tail below it, as NumPy does.
    last = len(text) - (text.rfind("\n") + 1)
    width = np.get_printoptions()["linewidth"]
    joint = ",\n" + " " * len("Tensor(") if last + len(tail) + 3 > width else ", "
    return text + joint + tail + ")"


# Elements of a thumbnail along each axis, at most, and its size in pixels of the page.
_THUMBNAIL = 64
_PIXELS = 128


def _size(nbytes: int) -> str:
    """Return a number of bytes in a unit that keeps it short, as in ``"1.5 MiB"``."""
    if nbytes < 1024:
        return f"{nbytes} B"
    power = min((nbytes.bit_length() - 1) // 10, 4)
    return f"{nbytes / 1024**power:.1f} {' KMGT'[power]}iB"


def _thumbnail(x: Tensor) -> str:
    """Return an ``img`` of a matrix: the least value black, the greatest white.

    Of a large matrix, every n-th row and column; of complex numbers, the magnitudes. Values that
    are not finite are transparent.
    """
    from base64 import b64encode
    from struct import pack
    from zlib import compress, crc32

    part = x[tuple(slice(None, None, -(-size // _THUMBNAIL)) for size in x.shape)]
    array = np.asarray(part.to_device("cpu"))
    values = np.abs(array) if array.dtype.kind == "c" else array
    finite = np.isfinite(values)
    values = np.where(finite, values, 0).astype(np.float64)
    least, greatest = (
        values.min(where=finite, initial=np.inf),
        values.max(where=finite, initial=-np.inf),
    )
    span = greatest / 2 - least / 2  # halves, so that it does not overflow
    gray = (values / 2 - least / 2) / span * 255 if span > 0 else np.full(values.shape, 127.5)
    pixels = np.stack([gray, finite * 255], axis=-1).clip(0, 255).astype(np.uint8)

    def chunk(name: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + name + data + pack(">I", crc32(name + data))

    height, width = values.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)  # 0: no filter
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        [
            chunk(b"IHDR", pack(">IIBBBBB", width, height, 8, 4, 0, 0, 0)),  # gray and alpha
            chunk(b"IDAT", compress(rows)),
            chunk(b"IEND", b""),
        ]
    )
    scale = _PIXELS / max(x.shape)
    return (
        f'<img src="data:image/png;base64,{b64encode(png).decode()}" alt="thumbnail" '
        f'width="{max(1, round(x.shape[1] * scale))}" '
        f'height="{max(1, round(x.shape[0] * scale))}" style="image-rendering: pixelated">'
    )


def html(x: Tensor) -> str:
    """Return the tensor as HTML: shape, dtype, device, memory, a thumbnail of a matrix, elements.

    Jupyter shows it.
    """
    from html import escape

    facts = {"shape": x.shape, "dtype": x.dtype, "device": x.device, "memory": _size(x.nbytes)}
    rows = "".join(
        f"<tr><th>{name}</th><td>{escape(str(fact))}</td></tr>" for name, fact in facts.items()
    )
    is_computed = x.device.backend.represent(x) is None
    image = _thumbnail(x) if x.ndim == 2 and x.size and is_computed else ""
    return (
        f'<div><div style="display: flex; gap: 1em; align-items: center">'
        f"<table>{rows}</table>{image}</div><pre>{escape(repr(x))}</pre></div>"
    )
