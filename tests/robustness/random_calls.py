"""Calls all public functions with arguments of every kind: `python random_calls.py SEED COUNT`.

The calls may raise, but the process must terminate normally. Otherwise the last line of the output
has the failing call.
"""

import inspect
import os
import random
import sys
import warnings

import numpy as np

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy._cython import core

DTYPES = "bool int8 int64 uint8 uint64 float32 float64 complex64 complex128".split()
DEVICES = corepy.available_devices()
BACKENDS = list(dict.fromkeys(device.backend for device in DEVICES))
SCALARS = [0, 1, -1, 2, 3, -2, 5, 100, -100, 2**31, 2**63, 2**64, -(2**63), True, False, 0.0, 1.5,
           -2.5, float("nan"), float("inf"), 1e308, 1j, complex("nan")]  # fmt: skip
TEXTS = ["", "a", "sum", "cpu", "reference", "float64", "left", "ij", "linalg.svd", "concat"]
UNSUITABLE = [object(), {}, set(), b"x", range(3), np.float32(1), np.array("x"), type, len,
             {"axis": 0}, {"axis": None, "keepdims": True}, Ellipsis, None, None]  # fmt: skip


def make_array():
    shape = tuple(random.choices(range(4), k=random.randrange(4)))
    array = np.random.default_rng(random.getrandbits(32)).integers(0, 5, shape)
    array = array.astype(random.choice(DTYPES))
    if array.ndim and random.random() < 0.5:
        array = array[..., ::-1]
    return np.broadcast_to(array, (2, *array.shape)) if random.random() < 0.2 else array


def make_slice():
    return slice(*random.choices([None, 0, 1, -1, 5, 2**62, -(2**62)], k=3))


def make_value(depth=0):
    kinds = {
        lambda: Tensor(make_array(), device=random.choice(DEVICES[:1] * 9 + DEVICES)): 35,
        lambda: random.choice(SCALARS): 15,
        lambda: random.choice(UNSUITABLE): 10,
        lambda: random.choice(TEXTS): 5,
        lambda: np.dtype(random.choice(DTYPES)): 5,
        make_array: 5,
        make_slice: 3,
        lambda: random.choice([*BACKENDS, *DEVICES, *map(str, DEVICES)]): 2,
    }
    if depth < 3:
        kinds[lambda: [make_value(depth + 1) for _ in range(random.randrange(5))]] = 5
        kinds[lambda: tuple(make_value(depth + 1) for _ in range(random.randrange(5)))] = 15
    return random.choices(list(kinds), list(kinds.values()))[0]()


def callables():
    """Everything of the namespace and the core, and the methods of backends."""
    found = []
    for module in (xp, xp.linalg, xp.fft):
        found += [getattr(module, name) for name in module.__all__]
    families = [value for name, value in sys.modules.items() if "corepy._cython.cpu." in name]
    for module in (core, core, *families):
        found += [value for name, value in vars(module).items() if name[0] != "_"]
    for backend in BACKENDS:
        found += [getattr(backend, name) for name in dir(backend) if name[0] != "_"]
    settings = (core.renew_after_fork, core.name_backend, core.provide, core.set_automatic)
    return [
        value for value in found
        if callable(value) and getattr(value, "__module__", "") != "numpy"
        and not isinstance(value, (np.dtype, type(np))) and value not in settings
    ]  # fmt: skip


def make_method():
    skipped = ("__class__", "__dir__", "__new__", "__init_subclass__", "__subclasshook__")
    skipped += ("dump", "tofile")  # they write to files, by number, too
    skipped += (
        "__jax_array__",
    )  # JAX's compiler has threads of its own, which ThreadSanitizer reports
    return getattr(
        Tensor(make_array()), random.choice([n for n in dir(Tensor) if n not in skipped])
    )


def call(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = ()
    required = sum(item.default is item.empty for item in parameters)
    count = max(0, (required or random.randrange(3)) + random.choice([0, 0, 0, 0, 1, -1]))
    keywords = [item.name for item in parameters if item.kind is item.KEYWORD_ONLY]
    inputs = [make_value() for _ in range(count)]
    params = {name: make_value() for name in keywords if random.random() < 0.4}
    result = function(*inputs, **params)
    for item in result if isinstance(result, (tuple, list)) else (result,):
        if isinstance(item, Tensor) and item.size < 10**6:
            repr(item), item.copy()


def main(seed, count):
    random.seed(seed)
    warnings.simplefilter("ignore")
    functions, returned = callables(), 0
    for number in range(count):
        try:
            function = random.choice(functions) if random.random() < 0.6 else make_method()
            if callable(function):
                print(number, getattr(function, "__qualname__", function), flush=True)
                call(function)
                returned += 1
        except SystemError:  # the interpreter's word for a mistake in an extension module
            raise
        except Exception:  # any error is fine, only an end of the process is not
            continue
    print("came to its end", returned)


if __name__ == "__main__":
    # Sanitizers need the address space for themselves; tools/sanitize.py bounds each block instead.
    if sys.platform.startswith("linux") and not os.environ.get("COREPY_SANITIZE"):
        import resource

        limit = 8 * 2**30  # huge allocations fail instead of taking the machine's memory
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    main(int(sys.argv[1]), int(sys.argv[2]))
