"""Dtypes beyond the standard's: both devices take the same ones, and do the same with them."""

import itertools

import numpy as np
import pytest

from .case import function
from .compare import close, to_host, within
from .inputs import ALL, call, xp
from .test_sizes import BINARY, ELEMENTWISE
from .test_special_values import UNARY

VALUES = {
    "first": [1, 0, 1, 2, 3],
    "no zeros": [1, 1, 2, 1, 1],
    "ascending": [0, 1, 3],
    "any three": [2, 0, 1],
    "matrix": [[3, 1, 0], [1, 3, 1], [0, 1, 3]],
}
ROUNDED = within(8, zero_sign=False)


def tensor(which, dtype, device):
    return xp.asarray(np.array(VALUES[which]).astype(dtype), device=device)


def outcome(name, device, *operands, **options):
    """The result, or the type of the error."""
    operands = [tensor(*o, device) if isinstance(o, tuple) else o for o in operands]
    try:
        return to_host(function(name, device)(*operands, **options))
    except (TypeError, ValueError) as error:
        assert str(error).startswith(f"{name.rpartition('.')[2]}: ") or "." in name, str(error)
        return type(error)


def agree(name, *operands, check=ROUNDED, **options):
    actual = outcome(name, "cpu", *operands, **options)
    expected = outcome(name, "reference", *operands, **options)
    if isinstance(actual, type) or isinstance(expected, type):
        assert actual is expected, f"{name}{operands}: {actual!r} and {expected!r}"
    else:
        check(actual, expected, call())


@pytest.mark.parametrize("name", sorted(set(ELEMENTWISE) & set(UNARY)))
def test_one_operand(name):
    for dtype in ALL:
        agree(name, ("no zeros" if name == "reciprocal" else "first", dtype))


@pytest.mark.parametrize("name", sorted(BINARY))
def test_two_operands(name):
    for one, two in itertools.product(ALL, repeat=2):
        agree(name, ("first", one), ("no zeros", two), check=within(64, zero_sign=False))


REDUCTIONS = (
    *("sum", "prod", "mean", "max", "min", "any", "all", "std", "var", "argmax", "argmin"),
    *("count_nonzero", "cumulative_sum", "cumulative_prod", "sort", "argsort", "diff", "nonzero"),
    *("unique_all", "unique_counts", "unique_inverse", "unique_values"),
)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    for dtype in ALL:
        agree(name, ("first", dtype))


@pytest.mark.parametrize("name", ["isin", "searchsorted", "matmul", "vecdot", "clip"])
def test_searching_and_products(name):
    for dtype in ALL:
        agree(name, ("ascending", dtype), ("any three", dtype))


def test_casts():
    for one, two in itertools.product(ALL, repeat=2):
        agree("astype", ("first", one), np.dtype(two))


UNIQUE_FACTORS = (
    *("cholesky", "det", "diagonal", "eigvalsh", "inv", "matrix_norm", "matrix_rank", "pinv"),
    *("slogdet", "svdvals", "trace", "vector_norm"),
)


@pytest.mark.parametrize("name", UNIQUE_FACTORS)
def test_linear_algebra(name):
    for dtype in ALL[1:]:
        agree(f"linalg.{name}", ("matrix", dtype), check=close(factor=100.0))


@pytest.mark.parametrize(
    "name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "rfftn", "fftshift"]
)
def test_transforms(name):
    for dtype in ALL:
        agree(f"fft.{name}", ("first", dtype), check=close(factor=100.0))
