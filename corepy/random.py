"""NumPy's random numbers for ``import corepy as np``, of ndarrays.

The generators are NumPy's, and their streams the same bit for bit. `Generator` and `RandomState`
are subclasses of NumPy's, so code that checks for these accepts them. The functions of the module
draw from NumPy's global generator: seeding either seeds both.

Arrays are on the CPU; single numbers are NumPy's or Python's scalars.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np

from corepy._cython.core import Tensor
from corepy._cython.drawing import Draw
from corepy.numpy import _documentation as documentation
from corepy.numpy._classes import with_tensors
from corepy.numpy.conversion import call_numpy

__all__ = list(np.random.__all__)


def _seed(seed: Any) -> Any:
    if isinstance(seed, Tensor):
        return np.asarray(seed) if seed.ndim else seed.item()
    return seed


def _as_it_is(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _shuffle(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
    # A list of tensors, too, is shuffled in place.
    on_tensors = isinstance(args[0] if args else kwargs.get("x"), Tensor)
    draw = call_numpy if on_tensors else _as_it_is
    return draw(name, function, args, kwargs)


# How functions are called, if not by `call_numpy`. The state of a generator stays NumPy's.
_CALLS = {"get_state": _as_it_is, "get_bit_generator": _as_it_is, "shuffle": _shuffle}
_DOCUMENTATION = {
    "get_bit_generator": """Return the bit generator of the functions of this module.

    Returns
    -------
    numpy.random.BitGenerator
        NumPy's, which its functions draw from, too.

    Examples
    --------
    >>> import corepy as np
    >>> np.random.get_bit_generator()  # doctest: +ELLIPSIS
    <numpy.random._mt19937.MT19937 object at ...>
    """,
    "get_state": """Return the state of the generator, for `set_state`.

    Parameters
    ----------
    legacy : bool, optional
        Whether the state of an `MT19937` is a tuple; if not, and of others, it is a dict.

    Returns
    -------
    tuple or dict
        The state, NumPy's; its array is an ndarray of NumPy's.

    Examples
    --------
    >>> import corepy as np
    >>> np.random.RandomState(0).get_state()[0]
    'MT19937'
    """,
    "seed": """Begin the stream of numbers that belongs to a seed, here and in `numpy.random`.

    Parameters
    ----------
    seed : int or array_like of int, optional
        The seed, from 0 to ``2**32 - 1``, or several. None: one that the operating system gives.

    Examples
    --------
    >>> import corepy as np
    >>> np.random.seed(0)
    >>> np.random.randint(10, size=3)
    array([5, 0, 3])
    """,
    "set_bit_generator": """Make the functions of this module draw from another bit generator.

    Parameters
    ----------
    bitgen : numpy.random.BitGenerator
        NumPy's functions draw from it, too.

    Examples
    --------
    >>> import corepy as np
    >>> before = np.random.get_bit_generator()
    >>> np.random.set_bit_generator(np.random.PCG64(0))
    >>> np.random.randint(10, size=3)
    array([1, 8, 8])
    >>> np.random.set_bit_generator(before)
    """,
    "shuffle": """Bring an array or a list in random order, in place.

    Parameters
    ----------
    x : ndarray or list
        What to shuffle; slices along the axis stay whole.
    axis : int, optional
        The axis; of a `Generator` only, others take the first.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.arange(5)
    >>> np.random.default_rng(0).shuffle(x)
    >>> x
    array([2, 4, 3, 0, 1])
    """,
}


def _wrapped(native: Callable[..., Any], call: Callable[..., Any]) -> Callable[..., Any]:
    wraps(native, assigned=("__name__", "__qualname__"))(call)
    call.__module__ = __name__
    if not isinstance(call, Draw):
        call.__doc__ = _DOCUMENTATION.get(call.__name__)
    return call


def _document(function: Any) -> str | None:
    """Return the docstring of a function, or of a method of a generator, which may have its own."""
    path = f"random.{function.__qualname__}"
    if documentation.find(path) is None:
        path = f"random.{function.__name__}"
    return documentation.of(path, signature(function), on_host=True)


#: What `Draw` computes itself.
_TAKES = {
    "random": "size", "random_sample": "size", "sample": "size", "ranf": "size", "rand": "axes",
    "uniform": "range", "choice": "choice", "permutation": "permutation",
}  # fmt: skip


def _method(name: str, native: Callable[..., Any]) -> Callable[..., Any]:
    if name not in _CALLS:
        return _wrapped(native, Draw(f"random.{name}", native, None, _TAKES.get(name), _document))
    path, draw = f"random.{name}", _CALLS.get(name, call_numpy)

    # NumPy's methods call each other and expect ndarrays, so NumPy's generator is called.
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return draw(path, getattr(self._native, name), args, kwargs)

    return _wrapped(native, method)


def _function(name: str, native: Callable[..., Any]) -> Callable[..., Any]:
    path, draw = f"random.{name}", _CALLS.get(name, call_numpy)
    method = np.random.random_sample if _TAKES.get(name) == "size" else native
    generator = getattr(method, "__self__", None)
    if name not in _CALLS and isinstance(generator, np.random.RandomState):
        unbound = getattr(np.random.RandomState, method.__name__)
        drawing = _wrapped(native, Draw(path, unbound, generator, _TAKES.get(name), _document))
        drawing.__qualname__ = name
        return drawing

    def function(*args: Any, **kwargs: Any) -> Any:
        return draw(path, native, args, kwargs)

    function = _wrapped(native, function)
    function.__qualname__ = name
    return function


def _add_methods(cls: type) -> type:
    """Give a subclass of one of NumPy's generators methods that take and return tensors."""
    for name, native in vars(cls.__base__).items():
        if not name.startswith("_") and callable(native) and name not in vars(cls):
            setattr(cls, name, _method(name, native))
    return cls


@_add_methods
class Generator(np.random.Generator):
    """NumPy's `numpy.random.Generator` with tensors in and out.

    Parameters
    ----------
    bit_generator : numpy.random.BitGenerator
        As of `numpy.random.PCG64`. `default_rng` makes one from a seed.

    Examples
    --------
    >>> import corepy as np
    >>> rng = np.random.default_rng(0)
    >>> rng.integers(10, size=3)
    array([8, 6, 5])
    """

    def __init__(self, bit_generator: Any) -> None:
        super().__init__(bit_generator)
        self._native = np.random.Generator(self.bit_generator)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.bit_generator,)

    def spawn(self, n_children: int) -> list[Generator]:  # type: ignore[override]
        """Return new generators whose streams are independent, also of this one.

        Parameters
        ----------
        n_children : int
            How many.

        Returns
        -------
        list of Generator

        Examples
        --------
        >>> import corepy as np
        >>> [child.integers(10) for child in np.random.default_rng(0).spawn(2)]
        [np.int64(8), np.int64(6)]
        """
        return [type(self)(child) for child in self.bit_generator.spawn(n_children)]


@_add_methods
class RandomState(np.random.RandomState):
    """NumPy's `numpy.random.RandomState` with tensors in and out.

    Parameters
    ----------
    seed : int, array of int or numpy.random.BitGenerator, optional
        None is an unpredictable one.

    Examples
    --------
    >>> import corepy as np
    >>> np.random.RandomState(0).randint(10, size=3)
    array([5, 0, 3])
    """

    def __init__(self, seed: Any = None) -> None:
        super().__init__(_seed(seed))
        self._native = np.random.RandomState(self._bit_generator)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._bit_generator,), self.get_state(legacy=False)


def default_rng(seed: Any = None) -> Generator:
    """Return a `Generator` with NumPy's default bit generator.

    Parameters
    ----------
    seed : optional
        What `numpy.random.default_rng` takes, or a Tensor of integers. A generator of NumPy's gives
        one that draws from the same stream; one of Corepy's is returned as it is.

    Returns
    -------
    Generator

    Examples
    --------
    >>> import corepy as np
    >>> np.random.default_rng(0).random(3)
    array([0.63696169, 0.26978671, 0.04097352])
    """
    if isinstance(seed, Generator):
        return seed
    native = np.random.default_rng(_seed(seed))
    return Generator(native.bit_generator)


bit_generator = np.random.bit_generator
sys.modules[f"{__name__}.bit_generator"] = bit_generator  # a module of NumPy's, to import from

for _name in set(__all__) - set(globals()):
    _native = getattr(np.random, _name)
    _is_class = isinstance(_native, type)
    globals()[_name] = with_tensors(_native) if _is_class else _function(_name, _native)


def __getattr__(name: str) -> Any:
    if name.startswith("__") or not hasattr(np.random, name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(np.random, name)
