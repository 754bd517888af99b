"""Configuration of the documentation; `make docs` builds it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS / "_ext"), str(DOCS / "gallery"), str(DOCS.parent)]

import corepy  # noqa: E402

project = "Corepy"
author = "Corepy developers"
copyright = author
version = release = corepy.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "links",
    "pictures",
    "reference",
]
exclude_patterns = ["_*", "gallery"]
default_role = "py:autolink"
nitpicky = True
toc_object_entries = False
python_use_unqualified_type_names = True

suppress_warnings = ["config.cache"]  # of the gallery's settings, which are compared by address

# ---- Markdown

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4

# ---- other projects: their inventories are stored, so that no network is needed

intersphinx_mapping = {
    name: (url, str(DOCS / "_inventories" / f"{name}.inv"))
    for name, url in {
        "python": "https://docs.python.org/3/",
        "numpy": "https://numpy.org/doc/stable/",
        "scipy": "https://docs.scipy.org/doc/scipy/",
        "dask": "https://docs.dask.org/en/stable/",
    }.items()
}
intersphinx_disabled_reftypes = ["std:doc"]

# ---- gallery

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "examples",
    "filename_pattern": "",
    "ignore_pattern": r"/(_|side_by_side/)",
    "abort_on_example_error": True,
    "copyfile_regex": r"$^",
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "download_all_examples": False,
    "min_reported_time": 5,
    "plot_gallery": os.environ.get("COREPY_GALLERY", "1") != "0",
}

# ---- HTML

html_theme = "pydata_sphinx_theme"
html_title = f"Corepy {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/icon.svg"
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {"index": []}
ASV = DOCS.parent / "build" / "docs" / "asv"  # as `make bench-site` writes it
if ASV.exists():
    html_extra_path = [str(ASV)]
    tags.add("asv")  # noqa: F821
html_theme_options = {
    "logo": {"image_light": "_static/logo.svg", "image_dark": "_static/logo-dark.svg"},
    "collapse_navigation": True,
    "navigation_depth": 4,
    "show_nav_level": 1,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
}
copybutton_prompt_text = r">>> |\.\.\. |\$ |In \[\d*\]: | {2,5}\.\.\.: "
copybutton_prompt_is_regexp = True
