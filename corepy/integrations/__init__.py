"""What other libraries are told about arrays of Corepy, when they are imported.

Most libraries take arrays by the array API standard, NumPy's protocols, DLPack or the buffer
protocol, and need nothing of this. For those that do not, there is one file here, with the
library's name, whose docstring says what it registers or replaces, and why. Corepy imports none of
them: a file is loaded when its library is.

The environment variable ``COREPY_INTEGRATIONS`` switches them off (``0``), or names those that are
wanted (``dask,xarray``). ``corepy.config(integrations=False)`` does so for a block of code.
`active` lists those that are in effect.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import Any

from corepy._cython.core import Tensor
from corepy._cython.settings import setting
from corepy._watch import MODULES, wanted

__all__ = ["active", "wanted"]

_active: list[str] = []


def active() -> list[str]:
    """Return the names of the integrations that are in effect in this process."""
    return sorted(set(_active))


def replace(owner: Any, name: str, change: Callable[[Callable[..., Any]], Any]) -> None:
    """Replace a function by what `change` makes of it, also where its package has imported it.

    With ``corepy.config(integrations=False)`` it does what it did before.
    """
    former = getattr(owner, name)
    changed = change(former)

    @wraps(former)
    def function(*args: Any, **kwargs: Any) -> Any:
        return (changed if setting("integrations") else former)(*args, **kwargs)

    setattr(owner, name, function)
    if isinstance(owner, ModuleType):
        package = owner.__name__.partition(".")[0]
        for other, module in list(sys.modules.items()):
            if other.partition(".")[0] == package and vars(module).get(name) is former:
                setattr(module, name, function)


def as_numpy(x: Any) -> Any:
    """Return an array of Corepy as NumPy's over the same memory, and anything else as it is."""
    return x.to_numpy() if isinstance(x, Tensor) else x


def prepare(
    owner: Any,
    name: str,
    convert: Callable[[Any], Any],
    position: int = 0,
    keyword: str | None = None,
) -> None:
    """Have a function or method called with the argument at `position`, or `keyword`, converted."""

    def change(function: Callable[..., Any]) -> Callable[..., Any]:
        def prepared(*args: Any, **kwargs: Any) -> Any:
            if len(args) > position:
                args = (*args[:position], convert(args[position]), *args[position + 1 :])
            elif keyword is not None and keyword in kwargs:
                kwargs[keyword] = convert(kwargs[keyword])
            return function(*args, **kwargs)

        return prepared

    replace(owner, name, change)


def preparing(*arguments: tuple[Any, ...]) -> Callable[[ModuleType], None]:
    """Return a function that has functions of a module called with arrays of NumPy's.

    Parameters
    ----------
    *arguments : tuple
        The path of a function or method in the module, and as in `prepare` the position of an
        argument and its keyword.
    """

    def complete(module: ModuleType) -> None:
        for path, *where in arguments:
            owner, _, name = path.rpartition(".")
            prepare(getattr(module, owner) if owner else module, name, as_numpy, *where)

    return complete


def complete_module(module: ModuleType) -> None:
    name = MODULES[module.__name__]
    complete = import_module(f"corepy.integrations.{name}").COMPLETE[module.__name__]
    try:
        complete(module)
    except (AttributeError, ImportError) as error:
        import logging  # only for an error

        logging.getLogger("corepy").warning(
            "this version of %s is not known to corepy.integrations: %s", name, error
        )
    else:
        _active.append(name)
