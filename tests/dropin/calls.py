"""Calls of every public NumPy function, made from its signature, and the results of both libraries.

Nothing here knows a function by what it does: arguments are drawn by the names of its parameters
until NumPy itself accepts some, and the same call is then made through `import corepy as np`.
"""

import inspect
import random
import re
import warnings

import numpy as np

import corepy

MODULES = ("", "linalg", "fft", "ma", "random", "char", "strings")
# What reads or writes files, prints, changes NumPy's settings, or gives what memory held before.
LEFT_OUT = {
    "DataSource", "fromfile", "genfromtxt", "get_include", "info", "load", "loadtxt", "save",
    "savetxt", "savez", "savez_compressed", "set_printoptions", "setbufsize", "seterr",
    "seterrcall", "show_config", "show_runtime", "test", "empty", "empty_like", "memmap",
    "ma.empty", "ma.empty_like", "ma.test", "random.test", "random.bytes", "linalg.test",
    "fft.test", "random.get_bit_generator", "random.set_bit_generator", "random.set_state",
    "ma.ids", "ma.masked_all", "ma.masked_all_like", "get_printoptions", "getbufsize",
    "printoptions", "from_dlpack", "errstate",
}  # fmt: skip
# What is not a matter of values: NumPy's own objects, and results in no order.
UNTOUCHED = {"random.get_state"}
UNORDERED = {"unique_values"}
# What takes sorted arrays alone.
SORTED = {"searchsorted"}
# What writes outside of its memory in NumPy 2.4 when it is given a matrix.
NO_MATRICES = {"dstack"}
# Views in which each element is there once may be written to.
WRITEABLE = {"broadcast_to", "broadcast_arrays"}
# What makes arguments: ndarrays, and the standard's arrays, for which results are ndarrays, too.
CLASSES = [corepy.asarray, corepy.array_api.asarray]
TENSOR_DTYPES = "?bhilqBHILQefdFD"


def public_functions():
    """Paths of NumPy's public functions, methods of its ufuncs among them."""
    for module in MODULES:
        native = getattr(np, module) if module else np
        names = getattr(native, "__all__", dir(native)) if module != "" else dir(np)
        for name in sorted(set(names)):
            value = getattr(native, name, None)
            path = f"{module}.{name}" if module else name
            if name.startswith("_") or path in LEFT_OUT or isinstance(value, type):
                continue
            if not callable(value) or inspect.ismodule(value):
                continue
            yield path
            if isinstance(value, np.ufunc) and module == "" and value.__name__ == name:
                two = value.nin == 2 and value.nout == 1 and value.signature is None
                for method in ("reduce", "accumulate", "reduceat", "outer") if two else ():
                    yield f"{path}.{method}"
                if value.nin <= 2 and value.nout == 1 and value.signature is None:
                    yield f"{path}.at"


def at(root, path):
    for name in path.split("."):
        root = getattr(root, name)
    return root


# ---- arguments


def _numbers(draw, shape, dtype):
    values = draw.choices([0.0, 1.0, 2.0, 3.0, 0.5, -1.5, 2.5, 1.0], k=int(np.prod(shape)))
    array = np.array(values).reshape(shape)
    if np.dtype(dtype).kind == "u":
        array = np.abs(array)
    if np.dtype(dtype).kind == "c":
        array = array + 1j * np.flip(array)
    return np.asarray(array, dtype=dtype)


SHAPES = [(3,), (3,), (2, 3), (3, 3), (3, 3), (), (1,), (4, 2, 2), (0,), (0, 3)]
DTYPES = ["f8", "f8", "f8", "f4", "i8", "i8", "i4", "i1", "u1", "u8", "?", "c16", "c8"]


def _tensorable(draw):
    """An ndarray that may be a tensor: of any order of memory, with views and read-only ones."""
    dtype = draw.choice(DTYPES)
    shape = draw.shape if draw.random() < 0.6 else draw.choice(SHAPES)
    kind = draw.randrange(8)
    if kind == 0:
        return np.asfortranarray(_numbers(draw, shape, dtype))
    if kind == 1 and shape:
        return _numbers(draw, (*shape[:-1], 2 * shape[-1] + 1), dtype)[..., 1::2]
    if kind == 2 and shape:
        return _numbers(draw, shape, dtype)[::-1]
    array = _numbers(draw, shape, dtype)
    if kind == 3:
        array.flags.writeable = False
    elif kind == 4:
        flat = array.reshape(-1)
        if flat.size and array.dtype.kind in "fc":
            flat[0] = draw.choice([np.nan, np.inf, -np.inf, -0.0])
    elif kind == 5 and array.ndim == 1:
        array.sort()
    return array


def _masked(draw):
    shape = draw.choice([(3,), (2, 3), (3, 3), ()])
    data = _numbers(draw, shape, draw.choice(["f8", "i8", "f4"]))
    mask = np.array(draw.choices([False, False, True], k=data.size), dtype=bool).reshape(shape)
    return np.ma.array(data, mask=draw.choice([mask, mask, False]))


def _matrix(draw):
    return _numbers(draw, draw.choice([(2, 3), (3, 3), (1, 3)]), "f8").view(np.matrix)


def _structured(draw):
    values = [(draw.randrange(4), draw.random()) for _ in range(3)]
    array = np.array(values, dtype=[("a", "i4"), ("b", "f8")])
    return draw.choice([array, array.view(np.recarray), array[0]])


def _objects(draw):
    return np.array(draw.choice([[1, 2, 3], [1, None, "x"], [[1.5, 2], [3, 4]]]), dtype=object)


def _text(draw):
    return np.array(
        draw.choice([["a", "Bc", "b"], [["1", "22"], ["x y", ""]], ["3", "14", "-1"], "abc"]),
        dtype=draw.choice(["U", "U", "S"]),
    )


def _dates(draw):
    days = np.array(["2024-01-31", "2023-12-25", "NaT"], dtype="M8[D]")
    return draw.choice([days, days[:2], days - days[1], days[0], days[:2] - days[1:]])


def _other(draw):
    array = _numbers(draw, draw.choice([(3,), (2, 3)]), "f8")
    unaligned = np.zeros(array.nbytes + 1, "u1")[1:].view("f8").reshape(array.shape)
    unaligned[...] = array
    return draw.choice([
        array.astype("f2"), array.astype("g"), array.astype(">f8"), array.astype(">i4"),
        unaligned, np.float16(1.5), np.str_("ab"), np.float64(2), np.int8(3),
    ])  # fmt: skip


# ``kind``: a part of what is drawn, so that some calls have nothing but tensors and lists.
FOREIGN = (_masked, _masked, _matrix, _structured, _objects, _text, _dates, _other)


def _array(draw, kind):
    if kind == "tensors" or draw.random() < 0.5:
        return _tensorable(draw)
    if draw.random() < 0.25:
        return draw.choice([2, 1.5, [1, 2, 3], [[1.0, 2.0], [3.0, 4.0]], True, 1j, -1, "ab"])
    return (kind if callable(kind) else draw.choice(FOREIGN))(draw)


def _arrays(draw, kind):
    first = _array(draw, kind)
    several = [first, draw.choice([first, _array(draw, kind)])]
    return draw.choice([several, tuple(several), first])


BY_NAME = [
    (r"^(axis|axis1|axis2|axes|source|destination|start_axis)$", [0, -1, 1, None, (0, 1), 0]),
    (r"^(dtype|type)$", [None, np.float32, float, int, "f8", "i8", "c16", "?", "f2", object, "U5"]),
    (r"^(keepdims|sparse|copy|endpoint|full_matrices|compute_uv|hermitian|return_\w+|increasing"
     r"|overwrite_input|density|assume_unique|invert|ascending|inplace|subok|retstep|full|cov"
     r"|shrink|equal_nan|allow_rank0|deep|nan_mean|fweights|rowvar|bias|allow_masked|hard_mask"
     r"|keep_mask|upper|sorted|replace|shuffle|period|keepends|chars|unique_\w+)$",
     [False, True, None]),
    (r"^(shape|newshape|new_shape|size|dims)$", [3, (2, 3), (3,), (), None, (1, 3), -1, (3, 2), 6]),
    (r"^(n|k|N|M|m|num|nb|deg|decimals|kth|ndmin|deg|offset|width|fillchar|count|maxsplit|tabsize"
     r"|start|end|stop|step|low|high|ngood|nbad|nsample|df|dfnum|dfden|lam|scale|loc|a|b|p|mu|kappa"
     r"|left|right|mode|sigma|nonc|mean|cov|alpha|pvals|colors|prec|precision|min_digits)$",
     [1, 2, 0, 3, 0.5, 1.0, -1, None]),
    (r"^order$", [None, "C", "F", "K", "A", 1, 2, "a"]),
    (r"^(side)$", ["left", "right"]),
    (r"^(mode)$", ["raise", "wrap", "clip", "constant", "edge", "full", "same", "reduced"]),
    (r"^(casting)$", ["same_kind", "unsafe", "safe"]),
    (r"^(method|interpolation)$", ["linear", "lower", "nearest"]),
    (r"^(indexing)$", ["xy", "ij"]),
    (r"^(kind)$", ["stable", "quicksort", "bool", "numeric"]),
    (r"^(ord)$", [None, 1, 2, np.inf, "fro"]),
    # True everywhere: a ufunc leaves other elements uninitialised.
    (r"^(where)$", [True, np.array([True, True, True]), np.array(True)]),
    (r"^(func|func1d|function|pyfunc)$",
     [lambda *x: x[0], lambda x, *rest: x.sum(), lambda x, axis=None: np.sum(x, axis)]),
    (r"^(funclist)$", [[lambda x: x, lambda x: x + 1]]),
    (r"^(subscripts)$", ["ij->ji", "ij,jk->ik", "i,i", "...->..."]),
    (r"^(device)$", [None, "cpu"]),
    (r"^(like)$", [None]),
    (r"^(arr|arrays|tup|arys|seq|choices|condlist|choicelist|operands|xi|blocks|args|sample|x)$",
     _arrays),
    (r"^(out)$", [None]),
    (r"^(indices|indices_or_sections|sections|repeats|shift|obj|ind|index|reps|multi_index|coords)$",
     [0, 1, 2, [0, 1], np.array([0, 1, 0]), [2, 0], (1, 1), np.array([[0, 1, 0]]), [[0, 1], [1, 0]],
      slice(0, 2)]),
    (r"^(bins)$", [3, [0.0, 1.0, 2.0], np.array([0.0, 1.5, 3.0]), "auto"]),
    (r"^(pad_width)$", [1, (1, 2), ((1, 0), (0, 1))]),
    (r"^(mask)$", [np.array([True, False, True]), None, False, np.ma.nomask, [0, 1, 0]]),
    (r"^(q)$", [50, 0.5, [0.25, 0.5], np.array([0.1, 0.9])]),
    (r"^(seed)$", [1, [1, 2], np.array([3, 4], dtype="u4")]),
    (r"^(sep|old|new|sub|suffix|prefix|table|deletechars)$", ["a", ",", "1", " ", "b"]),
]  # fmt: skip
ANYTHING = [None, 0, 1, 2, 3, 0.5, 1.5, True, False, (2, 3), [0, 1], "a", "f8", -1, slice(0, 2)]


def _argument(draw, name, kind):
    """What a parameter of this name takes, most often; at times something else."""
    if draw.random() < 0.08 and name != "where":
        return draw.choice(ANYTHING)
    choices = [values for pattern, values in BY_NAME if re.match(pattern, name)]
    if not choices or draw.random() < 0.15:
        return _array(draw, kind)
    values = draw.choice(choices)
    return values(draw, kind) if callable(values) else draw.choice(values)


def parameters_of(function):
    """Parameters (name, kind, whether it is required) of a function of NumPy's."""
    try:
        listed = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return [("x", inspect.Parameter.POSITIONAL_ONLY, True)] * 2
    empty = inspect.Parameter.empty
    return [(p.name, p.kind, p.default is empty) for p in listed]


class Arguments:
    """Arguments that can be made again, the same: from a seed."""

    def __init__(self, function, seed, kind):
        self.parameters, self.seed, self.kind = parameters_of(function), seed, kind

    def make(self):
        draw = random.Random(self.seed)
        draw.shape = draw.choice(SHAPES)  # most arrays of one call have the same
        optional = draw.choice([0.0, 0.15, 0.4])  # how many of the parameters with defaults
        args, kwargs = [], {}
        by_name = False
        for name, kind, required in self.parameters:
            if kind is inspect.Parameter.VAR_POSITIONAL:
                args += [_argument(draw, name, self.kind) for _ in range(draw.randrange(4))]
                by_name = True
            elif kind is inspect.Parameter.VAR_KEYWORD:
                continue
            elif required or draw.random() < optional:
                value = _argument(draw, name, self.kind)
                only_name = kind is inspect.Parameter.KEYWORD_ONLY
                if only_name or (by_name and kind is inspect.Parameter.POSITIONAL_OR_KEYWORD):
                    kwargs[name] = value
                else:
                    args.append(value)
            else:
                by_name = True  # what follows a parameter left out is given by its name
        return args, kwargs


def is_tensors(array):
    """Whether an ndarray is one that the drop-in has as a Tensor."""
    return (
        type(array) in (np.ndarray, np.memmap)
        and array.dtype.char in TENSOR_DTYPES
        and array.flags.aligned
        and array.dtype.isnative
    )


def with_tensors(value, make):
    """Arguments with arrays that `make` makes over the memory of the ndarrays that may be some."""
    if isinstance(value, np.ndarray) and is_tensors(value):
        return make(value)
    if type(value) in (list, tuple):
        return type(value)(with_tensors(item, make) for item in value)
    if type(value) is dict:
        return {
            name: with_tensors(item, corepy.asarray if name == "out" else make)
            for name, item in value.items()
        }
    return value


def arrays_in(value):
    """All arrays of nested arguments or results, as ndarrays."""
    if isinstance(value, corepy.Tensor):
        yield np.asarray(value)
    elif isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from arrays_in(item)
    elif isinstance(value, dict):
        yield from arrays_in(list(value.values()))


# ---- comparison


def differences(actual, expected, where="result"):
    """What is not the same in the drop-in's answer and NumPy's; none is an empty list."""
    if isinstance(expected, (list, tuple)):
        names = hasattr(expected, "_fields")
        if not isinstance(actual, tuple if names else type(expected)):
            return [f"{where}: {type(actual).__name__}, NumPy's is {type(expected).__name__}"]
        if len(actual) != len(expected):
            return [f"{where}: {len(actual)} items, NumPy has {len(expected)}"]
        return [
            line
            for k, (one, other) in enumerate(zip(actual, expected, strict=True))
            for line in differences(one, other, f"{where}[{k}]")
        ]
    held = isinstance(expected, np.ndarray) and is_tensors(expected)
    half = isinstance(expected, (np.ndarray, np.generic)) and expected.dtype == np.float16
    if half and isinstance(actual, (corepy.ndarray, np.generic)) and actual.dtype == np.float64:
        # Where NumPy's dtype for a function of small integers is float16, it is float64 here.
        close = np.allclose(actual, expected, rtol=2e-3, atol=1e-3, equal_nan=True)
        return [] if close else [f"{where}: {actual!r}, NumPy's is {expected!r}"]
    wanted = corepy.ndarray if held else type(expected)
    if isinstance(expected, np.random.Generator):
        wanted = corepy.random.Generator
    if type(actual) is not wanted:
        return [f"{where}: {type(actual).__name__} {actual!r}, NumPy's is {expected!r}"]
    if isinstance(expected, np.ndarray):
        return _array_differences(actual, expected, where)
    if isinstance(expected, np.number):
        same = _same(np.asarray(actual), np.asarray(expected))
        return [] if same else [f"{where}: {actual!r}, NumPy's is {expected!r}"]
    if isinstance(expected, (np.generic, bool, int, float, complex, str, bytes, type(None))):
        same = actual == expected or (actual != actual and expected != expected)
        return [] if same else [f"{where}: {actual!r}, NumPy's is {expected!r}"]
    if repr(type(expected)).startswith("<class 'numpy") and not callable(expected):
        if " at 0x" in repr(expected) or repr(actual) == repr(expected):
            return []
        return [f"{where}: {actual!r}, NumPy's is {expected!r}"]
    return []


def _array_differences(actual, expected, where):
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return [
            f"{where}: {actual.dtype} {actual.shape}, NumPy's is {expected.dtype} {expected.shape}"
        ]
    if isinstance(expected, np.ma.MaskedArray):
        one, other = np.ma.getmaskarray(actual), np.ma.getmaskarray(expected)
        if not _same(one, other):
            return [f"{where}: mask {one}, NumPy's is {other}"]
        actual, expected = np.asarray(actual), np.asarray(expected)
        if expected.dtype.names is None and other.shape == expected.shape:
            actual, expected = actual[~other], expected[~other]  # what is masked does not count
    lines = []
    if type(actual) is corepy.ndarray and isinstance(expected, np.ndarray):
        view = np.asarray(actual)
        if view.flags.writeable != expected.flags.writeable:
            lines.append(f"{where}: writeable {view.flags.writeable}, NumPy's is not the same")
    if not _same(np.asarray(actual), np.asarray(expected)):
        lines.append(f"{where}: {actual!r}, NumPy's is {expected!r}")
    return lines


def _same(one, other):
    if other.dtype.kind in "fc" and other.dtype.char in "fdFD":
        tolerance = 64 * np.finfo(other.dtype).eps
        finite = other[np.isfinite(other)]
        largest = float(np.max(np.abs(finite))) if finite.size else 0.0
        return np.allclose(one, other, rtol=tolerance, atol=tolerance * largest, equal_nan=True)
    if other.dtype.kind in "fc":
        return np.array_equal(one, other, equal_nan=True)
    if other.dtype.kind in "OV":
        return repr(one) == repr(other)
    return np.array_equal(one, other, equal_nan=other.dtype.kind in "mM")


class Call:
    """One call in both libraries."""

    def __init__(self, path, seed, kind):
        self.path = path
        self.out = None  # an ndarray to write the result to, if that is tried
        self.native = at(np, path)
        self.arguments = Arguments(self.native, seed, kind)

    def __str__(self):
        args, kwargs = self.make()
        listed = [*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())]
        return f"{self.path}({', '.join(listed)})"

    def _run(self, function, args, kwargs):
        np.random.seed(5)  # noqa: NPY002
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with np.errstate(all="ignore"):
                return function(*args, **kwargs)

    def takes_out(self):
        """Whether the call can be made again with `out`."""
        names = [name for name, _, _ in self.arguments.parameters]
        return (
            "out" in names
            and "out" not in self.kwargs
            and names.index("out") >= len(self.args)
            and isinstance(self.expected, np.ndarray)
            and is_tensors(self.expected)
        )

    def with_out(self):
        """Write the result to an array from now on; whether NumPy does."""
        self.out = np.zeros_like(self.expected)
        return self.accepted() and self.expected is self.kwargs["out"]

    def make(self):
        """The arguments once more."""
        args, kwargs = self.arguments.make()
        if self.path in SORTED:
            args[0] = np.array([0.0, 1.0, 2.0, 3.0])
        if self.out is not None:
            kwargs["out"] = self.out.copy(order="K")
        return args, kwargs

    def accepted(self):
        """Whether NumPy takes the call and computes all of its answer, which is kept."""
        self.args, self.kwargs = self.make()
        if self.kwargs.get("where", True) is not True and self.kwargs.get("out") is None:
            return False  # ufuncs leave what `where` excludes as memory had it
        if self.path in NO_MATRICES and any(
            isinstance(array, np.matrix) for array in arrays_in([self.args, self.kwargs])
        ):
            return False
        try:
            self.expected = self._run(self.native, self.args, self.kwargs)
        except Exception:
            return False
        return True

    def differences(self):
        """Make the call through the drop-in and compare answers, arguments and shared memory."""
        with warnings.catch_warnings():  # of what is broadcast, whether it may be written to
            warnings.simplefilter("ignore")
            return self._differences()

    def _differences(self):
        args, kwargs = self.make()
        make = random.Random(f"class of {self.arguments.seed}").choice(CLASSES)
        args, kwargs = with_tensors(args, make), with_tensors(kwargs, make)
        try:
            actual = self._run(at(corepy, self.path), args, kwargs)
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]
        if self.out is not None and actual is not kwargs["out"]:
            return [f"the result is not out: {actual!r}"]
        if self.path in UNTOUCHED:
            return [] if repr(actual) == repr(self.expected) else [f"{actual!r}"]
        if self.path in UNORDERED:
            actual, self.expected = corepy.sort(actual), np.sort(self.expected)
        found = differences(actual, self.expected)
        if self.path in WRITEABLE:
            found = [line for line in found if "writeable" not in line]
        ours, theirs = list(arrays_in([args, kwargs])), list(arrays_in([self.args, self.kwargs]))
        for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            # Functions of NumPy's set the shape of 0-d arguments, or the mask to another shape.
            if one.ndim == other.ndim and np.shape(np.ma.getmask(other)) in ((), other.shape):
                found += _array_differences(one, other, f"array {k} of the arguments")
        if not found:
            one, other = shared(actual, ours), shared(self.expected, theirs)
            if one != other:
                found.append(f"shares memory with arguments {one}, NumPy's result with {other}")
        return found


def shared(result, arguments):
    """Which arguments a result shares memory with."""
    return {
        k
        for part in arrays_in(result)
        for k, array in enumerate(arguments)
        if np.may_share_memory(part, array)
    }
