"""The grid of benchmarks: names, coverage of the operations, and right results everywhere."""

import numpy as np
import pytest
from strategies import read_operations

from asv_benchmarks.benchmarks import grid
from asv_benchmarks.cases import all_cases, select
from asv_benchmarks.libraries import Unsupported, load
from asv_benchmarks.run import arrays_of, compare, traffic

OPERATIONS = [row[0] for row in read_operations()]


def smallest(cases):
    """Return the smallest case of each kind, those of at most 10^4 elements."""
    chosen = {}
    for case in sorted(cases, key=lambda case: case.size):
        if case.size <= 10_000:
            chosen.setdefault((case.group, case.label, case.dtype, case.layout), case)
    return list(chosen.values())


def named(name):
    (case,) = (case for case in all_cases() if case.name == name)
    return case


def test_names_are_unique():
    names = [case.name for case in all_cases()]
    assert len(set(names)) == len(names)


def test_every_operation_with_a_row_in_the_list_is_timed():
    assert len(OPERATIONS) > 80
    assert set(OPERATIONS) <= {case.operation for case in all_cases()}


@pytest.mark.parametrize("case", smallest(all_cases()), ids=lambda case: case.name)
def test_corepy_and_numpy_compute_the_same(case):
    operands = case.operands()
    numpy, corepy = load("numpy"), load("corepy")
    expected = arrays_of(numpy.program(case, operands).result(), numpy)
    found = arrays_of(corepy.program(case, operands).result(), corepy)
    assert compare(case, operands, found, expected, exact_dtypes=True) == ""


def test_inputs_are_the_same_each_time_and_differ_from_each_other():
    case = named("arithmetic/add/float64/contiguous/1000")
    first, second = case.operands(), case.operands()
    assert np.array_equal(first["x"].values, second["x"].values)
    assert not np.array_equal(first["x"].values, first["y"].values)


@pytest.mark.parametrize(
    ("layout", "x", "y"),
    [
        ("transposed", (50, 20), (20, 50)),
        ("row", (20, 50), (1, 50)),
        ("column", (20, 50), (20, 1)),
        ("strided", (2000,), (2000,)),
    ],
)
def test_layouts(layout, x, y):
    operands = named(f"arithmetic/add/float64/{layout}/1000").operands()
    assert (operands["x"].values.shape, operands["y"].values.shape) == (x, y)
    array = load("numpy").operand(operands["x"])
    assert array.size == 1000
    assert array.flags.c_contiguous == (layout in ("row", "column"))


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["scan"], lambda case: case.group == "scan"),
        (["cumulative_*"], lambda case: case.operation.startswith("cumulative_")),
        (["complex/add"], lambda case: case.group == "complex" and case.operation == "add"),
        (["sum", "diff"], lambda case: case.operation in ("sum", "diff")),
        (
            ["arithmetic/add/float64/row"],
            lambda case: case.name.startswith("arithmetic/add/float64/row/"),
        ),
    ],
)
def test_selection_by_pattern(patterns, expected):
    chosen = select(patterns)
    assert chosen
    assert chosen == [case for case in all_cases() if expected(case)]


def test_selection_by_size():
    assert {case.size for case in select(sizes=[1, 100])} == {1, 100}
    assert select(["no such thing"]) == []


def test_traffic_counts_each_byte_once():
    case = named("arithmetic/add/float64/row/1000")
    operands = case.operands()
    assert traffic(case, operands, [np.zeros((20, 50))]) == (8 * (1000 + 50), 8 * 1000)
    case = named("casts and copies/setitem of everything/float64/contiguous/1")
    assert traffic(case, case.operands(), []) == (8, 8)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([np.ones(1000)], "elements are wrong"),
        ([np.ones(999)], "shape (999,) instead of (1000,)"),
        ([np.ones(1000, np.float32)], "dtype float32 instead of float64"),
        ([np.ones(1000)] * 2, "2 arrays instead of 1"),
    ],
)
def test_a_wrong_result_is_described(wrong, message):
    case = named("arithmetic/add/float64/contiguous/1000")
    operands = case.operands()
    expected = [operands["x"].values + operands["y"].values]
    assert compare(case, operands, expected, expected, exact_dtypes=True) == ""
    assert message in compare(case, operands, wrong, expected, exact_dtypes=True)


def test_a_library_says_what_it_cannot_do():
    pytest.importorskip("numexpr")
    case = named("sorting/sort/float64/contiguous/1")
    with pytest.raises(Unsupported):
        load("numexpr").program(case, case.operands())


def test_the_asv_suite_times_every_operation():
    classes = [
        value
        for value in vars(grid).values()
        if isinstance(value, type)
        and issubclass(value, grid.Operation)
        and value.__bases__ != (object,)
    ]
    names = {
        member.benchmark_name
        for each in classes
        for name, member in vars(each).items()
        if name.startswith("time_")
    }
    pairs = {(case.group.replace(" ", "_"), case.operation) for case in all_cases()}
    assert names == {f"{group}.time_{operation}" for group, operation in pairs}


def test_an_asv_benchmark_runs_and_skips_what_is_not_in_the_grid():
    instance = grid.scan_diff()
    instance.setup("float64 contiguous", 1, "corepy")
    instance.time_diff("float64 contiguous", 1, "corepy")
    with pytest.raises(NotImplementedError):
        instance.setup("int64 contiguous", 1, "corepy")
