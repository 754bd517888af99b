"""The languages of kernels: WGSL, in which they are written, and OpenCL C.

WGSL's declarations, casts and functions are those of C in another order, so that a few patterns and
macros translate them. The languages differ in how kernels begin, and in elements of 1 and 2 bytes,
which are parts of words in WGSL's buffers. A kernel's numbers are ``p[0]``, ``p[1]`` ..., all u32.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

#: Work items of a group.
GROUP = 64

#: dtype -> the type of a value in a kernel. Small integers are computed in 32 bits.
REGISTERS = {
    "bool": "u32", "int8": "i32", "uint8": "u32", "int16": "i32", "uint16": "u32",
    "int32": "i32", "uint32": "u32", "int64": "i64", "uint64": "u64",
    "float32": "f32", "float64": "f64",
}  # fmt: skip

#: dtype -> bytes of an element.
SIZES = {name: int("".join(filter(str.isdigit, name)) or 8) // 8 for name in REGISTERS}


@dataclass(frozen=True)
class Buffer:
    """A parameter of a kernel: a buffer of elements of a dtype.

    `atomic` is for outputs whose words are written in parts, by several work items.
    """

    name: str
    dtype: str
    written: bool = False
    atomic: bool = False


@dataclass(frozen=True)
class Shared:
    """Memory of a work group: `size` values of a type of `REGISTERS`."""

    name: str
    type: str
    size: int = GROUP


class Wgsl:
    """WGSL.

    Parameters
    ----------
    wide : bool
        Whether the device has integers of 64 bits.
    rounded : bool
        Whether its quotients and square roots of float32 are correctly rounded.
    """

    def __init__(self, wide: bool, rounded: bool) -> None:
        self.wide, self.rounded = wide, rounded

    def per_item(self, dtype: str) -> int:
        """Return how many neighbouring elements one work item has to write."""
        return max(4 // SIZES[dtype], 1)

    def load(self, buffer: str, dtype: str, index: str) -> str:
        """Return the value of an element."""
        size = SIZES[dtype]
        if size >= 4:
            return f"{buffer}[{index}]"
        word = f"bitcast<{REGISTERS[dtype]}>({buffer}[({index}) >> {2 // size}u])"
        mask = 4 // size - 1
        left = f"{32 - 8 * size}u - ((({index}) & {mask}u) << {2 + size}u)"
        return f"(({word} << ({left})) >> {32 - 8 * size}u)"

    def store(self, buffer: str, dtype: str, index: str, value: str) -> str:
        """Return the statement that writes an element of 4 bytes or more."""
        return f"{buffer}[{index}] = {value};"

    def store_part(self, buffer: str, dtype: str, index: str, value: str) -> str:
        """Return the statements that write an element of an `atomic` buffer."""
        size = SIZES[dtype]
        if dtype == "uint32":
            return f"atomicStore(&{buffer}[{index}], {value});"
        if size >= 4:
            return f"{buffer}[{index}] = {value};"
        mask, ones = 4 // size - 1, (1 << 8 * size) - 1
        return (
            f"{{ let place = (({index}) & {mask}u) << {2 + size}u; "
            f"let at = ({index}) >> {2 // size}u; "
            f"atomicAnd(&{buffer}[at], ~({ones}u << place)); "
            f"atomicOr(&{buffer}[at], (u32({value}) & {ones}u) << place); }}"
        )

    def flag(self, condition: str) -> str:
        """Return the statement that notes that an index is out of range."""
        return f"if ({condition}) {{ atomicOr(&flag[0], 1u); }}"

    def greatest(self, buffer: str, index: str, value: str) -> str:
        """Return the statement that raises an element of an `atomic` buffer of uint32."""
        return f"atomicMax(&{buffer}[{index}], {value});"

    def kernel(
        self,
        buffers: Sequence[Buffer],
        numbers: int,
        body: str,
        functions: str = "",
        shared: Sequence[Shared] = (),
        flagged: bool = False,
    ) -> str:
        """Return the source of a kernel."""
        lines = [f"@group(0) @binding(0) var<storage, read> p: array<u32, {max(numbers, 1)}>;"]
        lines += [
            f"@group(0) @binding({k}) var<storage, {'read_write' if each.written else 'read'}> "
            f"{each.name}: array<{self._words(each)}>;"
            for k, each in enumerate(self._all(buffers, flagged), 1)
        ]
        lines += [f"var<workgroup> {x.name}: array<{x.type}, {x.size}>;" for x in shared]
        return "\n".join(
            [
                *lines,
                functions,
                f"@compute @workgroup_size({GROUP})",
                "fn kernel_main(@builtin(local_invocation_index) lane: u32, "
                "@builtin(workgroup_id) group_id: vec3<u32>, "
                "@builtin(num_workgroups) groups: vec3<u32>) {",
                "let group = group_id.y * groups.x + group_id.x;",
                f"let item = group * {GROUP}u + lane;",
                body.replace("barrier();", "workgroupBarrier();"),
                "}",
            ]
        )

    @staticmethod
    def _all(buffers: Sequence[Buffer], flagged: bool) -> list[Buffer]:
        return [*buffers, *([Buffer("flag", "uint32", True, True)] if flagged else [])]

    @staticmethod
    def _words(buffer: Buffer) -> str:
        if buffer.atomic and (SIZES[buffer.dtype] < 4 or buffer.dtype == "uint32"):
            return "atomic<u32>"
        return "u32" if SIZES[buffer.dtype] < 4 else REGISTERS[buffer.dtype]


#: Patterns of WGSL -> OpenCL C.
_RULES = [
    (re.compile(r"\blet (\w+): (\w+) ="), r"const \2 \1 ="),
    (re.compile(r"\bvar (\w+): (\w+)"), r"\2 \1"),
    (re.compile(r"\bbitcast<(\w+)>\("), r"as_\1("),
    (re.compile(r"\b(\w+)lu\b"), r"\1UL"),
    (re.compile(r"\b(\d\w*)li\b"), r"\1L"),
    (re.compile(r"\bbarrier\(\);"), "barrier(CLK_LOCAL_MEM_FENCE);"),
]
_FUNCTION = re.compile(r"\bfn (\w+)\(([^)]*)\) -> (\w+)")
_PARAMETER = re.compile(r"(\w+): (\w+)")

_TYPES = {
    "u32": "uint",
    "i32": "int",
    "u64": "ulong",
    "i64": "long",
    "f32": "float",
    "f64": "double",
}

_STORED = {
    "bool": "uchar", "int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort",
}  # fmt: skip

_HEAD = "\n".join(
    [
        "#pragma OPENCL FP_CONTRACT OFF",
        *(f"typedef {c} {wgsl};" for wgsl, c in _TYPES.items()),
        # Followed by parentheses, the name of a type is a conversion.
        *(f"#define {wgsl}(x) (({c})(x))" for wgsl, c in _TYPES.items()),
        *(f"#define as_{wgsl}(x) as_{c}(x)" for wgsl, c in _TYPES.items()),
        # Both values are computed, as in WGSL: a branch would not be vectorised.
        *(
            f"inline {c} __attribute__((overloadable, always_inline)) "
            f"chosen({c} no, {c} yes, bool condition) {{ return condition ? yes : no; }}"
            for c in _TYPES.values()
        ),
        "#define select chosen",
        "#define countOneBits(x) popcount(x)",
        "#define countLeadingZeros(x) clz(x)",
        "",
    ]
)


class OpenCL(Wgsl):
    """OpenCL C, translated from WGSL."""

    def per_item(self, dtype: str) -> int:
        """Return how many neighbouring elements one work item has to write."""
        return 1

    def load(self, buffer: str, dtype: str, index: str) -> str:
        """Return the value of an element."""
        return f"{REGISTERS[dtype]}({buffer}[{index}])"

    def store(self, buffer: str, dtype: str, index: str, value: str) -> str:
        """Return the statement that writes an element."""
        return f"{buffer}[{index}] = {value};"

    store_part = store

    def flag(self, condition: str) -> str:
        """Return the statement that notes that an index is out of range."""
        return f"if ({condition}) {{ atomic_or(flag, 1u); }}"

    def greatest(self, buffer: str, index: str, value: str) -> str:
        """Return the statement that raises an element of an `atomic` buffer of uint32."""
        return f"atomic_max(&{buffer}[{index}], {value});"

    def kernel(
        self,
        buffers: Sequence[Buffer],
        numbers: int,
        body: str,
        functions: str = "",
        shared: Sequence[Shared] = (),
        flagged: bool = False,
    ) -> str:
        """Return the source of a kernel."""
        arguments = [
            f"__global {'' if each.written else 'const '}"
            f"{_STORED.get(each.dtype) or REGISTERS[each.dtype]}* restrict {each.name}"
            for each in self._all(buffers, flagged)
        ]
        arguments.insert(0, "const Numbers numbers")
        return "\n".join(
            [
                f"{_HEAD}typedef struct {{ uint v[{max(numbers, 1)}]; }} Numbers;",
                _translated(functions),
                f"__kernel __attribute__((reqd_work_group_size({GROUP}, 1, 1)))",
                f"void kernel_main({', '.join(arguments)}) {{",
                *(f"__local {x.type} {x.name}[{x.size}];" for x in shared),
                "const uint lane = get_local_id(0), group = get_group_id(0);",
                "const uint item = get_global_id(0);",
                re.sub(r"\bp\[", "numbers.v[", _translated(body)),
                "}",
            ]
        )


def _c_function(found: re.Match[str]) -> str:
    parameters = _PARAMETER.sub(r"\2 \1", found[2])
    return f"inline __attribute__((always_inline)) {found[3]} {found[1]}({parameters})"


def _translated(text: str) -> str:
    """Return OpenCL C for statements and functions in WGSL."""
    text = _FUNCTION.sub(_c_function, text)
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text
