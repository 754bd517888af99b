"""Programs by others, written for NumPy: ``python -m asv_benchmarks.npbench PATH``.

PATH is a checkout of https://github.com/spcl/npbench, whose kernels are stencils, solvers, linear
algebra, machine learning, image and signal processing, physics, and loops over single elements.
Each is run with NumPy, and with Corepy in NumPy's place: its source with ``import numpy as np``
replaced by ``import corepy as np``, and nothing else changed. The data are those of npbench's own
initialisers; sizes are between those of its presets, such that NumPy takes 0.1 to 1 s, or those of
its smallest preset (``--small``). All results are checked against NumPy's, and ratios are NumPy's
time over Corepy's.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy

import corepy

from . import documents, programs
from .report import LEVEL, Table, factor
from .run import several
from .tasks.task import Task
from .timing import FULL, QUICK, Runner

PRESETS = ("S", "M", "L")
#: Steps from a preset to the next one.
STEPS = 4
#: Steps beyond the last preset.
BEYOND = 8
#: NumPy takes at least so many seconds.
LEAST = 0.1
#: What npbench allows results to differ by, relative to their norm, where a kernel does not say.
TOLERANCE = 1e-5


def load(path: Path, module: str) -> dict[str, Any]:
    """Return the names of a source file whose NumPy is the module of that name."""
    text = re.sub(r"^import numpy as np$", f"import {module} as np", path.read_text(), flags=re.M)
    names: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    exec(compile(text, str(path), "exec"), names)
    return names


class Kernel:
    """A kernel of npbench: what ``bench_info`` says of it, and its functions."""

    def __init__(self, root: Path, info: dict[str, Any]) -> None:
        self.name: str = info["short_name"]
        self.domain: str = info["domain"]
        self.info = info
        folder = root / "npbench" / "benchmarks" / info["relative_path"]
        self.initialise = load(folder / f"{info['module_name']}.py", "numpy")
        source = folder / f"{info['module_name']}_numpy.py"
        self.functions = {
            np: load(source, np.__name__)[info["func_name"]] for np in (numpy, corepy)
        }

    def parameters(self, step: int) -> dict[str, Any]:
        """Return the parameters so many steps from the smallest preset."""
        first = min(step // STEPS, len(PRESETS) - 2)
        small, large = (self.info["parameters"][PRESETS[first + k]] for k in range(2))
        return {
            name: between(value, large[name], step / STEPS - first) for name, value in small.items()
        }

    def data(self, step: int) -> dict[str, Any]:
        """Return the arguments of the kernel."""
        info = self.info
        values = self.parameters(step)
        if init := info.get("init"):
            function = self.initialise[init["func_name"]]
            found = function(*(values[name] for name in init["input_args"]))
            if len(init["output_args"]) == 1:
                found = [found]
            values |= zip(init["output_args"], found, strict=True)
        return {name: values[name] for name in info["input_args"]}

    def run(self, np: Any, *operands: Any) -> list[Any]:
        """Return what the kernel returns and the arrays that it writes to."""
        found = self.functions[np](*operands)
        arguments = dict(zip(self.info["input_args"], operands, strict=True))
        written = [arguments[name] for name in self.info["output_args"]]
        return [*(several(found) if found is not None else []), *written]

    def task(self, least: float = LEAST) -> tuple[Task, dict[str, Any]]:
        """Return the kernel as a task for which NumPy takes `least` seconds, and its parameters."""
        for step in range(STEPS * (len(PRESETS) - 1) + BEYOND):
            data = list(self.data(step).values())
            runner = Runner(
                "run(np, *copies(data))",
                {"run": self.run, "np": numpy, "data": data, "copies": programs.copies},
            )
            # The first time tells most steps; it may be that of a busy machine.
            if runner.seconds(1) >= least and min(runner.seconds(1) for _ in range(3)) >= least:
                break
        tolerance = self.info.get("norm_error", TOLERANCE)
        task = Task(self.domain, self.name, self.run, lambda: self.data(step), tolerance)
        return task, self.parameters(step)


def between(small: Any, large: Any, share: float) -> Any:
    """Return a parameter that is a share of the way from one preset's to another's."""
    if small == large:
        return small
    value = small * (large / small) ** share
    return round(value) if isinstance(small, int) else value


def chosen(root: Path, parts: list[str]) -> list[dict[str, Any]]:
    """Return what npbench says of the kernels whose names, domains or kinds have a part."""
    found = []
    for path in sorted((root / "bench_info").glob("*.json")):
        info = json.loads(path.read_text())["benchmark"]
        names = " ".join(info[key] for key in ("short_name", "module_name", "domain", "dwarf"))
        if not parts or any(part in names for part in parts):
            found.append(info)
    return found


def parts(outcomes: list[programs.Outcome]) -> list[str | Table]:
    """Return the report."""
    done = [each for each in outcomes if not each.error]
    behind = sorted((each.ratios["eager"], each.name) for each in done)
    named = [f"- {factor(ratio)} {name}" for ratio, name in behind if ratio < LEVEL]
    return [
        programs.table("Programs of npbench", done),
        f"{len(named)} of {len(done)} programs are below {LEVEL} of NumPy's speed",
        "\n".join(named),
    ]


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m asv_benchmarks.npbench", description=(__doc__ or "").partition(":")[0]
    )
    add = parser.add_argument
    add("path", type=Path, metavar="PATH", help="a checkout of npbench")
    add("--only", nargs="+", default=[], metavar="PART", help="parts of names or kinds")
    add("--small", action="store_true", help="with the sizes of the preset S")
    add("--fused", action="store_true", help="with fusion as well")
    add("--quick", action="store_true", help="coarser figures")
    add("--check", action="store_true", help="check results and measure nothing")
    add("--json", type=Path, metavar="FILE", help="write everything that was measured")
    add("--update-docs", action="store_true", help="write the table and its data into docs/")
    return parser


def main(arguments: list[str]) -> int:
    """Measure and report what the command line asks for."""
    options = parser().parse_args(arguments)
    infos = chosen(options.path, options.only)
    if not infos:
        print("no program matches", file=sys.stderr)
        return 2
    effort = None if options.check else QUICK if options.quick else FULL
    ways = ("eager", "fused") if options.fused else ("eager",)
    outcomes = []
    warnings.simplefilter("ignore")  # of the programs, with NumPy and Corepy alike
    for number, info in enumerate(infos, 1):
        try:
            task, parameters = Kernel(options.path, info).task(0.0 if options.small else LEAST)
            outcome = programs.measure(task, effort, ways)
        except numpy.linalg.LinAlgError as error:  # of the matrices of some sizes
            print(f"[{number}/{len(infos)}] {info['short_name']}: {error}", flush=True)
            continue
        outcomes.append(outcome)
        shown = ", ".join(f"{name}={value:.4g}" for name, value in parameters.items())
        print(f"[{number}/{len(infos)}] {programs.progress(outcome)} ({shown})", flush=True)
    if not options.check:
        description, found = programs.described(numpy), parts(outcomes)
        print("\n" + documents.text(description, found))
        if options.update_docs:
            documents.publish(documents.PAGES / "programs.md", "npbench", description, found)
    if options.json:
        options.json.write_text(json.dumps([vars(each) for each in outcomes], indent=1) + "\n")
    return int(any(each.error for each in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
