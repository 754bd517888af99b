"""Take pictures of the documentation in a browser, and search it.

usage: python tools/look_at_site.py FOLDER [PAGE]...

Writes to FOLDER pictures of the pages of build/docs/html, by default of the front page, a page of
the reference and the gallery, at the width of a desktop and of a phone, light and dark. Then types
a word on the search page and prints the first results. Errors of the pages' scripts, pages that are
wider than the screen, and a search without results are failures. Needs ``pip install playwright``
and Chromium.
"""

from __future__ import annotations

import shutil
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright

SITE = Path(__file__).resolve().parent.parent / "build" / "docs" / "html"
PAGES = ["index.html", "reference/generated/corepy.linalg.svd.html", "examples/index.html"]
WIDTHS = {"desktop": 1280, "phone": 390}


class Quiet(SimpleHTTPRequestHandler):
    """Serves the pages without a log."""

    def log_message(self, *args: object) -> None:
        """Print nothing."""


def main(arguments: list[str]) -> int:
    """Take the pictures; return 1 if something is wrong."""
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    wrong = list[str]()
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for width_name, width in WIDTHS.items():
                context = browser.new_context(
                    color_scheme=scheme, viewport={"width": width, "height": 900}
                )
                page = context.new_page()
                page.on("pageerror", lambda error: wrong.append(f"error of a script: {error}"))
                for name in arguments[1:] or PAGES:
                    page.goto(address + name, wait_until="load")
                    page.wait_for_timeout(300)
                    file = f"{name.replace('/', '-')}-{width_name}-{scheme}.png"
                    page.screenshot(path=folder / file)
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    if wide > width:
                        wrong.append(f"{name}: {wide} pixels wide at {width}")
                context.close()
        page = browser.new_page()
        page.goto(address + "search.html")
        page.fill(
            "main input[name=q], #search-input-page, input[type=search] >> visible=true", "svd"
        )
        page.keyboard.press("Enter")
        results = page.locator("#search-results li a")
        results.first.wait_for(timeout=60_000)
        titles = [each.split("\n")[0] for each in results.all_inner_texts()[:5]]
        print("search for 'svd':", ", ".join(titles))
        page.screenshot(path=folder / "search.png")
        if not any("svd" in title.lower() for title in titles):
            wrong.append("the search for 'svd' does not find it")
        browser.close()
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
