"""Launches of kernels over arrays: from shapes and strides to kernels and their numbers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from corepy._cython.lazy.buffers import block_over, buffer_of, bytes_of
from corepy.backend.corrections.indexing import out_of_bounds
from corepy.backend.kernels import render
from corepy.backend.kernels.arrays import Array, Index, c_strides, collapsed
from corepy.backend.kernels.dialects import GROUP, SIZES
from corepy.backend.kernels.render import CONSTANT, DENSE, STRIDED, Program, Step

#: Elements of an array, so that their numbers have 32 bits.
MAX_SIZE = 2**32 - 2**16

#: Elements that one work item or group reduces or scans before a row is worth several of them.
PART = 4096


class Launcher:
    """Computes arrays of one device."""

    def __init__(self, runtime: Any) -> None:
        self.runtime = runtime
        self.dialect = runtime.dialect
        self.native: frozenset[str] = runtime.native
        self.process = os.getpid()
        #: The bytes of the unsigned integers by which elements of any dtype are moved.
        self.word = 8 if "uint64" in self.native else 4

    # ---- memory

    def empty(self, dtype: str, shape: Sequence[int], itemsize: int | None = None) -> Array:
        """Return a new array."""
        itemsize = itemsize or SIZES[dtype]
        nbytes = prod(shape) * itemsize
        self.check_process()
        if nbytes > self.runtime.max_buffer:
            raise MemoryError(
                f"cannot allocate {nbytes:,} bytes; the device allows {self.runtime.max_buffer:,}"
            )
        nbytes = max(nbytes, 8)
        block = block_over(self.runtime.allocate(nbytes), nbytes)
        return Array(block, dtype, itemsize, tuple(shape), c_strides(shape))

    def check_process(self) -> None:
        """Raise RuntimeError in a child of the process that found the device: it would hang."""
        if os.getpid() != self.process:
            raise RuntimeError("a process that was forked cannot use the devices of its parent")

    def from_numpy(self, array: np.ndarray) -> Array:
        """Return an array with the elements of an ndarray."""
        name = array.dtype.name
        if array.ndim == 0:
            return Array(None, name, array.itemsize, (), (), constant=array.tobytes())
        out = self.empty(name, array.shape, array.itemsize)
        if array.size:
            self.runtime.write(buffer_of(out.block), np.ascontiguousarray(array))
        return out

    def to_numpy(self, x: Array, dtype: np.dtype) -> np.ndarray:
        """Return a new ndarray with the elements of an array."""
        if x.constant is not None:
            return np.frombuffer(x.constant, dtype).reshape(()).copy()
        if not x.size:
            return np.empty(x.shape, dtype)
        self.check_process()
        if not x.is_contiguous:
            x = self.copy(x)
        data = self.runtime.read(buffer_of(x.block), x.offset * x.itemsize, x.size * x.itemsize)
        return data.view(dtype).reshape(x.shape)

    def stored(self, x: Array) -> Array:
        """Return an array in memory, for a constant too."""
        if x.constant is None:
            return x
        out = self.empty(x.dtype, (), x.itemsize)
        self.runtime.write(buffer_of(out.block), np.frombuffer(x.constant, np.uint8))
        return out

    def copy(self, x: Array) -> Array:
        """Return a contiguous copy."""
        bits = self.stored(x).bits(self.word)
        (out,) = self.compute([bits], (), (0,), bits.shape)
        return Array(out.block, x.dtype, x.itemsize, x.shape, c_strides(x.shape))

    def contiguous(self, x: Array) -> Array:
        """Return an array in C order in memory, a copy unless it is."""
        return x if x.is_contiguous and x.constant is None else self.copy(x)

    # ---- elementwise

    def compute(
        self,
        inputs: Sequence[Array],
        steps: Sequence[Step],
        results: Sequence[int],
        shape: Sequence[int],
    ) -> list[Array]:
        """Compute steps for all elements of a shape, to which the inputs are broadcast."""
        dtypes = [
            inputs[k].dtype if k < len(inputs) else steps[k - len(inputs)].dtype for k in results
        ]
        outs = [self.empty(dtype, shape) for dtype in dtypes]
        size = prod(shape)
        self._check(size)
        if self._bound(_stored(inputs) + outs) is None:
            self._compute_halves(inputs, steps, results, outs)
        elif size:
            inputs = self._in_bindings(inputs)
            kinds, sizes, numbers = self._space(inputs, shape)
            program = Program(kinds, tuple(steps), tuple(results), len(sizes))
            self._launch(
                ("elementwise", program),
                lambda: render.elementwise(self.dialect, program),
                -(-size // max(map(self.dialect.per_item, dtypes))),
                [*_stored(inputs), *outs],
                [size, *numbers, *_tail(inputs, kinds)],
            )
        return outs

    def _bound(self, arrays: Sequence[Array]) -> list[Array] | None:
        """Return arrays in bindings of a kernel; None if one is too large."""
        limit = self.runtime.max_bytes
        found = [x if bytes_of(x.block) <= limit else x.bound(limit) for x in arrays]
        bound = [x for x in found if x is not None]
        return bound if len(bound) == len(found) else None

    def _in_bindings(self, arrays: Sequence[Array]) -> list[Array]:
        """Return arrays in bindings of a kernel; constants as they are."""
        return [self._bind(x) for x in arrays]

    def _bind(self, x: Array) -> Array:
        """Return an array in a binding of a kernel."""
        limit = self.runtime.max_bytes
        if x.constant is not None or bytes_of(x.block) <= limit:
            return x
        bound = x.bound(limit)
        if bound is None:
            raise NotImplementedError(
                f"an array of {x.size * x.itemsize:,} bytes is larger than a kernel of the device "
                f"can read ({limit:,} bytes)"
            )
        return bound

    def _bind_indexed(self, x: Array, indices: Sequence[Index]) -> Array:
        """Return a view of what indices select from, in a binding of all of that."""
        if bytes_of(x.block) <= self.runtime.max_bytes:
            return x
        shape = (*x.shape, *(index.size for index in indices))
        whole = self._bind(x.strided(shape, (*x.strides, *(index.stride for index in indices))))
        return whole.strided(x.shape, x.strides)

    def _compute_halves(
        self,
        inputs: Sequence[Array],
        steps: Sequence[Step],
        results: Sequence[int],
        outs: Sequence[Array],
    ) -> None:
        """Compute a program for halves of the longest axis."""
        shape = outs[0].shape
        axis = max(range(len(shape)), key=shape.__getitem__)
        views = [x if x.constant is not None else x.broadcast(shape).halves(axis) for x in inputs]
        for half in range(2):
            parts = [out.halves(axis)[half] for out in outs]
            some = [x if isinstance(x, Array) else x[half] for x in views]
            found = self.compute(some, steps, results, parts[0].shape)
            for part, new in zip(parts, found, strict=True):
                self.assign(part, new)

    def compute_in_order(
        self, inputs: Sequence[Array], step: Step, strides: tuple[int, ...], shape: tuple[int, ...]
    ) -> Array:
        """Compute a step, whose result has its axes in the order of strides."""
        order = _order(strides)
        views = [
            x if x.constant is not None else x.broadcast(shape).permuted(order) for x in inputs
        ]
        (out,) = self.compute(views, [step], (len(inputs),), [shape[axis] for axis in order])
        return out.permuted(_order([-axis for axis in order]))

    def compute_group(
        self,
        shape: tuple[int, ...],
        inputs: Sequence[Any],
        steps: Sequence[Any],
        stored: Sequence[int],
        strides: Sequence[tuple[int, ...]],
    ) -> list[Any]:
        """Compute deferred operations; see `KernelBackend.compute_group`."""
        arrays, program, values = self._program(shape, inputs, steps)
        blocks: dict[int, Any] = {}
        while len(blocks) < len(stored):  # results of the same order at once
            steps_in_memory = strides[next(k for k in range(len(stored)) if k not in blocks)]
            some = [k for k, each in enumerate(strides) if each == steps_in_memory]
            order = _order(steps_in_memory)
            outs = self.compute(
                [x if x.constant is not None else x.permuted(order) for x in arrays],
                program,
                [values[stored[k]] for k in some],
                [shape[axis] for axis in order],
            )
            blocks.update(zip(some, (out.block for out in outs), strict=True))
        return [blocks[k] for k in range(len(stored))]

    def reduce_group(
        self,
        operation: str,
        shape: tuple[int, ...],
        inputs: Sequence[Any],
        steps: Sequence[Any],
        axes: Sequence[int],
        dtype: str,
    ) -> Array:
        """Reduce the last of deferred operations; see `KernelBackend.reduce_group`."""
        arrays, program, _ = self._program(shape, inputs, steps)
        found = program[-1].dtype
        plain = "sum" if operation == "mean" else operation
        if found != dtype:
            program.append(Step("astype", found, dtype, (len(arrays) + len(program) - 1,)))
        out = self.reduce(plain, arrays, program, shape, axes)
        if operation == "mean":
            out = self.divide(out, prod(shape[axis] for axis in axes))
        return out

    def divide(self, x: Array, number: float) -> Array:
        """Return the quotients of an array of floating-point numbers and a number."""
        divisor = self.from_numpy(np.array(number, x.dtype))
        step = Step("divide", x.dtype, x.dtype, (0, 1))
        return self.compute([x, divisor], [step], (2,), x.shape)[0]

    def _program(
        self, shape: tuple[int, ...], inputs: Sequence[Any], steps: Sequence[Any]
    ) -> tuple[list[Array], list[Step], list[int]]:
        """Return inputs, steps with conversions of operands, and the values of the given steps."""
        arrays = [
            self.from_numpy(np.frombuffer(layout, dtype)[0])
            if block is None
            else Array(block, dtype.name, dtype.itemsize, shape, layout, offset)
            for dtype, block, layout, offset in inputs
        ]
        dtypes = [x.dtype for x in arrays]  # of values
        program: list[Step] = []
        values: list[int] = []  # of steps

        def add(operation: str, compute: str, dtype: str, operands: tuple[int, ...]) -> int:
            program.append(Step(operation, compute, dtype, operands))
            dtypes.append(dtype)
            return len(dtypes) - 1

        for operation, compute, dtype, operands in steps:
            given = [~k if k < 0 else values[k] for k in operands]
            if operation != "astype":
                first = int(operation == "where")  # whose condition is of bool
                for k in range(first, len(given)):
                    if dtypes[given[k]] != compute.name:
                        given[k] = add("astype", dtypes[given[k]], compute.name, (given[k],))
            values.append(add(operation, compute.name, dtype.name, tuple(given)))
        return arrays, program, values

    def convert(self, x: Array, dtype: str) -> Array:
        """Return an array as another dtype; itself if it is of that."""
        if x.dtype == dtype:
            return x
        step = Step("astype", x.dtype, dtype, (0,))
        return self.compute([x], [step], (1,), x.shape)[0]

    def _space(
        self, inputs: Sequence[Array], shape: Sequence[int]
    ) -> tuple[tuple[tuple[str, str], ...], list[int], list[int]]:
        """Return the kinds of inputs, the axes of the space, and the numbers of strided inputs."""
        kinds = []
        strided = []
        size = prod(shape)
        for x in inputs:
            if x.constant is not None:
                kinds.append((x.dtype, CONSTANT))
            elif x.size == size and x.is_contiguous:
                kinds.append((x.dtype, DENSE))
            else:
                kinds.append((x.dtype, STRIDED))
                strided.append(x.broadcast(shape))
        sizes, numbers = _strided_numbers(strided, shape) if strided else ([], [])
        return tuple(kinds), sizes, numbers

    # ---- indexed

    def gather(self, source: Array, indices: Sequence[Index], function: str | None) -> Array:
        """Return elements of an array at indices.

        Parameters
        ----------
        source : Array
            Of the shape of the result: a view of the first element along the indexed axes.
        indices : sequence of Index
            They are broadcast to that shape.
        function : str or None
            What is named in the error for indices that are out of range; None: there are none.
        """
        bits, words = self._in_words(self.stored(source), indices)
        bits = self._bind_indexed(bits, words)
        out = self.empty(bits.dtype, bits.shape)
        if not out.size and function is not None:
            self._find_outside(indices, function)
        if out.size:
            program, numbers, inputs = self._indexed([bits], words, bits.shape, [])
            flag = self._flag()
            self._launch(
                ("elementwise", program),
                lambda: render.elementwise(self.dialect, program),
                -(-out.size // self.dialect.per_item(out.dtype)),
                [*_stored(inputs), out],
                [out.size, *numbers],
                flag,
            )
            if function is not None:
                self._check_indices(flag, indices, function)
        return Array(
            out.block, source.dtype, source.itemsize, source.shape, c_strides(source.shape)
        )

    def assign(
        self, target: Array, value: Array, indices: Sequence[Index] = (), function: str = ""
    ) -> None:
        """Write elements into an array; see `gather`. Of several for one element the last stays."""
        bits, words = self._in_words(target, indices)
        value = self.stored(value).bits(self.word).broadcast(bits.shape)
        if not bits.size:
            self._find_outside(indices, function)
            return
        self._check(bits.size)
        if not indices and self._bound([bits, value]) is None:
            axis = max(range(len(bits.shape)), key=bits.shape.__getitem__)
            for part, some in zip(bits.halves(axis), value.halves(axis), strict=True):
                self.assign(part, some)
            return
        bits = self._bind_indexed(bits, words)
        value = self._bind(value)
        program, numbers, inputs = self._indexed([value], words, bits.shape, [bits])
        flag = self._flag()
        last: list[Array] = []
        if indices:  # nothing is written if one of them is out of range
            if value.size > 1:
                count = min(bytes_of(bits.block), self.runtime.max_bytes) // bits.itemsize
                last = [self.full("uint32", (count,), 0)]
            marks, numbers_of_marks, inputs_of_marks = self._indexed([], words, bits.shape, [bits])
            self._launch(
                ("check", marks, bool(last)),
                lambda: render.check(self.dialect, marks, bool(last)),
                bits.size,
                [*_stored(inputs_of_marks), *last],
                [bits.size, *numbers_of_marks],
                flag,
            )
            self._check_indices(flag, indices, function)
        self._launch(
            ("assign", program, bits.dtype, bool(last)),
            lambda: render.assign(self.dialect, program, bits.dtype, bool(last)),
            bits.size,
            [*_stored(inputs), *last, bits],
            [bits.size, *numbers],
            flag if indices else None,
        )

    def _in_words(self, x: Array, indices: Sequence[Index]) -> tuple[Array, list[Index]]:
        """Return an array as words, and indices into it."""
        bits = x.bits(self.word)
        parts = x.itemsize // bits.itemsize
        further = [1] * (len(bits.shape) - len(x.shape))
        return bits, [
            index._replace(array=index.array.reshaped_with(further), stride=index.stride * parts)
            for index in indices
        ]

    def _indexed(
        self,
        values: list[Array],
        indices: Sequence[Index],
        shape: Sequence[int],
        targets: list[Array],
    ) -> tuple[Program, list[int], list[Array]]:
        """Return a program with indices, its numbers after the first, and its inputs."""
        places = [self.stored(index.array).broadcast(shape) for index in indices]
        inputs = [*(x.broadcast(shape) for x in values), *map(self._bind, places)]
        views = [*targets, *inputs]
        sizes, numbers = _strided_numbers(views, shape)
        program = Program(
            tuple((x.dtype, STRIDED) for x in inputs),
            (),
            (0,) if values else (),
            len(sizes),
            tuple(range(len(values), len(inputs))),
        )
        numbers += [number for index in indices for number in (index.size, index.stride)]
        return program, numbers, inputs

    def _flag(self) -> Array:
        return self.full("uint32", (1,), 0)

    def _check_indices(self, flag: Array, indices: Sequence[Index], function: str) -> None:
        """Raise IndexError if a kernel met an index that is out of range."""
        if self.runtime.read(buffer_of(flag.block), 0, 4).any():
            self._find_outside(indices, function)

    def _find_outside(self, indices: Sequence[Index], function: str) -> None:
        """Raise IndexError for the first index that is out of range, if there is one."""
        if any(not index.array.size for index in indices):
            return  # together they select nothing
        for array, axis, size, _ in indices:
            numbers = self.to_numpy(array, np.dtype(array.dtype)).ravel()
            outside = numbers[(numbers >= size) | (numbers < -size)]
            if outside.size:
                raise out_of_bounds(function, int(outside[0]), axis, size)

    def full(self, dtype: str, shape: Sequence[int], value: int) -> Array:
        """Return an array of one integer."""
        number = np.array(value, dtype)
        return self.compute([self.from_numpy(number)], (), (0,), shape)[0]

    # ---- reductions and scans

    def reduce(
        self,
        operation: str,
        inputs: Sequence[Array],
        steps: Sequence[Step],
        shape: Sequence[int],
        axes: Sequence[int],
    ) -> Array:
        """Reduce the last value of steps over axes; see `render.reduce`. The result is a vector.

        No axis may be empty.
        """
        kept = [axis for axis in range(len(shape)) if axis not in axes]
        rows, length = prod(shape[a] for a in kept), prod(shape[a] for a in axes)
        if operation != "argmax" and self._bound(_stored(inputs)) is None:
            return self._reduce_halves(operation, inputs, steps, shape, axes)
        parts = _parts(rows, length)
        outs = self._partial(operation, inputs, steps, shape, kept, axes, parts)
        if parts > 1 and operation == "argmax":
            keys, places = (out.reshaped((rows, parts)) for out in outs)
            best = self.reduce(operation, [keys], (), keys.shape, [1])
            first = places.strided((rows,), (parts,))
            return self.gather(first, [Index(best, 1, parts, 1)], None)
        if parts > 1:
            partial = outs[0].reshaped((rows, parts))
            return self.reduce(operation, [partial], (), partial.shape, [1])
        return outs[-1]

    def _reduce_halves(
        self,
        operation: str,
        inputs: Sequence[Array],
        steps: Sequence[Step],
        shape: Sequence[int],
        axes: Sequence[int],
    ) -> Array:
        """Reduce halves of the longest axis, and join or combine the results."""
        axis = max(range(len(shape)), key=shape.__getitem__)
        views = [x if x.constant is not None else x.broadcast(shape).halves(axis) for x in inputs]
        found = []
        for half in range(2):
            some = [x if isinstance(x, Array) else x[half] for x in views]
            size = shape[axis] // 2 if half == 0 else shape[axis] - shape[axis] // 2
            sizes = [*shape[:axis], size, *shape[axis + 1 :]]
            part = self.reduce(operation, some, steps, sizes, axes)
            kept = [
                1 if k == axis else n for k, n in enumerate(sizes) if k not in axes or k == axis
            ]
            if axis not in axes:
                kept = [n for k, n in enumerate(sizes) if k not in axes]
            found.append(part.reshaped(kept))
        place = sum(k not in axes for k in range(axis))
        joined = self.joined(found, place)
        if axis not in axes:
            return joined.reshaped((joined.size,))
        return self.reduce(operation, [joined], (), joined.shape, [place])

    def joined(self, pieces: Sequence[Array], axis: int) -> Array:
        """Return arrays of one dtype one after the other along an axis."""
        shape = list(pieces[0].shape)
        shape[axis] = sum(piece.shape[axis] for piece in pieces)
        out = self.empty(pieces[0].dtype, shape, pieces[0].itemsize)
        first = 0
        for piece in pieces:
            end = first + piece.shape[axis]
            self.assign(out.indexed([*[slice(None)] * axis, slice(first, end)]), piece)
            first = end
        return out

    def _partial(
        self,
        operation: str,
        inputs: Sequence[Array],
        steps: Sequence[Step],
        shape: Sequence[int],
        kept: Sequence[int],
        axes: Sequence[int],
        parts: int,
    ) -> list[Array]:
        """Reduce rows in parts; element ``row * parts + part`` of the result is that of a part."""
        rows, length = prod(shape[a] for a in kept), prod(shape[a] for a in axes)
        self._check(rows * length)
        inputs = self._in_bindings(inputs)
        program, numbers, count = self._rows(inputs, steps, shape, kept, axes)
        dtype = program.dtype_of(program.results[0])
        outs = [self.empty(dtype, (rows * parts,))]
        outs += [self.empty("uint32", (rows * parts,))] * (operation == "argmax")
        self._launch(
            ("reduce", operation, program, count),
            lambda: render.reduce(self.dialect, operation, program, count),
            rows * parts * GROUP,
            [*_stored(inputs), *outs],
            [rows, length, parts, *numbers, *_tail(inputs, program.inputs)],
        )
        return outs

    def scan(self, operation: str, x: Array, axis: int, out: Array) -> None:
        """Accumulate along an axis into an array of the same shape."""
        shape = x.shape
        kept = [k for k in range(len(shape)) if k != axis]
        rows, length = prod(shape[k] for k in kept), shape[axis]
        if not rows * length:
            return
        self._check(rows * length)
        x, out = self._in_bindings([x, out])
        # The rows of the output have one stride, so that they are numbered in its order.
        ordered = out.permuted([*kept, axis])
        sizes, steps = collapsed([shape[k] for k in kept], [ordered.strides[:-1]])
        if len(sizes) > 1:
            fresh = self.empty(x.dtype, [shape[k] for k in (*kept, axis)])
            self.scan(operation, x.permuted([*kept, axis]), len(kept), fresh)
            self.assign(ordered, fresh)
            return
        parts = _parts(rows, length)
        program, numbers, count = self._rows([x], (), shape, kept, [axis])
        carry = []
        if parts > 1:
            carry = [self._carries(operation, x, kept, axis, rows, parts)]
        self._launch(
            ("scan", operation, program, count, parts > 1),
            lambda: render.scan(self.dialect, operation, program, count, parts > 1),
            rows * parts * GROUP,
            [*_stored([x]), *carry, out],
            [
                rows,
                length,
                parts,
                out.offset,
                steps[0][0] if sizes else 0,
                ordered.strides[-1],
                *numbers,
                *_tail([x], program.inputs),
            ],
        )

    def _carries(
        self, operation: str, x: Array, kept: Sequence[int], axis: int, rows: int, parts: int
    ) -> Array:
        """Return for each part of each row the combination of all parts before it."""
        (partial,) = self._partial(operation, [x], (), x.shape, kept, [axis], parts)
        before = self.full(x.dtype, (rows, parts), 0 if operation == "sum" else 1)
        self.scan(
            operation,
            partial.strided((rows, parts - 1), (parts, 1)),
            1,
            before.strided((rows, parts - 1), (parts, 1), 1),
        )
        return before

    def _rows(
        self,
        inputs: Sequence[Array],
        steps: Sequence[Step],
        shape: Sequence[int],
        kept: Sequence[int],
        axes: Sequence[int],
    ) -> tuple[Program, list[int], int]:
        """Return a program over kept and other axes, its numbers, and how many axes are kept."""
        size = prod(shape)
        in_order = [*kept, *axes] == list(range(len(shape)))
        kinds, views = [], []
        for x in inputs:
            if x.constant is not None:
                kinds.append((x.dtype, CONSTANT))
            elif in_order and x.size == size and x.is_contiguous:
                kinds.append((x.dtype, DENSE))
            else:
                kinds.append((x.dtype, STRIDED))
                views.append(x.broadcast(shape))
        if not views:
            program = Program(tuple(kinds), tuple(steps), (len(inputs) + len(steps) - 1,), 0)
            return program, [], 0
        numbers = [view.offset for view in views]
        ndim = []
        for some in (kept, axes):
            sizes, strides = collapsed(
                [shape[a] for a in some], [[view.strides[a] for a in some] for view in views]
            )
            sizes, strides = sizes or [1], [each or [0] for each in strides]
            numbers += [*sizes, *(step for each in strides for step in each)]
            ndim.append(len(sizes))
        program = Program(tuple(kinds), tuple(steps), (len(inputs) + len(steps) - 1,), sum(ndim))
        return program, numbers, ndim[0]

    # ---- sorting and searching

    def keys(self, x: Array) -> Array:
        """Return unsigned integers of 4 or 8 bytes that sort as the elements."""
        dtype = "uint64" if SIZES[x.dtype] == 8 else "uint32"
        step = Step("sort_key", x.dtype, dtype, (0,))
        return self.compute([x], [step], (1,), x.shape)[0]

    def order(self, x: Array, descending: bool) -> Array:
        """Return the indices that sort the last axis of an array, stably, as uint32."""
        keys = self.keys(x)
        if descending:
            step = Step("bitwise_invert", keys.dtype, keys.dtype, (0,))
            (keys,) = self.compute([keys], [step], (1,), keys.shape)
        length = x.shape[-1]
        numbers = self.from_numpy(np.arange(length, dtype=np.uint32))
        order = self.contiguous(numbers.broadcast(x.shape))
        run = 1
        while run < length:
            outs = [self.empty(keys.dtype, x.shape), self.empty("uint32", x.shape)]
            self._launch(
                ("merge", keys.dtype),
                lambda key=keys.dtype: render.merge(self.dialect, key),
                x.size,
                [keys, order, *outs],
                [x.size, length, run],
            )
            keys, order = outs
            run *= 2
        return order

    def search(self, x: Array, wanted: Array, right: bool) -> Array:
        """Return how many elements of a sorted vector are before each of others, as uint32."""
        keys, wanted = self.keys(x), self.keys(wanted)
        out = self.empty("uint32", wanted.shape)
        if wanted.size:
            self._launch(
                ("search", keys.dtype, right),
                lambda: render.search(self.dialect, keys.dtype, right),
                wanted.size,
                [keys, wanted, out],
                [wanted.size, x.size],
            )
        return out

    def positions(self, x: Array) -> Array:
        """Return the numbers in C order of the elements that are not zero, as uint32."""
        steps = [Step("astype", x.dtype, "bool", (0,)), Step("astype", "bool", "uint32", (1,))]
        (counted,) = self.compute([x], steps, (2,), x.shape)
        counts = self.empty("uint32", (x.size,))
        self.scan("sum", counted.reshaped((x.size,)), 0, counts)
        last = counts.strided((), (), x.size - 1)
        total = int(self.to_numpy(last, np.dtype(np.uint32))) if x.size else 0
        out = self.empty("uint32", (total,))
        if total:
            self._launch(
                ("compress",),
                lambda: render.compress(self.dialect),
                x.size,
                [counts, out],
                [x.size],
            )
        return out

    def unraveled(self, places: Array, sizes: Sequence[int]) -> list[Array]:
        """Return the indices along axes of numbers of elements in C order, uint32."""
        found = []
        for axis, size in enumerate(sizes):
            constants = [np.array(prod(sizes[axis + 1 :]), np.uint32), np.array(size, np.uint32)]
            steps = [
                Step("floor_divide", "uint32", "uint32", (0, 1)),
                Step("remainder", "uint32", "uint32", (3, 2)),
            ]
            inputs = [places, *map(self.from_numpy, constants)]
            found += self.compute(inputs, steps, (4,), places.shape)
        return found

    # ---- products

    def multiply(self, x: Array, y: Array, shape: Sequence[int]) -> Array:
        """Return the products of two stacks of matrices of one dtype; `shape` is the result's."""
        out = self.empty(x.dtype, shape)
        *stack, rows, columns = shape
        terms, products = x.shape[-1], prod(stack)
        if not out.size:
            return out
        if not terms:
            return self.full(x.dtype, shape, 0)
        x, y = self._in_bindings([self.stored(x), self.stored(y)])
        views = [
            x.broadcast((*stack, rows, terms)),
            y.broadcast((*stack, terms, columns)),
        ]
        sizes, strides = collapsed(stack, [view.strides[:-2] for view in views])
        sizes, strides = sizes or [1], [each or [0] for each in strides]
        tiles = [-(-rows // render.TILE), -(-columns // render.TILE)]
        numbers = [rows, terms, columns, *tiles, products]
        numbers += [*views[0].strides[-2:], *views[1].strides[-2:], x.offset, y.offset, *sizes]
        numbers += [step for each in strides for step in each]
        batch = len(sizes)
        self._launch(
            ("multiply", x.dtype, batch),
            lambda: render.multiply(self.dialect, x.dtype, batch),
            prod(tiles) * products * GROUP,
            [x, y, out],
            numbers,
        )
        return out

    # ---- launches

    def _check(self, size: int) -> None:
        if size > MAX_SIZE:
            raise NotImplementedError(f"{size:,} elements are more than a kernel can have")

    def _launch(
        self,
        key: Any,
        source: Any,
        items: int,
        arrays: Sequence[Array],
        numbers: Sequence[int],
        flag: Array | None = None,
    ) -> None:
        # Places are computed modulo 2^32, so that strides may be negative.
        numbers = [x & 0xFFFFFFFF for x in numbers]
        arrays = [*arrays, *([] if flag is None else [flag])]
        limit = self.runtime.max_bytes
        for x in arrays:
            if bytes_of(x.block) - x.base > limit and (x.ends[1] + 1) * x.itemsize > limit:
                raise NotImplementedError(
                    f"an array of {x.size * x.itemsize:,} bytes is larger than a kernel of the "
                    f"device can read ({limit:,} bytes)"
                )
        if len(arrays) > self.runtime.max_buffers:
            raise NotImplementedError(f"a kernel of the device has no {len(arrays)} arrays")
        bindings = [(buffer_of(x.block), x.base) for x in arrays]
        self.runtime.launch(key, source, items, bindings, numbers)


def _order(strides: Sequence[int]) -> list[int]:
    """Return axes by descending strides."""
    return sorted(range(len(strides)), key=lambda axis: -strides[axis])


def _parts(rows: int, length: int) -> int:
    """Return in how many parts rows are reduced, so that there is work for all processors."""
    return max(1, min(256, length // PART)) if rows < 256 else 1


def _stored(inputs: Sequence[Array]) -> list[Array]:
    return [x for x in inputs if x.constant is None]


def _strided_numbers(views: Sequence[Array], shape: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the axes of views of one shape, and offsets, sizes and strides."""
    sizes, strides = collapsed(shape, [view.strides for view in views])
    sizes, strides = sizes or [1], [each or [0] for each in strides]
    offsets = [view.offset for view in views]
    return sizes, [*offsets, *sizes, *(step for each in strides for step in each)]


def _tail(inputs: Sequence[Array], kinds: Sequence[tuple[str, str]]) -> list[int]:
    """Return the numbers of `render.values`: offsets of dense inputs, words of constants."""
    found: list[int] = []
    for x, (_, kind) in zip(inputs, kinds, strict=True):
        if kind == DENSE:
            found.append(x.offset)
        elif kind == CONSTANT:
            found += _words(x)
    return found


def _words(x: Array) -> list[int]:
    """Return a constant as a kernel reads it, small integers as those of 32 bits."""
    data = x.constant or b""
    if x.itemsize < 4:
        number = np.frombuffer(data, x.dtype)[0]
        data = np.array(number, np.int32 if number.dtype.kind == "i" else np.uint32).tobytes()
    return np.frombuffer(data, np.uint32).tolist()
