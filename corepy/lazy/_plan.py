"""Plans: how deferred tensors are computed, as text and as a picture."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from corepy._cython.lazy.records import PlanRecord

#: Why results are stored, by the codes in nodes.pxd.
REASONS = (
    "",
    "the result is stored",
    "shapes differ",
    "it is read in another order or in part",
    "an operation of a later group reads it",
    "a reduction",
    "reductions read it in more than two passes",
    "it is assigned to elements of another array",
)


@dataclass(frozen=True, slots=True)
class Input:
    """An array that a group reads from memory.

    Attributes
    ----------
    name : str
        ``"x1"``, ``"x2"``, ..., or the name of the result of another group.
    shape : tuple of int
        Along the axes of the group; 1 where the array is broadcast.
    dtype : dtype
    nbytes : int
    """

    name: str
    shape: tuple[int, ...]
    dtype: Any
    nbytes: int


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of a group.

    Attributes
    ----------
    result : str
        The name of its result: ``"t1"``, ``"t2"``, ...; ``"t1'"`` is the same operation on other
        elements.
    name : str
        The operation's name in the standard; a cast is ``"astype"``.
    operands : tuple of str and scalars
        Names of inputs and results, and constants as Python scalars.
    axes : tuple of int or None
        The axes of a reduction.
    shape : tuple of int
    dtype : dtype
    nbytes : int
        The size of the result.
    stored : bool
        Whether the result is written to memory.
    reason : str
        Why it is stored; empty if it is not.
    repeated : bool
        Whether the operation is computed before, too, by an earlier group that does not store its
        result or for other elements.
    """

    result: str
    name: str
    operands: tuple[Any, ...]
    axes: tuple[int, ...] | None
    shape: tuple[int, ...]
    dtype: Any
    nbytes: int
    stored: bool
    reason: str
    repeated: bool

    def __str__(self) -> str:
        operands = [str(operand) for operand in self.operands]
        if self.axes is not None:
            axes = str(self.axes[0]) if len(self.axes) == 1 else str(self.axes)
            operands.append(f"axis={axes}")
        return f"{self.result} = {self.name}({', '.join(operands)})"


@dataclass(frozen=True, slots=True)
class Group:
    """Operations that are computed in one pass over memory.

    Attributes
    ----------
    shape : tuple of int
        The shape of the computed elements; of a reduction, of its operand.
    by_rows : bool
        Whether blocks have whole rows, so that reductions of rows are part of the group.
    inputs : tuple of Input
    operations : tuple of Operation
    block_elements : int
        The elements of a block; 0 on GPUs, where a reduction reads an array in memory, and of an
        operation that is computed alone.
    block_bytes : int
        The size of the temporary blocks of a thread.
    in_registers : int
        Operations, including conversions of operands, that generated code computes in registers; on
        GPUs all operations of a kernel.
    ended : str
        Why the group has no more operations.
    bytes_kept_out : int
        The size of results that are never in memory.
    """

    shape: tuple[int, ...]
    by_rows: bool
    inputs: tuple[Input, ...]
    operations: tuple[Operation, ...]
    block_elements: int
    block_bytes: int
    in_registers: int
    ended: str
    bytes_kept_out: int


class Plan:
    """How deferred tensors are computed; `corepy.explain` and `corepy.lazy.last_plan` return it.

    ``str(plan)`` is the plan as text; notebooks show the picture. A plan keeps no tensor and no
    memory alive, and does not change.

    Attributes
    ----------
    groups : tuple of Group
        The groups, in the order in which they are computed. A group has `shape`, `by_rows`,
        `inputs`, `operations`, `block_elements`, `block_bytes`, `in_registers`, `ended` and
        `bytes_kept_out`; its operations have `name`, `dtype`, `shape`, `stored` and `nbytes` among
        others.
    times : int
        How many times this plan has computed operations. It is kept, and found again for the same
        operations on arrays of the same layout, other arrays and constants, too.
    notes : tuple of str
        Of `corepy.explain`: the last operation of the block that was computed at once because its
        operand's memory is shared with code outside of Corepy, and what to do; or none.

    Examples
    --------
    >>> import corepy, corepy.array_api as xp
    >>> x = xp.linspace(0, 1, 1_000_000)
    >>> with corepy.fuse():
    ...     y = xp.sum(xp.exp(x) * 2)
    ...     plan = corepy.explain(y)
    >>> [operation.name for operation in plan.groups[0].operations]
    ['exp', 'multiply', 'sum']
    >>> plan.groups[0].ended
    'a reduction'
    """

    __slots__ = ("groups", "notes", "times")

    groups: tuple[Group, ...]
    notes: tuple[str, ...]
    times: int

    def __init__(self, record: PlanRecord, notes: tuple[str, ...] = ()) -> None:
        object.__setattr__(self, "groups", groups_of(record)[0])
        object.__setattr__(self, "notes", notes)
        object.__setattr__(self, "times", record.computed)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a Plan cannot be changed")

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        for name, value in state[1].items():  # of a copy, or of one that was pickled
            object.__setattr__(self, name, value)

    @property
    def bytes_kept_out(self) -> int:
        """The size of results that are never in memory."""
        return sum(group.bytes_kept_out for group in self.groups)

    def __str__(self) -> str:
        if not self.groups:
            return "\n".join(["nothing is deferred", *self.notes])
        count = len({operation.result for group in self.groups for operation in group.operations})
        lines = [
            f"{_counted(len(self.groups), 'group')}, {_counted(count, 'operation')}, "
            f"{self.bytes_kept_out:,} bytes kept out of memory"
            + (f", computed {self.times:,} times" if self.times > 1 else "")
        ]
        for number, group in enumerate(self.groups, 1):
            lines += [""] if number > 1 else []
            lines.append(f"group {number}: shape {group.shape}, {_blocks(group)}")
            lines += [
                f"    {source.name}: {source.dtype} {source.shape}, {source.nbytes:,} bytes read"
                for source in group.inputs
            ]
            lines += [
                f"    {operation}: {operation.dtype} {operation.shape}, {_kept(operation)}"
                for operation in group.operations
            ]
            lines.append(f"    ends: {group.ended}")
        return "\n".join([*lines, *self.notes])

    def __repr__(self) -> str:
        return f"<Plan: {_counted(len(self.groups), 'group')}>"

    def svg(self) -> str:
        """Return the plan as a picture.

        Returns
        -------
        str
            An SVG document: a frame for each group, with lines from operands to results. Results
            that are kept out of memory have a dashed outline.
        """
        parts: list[str] = []
        width, y = 480.0, float(GAP)
        for number, group in enumerate(self.groups, 1):
            drawn, group_width, height = _drawn(group, y + TITLE)
            parts += [
                f'<rect class="group" x="{GAP}" y="{y:g}" width="WIDTH" height="{height + TITLE:g}"'
                ' rx="6"/>',
                _text(2 * GAP, y + 22, f"group {number}: shape {group.shape}", "name"),
                _text(2 * GAP, y + 40, _blocks(group)),
                _text(2 * GAP, y + TITLE + height - 12, f"ends: {group.ended}"),
                *drawn,
            ]
            width = max(width, group_width)
            y += height + TITLE + GAP
        for line in self.notes if parts else str(self).split("\n"):
            y += GAP
            parts.append(_text(GAP, y, line))
            width, y = max(width, LETTER * len(line)), y + GAP / 2
        total = width + 2 * GAP
        body = "\n".join(parts).replace('"WIDTH"', f'"{width:g}"')
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{total:g}" height="{y:g}"'
            f' viewBox="0 0 {total:g} {y:g}">\n<style>{STYLE}</style>\n'
            f'<rect class="page" width="{total:g}" height="{y:g}"/>\n{body}\n</svg>\n'
        )

    def _repr_svg_(self) -> str:
        return self.svg()


# ---- from the record


def groups_of(record: PlanRecord) -> tuple[tuple[Group, ...], dict[int, str]]:
    """Return the groups of a record, and the name of each deferred operation's result."""
    raw = record.as_list()
    results: dict[int, str] = {}  # node -> name
    for *_, operations in raw:
        for _, node, *_ in operations:
            results.setdefault(node, f"t{len(results) + 1}")
    computed: set[int] = set()
    arrays: dict[tuple[Any, ...], str] = {}  # arrays in memory -> name
    groups = []
    for shape, by_rows, reduction, elements, nbytes, chained, raw_inputs, raw_operations in raw:
        names: dict[int, str] = {}  # value -> name
        inputs, operations = [], []
        for value, node, *array, dtype in raw_inputs:
            dims = array[-1]
            if node in computed:
                names[value] = results[node]
            else:
                key = (node, *array, dtype)
                names[value] = arrays.setdefault(key, f"x{len(arrays) + 1}")
            inputs.append(Input(names[value], dims, dtype, math.prod(dims) * dtype.itemsize))
        times: Counter[int] = Counter()  # that a pass computes an operation, each of other elements
        for value, node, name, dims, dtype, stored, axes, operands in raw_operations:
            names[value] = results[node] + "'" * times[node]
            read = [names.get(k, constant) for k, constant in operands]
            size = math.prod(dims) * dtype.itemsize
            operations.append(
                Operation(
                    names[value],
                    name,
                    tuple(read),
                    axes,
                    dims,
                    dtype,
                    size,
                    bool(stored),
                    REASONS[stored],
                    node in computed or times[node] > 0,
                )
            )
            times[node] += 1
        computed |= {node for _, node, *_ in raw_operations}
        reasons = dict.fromkeys(each.reason for each in operations if each.stored)
        groups.append(
            Group(
                shape,
                by_rows,
                tuple(inputs),
                tuple(operations),
                elements,
                nbytes,
                chained,
                "a reduction" if reduction else ", ".join(reasons),
                sum(each.nbytes for each in operations if not (each.stored or each.repeated)),
            )
        )
    return tuple(groups), results


# ---- text


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _blocks(group: Group) -> str:
    if not group.block_elements:
        if group.in_registers:
            return f"in one kernel of {_counted(group.in_registers, 'operation')}"
        is_reduction = group.operations[0].axes is not None
        return "a reduction of an array in memory" if is_reduction else "computed alone"
    rows = "by rows, " if group.by_rows else ""
    # Without temporary blocks, elements are written directly to the results.
    memory = f", {group.block_bytes:,} bytes for a thread" if group.block_bytes else ""
    chained = _counted(group.in_registers, "operation")
    chains = f", {chained} in registers" if group.in_registers else ""
    return f"{rows}in blocks of {group.block_elements:,} elements{memory}{chains}"


def _kept(operation: Operation) -> str:
    again = "computed again, " if operation.repeated else ""
    if operation.stored:
        return f"{again}{operation.nbytes:,} bytes stored"
    return f"{again}{operation.nbytes:,} bytes kept out of memory"


# ---- picture

GAP, TITLE, LETTER = 16, 54, 6.5
BOX_WIDTH, BOX_HEIGHT, BETWEEN = 236, 40, 30
MAX_LABEL_LENGTH = 32
STYLE = (
    "text{font:12px sans-serif;fill:#1c2833}.name{font-weight:bold}"
    ".page{fill:#fff}.group{fill:#f4f6f8;stroke:#5a6b7b}"
    ".input{fill:#e3e7eb;stroke:#5a6b7b}.stored{fill:#cfe3f7;stroke:#1f5f9e;stroke-width:1.5}"
    ".kept{fill:#fff;stroke:#5a6b7b;stroke-dasharray:4 3}path{fill:none;stroke:#5a6b7b}"
)


def _text(x: float, y: float, text: str, style: str = "") -> str:
    style = f' class="{style}"' if style else ""
    return f'<text x="{x:g}" y="{y:g}"{style}>{_escaped(text)}</text>'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_LABEL_LENGTH else text[: MAX_LABEL_LENGTH - 1] + "\u2026"


def _levels(group: Group) -> list[list[Input | Operation]]:
    """Return inputs and operations in levels: each below all of its operands."""
    inputs = {source.name for source in group.inputs}
    level: dict[str, int] = {}
    first_use: dict[str, int] = {}
    for operation in group.operations:
        here = 1 + max((level.get(name, 0) for name in operation.operands), default=0)
        level[operation.result] = here
        for name in inputs.intersection(operation.operands):
            first_use[name] = min(here, first_use.get(name, here))
    level |= {name: first_use.get(name, 1) - 1 for name in inputs}
    found: list[list[Input | Operation]] = [[] for _ in range(1 + max(level.values(), default=0))]
    for operation in group.operations:
        found[level[operation.result]].append(operation)
    for source in group.inputs:
        found[level[source.name]].append(source)
    return [each for each in found if each]


def _drawn(group: Group, top: float) -> tuple[list[str], float, float]:
    """Return the picture of a group below `top`, its width and its height."""
    levels = _levels(group)
    step = BOX_WIDTH + GAP
    width = max(map(len, levels), default=1) * step + GAP
    places: dict[str, tuple[float, float]] = {}  # corners of boxes
    boxes: list[str] = []
    for number, level in enumerate(levels):
        left, y = 2.0 * GAP, top + number * (BOX_HEIGHT + BETWEEN)
        for item in level:
            places[item.result if isinstance(item, Operation) else item.name] = left, y
            boxes += _box(item, left, y)
            left += step
    lines = [
        _line(*places[name], *places[operation.result])
        for operation in group.operations
        for name in dict.fromkeys(operation.operands)
        if name in places
    ]
    return [*lines, *boxes], width, len(levels) * (BOX_HEIGHT + BETWEEN)


def _box(item: Input | Operation, x: float, y: float) -> Iterable[str]:
    if isinstance(item, Operation):
        style = "stored" if item.stored else "kept"
        title, below, tip = str(item), f"{item.dtype} {item.shape}", _kept(item)
    else:
        style, tip = "input", f"{item.nbytes:,} bytes read"
        title, below = item.name, f"{item.dtype} {item.shape}"
    return (
        f'<rect class="{style}" x="{x:g}" y="{y:g}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}"'
        f' rx="4"><title>{_escaped(f"{title}: {below}, {tip}")}</title></rect>',
        _text(x + 10, y + 17, _shortened(title), "name"),
        _text(x + 10, y + 33, _shortened(below)),
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a line from the box at (x1, y1) to that at (x2, y2), around boxes in between."""
    if y2 - y1 > BOX_HEIGHT + BETWEEN:
        x1, x2, y1, y2 = x1 + BOX_WIDTH, x2 + BOX_WIDTH, y1 + BOX_HEIGHT / 2, y2 + BOX_HEIGHT / 2
        by = max(x1, x2) + GAP
        bends = f"{by:g} {y1:g} {by:g} {y2:g}"
    else:
        x1, x2, y1 = x1 + BOX_WIDTH / 2, x2 + BOX_WIDTH / 2, y1 + BOX_HEIGHT
        middle = (y1 + y2) / 2
        bends = f"{x1:g} {middle:g} {x2:g} {middle:g}"
    return f'<path d="M{x1:g} {y1:g}C{bends} {x2:g} {y2:g}"/>'
