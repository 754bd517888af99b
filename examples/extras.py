"""What an example says where a package that it needs is not installed."""

import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def missing(error: ImportError, extra: str) -> str:
    """Return the message: which package, of which extra of Corepy, and how to install them."""
    extras = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    wanted = " ".join(f"'{requirement}'" for requirement in extras[extra])
    return (
        f"{Path(sys.argv[0]).name} needs {error.name}, which is not installed. It is a part of "
        f"Corepy's extra {extra!r}:\n    {sys.executable} -m pip install {wanted}"
    )
