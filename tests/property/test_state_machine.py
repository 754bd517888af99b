"""Sequences of operations on tensors that share memory, compared with the same on ndarrays."""

import operator

import hypothesis.extra.numpy as hnp
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule
from strategies import assert_same

import corepy.array_api as xp
from corepy import Tensor

SCALARS = st.integers(-3, 3)
INPLACE = st.sampled_from([operator.iadd, operator.isub, operator.imul])


class Memory(RuleBasedStateMachine):
    """Every pair has a tensor and an ndarray, of which neither shares the other's memory."""

    pairs = Bundle("pairs")

    def __init__(self):
        super().__init__()
        self.all = []

    def pair(self, tensor, array):
        self.all.append((tensor, array))
        return tensor, array

    @rule(
        target=pairs,
        dtype=st.sampled_from(["int8", "int64", "float32", "float64", "uint16"]),
        shape=hnp.array_shapes(min_dims=0, max_dims=3, max_side=12),
    )
    def create(self, dtype, shape):
        array = (np.arange(int(np.prod(shape))) % 50).astype(dtype).reshape(shape)
        return self.pair(Tensor(array, copy=True), array)

    @rule(target=pairs, source=pairs, data=st.data())
    def index(self, source, data):
        tensor, array = source
        key = data.draw(hnp.basic_indices(array.shape, allow_newaxis=True))
        view, expected = tensor[key], array[key]
        if isinstance(expected, np.ndarray):
            return self.pair(view, expected)
        return self.pair(Tensor(view, copy=True), np.asarray(expected))

    @rule(target=pairs, source=pairs, data=st.data())
    def take(self, source, data):
        tensor, array = source
        if not array.ndim or not array.shape[0]:
            return source
        size = array.shape[0]
        key = data.draw(hnp.arrays("int64", 3, elements=st.integers(-size, size - 1)))
        return self.pair(tensor[Tensor(key)], array[key])

    @rule(target=pairs, source=pairs, axis=st.none() | st.integers(0, 2))
    def flip(self, source, axis):
        tensor, array = source
        if not array.ndim or (axis is not None and axis >= array.ndim):
            return source
        return self.pair(xp.flip(tensor, axis=axis), np.flip(array, axis))

    @rule(target=pairs, source=pairs, data=st.data())
    def permute(self, source, data):
        tensor, array = source
        axes = tuple(data.draw(st.permutations(range(array.ndim))))
        return self.pair(xp.permute_dims(tensor, axes), array.transpose(axes))

    @rule(target=pairs, source=pairs)
    def ravel(self, source):
        tensor, array = source
        return self.pair(xp.reshape(tensor, (-1,)), array.reshape(-1))

    @rule(target=pairs, source=pairs)
    def through_numpy(self, source):
        tensor, array = source
        return self.pair(Tensor(np.asarray(tensor)), array)

    @rule(target=pairs, source=pairs)
    def through_dlpack(self, source):
        tensor, array = source
        return self.pair(xp.from_dlpack(tensor), array)

    @rule(target=pairs, source=pairs)
    def copy(self, source):
        tensor, array = source
        return self.pair(xp.asarray(tensor, copy=True), array.copy())

    @rule(target=pairs, source=pairs, dtype=st.sampled_from(["float64", "int64"]))
    def cast(self, source, dtype):
        tensor, array = source
        with np.errstate(all="ignore"):
            return self.pair(xp.astype(tensor, dtype, copy=False), array.astype(dtype, copy=False))

    @rule(source=pairs, function=INPLACE, scalar=SCALARS)
    def inplace_scalar(self, source, function, scalar):
        tensor, array = source
        if array.dtype.kind == "u":
            scalar = abs(scalar)
        with np.errstate(all="ignore"):
            function(array, scalar)
        assert function(tensor, scalar) is tensor

    @rule(target=pairs, one=pairs, other=pairs, function=INPLACE)
    def inplace(self, one, other, function):
        (tensor, array), (tensor_other, array_other) = one, other
        before = array.copy()
        with np.errstate(all="ignore"):
            try:
                # The other operand may share memory with the first.
                function(array, array_other.copy())
            except (TypeError, ValueError) as error:
                array[...] = before
                try:
                    function(tensor, tensor_other)
                except (TypeError, ValueError):
                    return one
                raise AssertionError("NumPy refuses this") from error
        assert function(tensor, tensor_other) is tensor
        return one

    @rule(one=pairs, other=pairs)
    def assign(self, one, other):
        (tensor, array), (tensor_other, array_other) = one, other
        with np.errstate(all="ignore"):
            try:
                array[...] = array_other.copy()
            except ValueError:
                try:
                    tensor[...] = tensor_other
                except ValueError:
                    return
                raise AssertionError("NumPy refuses this") from None
        tensor[...] = tensor_other

    @rule(source=pairs, data=st.data(), scalar=st.integers(0, 9))
    def assign_scalar(self, source, data, scalar):
        tensor, array = source
        key = data.draw(hnp.basic_indices(array.shape))
        array[key] = scalar
        tensor[key] = scalar

    @rule(source=pairs, scalar=st.integers(0, 9))
    def assign_mask(self, source, scalar):
        tensor, array = source
        array[array > 5] = scalar
        tensor[tensor > 5] = scalar

    @rule(source=consumes(pairs))
    def forget(self, source):
        self.all = [pair for pair in self.all if pair[0] is not source[0]]

    @rule(one=pairs, other=pairs)
    def share_memory_alike(self, one, other):
        (tensor, array), (tensor_other, array_other) = one, other
        # Where NumPy's own elements of an array are scalars, both have none in common.
        assert np.shares_memory(np.asarray(tensor), np.asarray(tensor_other)) == np.shares_memory(
            array, array_other
        )

    @invariant()
    def same(self):
        for tensor, array in self.all:
            assert_same(tensor, array)


Memory.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(settings.default.suppress_health_check),
)
TestMemory = Memory.TestCase
