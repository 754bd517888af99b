"""At most 1 ULP for every elementary function, dtype and instruction set of this machine."""

import mpmath
import numpy as np
import pytest
from levels import level_parameters

from .errors import Reference, exact_error, reference
from .functions import FUNCTIONS, Function
from .measure import DTYPES, LARGEST_ERROR, corepy_worst
from .points import nearest_to_multiples

#: For each function and dtype; `python -m tests.accuracy` takes more.
POINTS = 100_000


@pytest.mark.parametrize("level", level_parameters())
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_at_most_one_unit_in_the_last_place(name, dtype, level):
    worst = corepy_worst(reference(name, DTYPES[dtype], POINTS), level)
    assert worst.error <= LARGEST_ERROR, f"{name}{worst.arguments}: {worst.error} ULP"


# ---- the measurement itself


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_error_of_rounded_values_is_half_a_unit(dtype):
    """sqrt is rounded correctly by every processor."""
    exact = reference("sqrt", dtype, 2000)
    worst = exact.worst(np.sqrt(exact.arguments[0]))
    assert 0.45 < worst.error <= 0.5


@pytest.mark.parametrize("dtype", DTYPES.values())
@pytest.mark.parametrize("units", [1, 3])
def test_a_wrong_value_is_found(dtype, units):
    """One value among thousands that is off by a few units, at a point drawn at random."""
    exact = reference("exp", dtype, 2000)
    with np.errstate(over="ignore"):
        got = exact.quick.astype(dtype)
    candidates = np.flatnonzero(np.isfinite(got) & (got > np.finfo(dtype).tiny) & (got < 1e30))
    index = np.random.default_rng(units).choice(candidates)
    got[index] += units * np.spacing(got[index])
    worst = exact.worst(got)
    assert units - 0.51 <= worst.error <= units + 0.51
    assert worst.arguments == (float(exact.arguments[0][index]),)


@pytest.mark.parametrize(
    ("value", "got", "expected"),
    [
        (1.0, 1.0 + 2**-52, 1.0),
        (1.0, 1.0 - 2**-53, 0.5),  # the unit is that above 1
        (0.0, 2.0**-1074, 1.0),
        (2.0**-1074, 3 * 2.0**-1074, 2.0),
        (1.7976931348623157e308, np.inf, 1.0),
    ],
)
def test_units(value, got, expected):
    class Identity:
        exact = staticmethod(mpmath.mpf)

    assert exact_error(Identity, (value,), np.float64(got)) == expected


def test_kinds_of_results_count():
    """NaN, infinities and the sign of zero."""
    exact = reference("asin", np.float64, 2000)
    for wrong in (
        np.where(np.isnan(exact.quick), 0, exact.quick),
        np.where(exact.arguments[0] == 0, 0.0, exact.quick),
    ):
        assert exact.worst(wrong.astype(np.float64)).error == np.inf


def test_quick_values_are_checked():
    """A C library that is wrong is noticed."""
    function = FUNCTIONS["exp"]
    factor = 1 + np.longdouble(2) ** -58
    wrong = Function(function.name, function.exact, lambda x: np.exp(x) * factor)
    with pytest.raises(AssertionError, match="long double exp"):
        Reference(wrong, np.float64, 2000)


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_hardest_arguments_of_the_trigonometric_functions(dtype):
    """The continued fractions find the number known to be the nearest to a multiple of pi / 2."""
    found = np.abs(nearest_to_multiples(dtype))
    if dtype == np.float64:
        # Muller, Elementary Functions, table 11.1.
        assert np.ldexp(6381956970095103.0, 797) in found
    with mpmath.workprec(1400):
        remainders = [
            abs(v - mpmath.nint(v / (mpmath.pi / 2)) * mpmath.pi / 2)
            for v in map(mpmath.mpf, found[found > 1].tolist())
        ]
    smallest = mpmath.log(min(remainders), 2)
    assert -63 < smallest < -60 if dtype == np.float64 else -32 < smallest < -26
