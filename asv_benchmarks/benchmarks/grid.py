"""A benchmark for each operation of the grid, named ``<group>.time_<operation>``.

Parameters are what of it is timed (variant, dtype and layout), the number of elements, and the
library. Combinations that are not in the grid are skipped.
"""

import zlib

from asv_benchmarks.cases import GROUPS
from asv_benchmarks.libraries import load

LIBRARIES = ("corepy", "numpy")
# The whole grid is for `compare`; here: a call, data in the caches, data in memory.
SIZES = (1, 10_000, 1_000_000)


def describe(case):
    """Return what tells the cases of an operation and a size apart."""
    return f"{case.variant} {case.dtype} {case.layout}".strip()


class Operation:
    """Times one operation; derived classes say which, in `cases` by parameters."""

    param_names = ("what", "size", "library")
    timeout = 120

    def setup(self, what, size, library):
        case = self.cases.get((what, size))
        if case is None:
            # What asv takes for "skip this combination of parameters".
            raise NotImplementedError("not in the grid")
        program = load(library).program(case, case.operands())
        # As `timeit` runs it: `setup` says whether x is rebound.
        source = f"def run():\n    {program.setup}\n    {program.statement}\n"
        exec(source, program.names)
        self.run = program.names["run"]
        self.run()  # `asv run --quick` times a single call, which should not be the very first


def benchmark(group, operation, cases):
    """Return the class that times an operation of a group."""
    chosen = [case for case in cases if case.size in SIZES] or cases
    group = group.replace(" ", "_")

    def run(self, what, size, library):
        self.run()

    run.benchmark_name = f"{group}.time_{operation}"
    run.pretty_name = f"{group}.{operation}"
    members = {
        "cases": {(describe(case), case.size): case for case in chosen},
        "params": (
            sorted({describe(case) for case in chosen}),
            sorted({case.size for case in chosen}),
            LIBRARIES,
        ),
        # Results of another expression are not comparable; the same source makes all of them.
        "version": f"{zlib.crc32(' '.join(case.code for case in chosen).encode()):08x}",
        f"time_{operation}": run,
    }
    return type(f"{group}_{operation}", (Operation,), members)


for _group, _cases in GROUPS.items():
    for _operation in dict.fromkeys(case.operation for case in _cases):
        _class = benchmark(
            _group, _operation, [case for case in _cases if case.operation == _operation]
        )
        globals()[_class.__name__] = _class
