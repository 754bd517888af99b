"""Results that are read in part or at a distance: computed again by what reads them."""

import numpy as np
import pytest

import corepy
from corepy import array_api as xp
from corepy.lazy import is_deferred, last_plan


def new(shape, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(shape) * 9).astype(dtype)


@pytest.fixture(autouse=True)
def deferring():
    with corepy.config(fusion=True, fusion_threshold=0):
        yield


def run(lines, arrays):
    """Return the variables after some lines of NumPy, executed by Corepy."""
    names = {name: xp.asarray(each, copy=True) for name, each in arrays.items()}
    for line in lines:
        exec(line, {"np": corepy}, names)
    return names


def agree(lines, arrays, times=3):
    """Check that variables are those of the same lines at once, each time: plans learn."""
    with corepy.config(fusion=False):
        expected = run(lines, arrays)
    for _ in range(times):
        found = run(lines, arrays)
        assert found.keys() == expected.keys()
        # Backwards and forwards: what is read first decides what is computed with it.
        for name in (*reversed(found), *found):
            np.testing.assert_array_equal(
                np.asarray(found[name]), np.asarray(expected[name]), strict=True,
                err_msg=f"{name} of {lines}",
            )  # fmt: skip


def plan_of(line, **arrays):
    return corepy.explain(run([f"result = {line}"], arrays)["result"])


@pytest.mark.parametrize(
    "line",
    [
        "(a * 2)[1:] - (a * 2)[:-1]",
        "(a * 2)[1:-1, 2:] + (b - 1)[2:, :-2]",
        "(a * 2)[::2] * (b + a)[::2]",
        "((a * 2)[1:] + (b * 3)[:-1])[:, 1:] * 0.5",
        "(a * 2)[3] - b[4]",
        "(np.sqrt(np.abs(a)) + b)[1:] / 3",
    ],
)
def test_parts_are_computed_in_the_pass_that_reads_them(line):
    arrays = {"a": new((9, 12)), "b": new((9, 12), seed=1)}
    agree([f"result = {line}"], arrays)
    plan = plan_of(line, **arrays)
    assert len(plan.groups) == 1
    assert [each.stored for each in plan.groups[0].operations].count(True) == 1


@pytest.mark.parametrize(
    "line",
    [
        "(a * 2).T + b.T * 0.5",  # in another order
        "(a + b)[::-1] - (a + b)",
        "(a * 2)[:, ::2] + 1",  # elements at a distance within a row
        "(a * 2)[:1] + b",  # elements repeated
        "np.exp(a)[1:] - np.exp(a)[:-1]",  # not computed in registers
        "a[1:] - (a - np.max(a, axis=0))[1:]",  # of a reduction
    ],
)
def test_what_is_stored_instead(line):
    arrays = {"a": new((9, 12)), "b": new((9, 12), seed=1)}
    agree([f"result = {line}"], arrays)
    if "T" not in line:
        assert len(plan_of(line, **arrays).groups) > 1


def test_long_operations_are_stored():
    """To compute 20 operations at three distances takes longer than to read their result."""
    lines = ["c = a", *["c = c * a + 1"] * 20, "result = c[2:] + c[1:-1] + c[:-2]", "del c"]
    arrays = {"a": new(5000) / 90}
    agree(lines, arrays)
    plan = corepy.explain(run(lines, arrays)["result"])
    assert len(plan.groups) == 2


def test_common_parts_are_computed_once():
    arrays = {"a": new((20, 30))}
    lines = [
        "d = a * 2 - 1",
        "result = (d[1:] - d[:-1]) * (d[1:] + d[:-1]) + d[1:]",
        "del d",
    ]
    agree(lines, arrays)
    (group,) = corepy.explain(run(lines, arrays)["result"]).groups
    assert [each.name for each in group.operations].count("multiply") == 3


def test_an_assignment_leaves_its_operands_pending():
    """It stores nothing but its result; what is computed again is stored from then on."""
    lines = ["b = np.exp(a)", "c = b * 3", "x[1:-1] += c[2:] - c[:-2]"]
    arrays = {"a": new(5000), "x": new(5000, seed=1)}
    for times in range(3):
        found = run(lines, arrays)
        stored = [each.name for group in last_plan().groups for each in group.operations
                  if each.stored]  # fmt: skip
        assert stored.count("add") == 1
        assert is_deferred(found["b"]) == (times == 0)
        expected = xp.exp(xp.asarray(arrays["a"]))
        np.testing.assert_array_equal(np.asarray(found["b"]), np.asarray(expected))
    agree(lines, arrays)
    agree([*lines, "x[2:] *= c[2:]", "y = b + c", "x -= b"], arrays)


def test_an_assignment_reads_the_element_that_it_writes():
    arrays = {"x": new((60, 50)), "y": new((60, 50), seed=1)}
    agree(["d = y - x", "x += 0.1 * d", "x[1:] -= x[1:] * d[:-1]", "z = d * 2"], arrays)
    agree(["x[1:] += x[:-1] * 2", "x[:, 1:] *= x[:, :-1] - y[:, 1:]", "x += x[::-1]"], arrays)
    lines = ["d = x * 2", "z = d + 1", "e = d * 3 - y", "del d", "x += e"]  # z waits for d
    agree(lines, arrays)
    agree([*lines, "x *= x + e", "e -= x"], arrays)
    agree(["x += (x * 2)[::-1] * 3", "x -= x / (x + y)[::-1]"], arrays)
    run(["x += 0.1 * (y - x)"], arrays)
    assert len(last_plan().groups) == 1


def test_arrays_that_lie_at_equal_distances_are_not_confused():
    """Results of other passes have no memory while a pass is planned that reads them."""
    arrays = {f"a{k}": new((8, 102), seed=k) for k in range(40)}
    lines = [f"b{k} = np.exp(a{k})" for k in range(40)]
    lines += [f"c{k} = (b{k}[1:] - b{k + 1}[:-1]) * 2" for k in range(39)]
    agree(lines, arrays, times=1)


@pytest.mark.parametrize("reads_before", [False, True])
def test_nothing_is_computed_more_than_twice(reads_before):
    """Values of a loop that assignments read, each computed from the one before; also where only
    the next value, which is pending, refers to the one that is read.
    """
    x, a, y = (xp.asarray(new(3000, seed=k), copy=True) for k in range(3))
    results = np.array(x), np.array(y)
    longest = 0
    for _ in range(200):
        read = xp.sin(x) if reads_before else None
        x = x * 0.5 + a
        y += read if reads_before else xp.sin(x)
        longest = max(longest, *(len(group.operations) for group in last_plan().groups))
    assert longest < 20
    with corepy.config(fusion=False):
        other, total = (xp.asarray(each) for each in results)
        for _ in range(200):
            total += xp.sin(other) if reads_before else 0.0
            other = other * 0.5 + a
            total += 0.0 if reads_before else xp.sin(other)
    np.testing.assert_array_equal(np.asarray(y), np.asarray(total))


def random_program(seed):
    """Return lines of NumPy: arithmetic of parts of earlier results, and assignments to parts."""
    rng = np.random.default_rng(seed)
    ndim = int(rng.integers(1, 4))
    shape = tuple(rng.integers(5, [2000, 40, 14][ndim - 1], ndim).tolist())
    dtype = str(rng.choice(["float64", "float32", "int64", "int32", "uint8"]))
    arrays = {name: new(shape, dtype, k) for k, name in enumerate("abx")}
    names, lines = list(arrays), []

    def part(name, trims):
        """Return a part of an array, smaller by `trims` along each axis."""
        starts = [int(rng.integers(0, trim + 1)) for trim in trims]
        keys = [f"{start}:{size - trim + start}"
                for start, trim, size in zip(starts, trims, shape, strict=True)]  # fmt: skip
        return f"{name}[{', '.join(keys)}]"

    def expression(trims, depth):
        if depth == 0 or rng.random() < 0.1:
            return part(rng.choice(names), trims)
        kind = rng.random()
        if kind < 0.15:
            return f"np.{rng.choice(['abs', 'negative', 'square'])}({expression(trims, depth - 1)})"
        if kind < 0.25:
            return f"np.where({expression(trims, 0)} > {expression(trims, 0)}, " \
                   f"{expression(trims, depth - 1)}, {expression(trims, depth - 1)})"  # fmt: skip
        if kind < 0.4:  # a part of an expression
            more = [trim and int(rng.integers(0, trim + 1)) for trim in trims]
            keys = [f"{start}:{start + size - trim}" for trim, less, size in
                    zip(trims, more, shape, strict=True)
                    for start in [int(rng.integers(0, trim - less + 1))]]  # fmt: skip
            return f"({expression(more, depth - 1)})[{', '.join(keys)}]"
        operator = rng.choice(list("+-*"))
        return f"({expression(trims, depth - 1)} {operator} {expression(trims, depth - 1)})"

    nothing = [0] * ndim
    for k in range(int(rng.integers(3, 12))):
        kind = rng.random()
        trims = [int(rng.integers(0, 4)) for _ in range(ndim)]
        depth = int(rng.integers(1, 4))
        if kind < 0.45:
            lines.append(f"t{k} = {expression(nothing, depth)}")
            names.append(f"t{k}")
        elif kind < 0.85:
            target = part(rng.choice(names), trims)
            operator = rng.choice(["", "", "+", "-", "*"])
            lines.append(f"{target} {operator}= {expression(trims, depth)}")
        elif len(names) > 4:
            name = names.pop(int(rng.integers(3, len(names))))
            lines.append(f"del {name}")
        else:
            lines.append(f"r{k} = np.max({expression(trims, depth)})")
    return lines, arrays


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_random_programs(first):
    for seed in range(first, first + 20):
        with np.errstate(all="ignore"):
            agree(*random_program(seed))
