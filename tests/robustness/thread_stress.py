"""Every operation from several threads at once: `python thread_stress.py --seconds 60`.

Each round draws a dtype and a size for every function of the namespace, for indexing and for
writing, computes the results in one thread, and then again in several threads at once, which share
the inputs. Sizes lie around the bounds at which the engine changes what it does. Results are to be
the same, bit for bit where no library is involved.

With ``--mutate`` other threads write into the inputs meanwhile: a call may then give any result or
raise, but the process must terminate normally.
"""

import argparse
import random
import sys
import threading
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np

import corepy
import corepy.array_api as xp

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from elementwise import BINARY, UNARY
from running import in_threads
from strategies import DTYPE_NAMES as DTYPES

# Around 64 bytes (elements inside the tensor), 4096 elements (the GIL is released), 32 KiB (blocks
# that threads cache), 512 and 32768 indices (offsets kept on the stack, in the pool, or not at
# all), 64 and 128 KiB (chunks that threads share).
SIZES = [0, 1, 8, 9, 16, 17, 64, 65, 511, 513, 1000, 4095, 4097, 8193, 16383, 16385, 32767, 32769]


class Inputs:
    """What the operations are called with: arrays of one dtype that have `n` elements or so."""

    def __init__(self, dtype: str, n: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.n, self.dtype = n, getattr(xp, dtype)
        side = max(1, int(n**0.5))

        def values(*shape):
            drawn = rng.normal(scale=3.0, size=shape)
            if dtype.startswith("complex"):
                drawn = drawn + 1j * rng.normal(size=shape)
            return drawn.astype(dtype) if dtype[0] != "u" else abs(drawn).astype(dtype)

        def tensor(array):
            return xp.asarray(array, copy=True)

        self.x, self.y = tensor(values(n)), tensor(values(n))
        self.strided = tensor(values(2 * n))[::2]
        self.matrix, self.other = tensor(values(side, side)), tensor(values(side, side))
        self.thin = tensor(values(max(1, n // 16), 16))
        square = values(max(1, n // 16), 4, 4)
        self.stack = tensor((square + 10 * np.eye(4)).astype(dtype))
        self.vectors = tensor(values(max(1, n // 3), 3))
        self.mask = tensor(rng.random(n) < 0.5)
        self.index = tensor(rng.integers(-n, n, n) if n else np.zeros(0, dtype=np.int64))
        self.counts = tensor(rng.integers(0, 3, n))
        self.sorted = tensor(np.sort(values(n)))

    def arrays(self):
        return [value for value in vars(self).values() if isinstance(value, corepy.Tensor)]


def written(x, write):
    """Return a copy of `x` that `write` has changed."""
    x = xp.asarray(x, copy=True)
    write(x)
    return x


def assign(x, key, value):
    x[key] = value


def in_place(x, y):
    x += y
    x *= y
    return x


def each(names, call, module=xp, prefix=""):
    """Return calls by name, of the functions of a module that are called in one way."""
    return {prefix + name: partial(call, getattr(module, name)) for name in names.split()}


def along_axes(f, d):
    return f(d.x), f(d.thin, axis=0), f(d.thin, axis=1)


def hermitian(stack):
    return stack + xp.matrix_transpose(xp.conj(stack))


CALLS = {
    **each(" ".join(UNARY), lambda f, d: (f(d.x), f(d.strided))),
    **each(" ".join(BINARY), lambda f, d: (f(d.x, d.y), f(d.strided, d.x), f(d.x, 2))),
    **each("all any argmax argmin count_nonzero max mean min prod std sum var", along_axes),
    **each("cumulative_prod cumulative_sum", along_axes),
    **each(
        "unique_all unique_counts unique_inverse unique_values nonzero",
        lambda f, d: (f(d.x), f(d.strided)),
    ),
    "arange": lambda d: xp.arange(d.n, dtype=d.dtype),
    "argsort": lambda d: (xp.argsort(d.x), xp.argsort(d.thin, axis=0, descending=True)),
    "asarray": lambda d: (xp.asarray(d.strided, copy=True), xp.asarray([1.5] * (d.n % 999))),
    "astype": lambda d: [xp.astype(d.x, getattr(xp, name)) for name in DTYPES],
    "broadcast_arrays": lambda d: xp.broadcast_arrays(d.thin, d.thin[:1]),
    "broadcast_shapes": lambda d: xp.broadcast_shapes(d.x.shape, (1,)),
    "broadcast_to": lambda d: xp.broadcast_to(d.x, (2, d.n)) + d.x,
    "can_cast": lambda d: xp.can_cast(d.x, xp.complex128),
    "clip": lambda d: (xp.clip(d.x, 0, 2), xp.clip(d.strided, d.x, d.y)),
    "concat": lambda d: (xp.concat([d.x, d.strided]), xp.concat([d.thin, d.thin], axis=1)),
    "diff": lambda d: (xp.diff(d.x), xp.diff(d.thin, axis=0)),
    "empty": lambda d: xp.empty(d.n, dtype=d.dtype).shape,
    "empty_like": lambda d: xp.empty_like(d.x).shape,
    "expand_dims": lambda d: xp.expand_dims(d.strided, axis=0),
    "eye": lambda d: xp.eye(len(d.matrix), dtype=d.dtype),
    "finfo": lambda d: xp.finfo(d.x).eps,
    "flip": lambda d: xp.flip(d.x) + d.x,
    "from_dlpack": lambda d: xp.from_dlpack(d.x) + d.x,
    "full": lambda d: xp.full(d.n, 1, dtype=d.dtype),
    "full_like": lambda d: xp.full_like(d.strided, 1),
    "iinfo": lambda d: xp.iinfo(d.x).max,
    "isdtype": lambda d: xp.isdtype(d.x.dtype, "numeric"),
    "isin": lambda d: (xp.isin(d.x, d.y[:100]), xp.isin(d.strided, d.y)),
    "linspace": lambda d: xp.linspace(0.0, 1.0, d.n),
    "matmul": lambda d: (xp.matmul(d.matrix, d.other), d.matrix @ d.other[0, :], d.stack @ d.stack),
    "matrix_transpose": lambda d: xp.asarray(xp.matrix_transpose(d.thin), copy=True) + 0,
    "meshgrid": lambda d: xp.meshgrid(d.matrix[0, :], d.other[:, 0]),
    "moveaxis": lambda d: xp.moveaxis(d.stack, 0, -1) + xp.moveaxis(d.stack, 0, 2),
    "ones": lambda d: xp.ones(d.n, dtype=d.dtype),
    "ones_like": lambda d: xp.ones_like(d.x),
    "permute_dims": lambda d: xp.permute_dims(d.stack, (2, 0, 1)) * 1,
    "repeat": lambda d: (xp.repeat(d.x, 3), xp.repeat(d.x, d.counts)),
    "reshape": lambda d: (xp.reshape(d.strided, (-1, 1)), xp.reshape(d.thin.T, (-1,))),
    "result_type": lambda d: xp.result_type(d.x, xp.float32),
    "roll": lambda d: (xp.roll(d.x, 3), xp.roll(d.thin, (1, 2), axis=(0, 1))),
    "searchsorted": lambda d: xp.searchsorted(d.sorted, d.x),
    "sort": lambda d: (xp.sort(d.x), xp.sort(d.thin, axis=0), xp.sort(d.strided, descending=True)),
    "squeeze": lambda d: xp.squeeze(xp.expand_dims(d.strided, axis=0), axis=0),
    "stack": lambda d: xp.stack([d.x, d.strided, d.y], axis=-1),
    "take": lambda d: (xp.take(d.x, d.index), xp.take(d.thin, d.index % len(d.thin), axis=0)),
    "take_along_axis": lambda d: xp.take_along_axis(d.x, d.index),
    "tensordot": lambda d: (
        xp.tensordot(d.matrix, d.other, axes=1),
        xp.tensordot(d.x, d.y, axes=1),
    ),
    "tile": lambda d: xp.tile(d.x, (2, 3)),
    "tril": lambda d: xp.tril(d.matrix),
    "triu": lambda d: xp.triu(d.stack, k=1),
    "unstack": lambda d: xp.unstack(d.thin, axis=1),
    "vecdot": lambda d: (xp.vecdot(d.x, d.y), xp.vecdot(d.thin, d.thin)),
    "where": lambda d: (xp.where(d.mask, d.x, d.y), xp.where(d.mask, d.strided, 1)),
    "zeros": lambda d: xp.zeros(d.n, dtype=d.dtype),
    "zeros_like": lambda d: xp.zeros_like(d.strided),
    "linalg.cross": lambda d: xp.linalg.cross(d.vectors, d.vectors[::-1, :]),
    "linalg.diagonal": lambda d: xp.linalg.diagonal(d.stack) + 0,
    "linalg.matrix_norm": lambda d: xp.linalg.matrix_norm(d.stack),
    "linalg.matrix_power": lambda d: xp.linalg.matrix_power(d.stack, 3),
    "linalg.outer": lambda d: xp.linalg.outer(d.matrix[0, :], d.other[0, :]),
    "linalg.solve": lambda d: xp.linalg.solve(d.stack, d.stack),
    "linalg.trace": lambda d: (xp.linalg.trace(d.matrix), xp.linalg.trace(d.stack)),
    "linalg.vector_norm": lambda d: (
        xp.linalg.vector_norm(d.x),
        xp.linalg.vector_norm(d.thin, axis=0),
    ),
    **each(
        "cholesky det eig eigh eigvals eigvalsh inv matrix_rank pinv qr slogdet svd svdvals",
        lambda f, d: f(hermitian(d.stack)),
        xp.linalg,
        "linalg.",
    ),
    "linalg.matmul": lambda d: xp.linalg.matmul(d.matrix, d.other),
    "linalg.matrix_transpose": lambda d: xp.linalg.matrix_transpose(d.stack) + d.stack,
    "linalg.tensordot": lambda d: xp.linalg.tensordot(d.matrix, d.other),
    "linalg.vecdot": lambda d: xp.linalg.vecdot(d.thin, d.thin, axis=0),
    **each(
        "fft ifft rfft irfft hfft ihfft", lambda f, d: (f(d.x), f(d.thin, axis=0)), xp.fft, "fft."
    ),
    **each("fftn ifftn rfftn irfftn fftshift ifftshift", lambda f, d: f(d.thin), xp.fft, "fft."),
    "fft.fftfreq": lambda d: xp.fft.fftfreq(d.n + 1),
    "fft.rfftfreq": lambda d: xp.fft.rfftfreq(d.n + 1),
    "x[i]": lambda d: (d.x[0], d.x[-1], d.thin[0, 3]),
    "x[slice]": lambda d: (d.x[1:-1] + 0, d.thin[::-1, 2:] + 0),
    "x[mask]": lambda d: (d.x[d.mask], d.strided[d.mask]),
    "x[index]": lambda d: (d.x[d.index], d.thin[d.index % len(d.thin), d.index % 16]),
    "x[i] = v": lambda d: written(d.x, lambda x: assign(x, -1, 1)),
    "x[slice] = v": lambda d: (
        written(d.x, lambda x: assign(x, slice(1, None), d.x[:-1])),
        written(d.x, lambda x: assign(x, slice(None, None, -1), x)),
    ),
    "x[mask] = v": lambda d: (
        written(d.x, lambda x: assign(x, d.mask, 1)),
        written(d.x, lambda x: assign(x, d.mask, d.y[d.mask])),
    ),
    "x[index] = v": lambda d: (
        written(d.x, lambda x: assign(x, d.index, 1)),
        written(d.x, lambda x: assign(x, d.index, d.y)),
        written(d.thin, lambda x: assign(x, d.index % len(x), 1)),
    ),
    "x += y": lambda d: (
        written(d.x, lambda x: in_place(x, d.y)),
        written(d.thin, lambda x: in_place(x, d.thin[:1, :])),
        written(d.x, lambda x: in_place(x[::2], 2)),
    ),
    "methods": lambda d: (d.x.tolist()[:9], +d.strided, repr(d.x), bytes(d.x[:9])),
}
# Computed by NumPy's BLAS and LAPACK, whose rounding depends on their own threads.
LIBRARY = {"matmul", "tensordot", "vecdot"} | {name for name in CALLS if name[:7] == "linalg."}


def outcome(name, inputs):
    """What a call gives: arrays, or the kind of error."""
    try:
        result = CALLS[name](inputs)
    except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError) as error:
        return type(error).__name__
    return leaves(result)


def leaves(result):
    if isinstance(result, (tuple, list)):
        return [leaf for item in result for leaf in leaves(item)]
    return [np.asarray(result)]


def same(name, one, other):
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    if len(one) != len(other):
        return False
    for a, b in zip(one, other, strict=True):
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        if name in LIBRARY and a.dtype.kind in "fc":
            scale = np.max(np.abs(b), initial=1.0, where=np.isfinite(b))
            if not np.allclose(a, b, rtol=1e-4, atol=1e-4 * scale, equal_nan=True):
                return False
        elif a.tobytes() != b.tobytes():
            return False
    return True


def compare_round(tasks, count, seed):
    """Compute all tasks in each of `count` threads; return the names with another result."""
    before = corepy.get_num_threads()
    corepy.set_num_threads(1)
    expected = [outcome(*task) for task in tasks]
    corepy.set_num_threads(max(before, 4))
    wrong = []

    def work(number):
        order = list(range(len(tasks)))
        random.Random(seed + number).shuffle(order)
        for k in order:
            name, inputs = tasks[k]
            if not same(name, outcome(name, inputs), expected[k]):
                wrong.append((name, str(inputs.dtype), inputs.n))

    in_threads(work, count, timeout=None)
    corepy.set_num_threads(before)
    return wrong, sum(not isinstance(item, str) for item in expected)


def scramble(array, rng):
    """Write values of every kind into an input, indices out of range among them."""
    kind = rng.randrange(4)
    if not array.size:
        return
    if kind == 0:
        array[...] = rng.choice([0, 1, 100])
    elif kind == 1 and array.dtype == xp.int64:
        array[...] = rng.choice([2**62, -(2**62), 5, -5])
    elif kind == 2:
        # Not any bits: for some numbers LAPACK's iteration for singular values does not terminate.
        noise = np.random.default_rng(rng.getrandbits(32)).normal(scale=1e4, size=array.shape)
        noise[noise > 2e4], noise[noise < -2e4] = rng.choice([(np.nan, np.inf), (0, -1)])
        array[...] = xp.astype(xp.asarray(noise), array.dtype)
    else:
        array[...] = xp.flip(array)


def mutate_round(tasks, count, seed):
    """Compute all tasks in half of the threads while the others write into the inputs."""
    done = threading.Event()
    running = [max(1, count // 2)]

    def work(number):
        rng = random.Random(seed + number)
        if number >= running[0]:
            arrays = [array for _, inputs in tasks for array in inputs.arrays()]
            while not done.is_set():
                scramble(rng.choice(arrays), rng)
            return
        order = list(range(len(tasks)))
        rng.shuffle(order)
        for k in order:
            outcome(*tasks[k])
        done.set()

    in_threads(work, count, timeout=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mutate", action="store_true")
    parser.add_argument("--only", nargs="*", default=list(CALLS), help="names of operations")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    args = parser.parse_args()
    if args.list:
        return print("\n".join(CALLS))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    sys.setswitchinterval(1e-4)
    rng, calls, rounds, wrong = random.Random(args.seed), 0, 0, []
    end = time.monotonic() + args.seconds
    while not rounds or (time.monotonic() < end and not wrong):
        pairs = [(rng.choice(DTYPES), rng.choice(SIZES)) for _ in range(12)]
        shared = [Inputs(dtype, n, rng.getrandbits(32)) for dtype, n in pairs]
        tasks = [(name, rng.choice(shared)) for name in args.only]
        if args.mutate:
            mutate_round(tasks, args.threads, args.seed + rounds)
            calls += len(tasks)
        else:
            wrong, good = compare_round(tasks, args.threads, args.seed + rounds)
            calls += good * args.threads
        rounds += 1
    for item in sorted(set(wrong)):
        print("wrong:", *item)
    print(f"{rounds} rounds, {calls} calls, {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
