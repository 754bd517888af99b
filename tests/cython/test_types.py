"""All types of the extension modules."""

import copy
import pickle
import sys

import numpy as np
import pytest

import corepy
import corepy.array_api as xp
import corepy.lazy
from corepy._cython import core

#: Those that are pickled, and what makes an instance of one.
PICKLED = {
    "Tensor": lambda: xp.asarray([1.0, 2.0]),
    "Device": lambda: corepy.Device("cpu"),
    "Function": lambda: corepy.median,
    "UFunc": lambda: corepy.add,
    "Method": lambda: corepy.ndarray.sum,
    "Draw": lambda: corepy.random.default_rng(1).random,
}


def types():
    """Return the types of all extension modules that are loaded, by name."""
    corepy.fft, corepy.linalg, corepy.random.default_rng(1)
    modules = [
        module for name, module in list(sys.modules.items())
        if name.startswith("corepy") and str(getattr(module, "__file__", "")).endswith(".so")
    ]  # fmt: skip
    found = [value for module in modules for value in vars(module).values()]
    found += [type(iter(xp.ones(2))), type(corepy.ones(2)), type(corepy.fuse())]
    return {
        value.__name__: value for value in found
        if isinstance(value, type) and value.__module__.startswith("corepy")
        and value.__flags__ & (1 << 9) == 0  # a type of C's
    }  # fmt: skip


def test_no_type_has_cythons_pickles():
    assert len(types()) > 10
    for name, cls in types().items():
        for method in ("__reduce_cython__", "__setstate_cython__"):
            assert not hasattr(cls, method), name


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_only_types_that_say_so_are_pickled(protocol):
    checked = 0
    for name, cls in types().items():
        if name in PICKLED or issubclass(cls, (core.Backend, BaseException)):
            continue
        try:
            one = cls.__new__(cls)
        except TypeError:  # it takes arguments
            continue
        with pytest.raises(TypeError, match=r"pickle|pickling"):
            pickle.dumps(one, protocol)
        with pytest.raises(TypeError, match=r"pickle|pickling"):
            copy.copy(one)
        checked += 1
    assert checked > 5


@pytest.mark.parametrize("name", PICKLED)
def test_pickles(name):
    one = PICKLED[name]()
    again = pickle.loads(pickle.dumps(one))
    assert type(again) is type(one)
    if name == "Tensor":
        np.testing.assert_array_equal(again, one)


def test_iterators_have_no_state_to_set():
    rows = iter(xp.ones((2, 2)))
    for state in ((), (-(10**9), xp.ones(3))):
        with pytest.raises(AttributeError):
            rows.__setstate__(state)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(rows)
