"""Helpers for tests of array-agnostic code.

`available_namespaces` is for parametrising a test over every device of this machine,
`assert_identical` and `assert_close` compare arrays completely: that both are Corepy tensors, on
the same device, of the same dtype and shape, with the same values.

    import pytest
    from corepy.testing import assert_close, available_namespaces

    @pytest.mark.parametrize("xp", available_namespaces())
    def test_softmax(xp):
        x = xp.asarray([0.0, 1.0])
        assert_close(softmax(x), xp.asarray([0.26894142, 0.73105858]))

`forwarded` counts the calls that NumPy's functions compute.

`check_backend` is the acceptance test of a backend: every operation against the reference.

The names of `numpy.testing` are here, too, for ``import corepy as np``: comparisons take tensors.

``python -m pytest -p corepy.testing.interop_plugin`` runs the test suites of SciPy and
scikit-learn with Corepy; see `corepy.testing.interop_plugin`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

import corepy
from corepy import Tensor
from corepy.numpy.conversion import start_counting, stop_counting
from corepy.numpy.dispatch import Function
from corepy.testing._checks import check_backend

__all__ = [
    "assert_close", "assert_identical", "available_namespaces", "check_backend", "forwarded",
]  # fmt: skip

#: The functions of `numpy.testing` that compare arrays.
_COMPARISONS = """
    assert_allclose assert_almost_equal assert_approx_equal assert_array_almost_equal
    assert_array_almost_equal_nulp assert_array_compare assert_array_equal assert_array_less
    assert_array_max_ulp assert_equal print_assert_equal
""".split()


if TYPE_CHECKING:
    from numpy.testing import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        value = None if name.startswith("__") else getattr(np.testing, name, None)
        if value is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name in _COMPARISONS:
            value = Function(f"{__name__}.{name}", None, value)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(np.testing)})


def available_namespaces() -> list[ModuleType]:
    """Return the standard's namespace for each device of this machine.

    Returns
    -------
    list of module
        `corepy.namespace` of every available device, that of the CPU first.

    Examples
    --------
    >>> from corepy.testing import available_namespaces
    >>> available_namespaces()[0].__name__
    'corepy.array_api.cpu'
    """
    return [corepy.namespace(device) for device in corepy.available_devices()]


@contextmanager
def forwarded() -> Iterator[dict[str, int]]:
    """Count the calls of ``import corepy as np`` that NumPy's functions compute.

    A function of the drop-in is computed by the standard's function, by one of Corepy's own with
    NumPy's signature, or by NumPy's, which is given ndarrays over the tensors' memory. Calls of the
    last kind are counted, of functions and methods, while the block lasts.

    Yields
    ------
    dict
        The number of calls by the name of the function in the drop-in, as ``"linalg.eig"``.

    Notes
    -----
    Calls of all threads are counted. Each is also logged, by the logger ``"corepy"`` at the level
    DEBUG. Calls with Python's numbers alone, as ``np.add(1, 2)``, are NumPy's, too.

    Not counted are operations of the device ``cpu`` that use NumPy's LAPACK, as ``linalg.svd``.

    Examples
    --------
    >>> import corepy as np
    >>> from corepy.testing import forwarded
    >>> x = np.asarray([[2.0, 0.0], [0.0, 3.0]])
    >>> with forwarded() as calls:
    ...     values, vectors = np.linalg.eig(np.add(x, x))
    >>> calls
    {'linalg.eig': 1}
    """
    calls: dict[str, int] = {}
    start_counting(calls)
    try:
        yield calls
    finally:
        stop_counting(calls)


def assert_identical(actual: Tensor, expected: Tensor) -> None:
    """Raise AssertionError unless two tensors agree in device, dtype, shape and values.

    Parameters
    ----------
    actual, expected : Tensor
        The tensors, of any shape and dtype. NaN equals NaN; signed zeros are equal.

    Raises
    ------
    AssertionError
        If one is not a Tensor, or if device, dtype, shape or a value differ.
    """
    np.testing.assert_array_equal(*_comparable(actual, expected))


def assert_close(
    actual: Tensor, expected: Tensor, *, rtol: float | None = None, atol: float = 0.0
) -> None:
    """Raise AssertionError unless two tensors are equal up to rounding.

    Parameters
    ----------
    actual, expected : Tensor
        The tensors, of any shape and dtype. NaN equals NaN, infinities must be the same.
    rtol : float, optional
        Largest difference relative to the expected value. None is the square root of the dtype's
        machine epsilon for floating-point dtypes (1.5e-8 for float64), and 0 for others.
    atol : float, optional
        Largest absolute difference allowed in addition.

    Raises
    ------
    AssertionError
        If one is not a Tensor, if device, dtype or shape differ, or if values differ by more than
        ``atol + rtol * abs(expected)``.
    """
    actual_values, expected_values = _comparable(actual, expected)
    if rtol is None:
        floating = expected_values.dtype.kind in "fc"
        rtol = float(np.finfo(expected_values.dtype).eps) ** 0.5 if floating else 0.0
    np.testing.assert_allclose(actual_values, expected_values, rtol=rtol, atol=atol)


def _comparable(actual: Tensor, expected: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """Check device, dtype and shape, and return the values in host memory."""
    __tracebackhide__ = True  # pytest then shows the line of the test
    for name, x in (("actual", actual), ("expected", expected)):
        if not isinstance(x, Tensor):
            raise AssertionError(f"{name} is not a Tensor but {type(x).__qualname__}: {x!r}")
    for attribute in ("device", "dtype", "shape"):
        of_actual, of_expected = getattr(actual, attribute), getattr(expected, attribute)
        if of_actual != of_expected:
            raise AssertionError(
                f"{attribute} differs: actual {of_actual!s}, expected {of_expected!s}"
            )
    return np.asarray(actual.to_device("cpu")), np.asarray(expected.to_device("cpu"))
