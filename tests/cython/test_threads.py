"""Threads: the same bits for any number of them, and how their number is set."""

import itertools
import os

import numpy as np
import pytest
from running import run_python
from strategies import assert_same

import corepy
import corepy.array_api as xp
from corepy import Tensor, _environment


def elements(shape, dtype, seed=0):
    random = np.random.default_rng(seed)
    return (random.random(shape) * 200 - 100).astype(dtype)


# Layouts of 600 x 700 elements, more than are computed in one piece.
LAYOUTS = {
    "contiguous": lambda dtype: elements((600, 700), dtype),
    "transposed": lambda dtype: elements((700, 600), dtype).T,
    "strided": lambda dtype: elements((1200, 1400), dtype)[::2, ::2],
    "reversed": lambda dtype: elements((600, 700), dtype)[::-1, ::-1],
    "a row": lambda dtype: elements(700, dtype),
    "a column": lambda dtype: elements((600, 1), dtype),
    "broadcast": lambda dtype: np.broadcast_to(elements((600, 1), dtype), (600, 700)),
    "off a line": lambda dtype: elements((600, 701), dtype)[:, 1:],
}


def same_for_any_number(function):
    """Return what `function()` gives, and check that threads make no difference."""
    corepy.set_num_threads(1)
    expected = np.asarray(function())
    for number in (2, 7):
        corepy.set_num_threads(number)
        for _ in range(3):
            found = np.asarray(function())
            assert found.dtype == expected.dtype
            assert found.strides == expected.strides
            assert found.tobytes() == expected.tobytes()
    return Tensor(expected)


@pytest.mark.parametrize("first, second", list(itertools.product(LAYOUTS, LAYOUTS)))
def test_elementwise_work_is_the_same_for_any_number_of_threads(first, second):
    a, b = LAYOUTS[first]("float64"), LAYOUTS[second]("float64")
    x, y = Tensor(a), Tensor(b)
    assert_same(same_for_any_number(lambda: x * y), a * b)
    assert_same(same_for_any_number(lambda: xp.where(x < y, x, y)), np.where(a < b, a, b))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "float32", "complex128"])
def test_casts_and_copies_are_the_same_for_any_number_of_threads(layout, dtype):
    array = LAYOUTS[layout](dtype)
    x = corepy.asarray(array)
    assert_same(same_for_any_number(x.copy), array.copy())
    assert_same(same_for_any_number(x.T.copy), array.T.copy())
    assert_same(same_for_any_number(lambda: x.astype("complex64")), array.astype("complex64"))
    y = Tensor(elements((600, 700), "float32"))
    assert_same(same_for_any_number(lambda: x + y), array + np.asarray(y))


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "strided", "reversed"])
@pytest.mark.parametrize("other", LAYOUTS)
def test_in_place_work_is_the_same_for_any_number_of_threads(layout, other):
    a, b = LAYOUTS[layout]("float32"), LAYOUTS[other]("float32")

    def work():
        array = a.copy(order="K")
        x = Tensor(array)
        x += Tensor(b)
        x[::2, 1:] = x[1::2, :-1]
        x *= 3
        return array

    expected = a + b
    expected[::2, 1:] = expected[1::2, :-1].copy()
    assert_same(same_for_any_number(work), expected * 3)


@pytest.mark.parametrize(
    "shape, axes",
    [((40000, 3), (1, 0)), ((3, 40000), (1, 0)), ((50, 60, 70), (2, 0, 1)),
     ((50, 60, 70), (0, 2, 1)), ((50, 60, 70), (1, 0, 2)), ((9, 10, 11, 12, 13), (4, 2, 0, 3, 1)),
     ((2,) * 17, range(16, -1, -1)), ((1, 20000, 1, 9), (3, 2, 1, 0)), ((65, 33, 129), (2, 1, 0))],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "float64", "complex128"])
def test_axes_in_any_order(shape, axes, dtype):
    array = elements(shape, dtype)
    permuted = array.transpose(axes)
    moved = corepy.asarray(array).transpose(axes)
    assert_same(same_for_any_number(moved.copy), permuted.copy())
    other = elements(permuted.shape, dtype, seed=1)
    y = Tensor(other)
    assert_same(same_for_any_number(lambda: moved + y), permuted + other)
    assert_same(same_for_any_number(lambda: moved + moved), permuted + permuted)


@pytest.mark.parametrize("columns", [1, 2, 3, 5, 8, 31, 32, 100])
def test_short_runs(columns):
    wide = elements((30000, 120), "float32")
    a, b = wide[:, :columns], wide[:, 120 - columns :]
    x, y = corepy.asarray(a), Tensor(b)
    assert_same(same_for_any_number(lambda: x - y), a - b)
    assert_same(same_for_any_number(lambda: x * y[0]), a * b[0])
    assert_same(same_for_any_number(lambda: x * y[:, :1]), a * b[:, :1])
    assert_same(same_for_any_number(lambda: x.astype("int64")), a.astype("int64"))
    assert_same(same_for_any_number(x.copy), a.copy())

    def into():
        array = wide.copy()
        Tensor(array)[:, 1 : columns + 1] = y
        return array[:, 1 : columns + 1]

    assert_same(same_for_any_number(into), b)


# More than 24 MiB of output, which is streamed past the caches.
@pytest.mark.parametrize("start", [0, 1, 5])
def test_large_output(start):
    a = elements(3_300_000 + start, "float64")[start:]
    x = corepy.asarray(a)
    assert_same(same_for_any_number(lambda: x + x), a + a)
    assert_same(same_for_any_number(x.copy), a)
    small = a.astype("float32")
    y = corepy.asarray(small)
    assert_same(same_for_any_number(lambda: y.astype("float64")), small.astype("float64"))
    assert_same(same_for_any_number(lambda: x[::-1] * y), a[::-1] * small)
    out = np.zeros(a.size + start)

    def into():
        Tensor(out)[start:] = y
        return out

    assert_same(same_for_any_number(into)[start:], small.astype("float64"))


@pytest.mark.parametrize("shape", [(1900, 1801), (1_200_000, 3), (3, 1_200_000), (150, 160, 145)])
def test_large_output_of_inputs_in_other_orders(shape):
    a, b = elements(shape, "float64"), elements(shape[::-1], "float64", seed=1)
    x, y = corepy.asarray(a), corepy.asarray(b)
    assert_same(same_for_any_number(lambda: x + y.T), a + b.T)
    assert_same(same_for_any_number(y.T.copy), b.T)
    assert_same(same_for_any_number(lambda: x * x[0]), a * a[0])
    assert_same(same_for_any_number(lambda: x * x[..., :1]), a * a[..., :1])


def test_results_keep_the_order_of_their_operands():
    a, b = elements((40, 30, 20), "float64"), elements((30, 20), "float64")
    x, y = corepy.asarray(a), corepy.asarray(b)
    for axes in itertools.permutations(range(3)):
        moved, expected = x.transpose(axes), a.transpose(axes)
        assert (moved * 2.0).strides == (expected * 2.0).strides
        assert (-moved).strides == (-expected).strides
        assert (moved + moved).strides == (expected + expected).strides
        assert moved.astype("float32").strides == expected.astype("float32").strides
        assert moved.copy().strides == expected.copy().strides
        copied = xp.asarray(moved, copy=True)
        assert copied.strides == np.array(expected, copy=True).strides
        np.testing.assert_array_equal(copied, expected)
    assert (x.T + y.T[..., None]).strides == (a.T + b.T[..., None]).strides
    assert (x[:, ::2].T + 1).strides == (a[:, ::2].T + 1).strides
    assert (y + Tensor(a[0].T.copy()).T).strides == (160, 8)


def test_setting_the_number():
    corepy.set_num_threads(3)
    assert corepy.get_num_threads() == 3
    corepy.set_num_threads(np.int64(5))
    assert corepy.get_num_threads() == 5
    corepy.set_num_threads(None)
    assert 1 <= corepy.get_num_threads() <= os.cpu_count()


@pytest.mark.parametrize("n", [0, -1, -(10**30)])
def test_a_number_below_one(n):
    with pytest.raises(ValueError, match=f"set_num_threads: n must be at least 1, got {n}"):
        corepy.set_num_threads(n)


@pytest.mark.parametrize("n", [1.0, "2", [3]])
def test_what_is_no_number(n):
    with pytest.raises(TypeError, match="set_num_threads: n must be an int or None"):
        corepy.set_num_threads(n)


def run(code="import corepy; print(corepy.get_num_threads())", **variables):
    return run_python(code, **{"COREPY_NUM_THREADS": None, "OMP_NUM_THREADS": None} | variables)


@pytest.mark.parametrize(
    "variables, number",
    [({"COREPY_NUM_THREADS": "3"}, 3), ({"OMP_NUM_THREADS": "5"}, 5),
     ({"COREPY_NUM_THREADS": "3", "OMP_NUM_THREADS": "5"}, 3),
     ({"COREPY_NUM_THREADS": "", "OMP_NUM_THREADS": "4,2"}, 4),
     ({"COREPY_NUM_THREADS": " 2 "}, 2)],
)  # fmt: skip
def test_the_environment_sets_the_number(variables, number):
    done = run(**variables)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == number
    assert not done.stderr


@pytest.mark.parametrize("value", ["0", "-2", "many", "1.5"])
def test_a_bad_number_in_the_environment(value):
    done = run(COREPY_NUM_THREADS=value)
    assert done.returncode != 0
    assert f"ValueError: COREPY_NUM_THREADS: expected an integer from 1 on, got {value!r}" in (
        done.stderr
    )
    done = run(OMP_NUM_THREADS=value)  # not Corepy's variable
    assert done.returncode == 0
    assert f"RuntimeWarning: OMP_NUM_THREADS: expected an integer from 1 on, got {value!r}" in (
        done.stderr
    )


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="Linux alone has it")
def test_the_number_follows_the_processors_that_may_be_used():
    code = """
import os
import corepy
processors = sorted(os.sched_getaffinity(0))
os.sched_setaffinity(0, processors[:1])
print(corepy.get_num_threads(), end=" ")
os.sched_setaffinity(0, processors)
print(corepy.get_num_threads() <= len(processors))
"""
    assert run(code).stdout.split() == ["1", "True"]


@pytest.mark.parametrize(
    "groups, files, expected",
    [
        ("0::/a/b\n", {"a/b/cpu.max": "150000 100000", "a/cpu.max": "max 100000"}, [2]),
        ("0::/a\n", {"a/cpu.max": "400000 100000", "cpu.max": "50000 100000"}, [4, 1]),
        ("3:cpu,cpuacct:/job\n1:memory:/job\n",
         {"cpu/job/cpu.cfs_quota_us": "300000", "cpu/job/cpu.cfs_period_us": "100000",
          "cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, [3]),
        ("0::/\n", {}, []),
    ],
)  # fmt: skip
def test_the_quota_of_a_control_group(monkeypatch, tmp_path, groups, files, expected):
    (tmp_path / "groups").write_text(groups)
    for name, text in files.items():
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    monkeypatch.setattr(_environment, "_GROUPS", tmp_path / "groups")
    monkeypatch.setattr(_environment, "_ROOT", tmp_path / "root")
    assert list(_environment.cpu_limits()) == expected


def test_the_quota_bounds_the_number():
    code = """
import corepy
from corepy._cython import core
core.limit_num_threads(1)
print(corepy.get_num_threads(), end=" ")
corepy.set_num_threads(4)
print(corepy.get_num_threads())
"""
    assert run(code).stdout.split() == ["1", "4"]


THREADPOOLCTL = """
import importlib.util
if importlib.util.find_spec("threadpoolctl") is None:
    raise SystemExit(77)
{imports}
corepy.set_num_threads(5)
info = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "corepy"]
assert len(info) == 1, info
assert info[0]["num_threads"] == 5 and info[0]["internal_api"] == "corepy", info
assert info[0]["version"] == corepy.__version__
with threadpoolctl.threadpool_limits(1):
    assert corepy.get_num_threads() == 1
assert corepy.get_num_threads() == 5
with threadpoolctl.threadpool_limits({{"corepy": 2}}):
    assert corepy.get_num_threads() == 2
with threadpoolctl.threadpool_limits(1, user_api="blas"):
    assert corepy.get_num_threads() == 5
print("right")
"""


@pytest.mark.parametrize(
    "imports",
    ["import corepy, threadpoolctl", "import threadpoolctl, corepy",
     "import threadpoolctl; threadpoolctl.threadpool_info(); import corepy",
     "import corepy, sklearn, threadpoolctl"],
)  # fmt: skip
def test_threadpoolctl_sees_and_limits_the_pool(imports):
    if "sklearn" in imports:
        pytest.importorskip("sklearn")
    done = run(THREADPOOLCTL.format(imports=imports))
    if done.returncode == 77:
        pytest.skip("threadpoolctl is not there")
    assert done.stdout == "right\n", done.stderr


def test_imports_are_left_as_they_are():
    done = run(
        """
import sys
before = list(sys.meta_path)
import corepy
first, *others = sys.meta_path
assert others == before
# One finder is added, which finds the libraries alone that are told about tensors.
assert type(first).__module__ == "corepy._watch" and first.find_spec("json", None) is None
""",
        COREPY_INTEGRATIONS="1",
    )
    assert done.returncode == 0, done.stderr
