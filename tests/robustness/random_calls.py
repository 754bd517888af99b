"""Calls all public functions with arguments of every kind: `python random_calls.py SEED COUNT`.

The calls may raise, but the process must terminate normally. Otherwise the last line of the output
has the failing call. With `--hostile`, many arguments are objects whose special methods change
the tensors of the call, raise, or call again. `--total 1000000` makes that many calls, in processes
of COUNT with the seeds from SEED on, `--jobs` at a time, and reports each process that failed.
"""

import argparse
import contextlib
import faulthandler
import gc
import inspect
import operator
import os
import random
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor

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
SECONDS = 120  # a call that takes longer is a failure

# ---- hostile arguments

# What the call has so far: the tensors, and the lists that contain arguments.
tensors, lists = [], []
# The share of hostile objects among arguments, and how many calls such objects may make.
# `lists`: whether they change lists. NumPy's own conversion of one that changes ends the process,
# so that they do so only while no function runs that gives one to NumPy.
hostile = {"weight": 0, "depth": 0, "lists": True}


def other_shape(size):
    """A shape of `size` elements."""
    sizes, left = [], size
    while left > 1 and random.random() < 0.7:
        size = random.choice([k for k in range(1, left + 1) if left % k == 0])
        sizes.append(size)
        left //= size
    sizes += [left] if left != 1 or random.random() < 0.5 else []
    return tuple(sizes + [1] * random.choice([0, 0, 0, 1, 3, 12]))


def reshape_tensor(x):
    x.shape = other_shape(x.size)


def resize_tensor(x):
    x.resize(tuple(random.choices(range(4), k=random.randrange(4))), refcheck=False)


def write_tensor(x):
    x[...] = random.choice(SCALARS)


def change_flags(x):
    x.setflags(write=random.random() < 0.5)


def change_list():
    items = random.choice(lists)
    random.choice([items.clear, items.reverse, lambda: items.extend(items[:9] or [1])])()


def forget():
    tensors.clear()
    lists.clear()
    gc.collect(0)


def call_again():
    if hostile["depth"] < 2:
        hostile["depth"] += 1
        try:
            call(random.choice(FUNCTIONS))
        finally:
            hostile["depth"] -= 1


def act(*_):
    """What code of an argument does before it returns."""
    kind = random.random()
    if kind < 0.7 and tensors:
        change = random.choices(
            [reshape_tensor, resize_tensor, write_tensor, change_flags], [12, 2, 1, 1]
        )[0]
        for x in random.choice([tensors, [random.choice(tensors)]]):
            with contextlib.suppress(AttributeError, TypeError, ValueError, OverflowError):
                change(x)
    elif kind < 0.78 and lists and hostile["lists"]:
        change_list()
    elif kind < 0.82:
        forget()
    elif kind < 0.85:
        raise random.choice([ValueError, TypeError, KeyError, AttributeError, RecursionError])("no")
    elif kind < 0.88:
        call_again()


def acting(answer):
    """A special method that acts, and returns what `answer` makes."""

    def method(*args, **kwargs):
        act()
        return make_value(2) if random.random() < 0.05 else answer()

    return method


def small():
    return random.choice([0, 0, 0, 1, 1, -1, -1, 2, 3, -2, 100, 2**62, 2**70])


def numbers():
    return [random.choice([small(), small(), make_hostile()]) for _ in range(random.randrange(4))]


def recurse(self, *_):
    act()
    return operator.index(self)


# Their addresses are given away: they live as long as the process.
EXPORTED = [np.arange(12.0).reshape(3, 4), np.arange(6)[::-2], np.ones((2, 1, 3), bool)]
METHODS = {
    "__index__": small,
    "__int__": small,
    "__float__": lambda: random.choice([0.0, 1.0, -2.5, 1e300]),
    "__complex__": lambda: 1j,
    "__bool__": lambda: random.random() < 0.5,
    "__len__": lambda: random.choice([0, 1, 2, 3, 2**62]),
    "__getitem__": small,
    "__iter__": lambda: iter(numbers()),
    "__contains__": lambda: True,
    "__eq__": lambda: random.random() < 0.5,
    "__lt__": lambda: random.random() < 0.5,
    "__hash__": lambda: 1,
    "__str__": lambda: "text",
    "__repr__": lambda: "text",
    "__format__": lambda: "text",
    "__array__": lambda: make_array(),
    "__dlpack__": lambda: make_tensor().__dlpack__(),
    "__dlpack_device__": lambda: (1, 0),
    "__array_function__": lambda: NotImplemented,
    "__array_ufunc__": lambda: NotImplemented,
    "__array_wrap__": lambda: 1,
    "__array_finalize__": lambda: None,
    "__array_namespace__": lambda: xp,
    "__add__": lambda: NotImplemented,
    "__radd__": lambda: 1,
    "__rmul__": lambda: 1,
    "__call__": small,
    "__enter__": small,
    "__getattr__": small,
    "__fspath__": lambda: "/nonexistent/file",
}
PROPERTIES = {
    "__array_interface__": lambda: random.choice(EXPORTED).__array_interface__,
    "__array_struct__": lambda: random.choice(EXPORTED).__array_struct__,
    "__array_priority__": lambda: 1.0,
    "ndim": lambda: random.choice([0, 1, 2]),
    "shape": lambda: (2, 3),
    "dtype": lambda: np.dtype(random.choice(DTYPES)),
    "size": lambda: 6,
    "T": lambda: make_tensor(),
    "name": lambda: "cpu",
}
USUAL = [("__index__",), ("__index__",), ("__index__",), ("__float__",), ("__bool__",),
         ("__array__",), ("__len__", "__getitem__"), ("__iter__",), ("__eq__", "__hash__"),
         ("__len__", "__getitem__", "__iter__"), ("__array_interface__",)]  # fmt: skip


def make_class():
    """A class with some special methods of hostile objects."""
    every = [*METHODS, *PROPERTIES]
    if random.random() < 0.8:
        names = random.choice(USUAL)
    else:
        names = random.sample(every, random.randrange(1, 8))
    body = {name: acting(METHODS[name]) for name in names if name in METHODS}
    body |= {name: property(acting(PROPERTIES[name])) for name in names if name in PROPERTIES}
    if random.random() < 0.02:
        body["__index__"] = recurse
    base = random.choices([object, int, float, tuple, list, str, dict], [60, 4, 2, 4, 4, 1, 1])[0]
    return base, type("Hostile", (base,), body)


def make_hostile():
    base, cls = random.choice(CLASSES)
    if base in (tuple, list):
        return cls(random.choices([0, 1, 2, -1, 3], k=random.randrange(4)))
    return cls(random.choice([0, 1, 2, -1])) if base in (int, float) else cls()


# ---- arguments


def make_array():
    shape = tuple(random.choices(range(4), k=random.randrange(4)))
    array = np.random.default_rng(random.getrandbits(32)).integers(0, 5, shape)
    array = array.astype(random.choice(DTYPES))
    if array.ndim and random.random() < 0.5:
        array = array[..., ::-1]
    return np.broadcast_to(array, (2, *array.shape)) if random.random() < 0.2 else array


class Derived(corepy.ndarray):
    """A class that Python made, whose objects have a dict."""


def make_tensor():
    make = random.choice([corepy.asarray, xp.asarray])
    x = make(make_array(), device=random.choice(DEVICES[:1] * 9 + DEVICES))
    if make is corepy.asarray and str(x.device) == "cpu" and random.random() < 0.2:
        x = x.view(Derived)
    if hostile["weight"]:
        x = xp.asarray(x, copy=True) if random.random() < 0.7 else x  # with memory of its own
        tensors.append(x)
    return x


def make_slice():
    ends = [None, 0, 1, -1, 5, 2**62, -(2**62)]
    if hostile["weight"] and random.random() < 0.5:
        ends += [make_hostile(), make_hostile()]
    return slice(*random.choices(ends, k=3))


def make_list(depth):
    items = [make_value(depth + 1) for _ in range(random.randrange(5))]
    if hostile["weight"]:
        lists.append(items)
    return items


def make_value(depth=0):
    kinds = {
        make_tensor: 35,
        lambda: random.choice(SCALARS): 15,
        lambda: random.choice(UNSUITABLE): 10,
        lambda: random.choice(TEXTS): 5,
        lambda: np.dtype(random.choice(DTYPES)): 5,
        make_array: 5,
        make_slice: 3,
        lambda: random.choice([*BACKENDS, *DEVICES, *map(str, DEVICES)]): 2,
    }
    if hostile["weight"]:
        kinds[make_hostile] = hostile["weight"]
    if depth < 3:
        kinds[lambda: make_list(depth)] = 5
        kinds[lambda: tuple(make_value(depth + 1) for _ in range(random.randrange(5)))] = 15
    return random.choices(list(kinds), list(kinds.values()))[0]()


# ---- functions

STANDARD = ("corepy.array_api", "corepy._cython.core", "corepy._cython.cpu")

# They write files, end the process, wait for input, or change what all later calls do.
LEFT_OUT = {
    "save", "savez", "savez_compressed", "savetxt", "memmap", "open_memmap", "fromfile", "load",
    "loadtxt", "genfromtxt", "fromregex", "dump", "tofile", "test", "info", "show_config",
    "show_runtime", "set_state", "seterrcall", "setbufsize", "get_include", "set_config", "config",
    "set_printoptions", "DataSource", "seterr",
}  # fmt: skip


def callables():
    """Everything of the namespace and the core, and the methods of backends."""
    found = []
    for module in (xp, xp.linalg, xp.fft, corepy.nn):
        found += [getattr(module, name) for name in module.__all__]
    families = [value for name, value in sys.modules.items() if "corepy._cython.cpu." in name]
    for module in (core, core, *families):
        found += [value for name, value in vars(module).items() if name[0] != "_"]
    for backend in BACKENDS:
        found += [getattr(backend, name) for name in dir(backend) if name[0] != "_"]
    if hostile["weight"]:
        # Powers of Python's integers take hours.
        names = [name for name in operator.__all__ if name[0] != "_" and "pow" not in name]
        found += [getattr(operator, name) for name in names]
        for module in (corepy, corepy.linalg, corepy.fft):
            found += [getattr(module, name) for name in dir(module)
                      if name[0] != "_" and name not in LEFT_OUT]  # fmt: skip
    settings = (core.renew_after_fork, core.name_backend, core.provide, core.extend)
    return [
        value for value in found
        if callable(value) and getattr(value, "__module__", "") != "numpy"
        and not isinstance(value, (np.dtype, type(np))) and value not in settings
        and not (isinstance(value, type) and issubclass(value, BaseException))
    ]  # fmt: skip


def make_method():
    skipped = ("__class__", "__dir__", "__new__", "__init_subclass__", "__subclasshook__")
    skipped += ("dump", "tofile")  # they write to files, by number, too
    skipped += (
        "__jax_array__",
    )  # JAX's compiler has threads of its own, which ThreadSanitizer reports
    x = make_tensor() if hostile["weight"] else corepy.array(make_array())
    name = random.choice([n for n in dir(x) if n not in skipped])
    if hostile["weight"] and random.random() < 0.1:
        return lambda value, /: setattr(x, name, value)
    return getattr(x, name)


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
    given = str(getattr(function, "__module__", "")).startswith(STANDARD)
    given = given and type(function).__module__ != "corepy.numpy.dispatch"
    outer, hostile["lists"] = hostile["lists"], hostile["lists"] and given
    try:
        result = function(*inputs, **params)
    finally:
        hostile["lists"] = outer
    for item in result if isinstance(result, (tuple, list)) else (result,):
        if isinstance(item, Tensor) and item.size < 10**6:
            repr(item), xp.asarray(item, copy=True)


def main(seed, count):
    random.seed(seed)
    warnings.simplefilter("ignore")
    returned = 0
    CLASSES[:] = [make_class() for _ in range(300)]
    FUNCTIONS[:] = callables()
    for number in range(count):
        if hostile["weight"]:
            tensors.clear()
            lists.clear()
            faulthandler.dump_traceback_later(SECONDS, exit=True)
        try:
            function = random.choice(FUNCTIONS) if random.random() < 0.6 else make_method()
            if callable(function):
                print(number, getattr(function, "__qualname__", function), flush=True)
                call(function)
                returned += 1
        except SystemError:  # the interpreter's word for a mistake in an extension module
            raise
        except Exception:  # any error is fine, only an end of the process is not
            continue
    faulthandler.cancel_dump_traceback_later()
    print("came to its end", returned)


CLASSES, FUNCTIONS = [], []


def run_process(seed, count, *options):
    """Run `main` in a process; return what is wrong, or an empty string, and how many returned."""
    command = [sys.executable, "-X", "faulthandler", __file__, str(seed), str(count), *options]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    last = done.stdout.splitlines()[-1:]
    if done.returncode == 0 and last and last[0].startswith("came to its end"):
        return "", int(last[0].split()[-1])
    return f"seed {seed}: {last}, exit status {done.returncode}\n{done.stderr[-6000:]}", 0


def run_processes(first, count, total, jobs, options):
    """Make `total` calls in processes, and report those that fail."""
    failed = returned = 0
    with ThreadPoolExecutor(jobs) as pool:
        seeds = range(first, first + -(-total // count))
        for wrong, good in pool.map(lambda seed: run_process(seed, count, *options), seeds):
            failed, returned = failed + bool(wrong), returned + good
            if wrong:
                print(wrong, flush=True)
    print(f"{len(seeds) * count} calls, {returned} returned; {failed} processes failed")
    return failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--total", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    options = ["--hostile"] if args.hostile else []
    if args.total:
        sys.exit(run_processes(args.seed, args.count, args.total, args.jobs, options) != 0)
    hostile["weight"] = 25 if args.hostile else 0
    # Sanitizers need the address space for themselves; tools/sanitize.py bounds each block instead.
    if sys.platform.startswith("linux") and not os.environ.get("COREPY_SANITIZE"):
        import resource

        limit = 8 * 2**30  # huge allocations fail instead of taking the machine's memory
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # some calls write files
        main(args.seed, args.count)
