"""Print requirements of pyproject.toml, one per line, so that pip can install them alone.

usage: python tools/requirements.py NAME...

A name is ``build-system`` (to build the package), ``project`` (at run time) or an extra. With it a
Makefile installs requirements before the package is built.
"""

import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def requirements(name: str) -> list[str]:
    """Return the requirements that pyproject.toml lists under `name`."""
    tables = tomllib.loads(PYPROJECT.read_text())
    if name == "build-system":
        return tables["build-system"]["requires"]
    if name == "project":
        return tables["project"]["dependencies"]
    return tables["project"]["optional-dependencies"][name]


if __name__ == "__main__":
    for requested in sys.argv[1:]:
        print(*requirements(requested), sep="\n")
