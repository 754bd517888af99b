"""Kernels: what is computed for each element, within loops over elements, rows and tiles.

Every function returns source for a dialect. The numbers ``p[0]``, ``p[1]`` ... are in the order in
which `Numbers` counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corepy.backend.kernels import functions, table
from corepy.backend.kernels.dialects import GROUP, REGISTERS, SIZES, Buffer, Shared, Wgsl

#: Where the elements of an input are: in the order of the output, at strides, or nowhere, as it is
#: a number of the program.
DENSE, STRIDED, CONSTANT = "dense", "strided", "constant"


@dataclass(frozen=True)
class Step:
    """An operation on earlier values, by their indices: inputs come first, then steps.

    Operands are of the dtype `compute`, but for the condition of `where`. ``"astype"`` is a
    conversion from `compute` to `dtype`.
    """

    operation: str
    compute: str
    dtype: str
    operands: tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """What is computed for each element of a space of `ndim` axes; the values that are results."""

    inputs: tuple[tuple[str, str], ...]  # dtype, and one of DENSE, STRIDED, CONSTANT
    steps: tuple[Step, ...]
    results: tuple[int, ...]
    ndim: int
    indices: tuple[int, ...] = ()  # inputs that are indices, of input 0 or of what is assigned to

    @property
    def strided(self) -> list[str]:
        """The numbers of inputs at strides."""
        return [str(k) for k, (_, kind) in enumerate(self.inputs) if kind == STRIDED]

    def dtype_of(self, value: int) -> str:
        """Return the dtype of a value."""
        count = len(self.inputs)
        return self.inputs[value][0] if value < count else self.steps[value - count].dtype

    def buffers(self) -> list[Buffer]:
        """Return the parameters for inputs in memory."""
        return [
            Buffer(f"in{k}", dtype)
            for k, (dtype, kind) in enumerate(self.inputs)
            if kind != CONSTANT
        ]

    def source_of_functions(self, rounded: bool, combined: str = "") -> str:
        """Return the functions that the expressions call, and a reduction of the last value."""
        floats, integers = set(), {}
        steps = list(self.steps)
        if combined:
            dtype = self.dtype_of(self.results[0])
            steps.append(Step(COMBINE[combined][1], dtype, dtype, ()))
        for step in steps:
            register = REGISTERS[step.compute]
            if table.is_float(step.compute):
                if step.operation in table.FLOAT_FUNCTIONS:
                    floats.add(f"{step.operation}_{register}")
            elif step.operation in table.INTEGER_FUNCTIONS:
                integers[step.operation, register] = table.integer_source(step.operation, register)
        return "\n".join([functions.sources(sorted(floats), rounded), *integers.values()])


class Numbers:
    """Counts the numbers of a kernel."""

    def __init__(self) -> None:
        self.count = 0

    def take(self, count: int = 1) -> int:
        """Return the index of the first of `count` further numbers."""
        first = self.count
        self.count += count
        return first


def positions(
    numbers: Numbers, operands: Sequence[str], first: int, axes: int, index: str
) -> list[str]:
    """Return statements that add the place of an index of some axes to ``at`` of operands.

    The axes are `axes` of them from the one numbered `first`. Numbers: the sizes of these axes,
    then for each operand its strides along them.
    """
    size = numbers.take(axes)
    strides = {name: numbers.take(axes) for name in operands}
    lines = [f"var rest{first}: u32 = {index};"]
    for axis in reversed(range(axes)):
        name = f"i{first + axis}"
        if axis:
            lines += [
                f"let q{first + axis}: u32 = rest{first} / p[{size + axis}];",
                f"let {name}: u32 = rest{first} - q{first + axis} * p[{size + axis}];",
                f"rest{first} = q{first + axis};",
            ]
        else:
            lines.append(f"let {name}: u32 = rest{first};")
        lines += [f"at{name_} += {name} * p[{at + axis}];" for name_, at in strides.items()]
    return lines


def starts(numbers: Numbers, operands: Sequence[str]) -> list[str]:
    """Return definitions of ``at`` of operands, the places of their first elements."""
    return [f"var at{name}: u32 = p[{numbers.take()}];" for name in operands]


def addressed(
    dialect: Wgsl, numbers: Numbers, program: Program, indexed: str, index: str
) -> list[str]:
    """Return statements that add the indices of an operand to its ``at``.

    Numbers: for each index the size of the axis and its stride.
    """
    lines = []
    for k in program.indices:
        dtype, register = program.inputs[k][0], REGISTERS[program.inputs[k][0]]
        size, stride = numbers.take(), numbers.take()
        lines.append(f"var x{k}: {register} = {_loaded(dialect, numbers, program, k, index)};")
        if table.is_signed(dtype):
            lines.append(f"if (x{k} < {register}(0)) {{ x{k} += {register}(p[{size}]); }}")
            beyond = f"x{k} < {register}(0) || x{k} >= {register}(p[{size}])"
        else:
            beyond = f"x{k} >= {register}(p[{size}])"
        lines += [
            dialect.flag(beyond),
            f"if ({beyond}) {{ x{k} = {register}(0); }}",
            f"at{indexed} += u32(x{k}) * p[{stride}];",
        ]
    return lines


def _loaded(dialect: Wgsl, numbers: Numbers, program: Program, k: int, index: str) -> str:
    dtype, kind = program.inputs[k]
    if kind == CONSTANT:
        return _constant(dtype, numbers)
    place = f"at{k}" if kind == STRIDED else f"{index} + p[{numbers.take()}]"
    return dialect.load(f"in{k}", dtype, place)


def values(dialect: Wgsl, numbers: Numbers, program: Program, index: str) -> list[str]:
    """Return definitions of the values ``v0``, ``v1`` ... of the element of that index.

    Numbers: the offset of each dense input, the words of each constant.
    """
    lines = []
    for k, (dtype, _) in enumerate(program.inputs):
        if k not in program.indices:
            text = _loaded(dialect, numbers, program, k, index)
            lines.append(f"let v{k}: {REGISTERS[dtype]} = {text};")
    for k, step in enumerate(program.steps, len(program.inputs)):
        operands = [f"v{value}" for value in step.operands]
        if step.operation == "astype":
            text = table.cast(step.dtype, operands[0], step.compute, dialect.wide)
        elif step.operation in table.KEYS:
            text = table.KEYS[step.operation](step.compute, operands[0])
        else:
            text = table.ELEMENTWISE[step.operation](step.compute, *operands)
            found = table.result_dtype(step.operation, step.compute)
            text = table.cast(step.dtype, text, found, dialect.wide)
        lines.append(f"let v{k}: {REGISTERS[step.dtype]} = {text};")
    return lines


def _constant(dtype: str, numbers: Numbers) -> str:
    register = REGISTERS[dtype]
    if SIZES[dtype] == 8:
        first = numbers.take(2)
        word = f"(u64(p[{first}]) | (u64(p[{first + 1}]) << 32u))"
        return f"bitcast<{register}>({word})"
    return f"bitcast<{register}>(p[{numbers.take()}])"


def elementwise(dialect: Wgsl, program: Program) -> str:
    """Return a kernel that writes results in C order.

    Numbers: elements; for a program with strided inputs their offsets, sizes of axes, strides;
    then those of `addressed` and `values`.
    """
    numbers = Numbers()
    numbers.take()
    dtypes = [program.dtype_of(value) for value in program.results]
    lanes = max(dialect.per_item(dtype) for dtype in dtypes)
    body = starts(numbers, program.strided)
    if program.strided:
        body += positions(numbers, program.strided, 0, program.ndim, "i")
    body += addressed(dialect, numbers, program, "0", "i")
    body += values(dialect, numbers, program, "i")
    outputs = [Buffer(f"out{k}", dtype, True) for k, dtype in enumerate(dtypes)]
    if lanes == 1:
        stores = [
            dialect.store(f"out{k}", dtype, "i", f"v{value}")
            for k, (dtype, value) in enumerate(zip(dtypes, program.results, strict=True))
        ]
        text = ["let i: u32 = item;", "if (i < p[0]) {", *body, *stores, "}"]
    else:
        text = _several(dialect, program, dtypes, lanes, body)
    return dialect.kernel(
        [*program.buffers(), *outputs],
        numbers.count,
        "\n".join(text),
        program.source_of_functions(dialect.rounded),
        flagged=bool(program.indices),
    )


def _several(
    dialect: Wgsl, program: Program, dtypes: Sequence[str], lanes: int, body: list[str]
) -> list[str]:
    """Return a loop over neighbouring elements of a work item, whose results share words."""
    text, stores = [], []
    for k, (dtype, value) in enumerate(zip(dtypes, program.results, strict=True)):
        count = dialect.per_item(dtype)
        if count == 1:
            stores.append(dialect.store(f"out{k}", dtype, "i", f"v{value}"))
            continue
        bits = 8 * SIZES[dtype]
        text.append(f"var word{k}: u32 = 0u;")
        stores += [
            f"word{k} |= (u32(v{value}) & {(1 << bits) - 1}u) << ((j & {count - 1}u) * {bits}u);",
            f"if ((j & {count - 1}u) == {count - 1}u || i == p[0] - 1u) "
            f"{{ out{k}[i / {count}u] = word{k}; word{k} = 0u; }}",
        ]
    return [
        *text,
        f"for (var j: u32 = 0u; j < {lanes}u; j += 1u) {{",
        f"let i: u32 = item * {lanes}u + j;",
        "if (i < p[0]) {",
        *body,
        *stores,
        "}",
        "}",
    ]


def assign(dialect: Wgsl, program: Program, dtype: str, last: bool) -> str:
    """Return a kernel that writes a result to elements of an array at strides, of that dtype.

    `last`: only the last of several results for one element is written, whose number plus 1 is in
    the buffer ``last``, from `check`.

    Numbers: elements, offsets of the array and strided inputs, sizes of axes, strides; then those
    of `addressed` and `values`.
    """
    return _assigned(
        dialect,
        program,
        [Buffer("last", "uint32")] * last + [Buffer("out", dtype, True, True)],
        "if (last[atout] == item + 1u) { {} }" if last else "{}",
        dialect.store_part("out", dtype, "atout", f"v{program.results[0]}"),
    )


def check(dialect: Wgsl, program: Program, last: bool) -> str:
    """Return a kernel that looks for indices that are out of range; see `assign`.

    `last`: it also notes the greatest number of an assignment to each element.
    """
    return _assigned(
        dialect,
        program,
        [Buffer("last", "uint32", True, True)] * last,
        "{}",
        dialect.greatest("last", "atout", "item + 1u") if last else "",
    )


def _assigned(
    dialect: Wgsl, program: Program, outputs: list[Buffer], guard: str, store: str
) -> str:
    numbers = Numbers()
    numbers.take()
    operands = ["out", *program.strided]
    body = starts(numbers, operands) + positions(numbers, operands, 0, program.ndim, "item")
    body += addressed(dialect, numbers, program, "out", "item")
    body += values(dialect, numbers, program, "item")
    body.append(guard.replace("{}", store))
    return dialect.kernel(
        [*program.buffers(), *outputs],
        numbers.count,
        "\n".join(["if (item < p[0]) {", *body, "}"]),
        program.source_of_functions(dialect.rounded),
        flagged=bool(program.indices),
    )


# ---- reductions and scans

#: Reduction -> the first value, and the operation that combines two.
COMBINE: dict[str, tuple[Callable[[str], str], str]] = {
    "sum": (table.least_zero, "add"),
    "prod": (lambda t: table.number(t, 1), "multiply"),
    "max": (table.lowest, "maximum"),
    "min": (table.greatest, "minimum"),
}


def combine(operation: str, dtype: str, x: str, y: str) -> str:
    """Return the combination of two values of a reduction."""
    return table.ELEMENTWISE[COMBINE[operation][1]](dtype, x, y)


def reduce(dialect: Wgsl, operation: str, program: Program, kept: int) -> str:
    """Return a kernel that reduces the last axes of a program, each row by a group in parts.

    Group number `row * parts + part` writes ``out0[row * parts + part]``. The reduction is "sum" or
    "prod", "max" or "min" of values, or "argmax" of unsigned keys, which writes the first index of
    the greatest to ``out1``.

    Numbers: rows, length of a row, parts, offsets, the kept axes, the reduced axes, then `values`.
    """
    numbers = Numbers()
    numbers.take(3)
    dtype = program.dtype_of(program.results[0])
    register = REGISTERS[dtype]
    indexed = operation == "argmax"
    plain = "max" if indexed else operation
    first = COMBINE[plain][0](dtype)
    strided = program.strided
    offsets = starts(numbers, strided)
    row = positions(numbers, strided, 0, kept, "row")
    element = positions(numbers, strided, kept, program.ndim - kept, "j")
    compute = values(dialect, numbers, program, "row * p[1] + j")
    value = f"v{program.results[0]}"
    if indexed:
        step = [f"if ({value} > acc || place == {_NOWHERE}) {{ acc = {value}; place = j; }}"]
    else:
        step = [f"acc = {combine(plain, dtype, 'acc', value)};"]
    body = [
        "let row: u32 = group / p[2];",
        "let part: u32 = group - row * p[2];",
        "let chunk: u32 = (p[1] + p[2] - 1u) / p[2];",
        "let end: u32 = min(p[1], (part + 1u) * chunk);",
        f"var acc: {register} = {first};",
        f"var place: u32 = {_NOWHERE};" * indexed,
        "if (row < p[0]) {",
        *offsets,
        *row,
        *(f"let row{k}: u32 = at{k};" for k in strided),
        f"for (var j: u32 = part * chunk + lane; j < end; j += {GROUP}u) {{",
        *(f"at{k} = row{k};" for k in strided),
        *element,
        *compute,
        *step,
        "}",
        "}",
        "shared0[lane] = acc;",
        "shared1[lane] = place;" * indexed,
        "barrier();",
    ]
    shared = [Shared("shared0", register)] + [Shared("shared1", "u32")] * indexed
    half = GROUP // 2
    while half:
        other = f"shared0[lane + {half}u]"
        if indexed:
            better = (
                f"{other} > shared0[lane] || ({other} == shared0[lane] && "
                f"shared1[lane + {half}u] < shared1[lane])"
            )
            merge = (
                f"if ({better}) {{ shared0[lane] = {other}; "
                f"shared1[lane] = shared1[lane + {half}u]; }}"
            )
        else:
            merge = f"shared0[lane] = {combine(plain, dtype, 'shared0[lane]', other)};"
        body += [f"if (lane < {half}u) {{ {merge} }}", "barrier();"]
        half //= 2
    store = dialect.store_part("out0", dtype, "group", "shared0[0]")
    body.append(
        f"if (lane == 0u && row < p[0]) {{ {store} {'out1[group] = shared1[0];' * indexed} }}"
    )
    outputs = [Buffer("out0", dtype, True, True)] + [Buffer("out1", "uint32", True)] * indexed
    return dialect.kernel(
        [*program.buffers(), *outputs],
        numbers.count,
        "\n".join(body),
        program.source_of_functions(dialect.rounded, plain),
        shared,
    )


_NOWHERE = "0xffffffffu"


def scan(dialect: Wgsl, operation: str, program: Program, kept: int, carried: bool) -> str:
    """Return a kernel of inclusive scans along the last axis of a program, in parts of rows.

    A part begins with the combination of all elements before it, ``carry[group]``, if `carried`.

    Numbers: rows, length of a row, parts, offset and stride of rows and of elements of the output,
    offsets, the kept axes, the last axis, then `values`.
    """
    numbers = Numbers()
    numbers.take(6)
    dtype = program.dtype_of(program.results[0])
    register = REGISTERS[dtype]
    first = COMBINE[operation][0](dtype)
    strided = program.strided
    offsets = starts(numbers, strided)
    row = positions(numbers, strided, 0, kept, "row")
    element = positions(numbers, strided, kept, program.ndim - kept, "j")
    compute = values(dialect, numbers, program, "row * p[1] + j")
    begin = dialect.load("carry", dtype, "group") if carried else first
    body = [
        "let row: u32 = min(group / p[2], p[0] - 1u);",
        "let part: u32 = group - row * p[2];",
        "let chunk: u32 = (p[1] + p[2] - 1u) / p[2];",
        "let end: u32 = select(0u, min(p[1], (part + 1u) * chunk), part < p[2]);",
        *offsets,
        *row,
        *(f"let row{k}: u32 = at{k};" for k in strided),
        f"var before: {register} = {first};",
        f"if (part < p[2]) {{ before = {begin}; }}",
        "for (var block: u32 = 0u; block < chunk; block += " + f"{GROUP}u) {{",
        "let j: u32 = part * chunk + block + lane;",
        f"var acc: {register} = {first};",
        "if (j < end) {",
        *(f"at{k} = row{k};" for k in strided),
        *element,
        *compute,
        f"acc = v{program.results[0]};",
        "}",
        "shared0[lane] = acc;",
        "barrier();",
    ]
    distance = 1
    while distance < GROUP:
        other = f"shared0[lane - {distance}u]"
        body += [
            f"if (lane >= {distance}u) {{ acc = {combine(operation, dtype, other, 'acc')}; }}",
            "barrier();",
            "shared0[lane] = acc;",
            "barrier();",
        ]
        distance *= 2
    place = "p[3] + row * p[4] + j * p[5]"
    body += [
        "if (j < end) { "
        + dialect.store_part("out0", dtype, place, combine(operation, dtype, "before", "acc"))
        + " }",
        f"before = {combine(operation, dtype, 'before', f'shared0[{GROUP - 1}]')};",
        "barrier();",
        "}",
    ]
    return dialect.kernel(
        [
            *program.buffers(),
            *([Buffer("carry", dtype)] if carried else []),
            Buffer("out0", dtype, True, True),
        ],
        numbers.count,
        "\n".join(body),
        program.source_of_functions(dialect.rounded, operation),
        [Shared("shared0", register)],
    )


# ---- sorting and searching


def merge(dialect: Wgsl, key: str) -> str:
    """Return a kernel that merges neighbouring sorted runs of rows of keys, and their indices.

    Each item finds the place of its key in the merged run: its place in its own, and the number of
    keys of the other that come before it. Keys that are equal stay in order.

    Numbers: elements, length of a row, length of a run.
    """
    body = """
    if (item < p[0]) {
    let row: u32 = item / p[1];
    let j: u32 = item - row * p[1];
    let pair: u32 = j / (2u * p[2]) * 2u * p[2];
    let right: u32 = select(0u, 1u, j - pair >= p[2]);
    let middle: u32 = min(pair + p[2], p[1]);
    let end: u32 = min(pair + 2u * p[2], p[1]);
    let first: u32 = select(middle, pair, right == 1u);
    var low: u32 = first;
    var high: u32 = select(end, middle, right == 1u);
    let mine: KEY = keys[item];
    while (low < high) {
    let mid: u32 = (low + high) / 2u;
    let other: KEY = keys[row * p[1] + mid];
    if (other < mine || (other == mine && right == 1u)) { low = mid + 1u; } else { high = mid; }
    }
    let place: u32 = row * p[1] + pair + (j - select(pair, middle, right == 1u)) + (low - first);
    keys_out[place] = mine;
    order_out[place] = order[item];
    }"""
    return dialect.kernel(
        [
            Buffer("keys", key),
            Buffer("order", "uint32"),
            Buffer("keys_out", key, True),
            Buffer("order_out", "uint32", True),
        ],
        3,
        body.replace("KEY", REGISTERS[key]),
    )


def search(dialect: Wgsl, key: str, right: bool) -> str:
    """Return a kernel that finds keys in a sorted vector: how many are before each.

    Numbers: keys that are looked for, length of the vector.
    """
    before = "other <= mine" if right else "other < mine"
    body = f"""
    if (item < p[0]) {{
    let mine: {REGISTERS[key]} = wanted[item];
    var low: u32 = 0u;
    var high: u32 = p[1];
    while (low < high) {{
    let mid: u32 = low + (high - low) / 2u;
    let other: {REGISTERS[key]} = keys[mid];
    if ({before}) {{ low = mid + 1u; }} else {{ high = mid; }}
    }}
    out[item] = low;
    }}"""
    return dialect.kernel(
        [Buffer("keys", key), Buffer("wanted", key), Buffer("out", "uint32", True)], 2, body
    )


def compress(dialect: Wgsl) -> str:
    """Return a kernel that writes the positions of true elements.

    ``counts`` has the number of true elements up to each, itself included. Numbers: elements.
    """
    body = """
    if (item < p[0]) {
    let count: u32 = counts[item];
    var before: u32 = 0u;
    if (item > 0u) { before = counts[item - 1u]; }
    if (count != before) { out[before] = item; }
    }"""
    return dialect.kernel([Buffer("counts", "uint32"), Buffer("out", "uint32", True)], 1, body)


# ---- products of matrices

#: Rows and columns of a tile, which 8 x 8 work items compute, and the terms that are added at once.
TILE, DEPTH = 32, 8


def multiply(dialect: Wgsl, dtype: str, batch: int) -> str:
    """Return a kernel of products of two stacks of matrices, a group for each tile of the result.

    Numbers: rows, terms, columns, tiles of rows, tiles of columns, products; strides of rows and
    columns of both operands; offsets of both, sizes of the axes of the stack, strides of both.
    """
    numbers = Numbers()
    numbers.take(10)
    register = REGISTERS[dtype]
    zero = table.number(dtype, 0)
    add, times = table.ELEMENTWISE["add"], table.ELEMENTWISE["multiply"]
    operands = ["0", "1"]
    sums = [(row, column) for row in range(4) for column in range(4)]
    body = [
        "let tiles: u32 = p[3] * p[4];",
        "let product: u32 = group / tiles;",
        "let tile: u32 = group - product * tiles;",
        f"let top: u32 = tile / p[4] * {TILE}u;",
        f"let left: u32 = tile % p[4] * {TILE}u;",
        "let y: u32 = lane / 8u;",
        "let x: u32 = lane % 8u;",
        *starts(numbers, operands),
        *positions(numbers, operands, 0, batch, "product"),
        *(f"var sum{r}{c}: {register} = {zero};" for r, c in sums),
        f"for (var k: u32 = 0u; k < p[1]; k += {DEPTH}u) {{",
        f"for (var part: u32 = lane; part < {TILE * DEPTH}u; part += {GROUP}u) {{",
        # The first operand's tile is stored by columns.
        f"let row: u32 = top + part % {TILE}u;",
        f"let term: u32 = k + part / {TILE}u;",
        f"let column: u32 = left + part % {TILE}u;",
        f"var a: {register} = {zero};",
        f"var b: {register} = {zero};",
        "if (row < p[0] && term < p[1] && product < p[5]) { a = "
        + dialect.load("in0", dtype, "at0 + row * p[6] + term * p[7]")
        + "; }",
        "if (column < p[2] && term < p[1] && product < p[5]) { b = "
        + dialect.load("in1", dtype, "at1 + term * p[8] + column * p[9]")
        + "; }",
        "shared0[part] = a;",
        "shared1[part] = b;",
        "}",
        "barrier();",
        f"for (var t: u32 = 0u; t < {DEPTH}u; t += 1u) {{",
        *(f"let a{r}: {register} = shared0[t * {TILE}u + y * 4u + {r}u];" for r in range(4)),
        *(f"let b{c}: {register} = shared1[t * {TILE}u + x * 4u + {c}u];" for c in range(4)),
        *(
            f"sum{r}{c} = {add(dtype, f'sum{r}{c}', times(dtype, f'a{r}', f'b{c}'))};"
            for r, c in sums
        ),
        "}",
        "barrier();",
        "}",
    ]
    for r, c in sums:
        place = f"(product * p[0] + top + y * 4u + {r}u) * p[2] + left + x * 4u + {c}u"
        body.append(
            f"if (top + y * 4u + {r}u < p[0] && left + x * 4u + {c}u < p[2] && product < p[5]) {{ "
            + dialect.store_part("out", dtype, place, f"sum{r}{c}")
            + " }"
        )
    return dialect.kernel(
        [Buffer("in0", dtype), Buffer("in1", dtype), Buffer("out", dtype, True, True)],
        numbers.count,
        "\n".join(body),
        shared=[
            Shared("shared0", register, TILE * DEPTH),
            Shared("shared1", register, TILE * DEPTH),
        ],
    )
