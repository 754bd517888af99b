"""Check the links of HTML pages, without a network.

usage: python tools/check_links.py FOLDER

Each link and picture within the folder must be a file of it, and the part after ``#`` an element of
that page; what begins with ``#/`` is read by asv's scripts. Prints what is broken; the exit status
is 1 then.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

LINK = re.compile(r'\s(?:href|src)="([^"]+)"')
ANCHOR = re.compile(r'\sid="([^"]+)"')


class Page(NamedTuple):
    """The links and the anchors of a page."""

    links: set[str]
    anchors: set[str]


@cache
def page(path: Path) -> Page:
    """Return what a page has; text in it has no quotes as attributes have them."""
    text = path.read_text("utf-8")
    found = (re.findall(pattern, text) for pattern in (LINK, ANCHOR))
    return Page(*({unescape(each) for each in every} for every in found))


def broken(folder: Path) -> list[str]:
    """Return the links of the pages of a folder that lead nowhere."""
    found = []
    for path in sorted({*folder.rglob("*.html")} - {*folder.glob("_static/**/*.html")}):
        for link in sorted(page(path).links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            anchor = unquote(parts.fragment) if target.suffix == ".html" else ""
            is_element = anchor and not anchor.startswith("/")
            if not target.exists() or (is_element and anchor not in page(target).anchors):
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
