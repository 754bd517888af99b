"""Memory that is written, by Corepy or by others, while deferred tensors read it."""

import array
import ctypes

import numpy as np
import pytest
from running import output_of

import corepy
import corepy.array_api as xp
from corepy.lazy import is_deferred, last_plan

from .programs import assert_same, new

EXPORTS = {
    "asarray": np.asarray,
    "view of asarray": lambda x: np.asarray(x)[::2],
    "asarray of a view": lambda x: np.asarray(x[::2]),
    "memoryview": memoryview,
    "dlpack": np.from_dlpack,
    "view of dlpack": lambda x: np.from_dlpack(x)[::2],
}


@pytest.mark.parametrize("n", [4, 100])
@pytest.mark.parametrize("name", EXPORTS)
def test_nothing_is_deferred_while_memory_is_exported(name, n):
    x = new(n)
    view = x[::2]
    with corepy.fuse():
        export = EXPORTS[name](x)
        results = x + 1, view + 1, xp.sum(x), (view + 1) * x[1::2]
        assert n == 4 or not any(map(is_deferred, results[:3]))  # a few elements are copied
        export[0] = 50.0
        assert float(results[0][0]) == 2.0
        del export
        assert is_deferred(x + 1)
        assert is_deferred(view + 1)
        assert float((x + 1)[0]) == 51.0


@pytest.mark.parametrize("n", [4, 100])
@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_computes_what_reads_the_memory(name, n):
    x = new(n)
    with corepy.fuse():
        y = x + 1
        z = y * x
        export = EXPORTS[name](x)
        assert n == 4 or not is_deferred(y)
        export[0] = 50.0
        assert float(y[0]) == 2.0
        assert float(z[0]) == 2.0


# Each gives out an address, which may be used for as long as there is a tensor of the memory.
ADDRESSES = {
    "ctypes.data": lambda x: corepy.asarray(x).ctypes.data,
    "ctypes.data_as": lambda x: corepy.asarray(x).ctypes.data_as(ctypes.c_void_p).value,
    "__array_interface__": lambda x: corepy.asarray(x).__array_interface__["data"][0],
    "of a view": lambda x: corepy.asarray(x)[:50].ctypes.data,
}


@pytest.mark.parametrize("n", [4, 100])
@pytest.mark.parametrize("name", ADDRESSES)
def test_nothing_is_deferred_after_an_address_was_given_out(name, n):
    x = new(n)
    view = x[::2]
    with corepy.fuse():
        before = x + 1
        address = ADDRESSES[name](x)
        results = x + 1, view + 1, xp.sum(x), (view + 1) * x[1::2]
        assert n == 4 or not any(map(is_deferred, (before, *results[:3])))
        ctypes.c_double.from_address(address).value = 50.0
        assert float(before[0]) == float(results[0][0]) == float(results[1][0]) == 2.0
        assert float(results[2]) == n * (n + 1) / 2
        assert float(results[3][0]) == 4.0
        assert is_deferred(before * 2)  # of other memory


@pytest.mark.parametrize("name", ADDRESSES)
def test_the_address_of_a_deferred_tensor_is_given_out(name):
    with corepy.fuse():
        x = new(100) * 1
        address = ADDRESSES[name](x)
        y = x + 1
        assert not is_deferred(y)
        ctypes.c_double.from_address(address).value = 50.0
        assert float(y[0]) == 2.0


# Each returns an ndarray, and whoever else can write to its memory.
OWNERS = {
    "itself": lambda a: (a, a),
    "its base": lambda a: (a[1:], a),
    "a view of it": lambda a: (a, a[::2]),
    "a memoryview": lambda a: (a, memoryview(a)),
    "a buffer": lambda a: (np.frombuffer(held := array.array("d", a)), held),
}


@pytest.mark.parametrize("adopt", [xp.asarray, xp.from_dlpack])
@pytest.mark.parametrize("name", OWNERS)
def test_nothing_is_deferred_over_memory_that_others_hold(name, adopt):
    adopted, held = OWNERS[name](np.ones(100))
    x = adopt(adopted)
    del adopted
    with corepy.fuse():
        y = x + 1
        z = x[::3] + 1
        assert not is_deferred(y)
        assert not is_deferred(z)
        held[1] = 50.0
        assert_same(y, np.full(y.shape, 2.0))
        assert_same(z, np.full(z.shape, 2.0))


@pytest.mark.parametrize("part", [np.asarray, lambda a: a[10:], lambda a: a.reshape(2, -1)[:, 1:]])
def test_adopted_memory_that_nobody_holds(part):
    a = np.ones(100)
    x = xp.asarray(part(a))
    with corepy.fuse():
        assert not is_deferred(x + 1)
        del a
        assert is_deferred(x + 1)


@pytest.mark.parametrize("n", [100, 300_000])
def test_what_is_deferred_is_computed_with_memory_that_others_hold(n):
    held = np.arange(float(n))
    x, y = xp.asarray(held), new(n)
    with corepy.fuse():
        z = (y * 2 - 1) * x
        assert not is_deferred(z)
        assert len(last_plan().groups[-1].operations) == 3
        expected = (np.asarray(y) * 2 - 1) * held
        held[...] = 50.0
        assert_same(z, expected)


CONSTANT = {
    "binary": lambda x: x * 2 + x,
    "reduction": lambda x: xp.sum(x),
    "cast": lambda x: xp.astype(x, xp.float32),
    "view": lambda x: x[::3] + 1,
    "halves": lambda x: xp.mean(xp.astype(x, xp.float16)),
}


@pytest.mark.parametrize("name", CONSTANT)
@pytest.mark.parametrize("owner", OWNERS)
def test_shared_memory_that_is_constant_is_read_later(owner, name):
    adopted, _held = OWNERS[owner](np.arange(100.0))
    x, function = xp.asarray(adopted), CONSTANT[name]
    expected = function(x)
    with corepy.fuse():
        assert not is_deferred(function(x))
        with corepy.config(shared_memory="constant"):
            y = function(x)
            assert is_deferred(y)
        assert not is_deferred(function(x))
        assert is_deferred(y)
    assert_same(y, expected)


@pytest.mark.parametrize("n", [4, 100])
@pytest.mark.parametrize("name", EXPORTS)
def test_exported_memory_that_is_constant_is_read_later(name, n):
    x = new(n)
    with corepy.config(shared_memory="constant"), corepy.fuse():
        export = EXPORTS[name](x)
        y, z = x + 1, xp.sum(x[::2])
        assert is_deferred(y)
        assert is_deferred(z)
        x[0] = 50.0  # by the tensor
        assert n == 4 or not is_deferred(y)  # a few elements are copied
        assert (float(y[0]), float(z)) == (2.0, (n / 2) ** 2)
        assert export[0] == 50.0


def test_a_copy_is_not_of_constant_memory():
    held = np.ones(100)
    x = xp.asarray(held)
    with corepy.config(shared_memory="constant"), corepy.fuse():
        copies = [xp.asarray(each, copy=True, dtype=dtype)
                  for each in (held, x) for dtype in (None, xp.float32)]  # fmt: skip
        copies.append(xp.astype(x, x.dtype))
        held[...] = 50.0
        for copy in copies:
            assert not is_deferred(copy)
            y = copy + 1
            assert is_deferred(y)
            assert_same(y, np.full(100, 2.0, copy.dtype))


@pytest.mark.parametrize("n", [100, 300_000])
def test_tensors_that_have_the_same_constant_memory(n):
    held, expected = np.arange(float(n)), np.arange(float(n))
    x, y = xp.asarray(held), xp.asarray(held)
    with corepy.config(shared_memory="constant"), corepy.fuse():
        x[1:] = y[:-1] * 2 + 1
        expected[1:] = expected[:-1] * 2 + 1
        x += y[::-1] * 2
        expected += expected[::-1] * 2
        corepy.add(held[:-1], 1, out=held[1:])
        np.add(expected[:-1], 1, out=expected[1:])
    np.testing.assert_array_equal(held, expected)


# ---- writes


WRITES = {
    "element": lambda x: x.__setitem__(0, 50.0),
    "slice": lambda x: x.__setitem__(slice(0, 5), xp.ones(5)),
    "mask": lambda x: x.__setitem__(x < 9, 0.0),
    "indices": lambda x: x.__setitem__(xp.asarray([0, 3]), 0.0),
    "all": lambda x: x.__setitem__(..., x * 2),
    "in place": lambda x: x.__iadd__(1),
    "by itself": lambda x: x.__imul__(x[::-1]),
    "view": lambda x: x[::-1].__setitem__(-1, 50.0),
    "view in place": lambda x: x[:9].__isub__(3),
    "reshaped and transposed": lambda x: xp.reshape(x, (2, -1)).T.__setitem__(0, 0.0),
    "real": lambda x: x.real.__setitem__(0, 50.0),
    "asarray": lambda x: xp.asarray(x).__setitem__(0, 50.0),
    "ndarray": lambda x: np.asarray(x).__setitem__(0, 50.0),
    "out": lambda x: corepy.add(x, 1, out=x),
    "method": lambda x: np.add(x, 1, out=np.asarray(x)),
}


@pytest.mark.parametrize("n", [8, 100])
@pytest.mark.parametrize("name", WRITES)
def test_a_write_computes_what_waits_for_the_memory(name, n):
    x, view = (base := new(n)), base[: n // 2]
    expected = new(n)
    WRITES[name](expected)
    with corepy.fuse():
        y, z = x + 1, xp.sum(view)
        w = y * x
        WRITES[name](x)
        assert n == 8 or not (is_deferred(y) or is_deferred(w))
        after = x + 0.0
        assert_same(y, np.arange(2.0, n + 2.0))
        assert_same(w, np.arange(2.0, n + 2.0) * np.arange(1.0, n + 1.0))
        assert float(z) == sum(range(n // 2 + 1))
        assert_same(x, expected)
        assert_same(after, expected)


def test_a_write_stores_what_tensors_refer_to_alone():
    x = new(100)
    with corepy.fuse():
        y = xp.sqrt((x + 1) * x) - x
        x[0] = 0.0
        (group,) = last_plan().groups
        assert [each.stored for each in group.operations] == [False, False, False, True]
        assert not is_deferred(y)


def test_writes_elsewhere_do_not_compute():
    x, other = new(), new()
    with corepy.fuse():
        y = x + 1
        other[0] = 50.0
        other += 1
        assert is_deferred(y)


def test_in_place_operators_on_deferred_tensors():
    x = new(4)
    with corepy.fuse():
        y = x + 1
        alias, z, view = y, y * 2, y[1:]
        y += 10
        assert y is alias
        y *= y
        y[0] = 0.0
        assert view.tolist() == [169.0, 196.0, 225.0]
        view[0] = 1.0
        assert alias.tolist() == [0.0, 1.0, 196.0, 225.0]
        assert z.tolist() == [4.0, 6.0, 8.0, 10.0]
        assert x.tolist() == [1.0, 2.0, 3.0, 4.0]
        y = x - 1
        y -= y
        assert not bool(xp.any(y))


@pytest.mark.parametrize("statement", ["y[...] = 2 * x + 1", "y[::-1] = 2 * x + 1"])
def test_an_expression_is_computed_where_it_is_assigned(statement):
    """Peak memory: there is no third array of 8 MB."""
    output_of(f"""
import corepy
import corepy.array_api as xp

x, y = xp.ones(10**6), xp.zeros(10**6)
with corepy.fuse():
    {statement}
assert bool(xp.all(y == 3))
assert corepy.memory.stats()["peak"] < 20_000_000, corepy.memory.stats()
""")


@pytest.mark.parametrize("codegen", [True, False])
def test_ten_operations_take_the_memory_of_their_result(codegen):
    """Peak memory: inputs of 16 MB, the result of 8 MB, and the blocks of threads."""
    output_of(f"""
import corepy
import corepy.array_api as xp

x, y = xp.ones(10**6), xp.ones(10**6)
with corepy.config(fusion_codegen={codegen}), corepy.fuse():
    z = xp.exp(((x * 2 - y) * x + 3) * y - 4) + xp.sqrt(x + y) * 0.5
assert corepy.memory.stats()["peak"] < 24_000_000 + 2_000_000, corepy.memory.stats()
""")


def test_an_expression_is_assigned_to_what_it_reads():
    x, expected = xp.arange(200.0), np.arange(200.0)
    with corepy.fuse():
        x[1:] = x[:-1] * 2 + x[1:]
        y = x + 1
        x[:100] = y[100:]
        kept = y * 2
        x[...] = kept
        x[0] = 5
    expected[1:] = expected[:-1] * 2 + expected[1:]
    np.testing.assert_array_equal(kept, (expected + 1) * 2)
    expected = (expected + 1) * 2
    expected[0] = 5
    np.testing.assert_array_equal(x, expected)


@pytest.mark.slow
def test_what_waits_does_not_fill_the_memory():
    """Of tensors that nodes alone refer to an eighth of the memory is kept, and a little more."""
    output_of("""
import os
import corepy
import corepy.array_api as xp

memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
n = memory // 64 // 8  # chunks of a 64th of the memory
total = xp.zeros(n)
with corepy.fuse():
    for k in range(48):
        total = total + xp.full(n, float(k)) * 2
assert float(total[n - 1]) == 48 * 47
assert corepy.memory.stats()["peak"] < memory / 4, corepy.memory.stats()
""")
