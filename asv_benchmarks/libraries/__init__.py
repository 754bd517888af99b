"""The libraries that are compared: a class each, which says how cases run with it.

Cases are written in the standard's words. A library gets them in its own best idiom: where its
spelling differs, its class has a table of it. Adding a library is one module here and one line in
`PEERS`.
"""

from __future__ import annotations

from importlib import import_module

from .library import Library, Program, Unsupported

__all__ = ["PEERS", "Library", "Program", "Unsupported", "libraries_for", "load"]

#: Name -> module and class; the first that serves a device is what Corepy's speed is relative to.
PEERS = {
    "cupy": ("cupy_library", "CuPy"),
    "numpy": ("numpy_library", "NumPy"),
    "torch": ("torch_library", "PyTorch"),
    "jax": ("jax_library", "JAX"),
    "numexpr": ("numexpr_library", "Numexpr"),
}


def load(name: str, device: str = "cpu") -> Library:
    """Return the library of that name, ``corepy`` or one of the `PEERS`.

    Raises
    ------
    ImportError
        It is not installed.
    """
    module, kind = PEERS.get(name, ("corepy_library", "Corepy"))
    return getattr(import_module(f".{module}", __name__), kind)(device)


def libraries_for(device: str, names: list[str] | None = None) -> list[Library]:
    """Return Corepy and the peers that are installed and can use a device, Corepy first.

    A peer that was asked for by name and is not installed raises ImportError.
    """
    found = [load("corepy", device)]
    for name in PEERS if names is None else names:
        if name == "cupy" and device == "cpu":
            continue  # not even imported
        try:
            library = load(name, device)
        except ImportError:
            if names is None:
                continue
            raise
        if library.serves(device):
            found.append(library)
    return found
