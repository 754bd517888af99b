"""What the benchmarks share: the libraries side by side, and arrays of fixed random data."""

import numpy as np

import corepy
from corepy.backend.registry import available_devices, find_device

SIZES = (1, 1_000, 1_000_000)
DTYPES = ("float64", "float32", "int64")
# Slow on purpose: what it is compared with is the standard, not a clock.
UNTIMED = ("reference",)
LIBRARIES = ("numpy", *(str(d) for d in available_devices() if str(d) not in UNTIMED))


def namespace(library):
    """Return NumPy, or the standard's namespace on a Corepy device."""
    return np if library == "numpy" else corepy.namespace(library)


def array(library, size, dtype, seed=0):
    """Return `size` random numbers between 1 and 100, the same ones for every library."""
    values = np.random.default_rng(seed).uniform(1, 100, size).astype(dtype)
    return namespace(library).asarray(values)


def synchronize(library):
    """Wait until a device has finished, so that a time includes the work, not its launch only."""
    if library != "numpy":
        find_device(library).backend.synchronize()
