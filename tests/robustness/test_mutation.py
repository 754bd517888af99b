"""Inputs that change while they are read: by another thread, or by the Python code of their items.

Results are then any, and errors may be raised. The process must not crash, nor touch memory that is
not its own: `make sanitize` runs these tests with AddressSanitizer.
"""

import numpy as np
import pytest
from running import output_of

import corepy.array_api as xp
from corepy import Tensor

# A thread writes `a` and `b` by turns into the memory of `t`, most often only some elements, while
# another computes. Operations of this size run without the GIL.
MUTATED = """
import sys, threading, time
import numpy as np
import corepy
import corepy.array_api as xp
from corepy import Tensor

sys.setswitchinterval(1e-5)
corepy.set_num_threads(3)
n, seconds = {n}, {seconds}
rng = np.random.default_rng(0)
a, b = {contents}
memory = a.copy()
t = Tensor(memory)
ones = xp.ones(n, dtype=xp.int64)
other = xp.asarray(rng.integers(0, 1000, n))
target = xp.zeros(n, dtype=xp.int64)
stop = threading.Event()

def write():
    while not stop.is_set():
        for _ in range(20):
            memory[::997] = b[::997]
            memory[::997] = a[::997]
        memory[:] = b
        memory[:] = a

def within(indices):
    assert 0 <= int(xp.min(indices)) and int(xp.max(indices)) < n, indices

writer = threading.Thread(target=write, daemon=True)
writer.start()
for call in {calls}:
    print(call, flush=True)
    compute = eval("lambda: " + call)
    end = time.monotonic() + seconds
    rounds = 0
    while time.monotonic() < end or rounds < 3:
        rounds += 1
        try:
            compute()
        except (IndexError, ValueError, OverflowError, MemoryError, np.linalg.LinAlgError):
            pass
stop.set()
writer.join()
assert np.array_equal(np.asarray(xp.asarray([3, 1, 2]) + 1), [4, 2, 3])
print("alive")
"""

# Operands that are written alternately, and operations on them.
CONTENTS = {
    "ranges": "rng.integers(0, n, n), rng.integers(-(2**62), 2**62, n)",
    "narrow ranges": "rng.integers(0, 99, n, 'i4'), rng.integers(-(2**31), 2**31 - 1, n, 'i4')",
    "bytes": "rng.integers(0, 9, n, 'u1'), np.full(n, 255, 'u1')",
    "extremes": "rng.random(n), rng.random(n) + 1.0",
    "NaN": "rng.random(n), np.where(rng.random(n) < 0.5, np.nan, -0.0)",
    "masks": "rng.random(n) < 0.01, rng.random(n) < 0.99",
    "counts": "np.ones(n, 'i8'), np.where(rng.random(n) < 0.5, 2**40, -(2**40))",
    "few counts": "np.full(n, 3, 'i8'), rng.integers(-9, 9, n)",
    "indices": "rng.integers(-n, n, n), rng.integers(-(2**62), 2**62, n)",
    "divisors": "rng.integers(1, 2**62, n), rng.integers(-1, 1, n)",
    "exponents": "rng.random(n), 10.0 ** rng.integers(-308, 308, n)",
}
CALLS = {
    "ranges": [
        "xp.unique_values(t)", "xp.unique_counts(t)", "xp.unique_all(t)", "xp.isin(other, t)",
        "xp.isin(t, other)", "within(xp.argsort(t))",
        "within(xp.argsort(xp.reshape(t, (-1, 8)), descending=True))",
    ],
    "narrow ranges": [
        "xp.unique_values(t)", "xp.isin(t, t)", "xp.sort(t)", "xp.sort(xp.reshape(t, (-1, 8)))",
        "within(xp.argmax(t))", "within(xp.argmin(xp.reshape(t, (-1, 8)), axis=1))",
    ],
    "bytes": ["xp.sort(t)", "xp.unique_values(t)", "within(xp.argmax(t))",
              "xp.sort(xp.astype(t, xp.int16))"],
    "extremes": ["within(xp.argmax(t))", "within(xp.argmin(t[:-1]))", "xp.sort(t, descending=True)",
                 "xp.fft.fft(t)", "xp.fft.rfft(xp.reshape(t, (-1, 40)))"],
    "NaN": [
        "xp.sort(t)", "xp.sort(t[:3001], descending=True)", "within(xp.argsort(t))",
        "within(xp.unique_inverse(t)[1])",
        "xp.isin(t, t)", "xp.searchsorted(t, t)", "xp.searchsorted(t, t, side='right')",
        "xp.astype(t, xp.int8)", "xp.cumulative_prod(t)", "xp.var(t)", "xp.max(t)",
        "within(xp.argmax(t))", "xp.linalg.inv(xp.reshape(t, (-1, 2, 2)))",
    ],
    "masks": [
        "xp.nonzero(t)", "xp.nonzero(xp.reshape(t, (-1, 8)))", "other[t]", "xp.count_nonzero(t)",
        "target.__setitem__(t, 1)", "target.__setitem__(t, ones[:int(xp.count_nonzero(t))])",
    ],
    "counts": ["xp.repeat(other, t)", "xp.repeat(xp.ones((n, 3), dtype=xp.int8), t, axis=0)"],
    "few counts": ["xp.repeat(other, t)", "xp.repeat(xp.ones((n, 3), dtype=xp.int8), t, axis=0)"],
    "indices": [
        "xp.take(other, t)", "xp.take(xp.reshape(other, (-1, 8)), t, axis=0)", "other[t]",
        "xp.take_along_axis(xp.reshape(other, (8, -1)), xp.reshape(t, (8, -1)), axis=1)",
        "target.__setitem__(t, 1)", "target.__setitem__(t[:5000], ones[:5000])",
        "xp.reshape(target, (-1, 8)).__setitem__((slice(None), t[:5]), 1)", "other[t[:5000], None]",
        "xp.searchsorted(other, other, sorter=t)", "other << t", "other >> t", "other ** t",
    ],
    "divisors": ["other // t", "other % t", "other // t[::2].T[0]", "t // other"],
    "exponents": ["xp.sin(t)", "xp.exp(t)", "xp.log1p(t)", "t ** t"],
}  # fmt: skip


@pytest.mark.parametrize("name", CONTENTS)
def test_another_thread_writes_into_an_input(name):
    code = MUTATED.format(n=160_000, seconds=0.25, contents=CONTENTS[name], calls=CALLS[name])
    assert output_of(code).endswith("alive\n")


# ---- Python code that runs while its list is read


class Changing(int):
    """A number that changes a list when it is asked for its value."""

    def __new__(cls, value, change):
        self = super().__new__(cls, value)
        self.change = change
        return self

    def __float__(self):
        self.change()
        return float(int.__int__(self))

    def __index__(self):
        self.change()
        return int.__int__(self)

    __int__ = __trunc__ = __index__


class Index:
    """The same, and no int."""

    def __init__(self, value, change):
        self.value, self.change = value, change

    def __index__(self):
        self.change()
        return self.value

    def __float__(self):
        self.change()
        return float(self.value)


class Sequence(list):
    """A list that changes another one when it is looked at."""

    def __init__(self, items, change):
        super().__init__(items)
        self.change = change

    def __len__(self):
        self.change()
        return super().__len__()

    def __getitem__(self, key):
        self.change()
        return super().__getitem__(key)

    def __iter__(self):
        self.change()
        return super().__iter__()


CHANGES = {
    "clear": lambda items: items.clear(),
    "pop": lambda items: items and items.pop(),
    "grow": lambda items: items.extend([1] * 50),
    "nest": lambda items: items.__setitem__(slice(None), [[1, 2], [3]]),
    "replace": lambda items: items.__setitem__(slice(None), [object()] * len(items)),
}


@pytest.fixture(params=CHANGES)
def change(request):
    return CHANGES[request.param]


def attempt(call):
    """Call what may raise, but not crash; return a tensor of it, if there is one."""
    try:
        result = call()
    except (TypeError, ValueError, IndexError, RuntimeError, OverflowError):
        return None
    for tensor in result if isinstance(result, tuple) else (result,):
        array = np.asarray(tensor)  # whatever its shape is, its elements are there
        assert array.tobytes() == array.copy().tobytes()
        assert array.size < 10_000
    return result


@pytest.mark.parametrize("kind", [Changing, Index])
@pytest.mark.parametrize("dtype", [None, "float64", "float32", "int8", "complex128", "bool"])
@pytest.mark.parametrize("length, at", [(3, 0), (100, 0), (100, 50), (100, 99)])
def test_items_that_change_their_list(kind, dtype, length, at, change):
    for nested in (False, True):
        items = [1.0] * length
        items[at] = kind(1, lambda items=items: change(items))
        rows = [items, list(items)] if nested else items
        attempt(lambda rows=rows: xp.asarray(rows, dtype=dtype and np.dtype(dtype)))
        attempt(lambda rows=rows: Tensor([0.0] * 3) + rows)


def test_sequences_that_change_their_list(change):
    # NumPy alone ends with a segmentation fault here.
    for place in range(3):
        rows = [[1.0, 2.0] for _ in range(3)]
        rows[place] = Sequence([1.0, 2.0], lambda rows=rows: change(rows))
        attempt(lambda rows=rows: xp.asarray(rows))
        rows = [[1, 0] for _ in range(3)]
        rows[place] = Sequence([1, 0], lambda rows=rows: change(rows))
        attempt(lambda rows=rows: Tensor(X)[rows])
        rows = [[1, 0] for _ in range(3)]
        rows[place] = Sequence([1, 0], lambda rows=rows: change(rows))
        attempt(lambda rows=rows: Tensor(X)[:, rows, 0])
    nothing = Sequence([[1.0, 2.0], [3.0, 4.0]], lambda: None)
    assert np.array_equal(np.asarray(xp.asarray(nothing)), [[1.0, 2.0], [3.0, 4.0]])


X = np.arange(24.0).reshape(2, 3, 4)
# Functions of a list of integers.
OF_INTEGERS = {
    "permute_dims": (lambda v: xp.permute_dims(Tensor(X), v), [2, 0, 1]),
    "expand_dims": (lambda v: xp.expand_dims(Tensor(X), v), [0, 3]),
    "squeeze": (lambda v: xp.squeeze(Tensor(X[:1, :, :1]), v), [0, 2]),
    "flip": (lambda v: xp.flip(Tensor(X), axis=v), [0, 2]),
    "sum": (lambda v: xp.sum(Tensor(X), axis=v), [0, 2]),
    "moveaxis": (lambda v: xp.moveaxis(Tensor(X), v, [0, 1]), [1, 2]),
    "moveaxis to": (lambda v: xp.moveaxis(Tensor(X), [0, 1], v), [1, 2]),
    "reshape": (lambda v: xp.reshape(Tensor(X), v), [4, 3, 2]),
    "zeros": (lambda v: xp.zeros(v), [4, 3, 2]),
    "full": (lambda v: xp.full(v, 1.0), [4, 3, 2]),
    "broadcast_to": (lambda v: xp.broadcast_to(Tensor(X), v), [5, 2, 3, 4]),
    "broadcast_shapes": (lambda v: xp.zeros(xp.broadcast_shapes(v, (2, 1, 1))), [1, 3, 4]),
    "tile": (lambda v: xp.tile(Tensor(X), v), [2, 1, 2]),
    "roll": (lambda v: xp.roll(Tensor(X), v, axis=[0, 1, 2]), [1, 1, 1]),
    "roll along": (lambda v: xp.roll(Tensor(X), [1, 1, 1], axis=v), [0, 1, 2]),
    "repeat": (lambda v: xp.repeat(Tensor(X), xp.asarray(v), axis=1), [1, 2, 3]),
    "take": (lambda v: xp.take(Tensor(X), xp.asarray(v), axis=2), [0, 1, 3]),
    "indexing": (lambda v: Tensor(X)[v], [0, 1, 1]),
    "indexing by a tuple": (lambda v: Tensor(X)[tuple(v)], [0, 1, 1]),
    "assignment": (lambda v: Tensor(X, copy=True).__setitem__(v, 1.0) or Tensor(X), [0, 1, 1]),
    "fftn": (lambda v: xp.fft.fftn(Tensor(X), s=v, axes=[0, 1, 2]), [2, 2, 2]),
    "fftn along": (lambda v: xp.fft.fftn(Tensor(X), axes=v), [0, 1, 2]),
    "tensordot": (lambda v: xp.tensordot(Tensor(X), Tensor(X), axes=(v, [0, 1])), [0, 1]),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_INTEGERS)
@pytest.mark.parametrize("kind", [Changing, Index])
def test_integers_that_change_their_list(name, kind, change):
    call, values = OF_INTEGERS[name]
    for at in range(len(values)):
        items = list(values)
        items[at] = kind(values[at], lambda items=items: change(items))
        attempt(lambda items=items: call(items))


class Arrayish(float):
    """An operand that changes the list that it is in when it becomes an array."""

    change = staticmethod(lambda: None)

    def __array__(self, dtype=None, copy=None):
        self.change()
        return np.asarray(1.0)

    def __float__(self):
        self.change()
        return 1.0


@pytest.mark.parametrize("join", [xp.concat, xp.stack], ids=["concat", "stack"])
def test_operands_that_change_their_list(join, change):
    for at in range(3):
        arrays = [xp.ones(3), xp.ones(3), xp.ones(3)]
        row = [1.0, 1.0, 1.0]
        row[at] = Index(1, lambda arrays=arrays: change(arrays))
        arrays[at] = row
        attempt(lambda arrays=arrays: join(arrays))
        arrays = [xp.ones(3)] * 3
        attempt(lambda arrays=arrays: join(arrays, axis=Index(0, lambda: change(arrays))))


def test_a_list_of_axes_is_read_once():
    axes = [0, 0]
    axes[0] = Index(0, lambda: axes.pop() if len(axes) > 1 else None)
    axes[1] = Index(3, lambda: None)
    assert xp.expand_dims(Tensor(X), axes).shape == (1, 2, 3, 1, 4)
    axes = [0, 1, 2]
    axes[0] = Index(0, lambda: axes.clear())
    assert xp.permute_dims(Tensor(X), axes).shape == (2, 3, 4)


def test_a_tensor_is_initialised_once():
    tensor = Tensor.__new__(Tensor)

    class Again:
        def __array__(self, dtype=None, copy=None):
            tensor.__init__([1.0, 2.0])
            return np.ones(1000)

    with pytest.raises(TypeError, match="initialised again"):
        tensor.__init__(Again())
    assert np.array_equal(np.asarray(tensor), [1.0, 2.0])
