"""Blocks of code in Markdown documents, and how they run: as a reader copies them.

The ``python`` and ``pycon`` blocks of a page run in their order, in one namespace of a new process
that imports nothing beforehand, as if a reader pasted them into Python one after the other. A block
with ``>>>`` is a doctest. What another block prints is compared with the ``text`` block after it,
if there is one, where ``...`` stands for any text. A block with ``if __name__ == "__main__":`` is a
program: it is written to a file, and run alone.

``<!-- needs: NAME, ... -->`` above a block says what it needs beside Corepy and NumPy: modules, and
devices, which have a colon in their names. The block runs where they are.

Run ``python tests/blocks.py PAGE [NAME ...]`` to run the blocks of a page that need nothing, and
those that need nothing but these names.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import itertools
import linecache
import re
import subprocess
import sys
import tempfile
import traceback
import types
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(
    r"^(?:<!-- needs: (?P<needs>[^\n]*) -->\n)?"
    r"(?P<indent> *)```(?P<language>\w*)(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
PYTHON = ("python", "pycon")
PROGRAM = 'if __name__ == "__main__":'


@dataclass(frozen=True)
class Block:
    """A block of code of a document, and what it needs."""

    line: int
    """The line of the document before the first one of the code, from 1."""
    language: str
    info: str
    code: str
    needs: frozenset[str]
    output: str | None
    """The ``text`` block after it."""
    introduction: str
    """The paragraph before it."""


def blocks(path: Path) -> list[Block]:
    """Return the blocks of a document."""
    text = path.read_text(encoding="utf-8")
    found = list(FENCE.finditer(text))
    result = []
    for match, after in itertools.zip_longest(found, found[1:]):
        output = None
        if after and after["language"] == "text" and not text[match.end() : after.start()].strip():
            output = after["code"]
        result.append(
            Block(
                line=text.count("\n", 0, match.start("code")),
                language=match["language"],
                info=match["info"].strip(),
                code=re.sub(f"^{match['indent']}", "", match["code"], flags=re.MULTILINE),
                needs=frozenset(filter(None, re.split(r",\s*", match["needs"] or ""))),
                output=output,
                introduction=text[: match.start()].rstrip().rpartition("\n\n")[2],
            )
        )
    return result


def missing(names: frozenset[str]) -> list[str]:
    """Return those of the names that are no devices or modules here."""
    import corepy

    def is_here(name: str) -> bool:
        if ":" in name:
            return name in map(str, corepy.available_devices())
        return importlib.util.find_spec(name) is not None

    return [name for name in sorted(names) if not is_here(name)]


def run_doctest(block: Block, name: str, names: dict[str, object]) -> str:
    """Run a doctest in a namespace; return what is wrong."""
    test = doctest.DocTestParser().get_doctest(block.code, {}, name, name, block.line)
    test.globs = names
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.append, clear_globs=False)
    return "".join(report)


def run_code(block: Block, name: str, names: dict[str, object]) -> str:
    """Run a block that is no doctest in a namespace; return what is wrong."""
    # Errors in these files name the lines of the document, and `inspect` finds the source.
    name = f"{name}:{block.line}"
    code = "\n" * block.line + block.code
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(code, name, "exec"), names)
    except Exception:
        return traceback.format_exc()
    return compared(block, printed.getvalue())


def run_program(block: Block) -> str:
    """Run a block as a file of its own; return what is wrong."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(block.code)
    done = subprocess.run([sys.executable, file.name], capture_output=True, text=True, timeout=300)
    Path(file.name).unlink()
    return done.stderr if done.returncode else compared(block, done.stdout)


def compared(block: Block, printed: str) -> str:
    """Return how what was printed differs from the block after."""
    checker, options = doctest.OutputChecker(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    if block.output is None or checker.check_output(block.output, printed, options):
        return ""
    return checker.output_difference(doctest.Example("", block.output), printed, options)


def main(page: str, *needs: str) -> int:
    """Run the blocks of a page up to the first one that fails, and print what is wrong with it."""
    path, there = Path(page), frozenset(needs)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    for block in blocks(path):
        if block.language not in PYTHON or not block.needs <= there:
            continue
        if PROGRAM in block.code:
            wrong = run_program(block)
        else:
            run = run_doctest if ">>>" in block.code else run_code
            wrong = run(block, path.name, module.__dict__)
        if wrong:
            print(f"{path.name}, the block after line {block.line}:\n{wrong}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
