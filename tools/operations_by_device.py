"""Write the table of what computes each operation on devices to docs/operations.md.

usage: python tools/operations_by_device.py [--check]

The table follows from the sources of the backends: neither a device nor its library is needed.
``--check`` reports a table that is not up to date, as ``make lint`` does.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "corepy" / "_cython" / "schema"))
import generate  # noqa: E402
from records import ROWS  # noqa: E402

from corepy.backend.corrections.cupy import corrections  # noqa: E402
from corepy.backend.kernels.operations import _OPERATIONS  # noqa: E402
from corepy.backend.kernels.table import ELEMENTWISE  # noqa: E402

DOCUMENT = ROOT / "docs" / "operations.md"
NAMES = [row.name for row in ROWS]

#: What the core makes of tensors of these devices, without the backend: views, and calls of others.
VIEWS = {row.name for row in ROWS if row.shape == ("view",)} | {"flip"}
COMPOSED = set(
    "diff empty_like full_like ones ones_like zeros zeros_like fft.fftshift fft.ifftshift".split()
)


def kernels() -> dict[str, set[str]]:
    """Return the operations of ``opencl`` and ``webgpu`` by kind."""
    calls, host = dict[str, set[str]](), set[str]()
    for name in {*_OPERATIONS} - VIEWS - COMPOSED:
        source = inspect.getsource(_OPERATIONS[name])
        # An array of one value is made where there is nothing to compute.
        calls[name] = {*re.findall(r'call\.other\(\s*"([\w.]+)"', source)} - {"full"}
        if "_Functions(call)" in source:  # a correction, which calls this one and others
            calls[name].add("argsort")
        if 'core.create(call.operation, "cpu"' in source:
            host.add(name)
    while missing := {
        name for name, found in calls.items() if found - VIEWS - COMPOSED - {*calls, *ELEMENTWISE}
    }:  # it calls an operation that falls back
        calls = {name: found for name, found in calls.items() if name not in missing}
    composed = {name for name, found in calls.items() if found}
    native = {*calls, *ELEMENTWISE} - composed - host
    fallback = {*NAMES} - native - composed - host - VIEWS - COMPOSED
    return {"native": native, "composed": composed, "host": host, "fallback": fallback}


def cuda() -> dict[str, set[str]]:
    """Return the operations of ``cuda`` by kind."""
    native = {row.name for row in ROWS if row.work} | {"astype", "empty", "full"}
    some = set[str]()
    for path in (ROOT / "corepy" / "_gpu").glob("*.pxi"):
        for text in path.read_text().split('\n@implements("')[1:]:
            name, function = text.split("\n\n\n")[0].split('"', 1)
            if name not in NAMES:  # of corepy.nn
                continue
            if "return NotImplemented" in function:
                some.add(name)
            elif "with_memory_freed" not in function:  # which calls the library
                native.add(name)
    # Corrections that are given tensors call operations that have kernels.
    given_tensors = list[object]()

    def with_kernels(function: Callable[..., Any]) -> Callable[..., Any]:
        given_tensors.append(function)
        return function

    found = corrections(lambda x: x, with_kernels=with_kernels, host=np)
    composed = {name for name, function in found.items() if function in given_tensors} - native
    rest = {*NAMES} - native - some - composed - VIEWS - COMPOSED
    rest -= {f"linalg.{name}" for name in NAMES}
    return {"native": native, "native or library": some, "composed": composed, "library": rest}


def line(device: str, kind: str, names: set[str]) -> str:
    """Return a line of the table; names in the order of the page, without second names."""
    shown = [
        f"`{name}`"
        for name in sorted(names, key=NAMES.index)
        if name.removeprefix("linalg.") == name or name.removeprefix("linalg.") not in names
    ]
    return f"| {device} | {kind} | {', '.join(shown)} |\n"


def part() -> str:
    """Return the generated part of the page."""
    both, every = "`opencl`, `webgpu`", "`cuda`, `opencl`, `webgpu`"
    lines = ["\n| device | kind | operations |\n| --- | --- | --- |\n"]
    lines += [line(every, "view", VIEWS), line(every, "composed", COMPOSED)]
    lines += [line("`cuda`", kind, names) for kind, names in cuda().items()]
    lines += [line(both, kind, names) for kind, names in kernels().items()]
    return "".join([*lines, "\n"])


def main(arguments: list[str]) -> int:
    """Rewrite the table, or report that it is not up to date."""
    text = DOCUMENT.read_text(encoding="utf-8")
    wanted = generate.with_part(text, "devices", part())
    if wanted == text:
        return 0
    if "--check" in arguments:
        print("docs/operations.md is not up to date: run tools/operations_by_device.py")
        return 1
    DOCUMENT.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
