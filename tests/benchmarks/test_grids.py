"""The benchmark of finite differences: right results, no times."""

import pytest

from asv_benchmarks import grids
from asv_benchmarks.tasks.finite_differences import PROGRAMS
from asv_benchmarks.timing import Effort


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_agree_with_numpy(name):
    times, first, wrong = grids.measure(name, 20_000, Effort(budget=0, turn=0, least=1, most=1))
    assert not wrong
    assert {"corepy", "corepy eager", "numpy"} <= set(times) == set(first)
