"""Sphinx extension: pictures of the tables of docs/benchmarks/data.

``python -m asv_benchmarks.picture`` draws them to ``_pictures/``, and ``{speedups} NAME NUMBER``
shows one, on light and on dark pages.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Speedups(SphinxDirective):
    """A picture; the content is its description."""

    required_arguments = 2
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return an image for each theme."""
        name = "-".join(self.arguments)
        return [
            nodes.image(
                uri=f"/_pictures/{name}-{theme}.svg",
                alt=" ".join(self.content),
                classes=[f"only-{theme}"],
            )
            for theme in ("light", "dark")
        ]


def write(app: Sphinx) -> None:
    """Draw all pictures; in another process, as `asv_benchmarks` computes everything at once."""
    command = [sys.executable, "-m", "asv_benchmarks.picture", str(Path(app.srcdir, "_pictures"))]
    subprocess.run(command, cwd=Path(app.srcdir).parent, check=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.add_directive("speedups", Speedups)
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
