"""Functions of complex numbers, component by component, on every instruction set."""

import numpy as np
import pytest
from levels import level_parameters

from .complex_functions import DTYPES, FUNCTIONS, complex_reference
from .measure import corepy_worst

#: For each function and dtype; `python -m tests.accuracy` takes more.
POINTS = 600


@pytest.mark.parametrize("level", level_parameters())
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_components_are_within_the_bar(name, dtype, level):
    worst = corepy_worst(complex_reference(name, DTYPES[dtype], POINTS), level)
    assert worst.error <= FUNCTIONS[name].bar, f"{name}{worst.arguments}: {worst.error} ULP"


# ---- the measurement itself


@pytest.mark.parametrize("component", ["real", "imag"])
def test_a_wrong_component_is_found(component):
    exact = complex_reference("log", np.complex128, 300)
    got = np.empty(exact.arguments[0].shape, np.complex128)
    with np.errstate(all="ignore"):
        parts = np.ldexp(exact.exact[..., 0], exact.exponents.astype(np.int32))
    got.real, got.imag = parts[:, 0], parts[:, 1]
    assert exact.worst(got).error <= 0.5
    wrong = getattr(got, component)
    wrong[7] += 2 * np.spacing(wrong[7])
    worst = exact.worst(got)
    assert 1.5 <= worst.error <= 2.5
    assert worst.arguments == (complex(exact.arguments[0][7]),)
    wrong[9] = np.nan
    assert exact.worst(got).error == np.inf
