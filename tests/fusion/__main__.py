"""Finds programs that differ or crash, and shortens them: `python -m fusion SEED COUNT`.

PYTHONPATH has to name the folder of the tests.
"""

import os
import sys

from .programs import as_text, differs, shrink
from .writer import generate


def fails(program, show=False):
    """Whether a program differs or crashes, in a process of its own; `show` prints how."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        text = differs(program)
        if show:
            print(f"# {text}\n", flush=True)
        os._exit(bool(text))
    return os.waitpid(child, 0)[1] != 0


first, count = map(int, sys.argv[1:])
for seed in range(first, first + count):
    program, _ = generate(seed)
    if fails(program):
        shorter = shrink(program, fails)
        print(f"# program {seed}", as_text(shorter), sep="\n")
        fails(shorter, show=True)
