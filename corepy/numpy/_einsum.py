"""Einstein's sums: subscripts are turned into products of pairs and sums, once for each shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from operator import index
from typing import Any, Literal, Never

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu, kind_of
from corepy.numpy._arguments import Array, stored
from corepy.numpy.conversion import set_writeable

__all__ = ["einsum"]

Shape = tuple[int, ...]
Step = Callable[[Tensor], Tensor]
Product = Callable[[Tensor, Tensor], Tensor]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Labels of the axes that an ellipsis stands for, counted from the last one.
ELLIPSIS_LABELS = "0123456789" + "".join(chr(0x3B1 + k) for k in range(54))


def einsum(
    *operands: str | Array | list[Any],
    out: Tensor | None = None,
    optimize: bool | Literal["greedy", "optimal"] = False,
    **kwargs: Never,
) -> Tensor:
    """Sum products over axes that are named by subscripts. See `numpy.einsum`.

    Notes
    -----
    Several operands are always multiplied in pairs, those first whose product is smallest, for any
    value of `optimize`. Results without axes are scalars; NumPy's are arrays for some values of
    `optimize`.
    """
    if len(operands) < 2:
        raise ValueError("einsum: subscripts and at least one operand must be given")
    subscripts: Any = operands[0]
    arrays: Any = operands[1:]
    if type(subscripts) is not str:
        subscripts, arrays = _written(operands)
    if list in map(type, arrays):
        device = next((x.device for x in arrays if isinstance(x, Tensor)), None)
        arrays = [xp.asarray(x, device=device) for x in arrays]
    compute = _plan(subscripts, *[x.shape for x in arrays])
    dtype = arrays[0].dtype
    for x in arrays:
        if x.dtype != dtype:
            dtype = xp.result_type(*arrays)
            arrays = tuple(xp.astype(x, dtype, copy=False) for x in arrays)
            break
    # In NumPy, a product of two is assigned to `out` with `optimize`.
    casting = "unsafe" if optimize and len(arrays) > 1 else "safe"
    if kind_of(dtype) == "f" and dtype.itemsize == 2:  # in float32, and rounded once
        result = xp.astype(compute([xp.astype(x, xp.float32) for x in arrays]), dtype)
    else:
        result = compute(arrays)
    return stored(result, out, casting=casting)


def _written(operands: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    """Return the subscripts of operands that alternate with lists of numbers, and the operands."""

    def letters(labels: Any) -> str:
        items = labels.tolist() if isinstance(labels, Tensor) else labels
        return "".join(["..." if k is Ellipsis else _letter(index(k)) for k in items])

    pairs = len(operands) // 2
    subscripts = ",".join(letters(operands[2 * k + 1]) for k in range(pairs))
    if len(operands) % 2:
        subscripts += "->" + letters(operands[-1])
    return subscripts, tuple(operands[: 2 * pairs : 2])


def _letter(label: int) -> str:
    if not 0 <= label < len(LETTERS):
        raise ValueError(f"einsum: labels must be from 0 to {len(LETTERS) - 1}, got {label}")
    return LETTERS[label]


# ---- plans


@lru_cache(maxsize=512)
def _plan(subscripts: str, *shapes: Shape) -> Callable[[Sequence[Tensor]], Tensor]:
    """Return a function of the operands of these shapes.

    Raises
    ------
    ValueError
        The subscripts are wrong, or do not fit the shapes.
    """
    inputs, output = _parsed(subscripts, shapes)
    sizes: dict[str, int] = {}
    for labels, shape in zip(inputs, shapes, strict=True):
        for label, size in zip(labels, shape, strict=True):
            if sizes.setdefault(label, size) == 1:
                sizes[label] = size
            if size not in (1, sizes[label]):
                both = f"{sizes[label]} and {size}"
                raise ValueError(
                    f"einsum: axes of sizes {both} have one label, {label!r}, in {subscripts!r}"
                )
    steps = []
    terms = []
    for labels, shape in zip(inputs, shapes, strict=True):
        own, left = _without_copies(labels, shape, sizes)
        steps.append(own)
        terms.append(left)
    counts = Counter("".join(terms))
    for k, labels in enumerate(terms):
        needed = "".join(label for label in labels if label in output or counts[label] > 1)
        if needed != labels:
            steps[k].append(_sum(tuple(i for i, x in enumerate(labels) if x not in needed)))
            terms[k] = needed
    if len(inputs) == 1:
        alone = [*steps[0], *_order(terms[0], output)]
        return _of_one(alone, len(inputs[0]) > len(output) == len(set(inputs[0])))
    order = _pairs(terms, output, sizes)
    products: list[tuple[int, int, Product]] = []
    for i, j in order:
        second, first = terms.pop(j), terms.pop(i)
        kept = set(output).union(*terms)
        wanted = output if not terms else ""
        product, left = _pair(first, second, kept, wanted, sizes)
        products.append((i, j, product))
        terms.append(left)
    last = _order(terms[0], output)
    if len(inputs) == 2:
        return _of_two(steps[0], steps[1], products[0][2], last)

    def compute(arrays: Sequence[Tensor]) -> Tensor:
        rest = [_applied(own, x) for own, x in zip(steps, arrays, strict=True)]
        for i, j, product in products:
            second, first = rest.pop(j), rest.pop(i)
            rest.append(product(first, second))
        return _applied(last, rest[0])

    return compute


def _applied(steps: Sequence[Step], x: Tensor) -> Tensor:
    for step in steps:
        x = step(x)
    return x


def _of_one(steps: list[Step], has_diagonals: bool) -> Callable[[Sequence[Tensor]], Tensor]:
    """Return a function of one operand, which gives another tensor, if a view.

    `has_diagonals`: it is a view of diagonals, which can be written to as the operand can.
    """
    if has_diagonals:

        def view(arrays: Sequence[Tensor]) -> Tensor:
            x = arrays[0]
            result = _applied(steps, x)
            set_writeable(result, x.device.backend is not cpu or not memoryview(x).readonly)
            return result

        return view
    if len(steps) == 1:
        only = steps[0]
        return lambda arrays: only(arrays[0])
    return lambda arrays: _applied(steps, arrays[0][()])


def _of_two(
    first: list[Step], second: list[Step], product: Product, last: list[Step]
) -> Callable[[Sequence[Tensor]], Tensor]:
    if not (first or second or last):
        return lambda arrays: product(arrays[0], arrays[1])
    return lambda arrays: _applied(
        last, product(_applied(first, arrays[0]), _applied(second, arrays[1]))
    )


def _parsed(subscripts: str, shapes: Sequence[Shape]) -> tuple[list[str], str]:
    """Return the labels of each operand's axes and of the result's, without ellipses."""
    text = subscripts.replace(" ", "")
    written, arrow, result = text.partition("->")
    terms = written.split(",")
    if len(terms) != len(shapes):
        raise ValueError(f"einsum: {subscripts!r} is for {len(terms)} operands, not {len(shapes)}")
    inputs = []
    broadcast = 0  # axes that ellipses stand for
    for term, shape in zip(terms, shapes, strict=True):
        before, dots, after = term.partition("...")
        missing = len(shape) - len(before) - len(after)
        if missing < 0 or (missing and not dots):
            raise ValueError(f"einsum: {term!r} does not fit an operand of shape {shape}")
        broadcast = max(broadcast, missing)
        inputs.append(before + ELLIPSIS_LABELS[:missing][::-1] + after)
    every = ELLIPSIS_LABELS[:broadcast][::-1]
    counts = Counter(written.replace("...", "").replace(",", ""))
    if not set(counts) <= set(LETTERS):
        raise ValueError(f"einsum: labels must be letters, got {subscripts!r}")
    if not arrow:
        return inputs, every + "".join(sorted(k for k in counts if counts[k] == 1))
    before, dots, after = result.partition("...")
    named = before + after
    if len(set(named)) != len(named) or not set(named) <= set(counts) or (broadcast and not dots):
        raise ValueError(
            f"einsum: the result must have labels of operands, each once, and '...' where that of "
            f"an operand has axes, got {subscripts!r}"
        )
    return inputs, before + every + after


def _without_copies(labels: str, shape: Shape, sizes: dict[str, int]) -> tuple[list[Step], str]:
    """Return the steps that remove repeated axes from an operand, and the labels that are left.

    These are axes with the same label, and those of size 1 along which elements are repeated.
    """
    steps: list[Step] = []
    for label in [label for label in dict.fromkeys(labels) if labels.count(label) > 1]:
        while labels.count(label) > 1:
            i = labels.index(label)
            j = labels.index(label, i + 1)
            if shape[i] != shape[j]:
                raise ValueError(f"einsum: axes of an operand of shape {shape} have one label")
            rest = [k for k in range(len(labels)) if k not in (i, j)]
            steps.append(_diagonal((*rest, i, j)))
            shape = (*[shape[k] for k in rest], shape[i])
            labels = "".join(labels[k] for k in rest) + label
    repeated = [sizes[label] != size for label, size in zip(labels, shape, strict=True)]
    if any(repeated):
        key = tuple(0 if once else slice(None) for once in repeated)
        steps.append(lambda x: x[(*key, ...)])
        labels = "".join(k for k, once in zip(labels, repeated, strict=True) if not once)
    return steps, labels


def _diagonal(order: Shape) -> Step:
    """Return a step that takes the diagonal of the last two axes of this order."""
    if len(order) == 2:
        return xp.linalg.diagonal
    return lambda x: xp.linalg.diagonal(xp.permute_dims(x, order))


def _sum(axes: Shape) -> Step:
    return lambda x: xp.sum(x, axis=axes, dtype=x.dtype)


def _order(labels: str, wanted: str) -> list[Step]:
    """Return the steps that bring axes into another order: one or none."""
    if labels == wanted:
        return []
    order = tuple(labels.index(label) for label in wanted)
    if order == (1, 0):
        return [lambda x: x.T]
    return [lambda x: xp.permute_dims(x, order)]


def _pairs(terms: Sequence[str], output: str, sizes: dict[str, int]) -> list[tuple[int, int]]:
    """Return the order of products: each time the pair whose product is smallest, for its inputs.

    A pair is removed from the list of terms, and its product appended.
    """
    left = [frozenset(term) for term in terms]
    order = []
    while len(left) > 1:
        best = None
        for j in range(1, len(left)):
            for i in range(j):
                kept = set(output).union(*left[:i], *left[i + 1 : j], *left[j + 1 :])
                result = (left[i] | left[j]) & kept
                size, first, second = (
                    prod(sizes[label] for label in term) for term in (result, left[i], left[j])
                )
                cost = size - first - second, i, j
                if best is None or cost < best[0]:
                    best = cost, result
        assert best is not None
        (_, i, j), result = best
        del left[j], left[i]
        left.append(frozenset(result))
        order.append((i, j))
    return order


def _pair(
    first: str, second: str, kept: set[str], wanted: str, sizes: dict[str, int]
) -> tuple[Product, str]:
    """Return the product of two terms summed over what is not kept, and the product's labels.

    Parameters
    ----------
    first, second : str
        Their labels; what only one of them has is kept.
    kept : set of str
    wanted : str
        The best order of the product's labels.
    sizes : dict of str to int
    """
    stacked, last = first[:-1], first[-1:]
    if first == second and stacked and kept.issuperset(stacked) and last not in kept:
        return _dot_rows, stacked  # without matrices of one row and one column
    common = [label for label in first if label in second]
    summed = "".join(label for label in common if label not in kept)
    together = "".join(label for label in common if label in kept)
    if not summed:
        labels = wanted or first + "".join(label for label in second if label not in first)
        one, other = _spread(first, labels), _spread(second, labels)
        return lambda x, y: _applied(one, x) * _applied(other, y), labels
    rows = "".join(label for label in first if label not in second)
    columns = "".join(label for label in second if label not in first)
    if wanted.startswith(together + columns[:1]) and columns and rows:
        first, second, rows, columns = second, first, columns, rows
        exchange = True
    else:
        exchange = False

    def sizes_of(labels: str) -> list[int]:
        return [sizes[label] for label in labels]

    stack = sizes_of(together)
    inner, m, n = (prod(sizes_of(labels)) for labels in (summed, rows, columns))
    # An operand without labels of its own is a vector, where matmul takes one.
    left_shape = (*stack, m, inner) if rows or together else (inner,)
    right_shape = (*stack, inner, n) if columns or together else (inner,)
    one = _arranged(first, together + rows + summed, left_shape, sizes)
    # A transpose is a view, which matmul takes as it is.
    other = _arranged(second, together + summed + columns, right_shape, sizes)
    labels = together + rows + columns
    shape = tuple(sizes_of(labels))
    product_shape = (*left_shape[:-1], *right_shape[len(stack) + 1 :])
    if not (one or other) and product_shape == shape:
        if exchange:
            return lambda x, y: y @ x, labels
        return lambda x, y: x @ y, labels

    def product(x: Tensor, y: Tensor) -> Tensor:
        if exchange:
            x, y = y, x
        result = _applied(one, x) @ _applied(other, y)
        return result if product_shape == shape else result.reshape(shape)

    return product, labels


def _dot_rows(x: Tensor, y: Tensor) -> Tensor:
    return xp.vecdot(xp.conj(x) if x.dtype.kind == "c" else x, y)


def _spread(labels: str, wanted: str) -> list[Step]:
    """Return the steps that make axes broadcast against those of `wanted`."""
    present = "".join(label for label in wanted if label in labels)
    steps = _order(labels, present)
    if not wanted.endswith(present):
        start = wanted.index(present[0]) if present else len(wanted)
        key = tuple(slice(None) if label in present else None for label in wanted[start:])
        steps.append(lambda x: x[key])
    return steps


def _arranged(labels: str, wanted: str, shape: Shape, sizes: dict[str, int]) -> list[Step]:
    """Return the steps that bring axes into an order and then merge them to a shape."""
    steps = _order(labels, wanted)
    if tuple(sizes[label] for label in wanted) != shape:
        steps.append(lambda x: x.reshape(shape))
    return steps
