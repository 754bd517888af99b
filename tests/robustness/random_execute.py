"""Calls `execute` and the methods of the CPU backend with random arguments:
`python random_execute.py SEED COUNT`.

A call may raise, but the process must terminate normally; otherwise the name of the failing call
is the last line of the output. What `execute` computes, or raises, is what the namespace's function
of that name computes, or raises.
"""

import os
import random
import sys
import warnings
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import as_strided

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy._cython import core
from corepy.backend import get_backend

CPU = get_backend("cpu")
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float32", "float64", "complex64", "complex128"]  # fmt: skip
OPERATIONS = core.named_operations()
NAMES = list(OPERATIONS)
STRANGE_NAMES = ["", "no_such", "linalg", "linalg.", "linalg.no_such", "fft", "__init__", "ndarray",
                 "asarray", "lib.stride_tricks.as_strided", "execute", "Add", "add "]  # fmt: skip
INTEGERS = [0, 0, 1, 1, 2, 3, 4, -1, -1, -2, -3, 5, 7, 8, 9, 63, 64, -64, -65, 100, 2**31 - 1,
            2**31, -(2**31), 2**32, 2**40, 2**62, -(2**62), 2**63 - 1, 2**63, -(2**63),
            -(2**63) - 1, 2**64, 10**30]  # fmt: skip
if os.environ.get("COREPY_SANITIZE"):  # there is no limit on memory then, see below
    NAMES.remove("unstack")  # of 2^58 slices
    INTEGERS = [number for number in INTEGERS if not 2**20 < number < 2**40]
NUMBERS = [0.0, -0.0, 1.0, 2.5, -3.0, 1e308, 5e-324, 1e19, float("nan"), float("inf"),
           -float("inf"), 1j, complex("nan"), True, False, np.float32(2), np.int8(3)]  # fmt: skip
WORDS = ["backward", "ortho", "forward", "left", "right", "xy", "ij", "reduced", "complete", "fro",
         "nuc", "", "x", "linalg.det"]  # fmt: skip
UNSUITABLE = [None, None, object(), {}, {1}, b"x", range(3), "text", np.array("x"), len, Ellipsis,
             np.ones(2, "datetime64[s]"), [[1], [1, 2]], float, CPU, ["a"], (None,)]  # fmt: skip


def make_array():
    ndim = random.choices(range(5), [3, 6, 7, 3, 2])[0]
    shape = [random.choice([0, 1, 1, 2, 2, 3, 3, 4]) for _ in range(ndim)]
    if ndim >= 2 and random.random() < 0.4:
        shape[-1] = shape[-2]
    if random.random() < 0.08:
        shape += [1] * random.choice([5, 6, 7, 8, 9, 20, 60])
    elif random.random() < 0.03:
        shape = [random.choice([100, 4095, 4096, 5000, 20_000])] + shape[:1]
    array = np.random.default_rng(random.getrandbits(32)).integers(-3, 6, shape)
    with np.errstate(all="ignore"):
        array = array.astype(random.choice(DTYPES))
    if array.dtype.kind in "fc" and array.size and random.random() < 0.3:
        array.reshape(-1)[random.randrange(array.size)] = random.choice([np.nan, np.inf, -0.0])
    layout = random.random()
    if array.ndim and layout < 0.15:
        array = array[..., ::-1]
    elif array.ndim and layout < 0.25:
        array = array[::2]
    elif layout < 0.4:
        array = array.T
    elif layout < 0.5 and array.ndim < 64:
        array = np.broadcast_to(array, (random.choice([0, 1, 3]), *array.shape))
    elif layout < 0.52 and array.size:
        array = as_strided(array, (2 ** random.choice([20, 40, 58]), 0), (0, 0))
    elif layout < 0.54:
        array = np.frombuffer(bytes(array.nbytes + 1), "u1")[1:].view(array.dtype)
    return array


class Arguments:
    """Random arguments: most of them of the parameter's kind, some of any other."""

    def __init__(self):
        self.tensors = [Tensor(make_array()) for _ in range(200)]
        self.elsewhere = []
        if "reference" in map(str, corepy.available_devices()):
            small = [np.ones((2, 2)), np.arange(3), np.ones(()), np.ones((0, 2), "complex64")]
            self.elsewhere = [Tensor(array, device="reference") for array in small]

    def tensor(self):
        if self.elsewhere and random.random() < 0.01:
            return random.choice(self.elsewhere)
        if random.random() < 0.02:
            self.tensors[random.randrange(len(self.tensors))] = Tensor(make_array())
        return random.choice(self.tensors)

    def integer(self):
        return random.choice(INTEGERS)

    def small(self):
        return random.randrange(-3, 4)

    def number(self):
        return random.choice(NUMBERS)

    def several(self, make, most=4):
        return random.choice([tuple, tuple, list])([make() for _ in range(random.randrange(most))])

    def axis(self):
        return random.choices([self.small, self.integer, lambda: None], [8, 2, 1])[0]()

    def axes(self):
        return self.axis() if random.random() < 0.4 else self.several(self.axis)

    def sizes(self):
        return random.choices([self.small, self.integer], [4, 1])[0]()

    def shape(self):
        return self.sizes() if random.random() < 0.2 else self.several(self.sizes)

    def operand(self):
        return random.choices([self.tensor, self.number, self.integer, make_array], [8, 1, 1, 1])[
            0
        ]()

    def indices(self):
        array = np.random.default_rng(random.getrandbits(32)).integers(-3, 4, random.choice(
            [(), (1,), (3,), (2, 2), (0,), (5000,)]))  # fmt: skip
        if array.size and random.random() < 0.1:
            array.reshape(-1)[-1] = random.choice([100, 2**62, -(2**63)])
        return Tensor(array.astype(random.choice(["int64", "int64", "int8", "uint64", "float64"])))

    def dtype(self):
        return random.choice([None, *map(np.dtype, DTYPES), *DTYPES, float, int, "float16", object])

    def flag(self):
        return random.choice([True, False, False, 1, None, "", xp.ones(()), xp.ones(2)])

    def word(self):
        return random.choice(WORDS)

    def key(self, depth=0):
        return random.choice([
            self.small, self.integer, self.indices, self.tensor, lambda: None, lambda: ...,
            lambda: slice(*[random.choice([None, 0, 1, -1, 5, 2**62, -(2**62)]) for _ in "abc"]),
            lambda: tuple(self.key(1) for _ in range(random.randrange(4))) if not depth else 0,
            lambda: Tensor([True, False]),
        ])()  # fmt: skip

    def anything(self):
        return random.choice([self.tensor, self.integer, self.number, self.word, self.axes,
                              self.dtype, self.indices, self.key, lambda: random.choice(UNSUITABLE),
                              lambda: self.several(self.operand)])()  # fmt: skip

    def for_parameter(self, name):
        if random.random() < 0.06:
            return self.anything()
        if name in ("x", "x1", "x2", "condition", "prepend", "append", "min", "max"):
            return self.operand()
        if name == "arrays":
            return self.several(self.operand)
        make = {
            "axis": self.axis, "axes": self.axes, "indices": self.indices, "sorter": self.indices,
            "repeats": lambda: self.sizes() if random.random() < 0.5 else self.indices(),
            "shift": self.shape, "repetitions": self.shape, "shape": self.shape, "s": self.shape,
            "source": self.axes, "destination": self.axes, "dtype": self.dtype,
            "ord": lambda: random.choice([self.word, self.small, self.number])(),
            "rtol": lambda: random.choice([self.number, self.tensor])(),
            "norm": self.word, "mode": self.word, "side": self.word, "indexing": self.word,
            "keepdims": self.flag, "descending": self.flag, "stable": self.flag,
            "include_initial": self.flag, "upper": self.flag, "full_matrices": self.flag,
            "invert": self.flag, "endpoint": self.flag, "copy": self.flag,
            "fill_value": self.number, "correction": self.number, "d": self.number,
            "device": lambda: random.choice([None, None, "cpu", CPU.devices()[0], "x", 3]),
        }.get(name, self.sizes)  # fmt: skip
        return make()

    def for_operation(self, name):
        """Return inputs and parameters for an operation."""
        positional, keywords = OPERATIONS[name]
        variadic = name in ("meshgrid", "broadcast_arrays")
        inputs = [self.for_parameter(each) for each in positional]
        if variadic:
            inputs = [self.operand() for _ in range(random.randrange(4))]
        elif random.random() < 0.05:
            inputs = inputs[:-1] if random.random() < 0.5 else [*inputs, self.anything()]
        params = {each: self.for_parameter(each) for each in keywords if random.random() < 0.5}
        if random.random() < 0.03:
            params[random.choice(["axis", "x", "foo", 3])] = self.anything()
        return tuple(inputs), params


def function_of(name):
    """Return the namespace's function of an operation."""
    module, _, last = name.rpartition(".")
    if not module and not hasattr(xp, name):
        return core.function_of(name)  # NumPy's
    return getattr({"": xp, "linalg": xp.linalg, "fft": xp.fft}[module], last)


def outcome(function, *args, **params):
    """Return what a call returns, or the kind of its error."""
    try:
        return function(*args, **params)
    except SystemError:  # the interpreter's word for a mistake in an extension module
        raise
    except Exception as error:  # any other error is fine
        return error


def look_at(result):
    """Read every element of a result."""
    for item in result if isinstance(result, (tuple, list)) else (result,):
        if isinstance(item, Tensor) and item.size < 10**5:
            repr(item), xp.asarray(item, copy=True)


def require_same(name, found, expected):
    """Raise unless two outcomes of an operation are the same; of errors any is like any other."""
    if isinstance(found, MemoryError) or isinstance(expected, MemoryError):
        return  # the other may have had the memory
    if isinstance(found, Exception) or isinstance(expected, Exception):
        same = isinstance(found, Exception) and isinstance(expected, Exception)
    elif isinstance(expected, (tuple, list)):
        same = len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            require_same(name, a, b)
    else:
        a, b = (np.asarray(x.to_device("cpu")) for x in (found, expected))
        same = a.dtype == b.dtype and a.shape == b.shape and (
            name.startswith("empty") or a.size > 10**5 or np.array_equal(a, b, a.dtype.kind in "fc")
        )  # fmt: skip
    if not same:
        raise AssertionError(f"{name}: execute gives {found!r}, the namespace {expected!r}")


def call_execute(arguments, name):
    inputs, params = arguments.for_operation(name)
    found = outcome(core.execute, name, inputs, params)
    look_at(found)
    if random.random() < 0.3 and set(params) <= set(OPERATIONS[name][1]):
        expected = outcome(function_of(name), *inputs, **params)
        require_same(name, found, expected)
    return found


def call_backend(arguments, name):
    inputs, params = arguments.for_operation(name)
    if "device" in OPERATIONS[name][1] and random.random() < 0.5:
        params.pop("device", None)
        device = random.choice([*CPU.devices(), None])
        return outcome(CPU.create, name, inputs, params, device)
    return outcome(CPU.execute, name, inputs, params)


def call_create(arguments, name):
    inputs, params = arguments.for_operation(name)
    device = arguments.for_parameter("device")
    return outcome(core.create, name, device, inputs, params)


def call_core(arguments, name):
    """Call the core's own function of an operation by position."""
    function = getattr(core, name.rpartition(".")[2], None)
    if not callable(function):
        return None
    positional, keywords = OPERATIONS[name]
    values = [arguments.for_parameter(each) for each in (*positional, *keywords)]
    return outcome(function, *values[: random.randrange(len(values) + 1)])


def call_method(arguments, name):
    """Call one of the methods of the CPU backend for a kind of operation."""
    a = arguments
    op = random.randrange(-1, 90) if random.random() < 0.97 else a.anything()
    method, make = random.choice([
        ("unary", lambda: [op, a.tensor()]),
        ("binary", lambda: [op, a.operand(), a.operand()]),
        ("binary", lambda: [op, a.tensor(), a.operand()]),
        ("where", lambda: [a.tensor(), a.operand(), a.operand()]),
        ("clip", lambda: [a.tensor(), a.operand(), a.operand()]),
        ("reduce", lambda: [op, a.tensor(), a.axes(), a.flag(), a.dtype(), a.number()]),
        ("scan", lambda: [op, a.tensor(), a.small(), a.dtype(), a.flag()]),
        ("scan", lambda: [op, a.tensor(), a.integer(), a.dtype(), a.flag()]),
        ("inplace", lambda: [op, a.tensor(), a.operand()]),
        ("astype", lambda: [a.tensor(), a.dtype(), a.flag()]),
        ("full", lambda: [a.shape(), a.number(), a.dtype(), CPU.devices()[0]]),
        ("getitem", lambda: [a.tensor(), a.key()]),
        ("setitem", lambda: [a.tensor(), a.key(), a.operand()]),
        ("to_numpy", lambda: [a.tensor()]),
        ("from_numpy", lambda: [make_array(), CPU.devices()[0]]),
        ("dlpack_device", lambda: [a.tensor()]),
    ])  # fmt: skip
    values = make()
    if random.random() < 0.05:
        values[random.randrange(len(values))] = a.anything()
    return outcome(getattr(CPU, method), *values)


def call_stranger(arguments, name):
    name = random.choice([*STRANGE_NAMES, None, 3])
    inputs = arguments.several(arguments.anything) if random.random() < 0.9 else None
    params = random.choice([None, {}, {"axis": 0}, 3])
    function = random.choice([core.execute, CPU.execute])
    found = outcome(function, name, inputs, params)
    if not isinstance(found, Exception):
        raise AssertionError(f"there is an operation {name!r}")
    return found


CALLS = {
    call_execute: 50, call_backend: 20, call_create: 4, call_core: 10, call_method: 25,
    call_stranger: 1,
}  # fmt: skip


def main(seed, count):
    random.seed(seed)
    warnings.simplefilter("ignore")
    arguments, returned = Arguments(), 0
    calls = random.choices(list(CALLS), list(CALLS.values()), k=count)
    for number, call in enumerate(calls):
        name = random.choice(NAMES)
        print(number, call.__name__, name, flush=True)
        found = call(arguments, name)
        look_at(found)
        returned += not isinstance(found, Exception)
    print("came to its end", returned)


if __name__ == "__main__":
    # Sanitizers need the address space for themselves; tools/sanitize.py bounds each block instead.
    if sys.platform.startswith("linux") and not os.environ.get("COREPY_SANITIZE"):
        import resource

        # Libraries of devices are imported, and OpenBLAS allocates its buffers, before the limit:
        # OpenBLAS ends the process where it cannot.
        for device in corepy.available_devices():
            np.linalg.svd(np.asarray(xp.ones((64, 64), device=device).to_device("cpu")))
        # Large allocations fail, instead of taking the machine's memory and time.
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + 2**29
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    main(int(sys.argv[1]), int(sys.argv[2]))
