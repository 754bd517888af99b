"""dtypes, shapes and strides without computing, against what backends compute."""

import random
import warnings

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robustness.random_execute import NAMES, Arguments, outcome
from strategies import DTYPES, read_operations

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy._cython import core, inference
from corepy.backend import infer, infer_layout
from corepy.testing._checks.comparison import agree, described

#: Errors that depend on elements, which only computing finds.
DEPENDENT = {
    "arange": (OverflowError,),
    "take": (IndexError, ValueError),
    "take_along_axis": (IndexError, ValueError),
    "searchsorted": (IndexError, ValueError),
    "repeat": (ValueError, OverflowError),
    "pow": (ValueError,),
    "reshape": (ValueError,),
    # Of libraries behind a backend.
    "bitwise_left_shift": (ValueError,),
    "bitwise_right_shift": (ValueError,),
    "linalg.matrix_norm": (ValueError,),
    "linalg.pinv": (ValueError,),
    "linalg.vector_norm": (ValueError,),
}


#: Of arguments that are no tensors, which inference takes to all devices; of the strict library.
REFUSALS = (
    "on different devices",
    "array_api_strict",
    "Only numeric",
    "must all have the same dtype",
)


class SmallArguments(Arguments):
    """Random arguments that take little memory."""

    def __init__(self, device="cpu"):
        super().__init__()
        self.tensors = [
            x.to_device(device)
            for x in self.tensors
            if x.ndim < 16 and max(x.shape, default=0) < 10**5
        ]
        self.elsewhere = []
        self.device = device

    def tensor(self):
        return random.choice(self.tensors)

    def integer(self):
        return random.randrange(-4, 6)

    def operand(self):
        return random.choices([self.tensor, self.number, self.integer], [8, 1, 1])[0]()

    def anything(self):
        return random.choice([self.tensor, self.integer, self.number, self.axes, self.dtype])()

    def indices(self):
        return super().indices().to_device(self.device)

    def flag(self):
        return random.choice([True, False])


def deferred(name, inputs, params):
    """Execute an operation where all are deferred that can be."""
    with corepy.config(fusion_threshold=0), corepy.fuse():
        return core.execute(name, inputs, params)


def check(name, inputs, params, execute=core.execute):
    """Compare inference with the computation; return whether there is a result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = outcome(execute, name, inputs, params)
    found = outcome(infer, name, inputs, params)
    call = f"{name} of {[described(x) if isinstance(x, Tensor) else x for x in inputs]}, {params}"
    if not isinstance(expected, Exception):
        assert not isinstance(found, Exception), f"{call}: {found!r}"
        assert agree(found, described(expected)), f"{call}: {found}, not {described(expected)}"
        return True
    if any(words in str(expected) for words in REFUSALS):
        return False
    if isinstance(found, Exception):
        assert type(found) is type(expected), f"{call}: {found!r}, not {expected!r}"
        return False
    dependent = (np.linalg.LinAlgError, *DEPENDENT.get(name, ()))
    assert isinstance(expected, dependent), f"{call}: {found}, not {expected!r}"
    return False


def arguments_for(name, device="cpu"):
    """Random arguments of an operation, the same in each run."""
    random.seed(f"{device} {name}")
    arguments = SmallArguments("cpu" if device == "deferred" else device)
    if name == "linalg.svd":  # takes seconds for long matrices
        arguments.tensors = [x for x in arguments.tensors if max(x.shape, default=0) < 2000]
    return arguments


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("device", "count"), [("cpu", 150), ("reference", 80), ("deferred", 150)])
def test_results_are_as_inferred(device, count, name):
    arguments = arguments_for(name, device)
    execute = deferred if device == "deferred" else core.execute
    assert sum(check(name, *arguments.for_operation(name), execute) for _ in range(count)) > 0


def ordered(description):
    """The strides along axes of more than one element, which say the order in memory."""
    _, shape, strides = description
    return [step for size, step in zip(shape, strides, strict=True) if size > 1]


#: Of some of their arguments the order is that of a view, of LAPACK's loops or of the axis that is
#: transformed last.
ANY_ORDER = {
    "linalg.diagonal", "linalg.eigvals", "linalg.eigvalsh", "linalg.svdvals", "fft.fftn",
    "fft.ifftn",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(NAMES) - ANY_ORDER))
def test_orders_in_memory_are_as_inferred(name):
    arguments = arguments_for(name)
    for _ in range(60):
        inputs, params = arguments.for_operation(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = outcome(core.execute, name, inputs, params)
        if isinstance(results, Exception):
            continue
        found = infer_layout(name, inputs, params)
        if isinstance(results, Tensor):
            results, found = [results], [found]
        for result, inferred in zip(results, found, strict=True):
            if inferred[2] is not None and result.size > 1:  # of a known size
                expected = (result.dtype, result.shape, result.strides)
                assert ordered(inferred) == ordered(expected), (name, expected, inferred, params)


def test_cython_modules_can_infer():
    assert "infer" in inference.__pyx_capi__


@given(st.data())
@settings(max_examples=500, deadline=None)
def test_rules_for_elementwise_operations_and_reductions(data):
    """These are functions in C (`infer_elementwise`, `infer_reduction`), which execution uses."""
    name, work, *_ = data.draw(st.sampled_from(read_operations()))
    count = {"binary": 2, "ternary": 3}.get(work, 1)
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=count, max_dims=4)).input_shapes
    if data.draw(st.integers(0, 9)) == 0:
        shapes = data.draw(st.tuples(*[hnp.array_shapes(min_dims=0)] * count))
    dtypes = data.draw(st.tuples(*[st.sampled_from(DTYPES)] * count))
    inputs = [xp.ones(shape, dtype=d) for shape, d in zip(shapes, dtypes, strict=True)]
    if count > 1 and data.draw(st.booleans()):
        inputs[-1] = data.draw(st.sampled_from([True, 1, 1.0, 1j, 2**40]))
    params = {}
    if work in ("reduce", "scan"):
        axes = st.integers(-len(shapes[0]) - 1, len(shapes[0]))
        params["axis"] = data.draw(st.none() | axes | st.lists(axes, max_size=3).map(tuple))
    if work == "reduce":
        params["keepdims"] = data.draw(st.booleans())
    if name in ("sum", "prod", "cumulative_sum", "cumulative_prod"):
        params["dtype"] = data.draw(st.none() | st.sampled_from(DTYPES))
    check(name, tuple(inputs), params)


def test_nothing_is_computed_or_allocated():
    many = xp.broadcast_to(xp.asarray(1.0), (10**6, 10**6))
    assert infer("add", (many, many)) == (np.dtype("float64"), (10**6, 10**6))
    assert infer("zeros", ((10**9, 10**6),), {"dtype": "int8"}) == (
        np.dtype("int8"),
        (10**9, 10**6),
    )
    assert infer("matmul", (many, many)) == (np.dtype("float64"), (10**6, 10**6))


def test_sizes_that_depend_on_elements():
    x = xp.asarray([[1, 0], [2, 3]])
    index = np.dtype("int64")
    assert infer("nonzero", (x,)) == ((index, (None,)), (index, (None,)))
    assert infer("unique_values", (x,)) == (index, (None,))
    assert infer_layout("unique_values", (x,)) == (index, (None,), None)
    assert infer("repeat", (x, xp.asarray([1, 2])), {"axis": 1}) == (index, (2, None))


def test_results_that_no_array_can_have():
    x = xp.ones((1,) * 64)
    with pytest.raises(ValueError, match="at most 64 dimensions"):
        infer("stack", ([x, x],))
    with pytest.raises(ValueError, match="too big"):
        infer("tile", (xp.ones(4), (2**62,)))
    with pytest.raises(ValueError, match="too big"):
        infer("concat", ([xp.broadcast_to(xp.ones(()), (2**59,))] * 16,))


def test_errors():
    with pytest.raises(ValueError, match=r"^add: shapes"):
        infer("add", (xp.ones(2), xp.ones(3)))
    with pytest.raises(ValueError, match="there is no operation 'no_such'"):
        infer("no_such", ())
    with pytest.raises(ValueError, match=r"^max: no elements"):
        infer("max", (xp.ones((0, 2)),), {"axis": 0})
    with pytest.raises(TypeError, match="inputs"):
        infer("add", None)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@pytest.mark.parametrize("axes", [(0, 0), (1, 1), (0, 1, 0), (1, 0, 1)])
def test_axes_of_transforms_that_are_given_twice(name, axes):
    x = xp.ones((6, 8), dtype=xp.float64 if name == "rfftn" else xp.complex128)
    for sizes in ([4, 6, 10][: len(axes)], [10, 4, 6][: len(axes)]):
        result = getattr(xp.fft, name)(x, s=sizes, axes=axes)
        params = {"s": sizes, "axes": axes}
        assert infer(f"fft.{name}", (x,), params) == (result.dtype, result.shape)
