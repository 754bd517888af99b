"""Build, install and test a wheel on each supported Python.

usage: python tools/test_pythons.py [-n WORKERS] [-m EXPRESSION] VERSION...

One source distribution is made; on each Python it becomes a wheel, which is installed with the
test extra into a fresh environment under ``build/pythons`` and tested with a copy of the tests,
away from the source tree. A version whose interpreter cannot be found is a failure.
"""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "pythons"
# Files that tests may read; not the package, which must come from the wheel.
TEST_TREE = ("pyproject.toml", "tests", "examples", "docs", "tools", "asv_benchmarks", "README.md")


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a command with its output on the terminal; raise if it fails."""
    print("+", *command, flush=True)
    subprocess.run(command, cwd=cwd, check=True, stdin=subprocess.DEVNULL)


def find_python(version: str) -> str | None:
    """Return an interpreter of that version that runs, from the path or from pyenv."""
    candidates = [f"python{version}"]
    if shutil.which("pyenv"):
        # A shim on the path may exist and refuse to run although its interpreter runs.
        root = subprocess.run(["pyenv", "root"], capture_output=True, text=True).stdout.strip()
        candidates += sorted(map(str, Path(root).glob(f"versions/{version}.*/bin/python")))
    report = "import sys; print('%d.%d' % sys.version_info[:2])"
    for candidate in candidates:
        try:
            done = subprocess.run([candidate, "-c", report], capture_output=True, text=True)
        except OSError:
            continue
        if done.returncode == 0 and done.stdout.strip() == version:
            return candidate
    return None


def try_python(version: str, sdist: Path, workers: str, selection: str) -> str:
    """Build, install and test on one version; return the outcome."""
    interpreter = find_python(version)
    if interpreter is None:
        return "FAILED: no interpreter found (on PATH or in pyenv)"
    folder = WORK / version
    shutil.rmtree(folder, ignore_errors=True)
    tree = folder / "tree"
    tree.mkdir(parents=True)
    for name in TEST_TREE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, tree / name)
    try:
        run(interpreter, "-m", "venv", folder / "venv")
        python = folder / "venv" / "bin" / "python"
        pip = (python, "-m", "pip", "--disable-pip-version-check")
        run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, sdist)
        (wheel,) = folder.glob("corepy-*.whl")
        run(*pip, "install", "--quiet", f"{wheel}[test]")
        where = "import corepy; assert 'site-packages' in corepy.__file__, corepy.__file__"
        run(python, "-c", where, cwd=tree)
        run(python, "-m", "pytest", "tests", "-q", "-n", workers, "-m", selection, cwd=tree)
    except subprocess.CalledProcessError as problem:
        return f"FAILED: exit status {problem.returncode} of {' '.join(map(str, problem.cmd))}"
    return "passed"


def main(arguments: list[str]) -> int:
    """Test on the selected versions; return 1 unless all passed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("usage:")[0])
    parser.add_argument("-n", "--workers", default="2", help="test processes")
    parser.add_argument("-m", "--selection", default="", help="as pytest's, such as 'not slow'")
    parser.add_argument("versions", nargs="+", metavar="VERSION", help="as in 3.12")
    options = parser.parse_args(arguments)

    shutil.rmtree(WORK / "sdist", ignore_errors=True)
    run(sys.executable, "-m", "build", "--sdist", "--outdir", WORK / "sdist", "--no-isolation", ".")
    (sdist,) = (WORK / "sdist").glob("*.tar.gz")
    outcomes = {}
    for version in options.versions:
        began = time.monotonic()
        print(f"\n=== Python {version}", flush=True)
        outcomes[version] = try_python(version, sdist, options.workers, options.selection)
        print(f"=== Python {version}: {outcomes[version]} ({time.monotonic() - began:.0f} s)")
    print("\n" + "\n".join(f"Python {version}: {outcome}" for version, outcome in outcomes.items()))
    return int(any(outcome != "passed" for outcome in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
