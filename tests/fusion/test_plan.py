"""Plans say what is computed, in which groups, and what is stored."""

import copy
import dataclasses
import gc
import pickle
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from running import in_threads, output_of

import corepy
import corepy.array_api as xp
from corepy import lazy

from .programs import assert_same, new

ROWS, COLUMNS = 50, 40


def matrix():
    return xp.reshape(new(ROWS * COLUMNS), (ROWS, COLUMNS))


def reduced_often(x):
    y = x * 2
    return xp.sum(y), xp.argmax(y), xp.prod(y)


def softmax(x):
    e = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return e / xp.sum(e, axis=-1, keepdims=True)


def centred(x):
    y = xp.sqrt(x)
    return y - xp.sum(y)


# Name -> a function of a matrix, and why its groups end.
ENDS = {
    "a chain": (lambda x: xp.exp(x + 1) * 2, ["the result is stored"]),
    "a reduction": (lambda x: xp.sum(x * 2), ["a reduction"]),
    "an axis": (lambda x: xp.std(x * 2, axis=0) + 1, ["a reduction", "the result is stored"]),
    "three reductions in one pass": (
        lambda x: (lambda y: (xp.sum(y), xp.max(y), xp.min(y)))(x * 2),
        ["a reduction"],
    ),
    "two passes": (
        lambda x: (lambda y: (xp.sum(y), xp.argmax(y)))(x * 2),
        ["a reduction", "a reduction"],
    ),
    "three passes": (
        reduced_often,
        ["reductions read it in more than two passes", *["a reduction"] * 3],
    ),
    "rows": (softmax, ["the result is stored"]),
    "a reduction of rows": (
        lambda x: xp.max(xp.sum(x * 2, axis=1)),
        ["a reduction", "a reduction"],
    ),
    "shapes": (
        lambda x: xp.exp(x[0, :])[None, :] * x,
        ["shapes differ", "the result is stored"],
    ),
    "orders": (
        lambda x: x[:40, :] + xp.sin(x[:40, :]).T,
        ["it is read in another order or in part", "the result is stored"],
    ),
    "a later group": (
        centred,
        ["an operation of a later group reads it", "a reduction", "the result is stored"],
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_why_groups_end(name):
    function, expected = ENDS[name]
    with corepy.fuse():
        plan = corepy.explain(*tensors_of(function(matrix())))
        assert [group.ended for group in plan.groups] == expected


def tensors_of(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("name", ENDS)
def test_what_was_foreseen_is_what_was_computed(name):
    function = ENDS[name][0]
    x = matrix()
    eager = tensors_of(function(x))
    with corepy.fuse():
        found = tensors_of(function(x))
        plan = corepy.explain(*found)
        assert all(map(lazy.is_deferred, found))
        corepy.compute(*found)
        last = lazy.last_plan()
        assert str(last) == str(plan)
        assert last.groups == plan.groups
        assert last.svg() == plan.svg()
        for one, other in zip(found, eager, strict=True):
            assert_same(one, other)
        stored = [each for group in plan.groups for each in group.operations if each.stored]
        # Each result is described as it is.
        described = [(each.dtype, each.shape, each.nbytes) for each in stored]
        assert all((x.dtype, x.shape, x.nbytes) in described for x in found)


def test_groups():
    x, y = matrix(), xp.ones(COLUMNS, dtype=xp.float32)
    with corepy.fuse():
        z = xp.where(x * y > 1.5, x, y)
        (group,) = corepy.explain(z).groups
    assert group.shape == (ROWS, COLUMNS)
    assert not group.by_rows
    assert [
        (source.name, source.shape, source.dtype, source.nbytes) for source in group.inputs
    ] == [
        ("x1", (ROWS, COLUMNS), xp.float64, 8 * ROWS * COLUMNS),
        ("x2", (1, COLUMNS), xp.float32, 4 * COLUMNS),
    ]
    assert [(each.name, each.operands, each.dtype) for each in group.operations] == [
        ("multiply", ("x1", "x2"), xp.float64),
        ("greater", ("t1", 1.5), xp.bool),
        ("where", ("t2", "x1", "x2"), xp.float64),
    ]
    assert [each.stored for each in group.operations] == [False, False, True]
    assert [each.nbytes for each in group.operations] == [16000, 2000, 16000]
    assert group.bytes_kept_out == 18000
    assert 0 < group.block_elements <= ROWS * COLUMNS
    assert group.block_bytes >= group.block_elements * 8


@pytest.mark.parametrize("exponent", [-1, 0.5, 2, 3, 4, 7])
def test_exponents(exponent):
    """Also those that have loops of their own."""
    with corepy.fuse():
        (group,) = corepy.explain(matrix() ** exponent).groups
    assert group.operations[0].operands == ("x1", exponent)


def test_rows():
    with corepy.fuse():
        y = softmax(matrix())
        (group,) = corepy.explain(y).groups
    assert group.by_rows
    assert group.block_elements % COLUMNS == 0
    found = [(each.name, each.axes, each.shape) for each in group.operations]
    assert found[0] == ("max", (1,), (ROWS, 1))
    assert found[3] == ("sum", (1,), (ROWS, 1))


def test_what_is_computed_again_counts_once():
    with corepy.fuse():
        y = matrix() * 2
        total, place = xp.sum(y), xp.argmax(y)
        del y
        first, second = corepy.explain(total, place).groups
    assert not first.operations[0].repeated
    assert dataclasses.replace(first.operations[0], repeated=True) == second.operations[0]
    assert (first.bytes_kept_out, second.bytes_kept_out) == (16000, 0)


def test_arrays_have_one_name():
    x, y = matrix(), matrix()
    with corepy.fuse():
        plan = corepy.explain(xp.sum(x * y), xp.argmax(y * x))
        names = [[source.name for source in group.inputs] for group in plan.groups]
        assert names == [["x1", "x2"], ["x2", "x1"]]


@pytest.mark.parametrize(
    ("dtype", "constant"),
    [("float32", -0.5), ("int8", -3), ("uint64", 2**64 - 1), ("bool", True),
     ("complex128", 1 - 2j), ("float64", float("inf"))],
)  # fmt: skip
def test_constants(dtype, constant):
    x = xp.ones(100, dtype=getattr(xp, dtype))
    with corepy.fuse():
        y = xp.not_equal(x, constant)
        (operation,) = corepy.explain(y).groups[0].operations
        assert operation.operands == ("x1", constant)
        assert type(operation.operands[1]) is type(constant)


def test_stored_bytes_are_those_of_the_memory_in_use():
    x = xp.ones(300_000)
    with corepy.fuse():
        y = xp.exp(x) * 2
        z = xp.sqrt(y + x) - 1
        plan = corepy.explain(y, z)
        stored = sum(e.nbytes for group in plan.groups for e in group.operations if e.stored)
        assert stored == 2 * x.nbytes
        assert plan.bytes_kept_out == 3 * x.nbytes
        before = corepy.memory.stats()
        corepy.compute(y, z)
        after = corepy.memory.stats()
    assert stored <= after["in_use"] - before["in_use"] < 1.3 * stored
    assert after["allocations"] - before["allocations"] <= 2


def test_plans_keep_no_memory():
    x = xp.ones(300_000)
    gc.collect()
    before = corepy.memory.stats()["in_use"]
    with corepy.fuse():
        y = xp.exp(x) * 2
        plan = corepy.explain(y)
        corepy.compute(y)
        last = lazy.last_plan()
        del y
    assert corepy.memory.stats()["in_use"] == before
    assert str(plan) == str(last)
    del x
    assert corepy.memory.stats()["in_use"] < before


def test_nothing_deferred():
    plan = corepy.explain(new(), xp.ones(3))
    assert plan.groups == ()
    assert str(plan) == "nothing is deferred"
    assert ET.fromstring(plan.svg()).tag.endswith("svg")
    assert plan.bytes_kept_out == 0


def test_what_reads_shared_memory_at_once():
    held = np.ones((20, 30))
    x, y = xp.asarray(held), new(30)
    text = "{} was computed at once: code outside of Corepy may write to its operand {}, float64 {}"
    with corepy.fuse():
        assert corepy.explain(y + 1).notes == ()
        z = y * x
        plan = corepy.explain(z)
        assert plan.groups == ()
        assert plan.notes[0] == text.format("multiply", 2, "(20, 30) on cpu")
        assert "copy=True" in plan.notes[1]
        assert "shared_memory='constant'" in plan.notes[1]
        assert str(plan) == "\n".join(["nothing is deferred", *plan.notes])
        assert all(note in plan.svg() for note in plan.notes)
        plan = corepy.explain(z + 1)
        assert len(plan.groups) == 1
        assert str(plan).endswith("\n".join(plan.notes))
        assert ET.fromstring(plan.svg()).tag.endswith("svg")
        xp.sum(x)
        assert corepy.explain(z).notes[0] == text.format("sum", 1, "(20, 30) on cpu")
        xp.astype(x[1:], xp.float32)
        assert corepy.explain(z).notes[0] == text.format("astype", 1, "(19, 30) on cpu")
    with corepy.fuse():
        assert corepy.explain(z).notes == ()
        with corepy.config(shared_memory="constant"):
            assert corepy.explain(y * x).notes == ()


def test_the_last_plan_of_a_process():
    code = """
import corepy, corepy.array_api as xp
from corepy.lazy import last_plan
print(last_plan())
with corepy.fuse():
    y = xp.linspace(0, 1, 100_000) * 2
    print(last_plan())
print([each.name for each in last_plan().groups[0].operations])
y + 1
print(len(last_plan().groups))
"""
    lines = output_of(code, COREPY_FUSION=None, COREPY_FUSION_THRESHOLD=None).split("\n")
    assert lines == ["None", "None", "['multiply']", "1", ""]


def test_text():
    x = matrix()
    with corepy.fuse():
        y = xp.astype(x, xp.float32)
        text = str(corepy.explain(y, xp.sum(xp.exp(x), axis=(0, 1))))
    assert text.startswith("2 groups, 3 operations, 16,000 bytes kept out of memory\n")
    for line in (
        "    x1: float64 (50, 40), 16,000 bytes read",
        "    t1 = astype(x1): float32 (50, 40), 8,000 bytes stored",
        "    ends: the result is stored",
        "    t2 = exp(x1): float64 (50, 40), 16,000 bytes kept out of memory",
        "    t3 = sum(t2, axis=(0, 1)): float64 (), 8 bytes stored",
        "    ends: a reduction",
    ):
        assert line in text.split("\n")


@pytest.mark.parametrize("name", ENDS)
def test_the_picture(name):
    with corepy.fuse():
        plan = corepy.explain(*tensors_of(ENDS[name][0](matrix())))
    assert plan._repr_svg_() == plan.svg()
    picture = ET.fromstring(plan.svg())
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in picture.iter(f"{space}text")]
    boxes = [box for box in picture.iter(f"{space}rect") if box.get("class") != "page"]
    for group in plan.groups:
        assert any(group.ended in text for text in texts)
        for operation in group.operations:
            assert any(operation.name in text for text in texts)
    kept = sum(not each.stored for group in plan.groups for each in group.operations)
    assert sum(box.get("class") == "kept" for box in boxes) == kept
    width, height = (float(picture.get(name)) for name in ("width", "height"))
    corners = []
    for box in boxes:
        x, y, w, h = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
        if box.get("class") != "group":
            corners.append((x, y))
    assert len(corners) == len({*corners})  # no box is on another
    lines = sum(1 for _ in picture.iter(f"{space}path"))
    reads = [{*filter(lambda o: isinstance(o, str), each.operands)}
             for group in plan.groups for each in group.operations]  # fmt: skip
    assert lines == sum(map(len, reads))


def test_plans_do_not_change():
    with corepy.fuse():
        plan = corepy.explain(new() + 1)
    with pytest.raises(AttributeError):
        plan.groups = ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan.groups[0].shape = ()
    assert repr(plan) == "<Plan: 1 group>"


@pytest.mark.parametrize("function", [corepy.explain, corepy.compute])
def test_what_is_no_tensor(function):
    with pytest.raises(TypeError, match=rf"{function.__name__}: expected Tensors, got ndarray"):
        function(new(), np.ones(3))


def test_a_long_chain():
    with corepy.fuse():
        y = new()
        for _ in range(1000):
            y = y + 1
        plan = corepy.explain(y)
    assert len(plan.groups[0].operations) == 1000
    assert len(ET.fromstring(plan.svg())) > 2000


def test_explaining_what_other_threads_compute():
    x = new(200_000)
    shared = []
    with corepy.fuse():
        for k in range(30):
            y = xp.exp(x * -1e-5) + k
            shared.append((y, xp.sum(y, axis=0), y[::2] * 2, xp.max(y * y)))

    def look(number):
        for tensors in shared:
            if number % 2:
                plan = corepy.explain(*tensors)
                assert len(plan.groups) in (0, 3, 4)
            else:
                corepy.compute(*tensors)

    with corepy.fuse():
        in_threads(look, 4)
    for k, (y, total, half, greatest) in enumerate(shared):
        expected = xp.exp(x * -1e-5) + k
        for found, eager in zip(
            (y, total, half, greatest),
            (expected, xp.sum(expected), expected[::2] * 2, xp.max(expected * expected)),
            strict=True,
        ):
            assert_same(found, eager)


def test_an_operation_that_is_computed_alone():
    with corepy.config(fusion_threshold=0), corepy.fuse():
        y = matrix() + 1
        text = str(corepy.explain(y))
    assert "computed alone" in text
    assert "reduction" not in text


def test_what_is_assigned():
    x, y = matrix(), matrix()
    with corepy.config(fusion_threshold=0), corepy.fuse():
        x[1:, 1:] = y[1:, 1:] * 2 + 1
        [group] = lazy.last_plan().groups
    assert group.ended == "it is assigned to elements of another array"
    assert [operation.stored for operation in group.operations] == [False, True]


def test_copies():
    with corepy.fuse():
        plan = corepy.explain(softmax(matrix()))
    for same in (copy.copy(plan), copy.deepcopy(plan), pickle.loads(pickle.dumps(plan))):
        assert str(same) == str(plan)
        assert (same.groups, same.notes, same.times) == (plan.groups, plan.notes, plan.times)
        with pytest.raises(AttributeError, match="cannot be changed"):
            same.times = 2
