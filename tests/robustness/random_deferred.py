"""Calls with deferred operands, compared with the same calls on computed ones.

`python random_deferred.py SEED COUNT` draws functions, methods, operators and assignments, with
operands and dtypes of every kind, and prints each call whose result, error or effect on its
operands differs; the last line has the number of calls, of those that returned, and of differences.
"""

import datetime
import decimal
import fractions
import inspect
import operator
import random
import re
import sys
import warnings

import numpy as np

import corepy
import corepy.array_api as xp
from corepy import Tensor

DTYPES = "bool int8 int16 int64 uint8 uint64 float32 float64 complex64 complex128".split()
NUMBERS = [0, 1, -1, 2, 3, -2, 5, 100, 300, -(2**31), 2**63, 2**64, True, False, 0.0, -0.0, 0.5,
           1.5, -2.5, 1e20, float("nan"), float("inf"), 1j, 1.5 - 2j]  # fmt: skip
UNUSUAL = [
    *(np.float16(1), np.float32(1.5), np.float64(2.5), np.int8(3), np.uint64(7), np.bool_(True)),
    *(np.longdouble(1), np.complex64(1j), np.datetime64("2020-01-01"), np.timedelta64(3, "s")),
    *(np.ma.array([1.0, 2.0], mask=[0, 1]), np.array([1.0, 2.0], ">f8"), np.matrix([[1.0, 2.0]])),
    *(np.array([1, None], object), np.array(["a", "b"]), np.array(2.0), np.array([1, 2], "e")),
    *(decimal.Decimal("1.5"), fractions.Fraction(1, 3), datetime.timedelta(seconds=2)),
    *("a", b"a", None, [], [1, 2], [1.5, None], (1,), (0, -1), range(3), {}, slice(None), Ellipsis),
]
KINDS = [
    *DTYPES, None, object, "e", ">f8", "U3", "M8[s]", int, float, complex, bool, np.float32,
    np.dtype("float64"), "longdouble", "nonsense",
]  # fmt: skip
OPERATORS = "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split()
OPERATORS = [getattr(operator, name) for name in [*OPERATORS, *"lt le eq ne gt ge".split()]]
IN_PLACE = "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift"
IN_PLACE = [getattr(operator, name) for name in IN_PLACE.split()]
ONE = [operator.neg, operator.pos, operator.invert, abs, bool, int, float, complex, len, list, repr,
       str, hash, round, operator.index, memoryview, iter, sum, np.asarray]  # fmt: skip
#: Not functions of arrays alone: files, settings, text about the library, random numbers.
SKIPPED = re.compile(
    "save|load|fromfile|tofile|dump|txt|set_|seterr|errstate|config|fuse|use_|memory|info|show|test"
    "|device|backend|compute|explain|persist|simd|thread|get_|getbuf|print|random|nditer|busday"
    "|discover|select|choose|init|best|estimate|clear|lazy|require|may_share|shares|empty|resize"
    "|nested|memmap|tobytes|data$|flags|ctypes|__array_interface__|__array_struct__|__reduce|__sizeof"
    "|__dlpack__|__setstate__|__init|__new|__del|__class|__dir|__sub|__jax|__cuda|deferred|base"
    "|put|setflags|strides|__enter|__exit"
)


def functions():
    """The public functions of the namespaces, and the drop-in's."""
    found = []
    for module in (xp, xp.linalg, xp.fft):
        found += [getattr(module, name) for name in module.__all__ if not SKIPPED.search(name)]
    for module in (corepy, corepy.linalg, corepy.fft):
        names = [name for name in dir(module) if name[0] != "_" and not SKIPPED.search(name)]
        found += [getattr(module, name) for name in names]
    return [each for each in found if callable(each) and not inspect.isclass(each)]


FUNCTIONS = functions()
METHODS = [
    name for name in dir(corepy.ndarray)
    if hasattr(corepy.ndarray, name) and not SKIPPED.search(name)
]  # fmt: skip


class Operand:
    """How a tensor is made: computed for one call, deferred for the other."""

    def __init__(self):
        shape = tuple(random.choices([0, 1, 2, 3, 3, 4], k=random.choice([0, 0, 1, 1, 1, 2, 2, 3])))
        rng = np.random.default_rng(random.getrandbits(32))
        array = rng.integers(-3, 9, shape)
        array = np.asarray(array * random.choice([1.0, 1.0, 0.5, 100.0, 1e18, 1e300]))
        if random.random() < 0.2:
            np.copyto(array, np.nan, where=rng.random(shape) < 0.3)
        with np.errstate(all="ignore"):
            self.array = array.astype(random.choice(DTYPES))
        keys = [np.s_[..., ::-1], np.s_[..., None], np.s_[..., :1]]
        self.index = random.choice([None] * 6 + keys)
        self.plain = random.random() < 0.2  # never deferred
        self.cls = random.choice([corepy.ndarray, Tensor])

    def make(self):
        x = (corepy if self.cls is corepy.ndarray else xp).asarray(self.array.copy())
        if not self.plain:
            # An operation that may be deferred, and gives the same elements.
            x = x | x if x.dtype == bool else xp.positive(x)
        return x if self.index is None or not x.ndim else x[self.index]

    def __repr__(self):
        text = f"{self.cls.__name__} of np.{self.array!r}" + ("" if self.plain else " [deferred]")
        return text if self.index is None else f"{text}[{self.index}]"


def draw(depth=0):
    """An argument: an Operand stands for a tensor."""
    kinds = {
        Operand: 40,
        lambda: random.choice(NUMBERS): 14,
        lambda: random.choice(UNUSUAL): 10,
        lambda: random.choice(KINDS): 5,
        lambda: random.choice([0, 1, -1, None, (0, 1), 2]): 12,
        lambda: slice(*random.choices([None, 0, 1, -1, 5], k=3)): 2,
        lambda: random.choice(["left", "right", "ij", "wrap", "clip", "C", "F", "K", "ortho"]): 2,
    }
    if depth < 2:
        kinds[lambda: [draw(depth + 1) for _ in range(random.randrange(4))]] = 5
        kinds[lambda: tuple(draw(depth + 1) for _ in range(random.randrange(4)))] = 5
    return random.choices(list(kinds), list(kinds.values()))[0]()


def made(value, known):
    """The argument itself; one Operand is one tensor. Arrays are copied: calls may write them."""
    if isinstance(value, Operand):
        if id(value) not in known:
            known[id(value)] = value.make()
        return known[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(made(item, known) for item in value)
    if isinstance(value, dict):
        return {name: made(item, known) for name, item in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value


def keywords_of(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1, ["axis", "dtype", "keepdims", "out"]
    required = [p for p in parameters if p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD]
    named = [p.name for p in parameters if p.kind >= p.POSITIONAL_OR_KEYWORD and p not in required]
    return len(required), [name for name in named if name not in ("device", "like")]


def draw_call():
    """What is called, a description, and its arguments."""
    first = Operand()
    kind = random.random()
    if kind < 0.15:
        function = random.choice(OPERATORS + IN_PLACE)
        operands = [first, draw()]
        random.shuffle(operands)
        return function, function.__name__, operands, {}
    if kind < 0.2:
        function = random.choice(ONE)
        return function, function.__name__, [first], {}
    if kind < 0.3:
        return operator.setitem, "setitem", [first, draw(), draw()], {}
    if kind < 0.35:
        return operator.getitem, "getitem", [first, draw()], {}
    if kind < 0.4:
        name = random.choice(["shape", "real", "imag", "flat", "dtype", "T"])
        return setattr, "setattr", [first, name, draw()], {}
    if kind < 0.65:
        name = random.choice(METHODS)

        def function(x, *args, **kwargs):
            found = getattr(x, name)
            return found(*args, **kwargs) if callable(found) else found

        count, named = keywords_of(getattr(corepy.ndarray, name))
        count = max(0, count - 1)
    else:
        function = random.choice(FUNCTIONS)
        name = f"{function.__module__}.{getattr(function, '__name__', function)}"
        count, named = keywords_of(function)
        count = max(0, count - 1)
    others = [draw() for _ in range(max(0, count + random.choice([0, 0, 0, 0, 1])))]
    keywords = {each: draw() for each in named if random.random() < 0.15}
    return function, name, [first, *others], keywords


def described(value, depth=0):
    """A value as what can be compared: types, dtypes, shapes and bytes."""
    if depth > 6:
        return "..."
    if isinstance(value, Tensor):
        array = np.asarray(value)
        return (type(value), value.device, described(array, depth + 1))
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufc" and type(value) is np.ndarray:
        if value.dtype.itemsize > 8 and value.dtype.char in "gG":  # its padding has any bits
            return ("ndarray", value.dtype.str, value.shape, list(map(repr, value.flat)))
        # NaN has one pattern of bits here.
        bits = (
            np.where(value != value, value.dtype.type(np.nan), value)
            if value.dtype.kind in "fc"
            else value
        )
        return ("ndarray", value.dtype.str, value.shape, np.ascontiguousarray(bits).tobytes())
    if isinstance(value, (list, tuple)):
        return (type(value), [described(item, depth + 1) for item in value])
    if isinstance(value, dict):
        return (dict, [(key, described(item, depth + 1)) for key, item in value.items()])
    if isinstance(value, memoryview):
        return described(np.asarray(value), depth + 1)
    if type(value).__module__ == "corepy._cython.core" and hasattr(value, "__next__"):
        return described([next(value) for _ in range(min(3, value.__length_hint__()))], depth + 1)
    return re.sub("0x[0-9a-f]+", "", f"{type(value)} {value!r}")


def outcome(function, arguments, keywords, deferred_call, deferred_operands):
    """The result or the error of a call, and its operands afterwards."""
    known = {}
    with corepy.config(fusion=deferred_operands, fusion_threshold=0):
        positional, named = made(arguments, known), made(keywords, known)
        # By the error alone: a division by zero may be noticed by either way.
        with warnings.catch_warnings(record=True), corepy.config(fusion=deferred_call):
            warnings.simplefilter("always")
            try:
                result = described(function(*positional, **named))
            except MemoryError:
                result = "MemoryError"
            except SystemError:
                raise
            except Exception as error:
                result = (type(error).__name__, re.sub("0x[0-9a-f]+", "", str(error)))
            return result, [described(x) for x in known.values()]


def main(seed, count):
    warnings.simplefilter("ignore")
    returned = differences = 0
    for number in range(count):
        random.seed(f"{seed} {number}")
        function, name, arguments, keywords = draw_call()
        eager = outcome(function, arguments, keywords, False, False)
        returned += not (isinstance(eager[0], tuple) and isinstance(eager[0][1], str))
        for way in ((True, True), (False, True)):
            deferred = outcome(function, arguments, keywords, *way)
            if deferred != eager:
                differences += 1
                print(f"{number}: {name}(*{arguments}, **{keywords}), deferred {way}:")
                print(f"    computed {eager}\n    deferred {deferred}", flush=True)
                break
    print("calls", count, "returned", returned, "differences", differences)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
