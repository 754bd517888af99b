"""Sphinx extension: links of docstrings and pages to names, and of pages to files.

- A name in single backquotes, the default role, is a link where there is such an object, in the
  current module, in the public ones, or in another project's inventory; otherwise it is a literal.
- Objects are found by each name that they have: `corepy.backend.device` is `corepy.device`.
- Markdown pages link to files beside the documentation, as `../examples/digits.py`: they lead to
  the repository if the package's metadata has its address, otherwise the text stays.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from reference import ALIASES
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.nodes import make_refnode

ROOT = Path(__file__).resolve().parents[2]
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {})
#: Files above `docs` that are pages of the site.
PAGES = {
    "CHANGELOG.md": "development/changelog",
    "CONTRIBUTING.md": "development/contributing",
    "README.md": "index",
}
#: Where a name without its module is looked up.
PREFIXES = (
    "", "corepy.", "corepy.array_api.", "corepy.backend.", "corepy.lazy.", "corepy.Tensor.",
)  # fmt: skip


class Autolink(XRefRole):
    """The default role."""

    def process_link(
        self, env: BuildEnvironment, refnode: Any, has_explicit_title: bool, title: str, target: str
    ) -> tuple[str, str]:
        """Mark the node, with the module and class that it is in."""
        refnode["autolink"] = True
        refnode["py:module"] = env.ref_context.get("py:module")
        refnode["py:class"] = env.ref_context.get("py:class")
        return title, target.removesuffix("()")


def public(target: str) -> str:
    """Return a name without private modules, as objects' ``__module__`` have them."""
    return ".".join(part for part in target.split(".") if part == "__init__" or part[0] != "_")


def by_other_names(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: nodes.Element
) -> nodes.Element | None:
    """Resolve a name that another project could have, too; before inventories are asked."""
    if node.get("refdomain") != "py" or not node["reftarget"]:
        return None
    objects = env.get_domain("py").objects  # type: ignore[attr-defined]
    target = node["reftarget"]
    if re.fullmatch(r"[\w.]+", target):
        last = target.rpartition(".")[2]
        context = node.get("py:module") or ""
        tried = [f"{context}.{target}", *(prefix + target for prefix in PREFIXES)]
        if target.startswith("corepy."):
            tried += [f"corepy.{last}", f"corepy.array_api.{last}", public(target)]
        for name in (ALIASES.get(name, name) for name in tried):
            if name in objects:
                found = objects[name]
                return make_refnode(
                    app.builder, node["refdoc"], found.docname, found.node_id, contnode, name
                )
    return contnode if "autolink" in node and "." not in target else None


def as_literal(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: nodes.Element
) -> nodes.Element | None:
    """Leave a name in single backquotes that is no object as it is."""
    return contnode if "autolink" in node else None


LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"  # text, with brackets in it
    r"\(((?!\w+:)[\w./-]+\.\w+|\.\./[\w./-]+)(#[\w-]+)?\)"  # path and anchor
)


def with_files(app: Sphinx, docname: str, source: list[str]) -> None:
    """Rewrite the links of a Markdown page to files outside of the documentation."""
    path = Path(app.env.doc2path(docname))
    if path.suffix != ".md":
        return
    for name, page in PAGES.items():
        if page == docname and page != "index":  # the page is the file above
            path = ROOT / name
            source[0] = path.read_text("utf-8")

    def link(match: re.Match[str]) -> str:
        text, target, anchor = match[1], match[2], match[3] or ""
        file = (path.parent / target).resolve()
        if file.parent == ROOT and file.name in PAGES:
            return f"[{text}](/{PAGES[file.name]}.md{anchor})"
        if file.suffix == ".md" and file.is_relative_to(app.srcdir):
            return f"[{text}](/{file.relative_to(app.srcdir)}{anchor})"
        url = URLS.get("Source") or URLS.get("Repository")
        return f"[{text}]({url}/blob/main/{file.relative_to(ROOT)}{anchor})" if url else text

    source[0] = LINK.sub(link, source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.add_role_to_domain("py", "autolink", Autolink())
    app.connect("missing-reference", by_other_names, priority=400)
    app.connect("missing-reference", as_literal, priority=900)
    app.connect("source-read", with_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
