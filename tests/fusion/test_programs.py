"""Random programs give the same results, values, layouts and errors fused as eagerly.

COREPY_FUSION_PROGRAMS is the number of programs; the default takes some twenty seconds.
"""

import os
import re

import numpy as np
import pytest

import corepy
import corepy.array_api as xp
from corepy import Tensor, lazy

from .programs import as_text, difference, differs, fuse_all, run, shrink
from .writer import generate

PARTS = 8
PROGRAMS = int(os.environ.get("COREPY_FUSION_PROGRAMS", "1600"))


@pytest.mark.parametrize("part", range(PARTS))
def test_fused_programs_agree_with_eager_ones(part):
    codegen = part % 4 != 0  # some with loops alone
    with corepy.config(fusion_codegen=codegen):
        for seed in range(part, PROGRAMS, PARTS):
            program, expected = generate(seed)
            text = difference(expected, run(program, fuse_all))
            if not text and seed % 4 == 1:  # the same operations on other elements, by kept plans
                program = with_other_elements(program)
                text = differs(program)
            if text:
                shorter = shrink(program, differs)  # all of it, if it did not fail again
                text = f"# {differs(shorter) or text}, codegen {codegen}"
                pytest.fail(f"program {seed}\n{as_text(shorter)}\n\n{text}")


def with_other_elements(program):
    return [re.sub(r"\bdata\((\d+)", lambda match: f"data({match[1]}1", line) for line in program]


def test_programs_succeed_and_differ_in_kind():
    lines = errors = 0
    kinds, values = set(), []
    for seed in range(40):
        program, outcome = generate(seed)
        lines, errors = lines + len(program), errors + len(outcome.errors)
        for x in outcome.arrays.values():
            kinds |= {x.dtype.name, f"{x.ndim}-d", "empty" if x.size == 0 else "", x.size > 10_000}
            if x.dtype.kind == "f" and x.size:
                values.append(np.isfinite(np.asarray(x)).mean())
    assert 0 < errors < 0.2 * lines
    assert np.mean(values) > 0.8
    assert {*"bool int8 uint64 float32 float64 complex64 0-d 4-d empty".split(), True} <= kinds


def test_programs_defer():
    waiting, tensors = [], []

    def count(names):
        found = [value for value in names.values() if isinstance(value, Tensor)]
        tensors.append(len(found))
        waiting.append(sum(map(lazy.is_deferred, found)))

    for seed in range(20):
        run(generate(seed)[0], fuse_all, after=count)
    assert sum(waiting) > 0.1 * sum(tensors)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("t0[5] = 0", "t0[5] = -0.0"),
        ("look(t0[0])", "look(t0[1])"),
        ("t1 = t0 + xp.ones(7)", "t1 = t0 + xp.ones(8)"),
        ("t1 = xp.ones((3, 5)).T", "t1 = xp.ones((5, 3))"),
        ("t1 = xp.ones(3)", "t1 = xp.ones(3, dtype=xp.int64)"),
        ("n1 = np.asarray(t0)", "t1 = t0"),
    ],
)
def test_differences_are_found_and_shrunk(line, other):
    program = ["t0 = xp.arange(100.0)", "t2 = t0 * 2", line, "t2 = t2 * t0", "del t2"]

    def fails(lines):
        return difference(run(lines), run([other if text == line else text for text in lines]))

    assert fails(program)
    shorter = shrink(program, fails)
    assert line in shorter
    assert len(shorter) <= 2


def test_nan_are_alike():
    one, other = ({"t0": xp.asarray(np.array([x, 1.0]))} for x in (np.nan, -np.nan))
    assert not difference(run([], names=one), run([], names=other))
