"""Nothing leaks: memory, references, and the objects that hold them."""

import contextlib
import gc
import sys
import weakref

import numpy as np
import pytest
from running import output_of

import corepy
import corepy.array_api as xp
from corepy import Tensor

# Each makes and drops tensors of about a megabyte, or fails while doing so.
CHURN = {
    "arithmetic": "t = xp.ones(125_000); t = t + t * 2.0; t += 1; t = -t",
    "mixed dtypes": "xp.ones(125_000, dtype=xp.int16) + xp.ones(125_000, dtype=xp.float32)",
    "reductions": "t = xp.ones((250, 500)); xp.sum(t, axis=0); xp.argmax(t); xp.std(t, axis=1)",
    "views": "t = xp.ones((250, 500)); xp.reshape(t[::2].T[::-1], (-1,))[5:] + 1",
    "indexing": "t = xp.ones(125_000); t[t > 0]; t[xp.arange(1000)]; t[::2] = 5",
    "ndarrays": "np.asarray(xp.ones(125_000)) + np.asarray(xp.ones(125_000)[::2]).sum()",
    "dlpack": "np.from_dlpack(xp.ones(125_000)); xp.ones(125_000).__dlpack__()",
    "buffers": "memoryview(xp.ones(125_000))[3]",
    "pickles": "pickle.loads(pickle.dumps(xp.ones(125_000), 5))",
    "many axes": "xp.asarray((xp.ones((1,) * 12 + (125_000,)) + 1).T, copy=True)",
    "moves": "xp.ones(125_000, device='reference').to('cpu').to('reference')",
    "functions": "xp.sort(xp.flip(xp.arange(125_000.0))); xp.concat((xp.ones(60_000),) * 2)",
    "failures": """
for call in (lambda: xp.ones(125_000) + xp.ones(3), lambda: xp.ones(125_000)[10**9],
             lambda: xp.reshape(xp.ones(125_000), (7, -1)), lambda: xp.ones(125_000) & 1,
             lambda: xp.ones(125_000).__setitem__(slice(None), xp.ones(7)),
             lambda: Tensor(np.ones(125_000), dtype="no"), lambda: xp.ones(125_000)["no"],
             lambda: np.array(xp.ones(125_000), dtype="int8", copy=False)):
    try:
        call()
    except (TypeError, ValueError, IndexError):
        pass
    else:
        raise AssertionError
""",
    "self-containing": "a = np.empty(1, dtype=object); a[0] = xp.ones(125_000); del a",
}


@pytest.mark.parametrize("name", CHURN)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_is_given_back(name):
    code = f"""
import gc, pickle
import numpy as np
import corepy.array_api as xp
from corepy import Tensor

def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

code = compile({CHURN[name]!r}, "churn", "exec")
for _ in range(20):
    exec(code)
before = resident()
for _ in range(80):
    exec(code)
print((resident() - before) / 1e6)
"""
    assert float(output_of(code)) < 20  # megabytes; a leak of one in each round would be 80


ARRAY = np.ones(2)
SMALL = {
    "arithmetic": lambda t: t + t * 2.0,
    "scalars": lambda t: 2 + (t == 1),
    "in place": lambda t: t.__iadd__(1.0),
    "element": lambda t: t[0],
    "write": lambda t: t.__setitem__(0, 1.0),
    "view": lambda t: t[::-1].T,
    "sum": lambda t: xp.sum(t, axis=0),
    "ndarray": np.asarray,
    "from ndarray": lambda t: Tensor(ARRAY),
    "float": float,
    "buffer": lambda t: memoryview(t).release(),
    "dlpack": lambda t: np.from_dlpack(t),
    "attributes": lambda t: (t.shape, t.dtype, t.device, t.strides),
    "iteration": list,
    "error": lambda t: t.__getitem__("a"),
    "shape error": lambda t: t + xp.ones(3),
    "dtype error": lambda t: t & 1,
}


@pytest.mark.parametrize("name", SMALL)
def test_references_are_balanced(name):
    function, t = SMALL[name], Tensor([1.0, 2.0])
    shared = [t, t.dtype, np.dtype("int64"), np.dtype("bool"), t.device, t.device.backend]
    singles = [None, Ellipsis, NotImplemented, True, False] if sys.version_info < (3, 12) else []

    def counts():
        gc.collect()
        return [sys.getrefcount(item) for item in shared + singles]

    def use():
        with contextlib.suppress(TypeError, ValueError, IndexError):
            function(t)

    for _ in range(50):
        use()
    before = counts()
    for _ in range(1000):
        use()
    for first, second in zip(before, counts(), strict=True):
        assert abs(second - first) < 500


def test_tensors_are_freed_at_once():
    t = Tensor([1.0, 2.0])
    died = []
    ref = weakref.ref(t, lambda _: died.append(True))
    view = t[:]
    array = np.asarray(t)
    assert ref() is t
    del t
    assert not died  # small tensors hold their elements, which the view shows
    del view, array
    assert died
    assert ref() is None


def test_ndarrays_are_freed_with_the_last_tensor_over_them():
    array = np.ones(1000)
    ref = weakref.ref(array)
    t = Tensor(array)
    view = t[::2]
    del array, t
    assert ref() is not None
    del view
    assert ref() is None


def test_objects_seen_in_passing_are_freed():
    class Index:
        def __index__(self):
            return 0

    index = Index()
    ref = weakref.ref(index)
    t = Tensor([1.0])
    t[index], t[(index,)], t[index:]
    del index
    assert ref() is None


def test_memory_runs_out_without_harm():
    t = xp.broadcast_to(xp.asarray(1.0), (2**46,))
    for call in (
        lambda: t + 1,
        lambda: -t,
        lambda: xp.asarray(t, copy=True),
        lambda: xp.where(t > 0, t, t),
        lambda: xp.zeros(2**50),
        lambda: xp.full(2**50, 1.0),
        lambda: xp.astype(t, "int8"),
    ):
        with pytest.raises(MemoryError):
            corepy.compute(call())
    assert float(xp.sum(xp.ones(1000) + 1)) == 2000


def test_in_place_after_memory_ran_out():
    x = Tensor([1.0])
    huge = xp.broadcast_to(xp.asarray(1.0), (2**46,))
    with pytest.raises((MemoryError, ValueError)):
        x += huge
    assert x.tolist() == [1.0]
