"""``corepy.compute(progress=True)``: what it shows, and when."""

import io
import sys

import pytest

import corepy
import corepy.array_api as xp
from corepy._cython import core
from corepy.lazy import _progress


class Recording:
    """What the core tells of computations."""

    def __init__(self):
        self.told = []

    def passes(self, index, count):
        self.told.append((index, count))

    def blocks(self, done):
        self.told.append(done)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def some_passes():
    """Return a deferred tensor that three passes compute: one adds all elements of another."""
    x = xp.linspace(0.0, 1.0, 100_000)
    with corepy.config(fusion=True, fusion_threshold=0):
        y = xp.sin(x)
        return xp.exp(y - xp.sum(y))


def test_passes_are_told():
    x = some_passes()
    assert corepy.lazy.is_deferred(x)
    assert len(corepy.explain(x).groups) == 3
    told = Recording()
    core.set_reporter(told)
    try:
        corepy.compute(x)
    finally:
        core.set_reporter(None)
    assert [one for one in told.told if isinstance(one, tuple)] == [(0, 3), (1, 3), (2, 3)]
    assert all(0 <= one <= 1 for one in told.told if not isinstance(one, tuple))
    corepy.compute(some_passes())
    assert len([one for one in told.told if isinstance(one, tuple)]) == 3


def test_blocks_of_a_long_pass_are_told():
    blocks = []
    for size in range(25, 34):  # until it takes long
        told = Recording()
        with corepy.config(fusion=True, fusion_threshold=0):
            x = xp.broadcast_to(xp.asarray([0.5]), (1 << size,))
            total = xp.sum(xp.pow(xp.abs(xp.sin(x)), x))
            core.set_reporter(told)
            try:
                corepy.compute(total)
            finally:
                core.set_reporter(None)
        blocks = [one for one in told.told if isinstance(one, float)]
        if len(blocks) > 3:
            break
    assert blocks == sorted(blocks)
    assert len(blocks) >= 2
    assert 0 <= blocks[0] < blocks[-1] <= 1


def test_an_error_of_a_reporter_ends_the_computation():
    class Failing(Recording):
        def passes(self, index, count):
            raise KeyError(index)

    x = some_passes()
    core.set_reporter(Failing())
    try:
        with pytest.raises(KeyError):
            corepy.compute(x)
    finally:
        core.set_reporter(None)
    assert corepy.lazy.is_deferred(x)
    assert float(corepy.compute(x)[0]) == float(corepy.compute(some_passes())[0])


def test_short_work_is_quiet(capsys):
    corepy.compute(some_passes(), progress=True)
    assert capsys.readouterr() == ("", "")


def test_lines(capsys, monkeypatch):
    monkeypatch.setattr(_progress, "_QUIET", 0.0)
    monkeypatch.setattr(_progress, "_BETWEEN_LINES", 0.0)
    x = some_passes()
    assert corepy.compute(x, progress=True) is x
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "compute: pass 1 of 3,   0% of its blocks"
    assert "compute: pass 2 of 3,   0% of its blocks" in lines


def test_a_bar(monkeypatch):
    monkeypatch.setattr(_progress, "_QUIET", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    corepy.compute(some_passes(), some_passes(), progress=True)
    text = sys.stderr.getvalue()
    assert text.startswith("\r\033[K[" + "." * 30 + "] pass 1 of ")
    assert text.endswith("\r\033[K")


def test_dask(capsys, monkeypatch):
    pytest.importorskip("dask")
    from corepy.backend.dask import execution

    monkeypatch.setattr(execution, "_QUIET", 0.0)
    x = xp.ones((400, 400), device="dask")
    assert float(corepy.compute(xp.sum(x + x), progress=True)) == 320_000
    shown = capsys.readouterr()
    assert "100% Completed" in shown.err
    assert shown.out == ""


def test_wrong_arguments():
    with pytest.raises(TypeError, match=r"^compute: progress must be a bool, got int"):
        corepy.compute(progress=1)
    with pytest.raises(TypeError, match=r"^compute: expected Tensors, got float"):
        corepy.compute(1.0, progress=True)
