"""Sphinx's configuration of the public site; `make.py` beside it calls Sphinx."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ABOUT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

project, author = "projfree", ABOUT["authors"][0]["name"]
version = release = ABOUT["version"]
html_show_copyright = smartquotes = False

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_click",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["examples", "**/_templates"]
templates_path = ["reference/_templates"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "projfree"
html_favicon = "static/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": [],
    "footer_end": [],
}
html_context = {"default_mode": "auto"}  # the system's, light or dark
html_sidebars = {"index": [], "reports": []}

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "reset_modules": ("matplotlib", "strict.strict"),
    "reset_modules_order": "both",
}
