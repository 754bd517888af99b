"""Operators on operands that nothing refers to: the result is in their memory, and nowhere else."""

import functools
import gc
import itertools
import operator
import random
import sys
import warnings
import weakref

import numpy as np
import pytest
from running import output_of

import corepy
import corepy.array_api as xp
from corepy._cython import core

pytestmark = pytest.mark.usefixtures("not_deferring")  # what is deferred takes no memory yet

# Elsewhere the interpreter may be built so that its calls are not recognised.
is_recognised = pytest.mark.skipif(
    sys.platform != "linux" or sys.version_info >= (3, 14), reason="depends on the interpreter"
)

SIZE = 40_000  # 320,000 bytes
SIGNS = ("+", "-", "*", "/", "//", "%", "**")
BITWISE = ("&", "|", "^", "<<", ">>")


def make(dtype=xp.float64, shape=(SIZE,)):
    size = int(np.prod(shape))
    return xp.reshape(xp.astype(xp.arange(size) % 5 + 1, dtype), shape)


def blocks_for(expression, **names):
    """Return how many blocks of memory an expression of Python code takes."""
    code = compile(expression, "<expression>", "eval")
    eval(code, names)
    gc.collect()
    before = corepy.memory.stats()
    found = eval(code, names)
    after = corepy.memory.stats()
    del found
    return after["allocations"] + after["reuses"] - before["allocations"] - before["reuses"]


@pytest.fixture
def reuse_all():
    least = core.reuse_temporaries_from(0)
    yield
    core.reuse_temporaries_from(least)


@is_recognised
@pytest.mark.parametrize("sign", SIGNS)
def test_operators_take_no_memory(sign):
    x, y = make(), make()
    for expression in (f"(x + y) {sign} y", f"x {sign} (x + y)", f"(x + y) {sign} 3",
                       f"3 {sign} (x + y)", f"(x + y) {sign} (x + y)"):  # fmt: skip
        assert blocks_for(expression, x=x, y=y) == expression.count("("), expression


@is_recognised
@pytest.mark.parametrize("sign", BITWISE)
def test_operators_of_integers_take_no_memory(sign):
    x, y = make(xp.int64), make(xp.int64)
    for expression in (f"(x + y) {sign} y", f"x {sign} (x + y)", f"(x + y) {sign} 3"):
        assert blocks_for(expression, x=x, y=y) == 1, expression


@is_recognised
@pytest.mark.parametrize("expression", ["-(x + y)", "abs(x - y)", "~(i + i)"])
def test_operators_of_one_operand_take_no_memory(expression):
    assert blocks_for(expression, x=make(), y=make(), i=make(xp.int64)) == 1


@is_recognised
def test_code_that_the_interpreter_has_specialized():
    def run(x, y):
        return abs(x - y) + -(x * y)

    x, y = make(), make()
    for _ in range(100):
        run(x, y)
    assert blocks_for("run(x, y)", run=run, x=x, y=y) == 2


@is_recognised
def test_other_dtypes_and_shapes():
    names = {
        "x": make(shape=(200, 200)), "row": make(shape=(200,)), "i": make(xp.int64, (200, 200)),
        "z": make(xp.complex128, (200, 200)), "deep": make(shape=(1, 200, 200)),
    }  # fmt: skip
    for expression, blocks in {
        "(x + x) * row": 1, "row * (x + x)": 1, "(x + x) * i": 1, "(x + x) * z": 2,
        "(x + x) * deep": 2, "(i + i) / i": 2, "(i + i) ** 2": 1, "(x.T + x.T) * x": 2,
        "(x + x).T * row": 2, "(x + x)[1:] * row": 2, "(x + x)[:170] * row": 1,
        "(x + x)[:90] * row": 2, "(x + x)[None, :, None] * 2": 2, "(x + x) < x": 2,
        "(x + x) * x.T": 2,
    }.items():  # fmt: skip
        assert blocks_for(expression, **names) == blocks, expression


def test_small_operands_are_not_looked_at():
    x = make(shape=(1000,))
    assert blocks_for("(x + x) * x", x=x) == 2


# What C code alone refers to is not a temporary: it may go on to use it.


def test_operands_that_c_code_keeps(reuse_all):
    add = functools.partial(operator.add, make())
    first, second = add(1), add(1)
    assert xp.all(first == second) and xp.all(first == make() + 1)

    pairs = [(make(), make()) for _ in range(3)]
    for _ in range(2):
        for total in itertools.starmap(operator.add, pairs):
            assert xp.all(total == make() * 2)

    held = [make() for _ in range(3)]
    for _ in range(2):
        assert all(xp.all(total == make() * 2) for total in map(operator.mul, held, [2, 2, 2]))
        assert all(
            xp.all(-x == total) for x, total in zip(held, map(operator.neg, held), strict=True)
        )
        assert xp.all(sum(held) == make() * 3)
        assert xp.all(functools.reduce(operator.add, held) == make() * 3)

    totals = list(itertools.accumulate(held))
    assert [float(total[0]) for total in totals] == [1.0, 2.0, 3.0]


def test_operands_in_an_array_of_objects(reuse_all):
    objects = np.empty(3, dtype=object)
    for k in range(3):
        objects[k] = make()
    for _ in range(2):
        for found in (objects + 1, 1 + objects, objects + objects, -objects, abs(objects)):
            assert len(found) == 3
    assert all(xp.all(x == make()) for x in objects)


def test_operands_of_compiled_code(reuse_all):
    """Pages of the namespace are compiled: their variables are references of C code."""
    x = make(shape=(40, 40))
    assert np.array_equal(np.asarray(xp.diff(x + 0)), np.diff(np.asarray(x)))
    assert xp.all(xp.multiply(x + 0, 2) == x * 2)
    assert xp.all(operator.mul(x + 0, 2) == x * 2)
    assert xp.all(x.__mul__(2) == x + x)
    assert xp.all((x + 0).__mul__(2) == x + x)


def test_memory_that_others_have(reuse_all):
    x = make()
    kept = []

    def keep(make_reference):
        value = x + 0
        kept.append(make_reference(value))
        return value

    for make_reference in (np.asarray, memoryview, lambda v: v[1:], lambda v: v.T, weakref.ref,
                           lambda v: np.from_dlpack(v)):  # fmt: skip
        found = keep(make_reference) * 3 + 1
        assert xp.all(found == x * 3 + 1)
    assert np.array_equal(kept[0], np.asarray(x))
    assert np.array_equal(kept[1], np.asarray(x))
    assert np.array_equal(np.asarray(kept[2]), np.asarray(x)[1:])
    assert np.array_equal(np.asarray(kept[3]), np.asarray(x))
    assert np.array_equal(kept[5], np.asarray(x))


def test_memory_of_others(reuse_all):
    array = np.arange(1.0, SIZE)
    assert np.array_equal(np.asarray(xp.asarray(array) * 2), array * 2)
    assert array[0] == 1
    readonly = xp.broadcast_to(xp.asarray([1.0, 2.0, 3.0]), (4, 3))
    assert np.array_equal(
        np.asarray(xp.broadcast_to(readonly, (5, 4, 3)) * 2), [[[2, 4, 6]] * 4] * 5
    )


def test_deferred_operations_read_what_they_are_given(reuse_all):
    x = make()
    with corepy.fuse():
        y = (x @ x[:, None] * 0 + x) * 2  # the product is computed at once
        z = y + 1
    assert xp.all(y == x * 2) and xp.all(z == x * 2 + 1)


def test_errors_leave_operands_as_they_were(reuse_all):
    x, i = make(), make(xp.int64)
    with pytest.raises(ValueError, match=r"^pow: "):
        (i + 0) ** -i
    with pytest.raises(ValueError, match=r"^add: "):
        (x + 0) + xp.ones(3)
    with pytest.raises(TypeError):
        (x + 0) & 1
    with pytest.raises(OverflowError):
        xp.astype(i, xp.int8) + 1000
    assert xp.all(x == make()) and xp.all(i == make(xp.int64))


@is_recognised
def test_operators_of_others_while_the_callers_are_learned():
    # Other threads run then; here a trace function does, at each instruction.
    output = output_of(
        """
import sys
import corepy.array_api as xp

x = xp.arange(100_000.0)
z = x + 1.0
z -= xp.flip(x)
seen = 0

def trace(frame, event, argument):
    global seen
    if frame.f_code.co_filename != "<operators>":
        return None
    frame.f_trace_opcodes = True
    if event == "opcode":
        seen += 1
        for each in (x[::-1] * 2.0, 2.0 * x[::-1], -x[::-1], abs(x[::-1]), x[::-1] + x[::-1]):
            assert float(x[1]) == 1.0, seen
    return trace

sys.settrace(trace)
(x + 1.0) * 2.0
sys.settrace(None)
assert seen > 500, seen
print(bool(xp.all(x == xp.arange(100_000.0))))
""",
        COREPY_FUSION=None,
    )
    assert output == "True\n"


@is_recognised
def test_ctrl_c_while_the_callers_are_learned():
    # In a process of its own, whose exit status a KeyboardInterrupt that was caught must not be.
    output = output_of(
        f"""
import sys
import corepy
import corepy.array_api as xp

def interrupt(frame, event, argument):
    if frame.f_code.co_filename in ("<operators>", "<string>"):
        raise KeyboardInterrupt

x = xp.ones({SIZE})
try:
    sys.settrace(interrupt)
    y = -(x + x) * 2.0
except KeyboardInterrupt:
    print("interrupted")
finally:
    sys.settrace(None)
z = -(x + x) * 2.0
before = corepy.memory.stats()
z = -(x + x) * 2.0
after = corepy.memory.stats()
print(sum(after[name] - before[name] for name in ("allocations", "reuses")), "blocks")
""",
        COREPY_FUSION=None,
    )
    assert output == "interrupted\n1 blocks\n"


def expression_of(rng, depth):
    """Return the text of a random expression."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(["x", "y", "row", "i", "x.T.T", "x[::-1]", "2", "-1.5", "m", "b", "c"])
    left, right = expression_of(rng, depth - 1), expression_of(rng, depth - 1)
    return rng.choice([
        f"({left} + {right})", f"({left} - {right})", f"({left} * {right})", f"-({left})",
        f"abs({left})", f"({left} / (abs({right}) + 1))", f"(({left}) ** 2)",
        f"({left})[..., ::-1]", f"(({left}) % 3)", f"(({left}) // 2)", f"f({left}, {right})",
        f"(({left}) ** 1)", f"keep({left})", f"(z := {left}) - z * {right}",
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_random_expressions(seed, reuse_all):
    rng = random.Random(seed)
    generator = np.random.default_rng(seed)
    shape = (6, 6)
    arrays = {
        "x": generator.normal(size=shape), "y": generator.normal(size=shape),
        "row": generator.normal(size=6), "i": generator.integers(-5, 5, shape),
        "m": generator.normal(size=shape).astype(np.float32), "b": generator.random(shape) < 0.5,
        "c": generator.normal(size=(6, 1)),
    }  # fmt: skip
    tensors = {name: xp.asarray(value.copy()) for name, value in arrays.items()}
    for _ in range(150):
        text = expression_of(rng, 4)
        found = []
        for values, least in ((arrays, 0), (tensors, 0), (tensors, 2**60)):
            core.reuse_temporaries_from(least)
            kept = []
            names = {
                **values, "abs": abs, "f": lambda a, b: a * b + a,
                "keep": lambda v, kept=kept: (kept.append(v), v)[1],
            }  # fmt: skip
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)  # an index of a number
                try:
                    result = eval(text, names)
                except Exception as error:
                    result = type(error)
            found.append([result, *kept])
        expected, computed, beside = found
        if isinstance(beside[0], type):
            assert computed[0] is beside[0]
            continue
        for a, b in zip(beside, computed, strict=True):
            np.testing.assert_array_equal(np.asarray(b), np.asarray(a), strict=True)
            assert isinstance(a, float | int) or a.strides == b.strides
        if not isinstance(expected[0], type):
            for a, b in zip(expected, computed, strict=True):
                np.testing.assert_allclose(np.asarray(b), np.asarray(a), rtol=1e-5, atol=1e-6)
    for name, value in arrays.items():
        assert np.array_equal(np.asarray(tensors[name]), value)
