"""Check the links of HTML pages, without a network.

usage: python tools/check_links.py FOLDER

Each link and picture within the folder must be a file of it, and the part after ``#`` an element of
that page. Prints what is broken; the exit status is 1 then.
"""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the attributes of an element."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.add(value)
            elif value and (name == "id" or (name == "name" and tag == "a")):
                self.anchors.add(value)


page = cache(Page)


def broken(folder: Path) -> list[str]:
    """Return the links of the pages of a folder that lead nowhere."""
    found = []
    for path in sorted(folder.rglob("*.html")):
        for link in sorted(page(path).links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            anchor = unquote(parts.fragment) if target.suffix == ".html" else ""
            if not target.exists() or (anchor and anchor not in page(target).anchors):
                found.append(f"{path.relative_to(folder)}: {link}")
    return found


def main(arguments: list[str]) -> int:
    """Print the broken links of a folder, and how many pages were read."""
    folder = Path(arguments[0]).resolve()
    found = broken(folder)
    print("\n".join([*found, f"{len(found)} broken links on {page.cache_info().currsize} pages"]))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
