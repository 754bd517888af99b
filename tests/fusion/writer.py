"""Writes random programs, of which most lines succeed."""

import contextlib
import math
from typing import Any, NamedTuple

import numpy as np
from strategies import CATEGORIES, HALVES, read_operations
from strategies import DTYPE_NAMES as STANDARD

import corepy.array_api as xp
from corepy import Tensor
from corepy._cython.core import kind_of

from .programs import MODULES, run

LINES = 30
LIMIT = 200_000  # elements of a tensor
DTYPE_NAMES = [*STANDARD, *map(str, HALVES)]


def table(work):
    """Names of the operations of one kind, and the kinds of dtypes that they accept."""
    rows = [*read_operations(), *read_operations(standard=False)]
    return [(name, CATEGORIES[row[1]]) for name, *row in rows if row[0] == work]


def called(name):
    """The function of an operation in the text of a program."""
    return f"{'xp' if hasattr(xp, name) else 'beyond'}.{name}"


UNARY, BINARY, REDUCTIONS = table("unary"), table("binary"), table("reduce")
OPERATORS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "floor_divide": "//",
    "remainder": "%", "pow": "**", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^",
    "bitwise_left_shift": "<<", "bitwise_right_shift": ">>", "equal": "==", "not_equal": "!=",
    "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "negative": "-",
    "positive": "+", "bitwise_invert": "~",
}  # fmt: skip
ARITHMETIC = "add subtract multiply divide maximum minimum pow greater less equal".split()
# On complex results of these the sign of a NaN decides where the other part is infinite.
SIGN_OF_NAN = "acos asin asinh atan atanh exp expm1 sqrt tan tanh".split()
SCALARS = {
    "b": ["True", "False"],
    "u": ["0", "1", "2", "7"],
    "i": ["0", "1", "2", "-1", "-3", "7"],
    "f": ["0.5", "1.0", "2.0", "-1.5", "0.0", "-0.0", "3", "-1", "1e3", "xp.inf", "xp.nan"],
    "c": ["2.0", "0.5", "-1", "1j", "(1.5-2j)"],
}
ROWWISE = [
    "xp.exp({0} - xp.max({0}, axis={1}, keepdims=True))",
    "{0} / xp.sum({0}, axis={1}, keepdims=True)",
    "({0} - xp.mean({0}, axis={1}, keepdims=True)) / xp.std({0}, axis={1}, keepdims=True)",
    "{0} - xp.mean({0}, axis={1}, keepdims=True)",
    "xp.sqrt(xp.sum({0} * {0}, axis={1}))",
    "xp.exp({0}) / xp.sum(xp.exp({0}), axis={1}, keepdims=True)",
    "xp.where({0} == xp.min({0}, axis={1}, keepdims=True), 0, {0})",
]
UNFUSED = [
    "xp.sort({0})", "xp.cumulative_sum({0}, axis=-1)", "xp.concat([{0}, {0}])", "xp.diff({0})",
    "xp.roll({0}, 3)", "xp.take({0}, xp.asarray([0, -1]), axis=0)", "{0}[{0} != 0]", "xp.tril({0})",
    "xp.nonzero({0})[-1]",
]  # fmt: skip
KEYS = [":", "1:", ":-1", "::2", "::-1", "-2::-3", "0", "-1", "None"]
CREATED = ["xp.full({0}, {2}, dtype=xp.{1})", "xp.ones({0}, dtype=xp.{1})"]
ADOPTED = ["xp.asarray({})", "xp.asarray({}, copy=True)", "xp.from_dlpack({})"]
EXPORTS = ["np.asarray({})", "np.from_dlpack({})", "np.asarray(memoryview({}))", "np.asarray({}).T"]
COPIES = [
    "copy.copy({})", "copy.deepcopy({})", "pickle.loads(pickle.dumps({}))",
    "corepy.asarray({}).copy()", "xp.asarray({}, copy=True)", "corepy.compute({0}, {0})[0]",
    "xp.asarray(np.asarray({}))",
]  # fmt: skip
LOOKS = [
    "{0}.dtype, {0}.shape, {0}.strides, {0}.size, {0}.ndim, {0}.device, type({0})", "{0}",
    "{0}[{1}].item()", "{0}[{1}]", "xp.sum({0}).item()", "bool(xp.any({0} != 0))", "str({0})",
    "int(xp.count_nonzero({0}))", "np.asarray({0}).flags.writeable", "memoryview({0}).strides",
    "xp.reshape({0}, (-1,))[:50].tolist()", "float(xp.max({0}))", "len({0})",
    "corepy.asarray({0}).astype(None)", "corepy.asarray({0}).astype(object)",
    "corepy.asarray({0}).astype('e')", "xp.fft.fft({0}, axis=-1)", "xp.asarray([{0}])",
]  # fmt: skip
# What only NumPy or Python has: operands of operators.
UNUSUAL = [
    "np.float16(1)", "np.longdouble(2)", "np.ma.array(2.0)", "np.array(2, '>f8')",
    "np.array(3, object)", "decimal.Decimal('1.5')", "fractions.Fraction(1, 3)",
    "datetime.timedelta(seconds=2)", "np.float32(1.5)", "np.int8(3)", "[1, 2]", "'a'", "None",
]  # fmt: skip
# Values that may be out of the range of what they are assigned to.
ANY_VALUE = [
    "xp.sum({0})", "xp.max({0}) * 300", "-xp.min({0})", "xp.mean({0}) * xp.nan", "{0} * 1000",
    "{0}", "xp.any({0} != 0)", "1e30", "-1", "300", "xp.nan", "2**63", "1j",
]  # fmt: skip


# As often as they are chosen.
STATEMENTS = ("assign " * 14 + "create " * 3 + "looks " * 3 + "rowwise " * 2).split()
STATEMENTS += "alias copies delete fails scopes exports unusual".split()
WRITING = ("write " * 4 + "write_any " * 2 + "write_in_place " * 4).split()
WRITING += "write_export write_export adopted".split()
EXPRESSIONS = ("binary " * 8 + "unary " * 5 + "reduction " * 3 + "view " * 3).split()
EXPRESSIONS += "cast cast where clip unfused".split()


class Node(NamedTuple):
    """An expression, and its value when the program was written."""

    text: str
    value: Any


class Writer:
    """Writes a program, whose lines have to be run as they come: `names` are the names in it."""

    def __init__(self, seed, given, writes):
        self.rng, self.names, self.failed = np.random.default_rng(seed), dict(given), []
        self.statements = STATEMENTS + WRITING if writes else STATEMENTS
        size, ndim = 10 ** self.rng.choice([0.5, 2, 3, 4, 4.9]), self.rng.integers(1, 5)
        sides = size ** (1 / ndim) * self.rng.uniform(0.6, 1.2, ndim)
        shape = tuple(max(2, round(side)) for side in sides.tolist())
        if self.chance(0.05):
            shape = (*shape[:-1], 0)
        self.shape = self.choice([x.shape for x in given.values()]) if given else shape

    def lines(self, count):
        for _ in range(3):
            yield from self.create()
        for _ in range(count):
            statement = self.choice(self.statements) if self.tensors() else "create"
            yield from getattr(self, statement)()

    # ---- choices

    def choice(self, items):
        return items[self.rng.integers(len(items))]

    def chance(self, probability):
        return self.rng.random() < probability

    def tensors(self, kinds="biufc"):
        found = [Node(k, v) for k, v in self.names.items() if isinstance(v, Tensor)]
        return [node for node in found if kind_of(node.value) in kinds]

    def arrays(self):
        return [Node(k, v) for k, v in self.names.items() if isinstance(v, np.ndarray)]

    def name(self, letter="t", most=10):
        return f"{letter}{self.rng.integers(most)}"

    def scalar(self, dtype, other=0.2):
        """A Python scalar, with a probability of `other` of another kind."""
        text = self.choice(SCALARS[self.choice("bufc") if self.chance(other) else kind_of(dtype)])
        return Node(f"({text})" if text[0] == "-" else text, eval(text, {"xp": xp}))

    def any_shape(self):
        """The program's shape, one that broadcasts to it, or occasionally another."""
        shape = self.shape
        if self.chance(0.4):
            shape = tuple(1 if self.chance(0.4) else n for n in shape)[self.rng.integers(3) :]
        return shape if self.chance(0.93) else self.choice([(), (2,), (3, 4), (0,), (7, 0), (100,)])

    def key(self, shape):
        keys = [self.choice(KEYS) for _ in range(self.rng.integers(len(shape) + 1))]
        return ", ".join(["...", *keys] if self.chance(0.3) else keys) or "..."

    def position(self, shape):
        return ", ".join(str(self.rng.integers(-n, n)) if n else "0" for n in shape) or "()"

    # ---- expressions

    def apply(self, template, *nodes):
        """The node of an operation on others; None where it raises, is too large, or mostly NaN."""
        text = template.format(*(node.text for node in nodes))
        values = {f"x{k}": node.value for k, node in enumerate(nodes)}
        try:
            shapes = [node.value.shape for node in nodes if isinstance(node.value, Tensor)]
            if math.prod(np.broadcast_shapes(*shapes)) > LIMIT:
                return None
            value = eval(template.format(*values), MODULES | values)
        except Exception:
            named = {name: x for name, x in self.names.items() if name in text}
            self.failed.append((text, named))
            return None
        if value.size > LIMIT or value.ndim > 6 or len(text) > 400:
            return None
        lost = value.size - int(xp.count_nonzero(xp.isfinite(value)))
        return None if lost > value.size / 2 and self.chance(0.9) else Node(text, value)

    def expression(self, depth):
        for _ in range(8 if depth else 0):
            node = getattr(self, self.choice(EXPRESSIONS))(depth)
            if node is not None:
                return node
        return self.choice(self.tensors())

    def operand(self, x, depth):
        """Another operand of an operation on `x`."""
        if self.chance(0.3):
            return self.scalar(x.value.dtype)
        if self.chance(0.1):
            return x  # the same expression again
        node = self.expression(depth)
        for _ in range(8 if self.chance(0.95) else 0):
            with contextlib.suppress(ValueError):
                np.broadcast_shapes(x.value.shape, node.value.shape)
                return node
            node = self.choice(self.tensors())
        return node

    def unary(self, depth):
        x = self.expression(depth - 1)
        name = self.choice([n for n, kinds in UNARY if kind_of(x.value) in kinds])
        if name == "signbit" or (name in SIGN_OF_NAN and kind_of(x.value) == "c"):
            return self.apply(f"xp.{name}(xp.where(xp.isnan({{0}}), 1, {{0}}))", x)
        operator = OPERATORS.get(name)
        return self.apply(f"({operator}{{0}})" if operator else f"{called(name)}({{0}})", x)

    def binary(self, depth):
        x = self.expression(depth - 1)
        y = self.operand(x, self.rng.integers(depth))
        x, y = (x, y) if self.chance(0.6) else (y, x)
        kind = kind_of(xp.result_type(x.value, y.value))
        names = [n for n, kinds in BINARY if kind in kinds]
        name = self.choice([n for n in names if n in ARITHMETIC] if self.chance(0.5) else names)
        if name == "copysign":
            return self.apply(f"xp.{name}({{0}}, xp.where(xp.isnan({{1}}), 1, {{1}}))", x, y)
        operator = OPERATORS.get(name)
        if operator and self.chance(0.8):
            return self.apply(f"({{0}} {operator} {{1}})", x, y)
        return self.apply(f"{called(name)}({{0}}, {{1}})", x, y)

    def where(self, depth):
        condition, x = self.expression(depth - 1), self.expression(depth - 1)
        test = "xp.astype({0}, xp.bool)" if self.chance(0.3) else "{0} != {1}"
        x, y = (x, self.operand(x, 0)) if self.chance(0.6) else (self.operand(x, 0), x)
        return self.apply(f"xp.where({test}, {{1}}, {{2}})", condition, x, y)

    def clip(self, depth):
        x = self.expression(depth - 1)
        bounds = [self.choice([Node("None", None), self.operand(x, 0)]) for _ in range(2)]
        return self.apply("xp.clip({0}, {1}, {2})", x, *bounds)

    def cast(self, depth):
        form = self.choice(["xp.astype({{0}}, xp.{})", "xp.astype({{0}}, xp.{}, copy=False)"])
        return self.apply(form.format(self.choice(DTYPE_NAMES)), self.expression(depth - 1))

    def reduction(self, depth):
        x = self.expression(depth - 1)
        name = self.choice([n for n, kinds in REDUCTIONS if kind_of(x.value) in kinds])
        axes = self.rng.permutation(x.value.ndim)[: self.rng.integers(1, 4)].tolist()
        axis = self.choice([None, -1, *axes[:1], tuple(axes)])
        params = f"axis={axis}, keepdims={self.chance(0.6)}"
        if name in ("var", "std") and self.chance(0.3):
            params += ", correction=1"
        return self.apply(f"xp.{name}({{0}}, {params})", x)

    def view(self, depth):
        x = self.expression(depth - 1)
        shape = x.value.shape
        axis = self.rng.integers(-len(shape), len(shape)) if shape else 0
        forms = [
            "{0}.T", "{0}.real", "{0}.imag", "{0}[..., None]", f"{{0}}[{self.key(shape)}]",
            f"{{0}}[{self.key(shape)}]", f"xp.reshape({{0}}, {self.choice([-1, shape[::-1]])})",
            f"xp.broadcast_to({{0}}, {self.choice([(2, *shape), self.shape])})",
            f"xp.flip({{0}}, axis={axis})", f"xp.expand_dims({{0}}, axis={axis})",
            f"xp.moveaxis({{0}}, {axis}, 0)", f"xp.squeeze({{0}}, axis={axis})",
            f"xp.permute_dims({{0}}, {tuple(self.rng.permutation(len(shape)).tolist())})",
        ]  # fmt: skip
        return self.apply(self.choice(forms), x)

    def unfused(self, depth):
        return self.apply(self.choice(UNFUSED), self.expression(depth - 1))

    # ---- statements

    def array(self):
        """The text of a new ndarray."""
        shape, dtype = self.any_shape(), self.choice(DTYPE_NAMES)
        array = f"data({self.rng.integers(10**6)}, {{}}, '{dtype}')"
        layout = self.choice(["", "", "", ".T", "[..., ::-1]", "[..., ::2]"])
        if layout == "[..., ::2]" and shape:
            return array.format((*shape[:-1], 2 * shape[-1])) + layout
        return array.format(shape[::-1] if layout == ".T" else shape) + (layout if shape else "")

    def create(self):
        form = self.choice(ADOPTED * 3 + CREATED)
        if form in ADOPTED:
            text = form.format(self.array())
        else:
            dtype = self.choice(DTYPE_NAMES)
            text = form.format(self.any_shape(), dtype, self.scalar(np.dtype(dtype), 0).text)
        if self.chance(0.1):
            text = f"xp.broadcast_to({text}, {self.shape})"
        return [f"{self.name()} = {text}"]

    def assign(self):
        text, name = self.expression(self.rng.integers(1, 5)).text, self.name()
        # Once more, unless the same text would be another expression then, of any size.
        again = [f"{self.name()} = {text}"] * self.chance(0.2) if name not in text else []
        return [f"{name} = {text}", *again]

    def rowwise(self):
        x = self.choice(self.tensors("f") or self.tensors())
        y, axis = self.name(), self.choice([0, 1, -1, -1, -1])
        lines = [f"{y} = {self.choice(ROWWISE).format(x.text, axis)}"]
        return lines + [f"{y} = {self.choice(ROWWISE).format(y, axis)}"] * self.rng.integers(2)

    def alias(self):
        return [f"{self.name()} = {self.choice(self.tensors()).text}"]

    def copies(self):
        return [f"{self.name()} = {self.choice(COPIES).format(self.choice(self.tensors()).text)}"]

    def delete(self):
        return [f"del {self.choice(self.tensors() + self.arrays()).text}"]

    def looks(self):
        x = self.choice(self.tensors())
        form = self.choice(LOOKS)
        return [f"look(({form.format(x.text, self.position(x.value.shape))}))"]

    def fails(self):
        # Of the same tensors; of others the text may be an expression of any size.
        texts = [
            text
            for text, named in self.failed[-8:]
            if all(self.names.get(name) is x for name, x in named.items())
        ]
        return [f"{self.name()} = {self.choice(texts)}"] if texts else []

    def scopes(self):
        """Leave all blocks for a line, or enter one more."""
        if self.chance(0.5):
            return ["scopes.enter_context(fuse())"]
        leave = ["scopes.close()", "scopes.__exit__(KeyError, KeyError('left'), None)"]
        return [self.choice(leave), *self.assign(), "scopes.enter_context(fuse())"]

    def value_for(self, x, part):
        """A scalar or an expression that can be written to a part of the tensor `x`."""
        node = self.operand(Node(x, part), self.rng.integers(3))
        if isinstance(node.value, Tensor):
            text = f"{self.choice([node.text, x])}[..., ::-1]" if self.chance(0.1) else node.text
            if node.value.ndim <= part.ndim and self.chance(0.9):
                return text if node.value.dtype == part.dtype else f"xp.astype({text}, {x}.dtype)"
        return self.scalar(part.dtype, 0.05).text

    def write(self):
        x = self.choice(self.tensors())
        shape = x.value.shape
        key = self.choice([self.key(shape), self.position(shape), f"{x.text} != 0"])
        target = self.apply(f"{{0}}[{key}]", x)
        if self.chance(0.3):
            view = self.view(1)  # of any tensor
            target = view and self.apply(f"{{0}}[{self.key(view.value.shape)}]", view)
        if target is None:
            return []
        return [f"{target.text} = {self.value_for(x.text, target.value)}"]

    def write_in_place(self):
        x = self.choice(self.tensors())
        names = [n for n, kinds in BINARY if n in OPERATORS and kind_of(x.value) in kinds]
        name = self.choice([n for n in names if not n.startswith(("equal", "not", "less", "gre"))])
        target = x.text if self.chance(0.7) else f"{x.text}[{self.key(x.value.shape)}]"
        return [f"{target} {OPERATORS[name]}= {self.value_for(x.text, x.value)}"]

    def write_any(self):
        """Assign what the tensor may have no dtype for, also to its components."""
        x = self.choice(self.tensors())
        shape = x.value.shape
        target = self.choice([
            f"{x.text}[{self.position(shape)}]", f"{x.text}[{self.key(shape)}]", f"{x.text}[...]",
            f"{x.text}.real", f"{x.text}.imag",
        ])  # fmt: skip
        value = self.choice(ANY_VALUE).format(self.choice(self.tensors()).text)
        return [f"{target} = {value}"]

    def unusual(self):
        """An operator of a tensor, or a 0-d result, with what a tensor cannot hold."""
        x = self.choice(self.tensors()).text
        x = self.choice([x, f"xp.sum({x})", f"{x}[:1]"])
        # Of Python's integers, powers and shifts by a tensor's elements could fill the memory.
        names = {name for name, _ in BINARY if name in OPERATORS} - {"pow", "bitwise_left_shift"}
        operator = OPERATORS[self.choice(sorted(names))]
        pair = [x, self.choice(UNUSUAL)]
        self.rng.shuffle(pair)
        return [f"look({pair[0]} {operator} {pair[1]})"]

    def exports(self):
        form = self.choice(EXPORTS)
        return [f"{self.name('n', 4)} = {form.format(self.choice(self.tensors()).text)}"]

    def write_export(self):
        """Write through NumPy, most often through a view that is dropped soon."""
        lines = []
        if not self.arrays() or self.chance(0.4):
            lines = self.exports()
        name = lines[0].split()[0] if lines else self.choice(self.arrays()).text
        lines += self.assign() * self.rng.integers(2)
        lines.append(f"{name}[{self.choice(['...', '::2', ':1'])}] = {self.choice('012')}")
        return lines + [f"del {name}"] * self.chance(0.7)

    def adopted(self):
        """A tensor over the memory of an ndarray that is held."""
        name = self.name("n", 4)
        return [f"{name} = {self.array()}", f"{self.name()} = {self.choice(ADOPTED).format(name)}"]


def generate(seed, given=None, writes=True, count=LINES):
    """The lines of a program, and the outcome of running it eagerly.

    `given` are tensors that it may use; without `writes` it writes to none.
    """
    writer, program = Writer(seed, given or {}, writes), []

    def lines():
        for line in writer.lines(count):
            program.append(line)
            yield line

    outcome = run(lines(), names=writer.names)
    # A deferred tensor that memory does not suffice for raises where it is computed.
    too_large = {line for line, error, _ in outcome.errors if error == "MemoryError"}
    errors = [error for error in outcome.errors if error[0] not in too_large]
    return [line for line in program if line not in too_large], outcome._replace(errors=errors)
