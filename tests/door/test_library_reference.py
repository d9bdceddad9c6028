"""The library's reference: a page for every public name, made of docstrings without a warning."""

import shutil
import subprocess
import sys

import pytest
from places import ROOT

import projfree as pf
from projfree.ground.registry import called, names

pytestmark = pytest.mark.slow

CONF = """
extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
templates_path, exclude_patterns = ["_templates"], ["_templates"]
autodoc_typehints, numpydoc_show_class_members = "none", False
suppress_warnings = ["myst.xref_missing"]  # pages of the site that are not here
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Names that have a page."""
    pytest.importorskip("sphinx")
    folder = shutil.copytree(ROOT / "docs/site/reference", tmp_path_factory.mktemp("reference") / "source")
    (folder / "conf.py").write_text(CONF)
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "dummy"]
    done = subprocess.run([*sphinx, folder, folder / "out"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {path.stem.removeprefix("projfree.") for path in (folder / "made").glob("*.rst")}


def test_every_public_name_has_a_page(pages):
    packages = {"sets": called, "penalties": called, "estimators": called, "problems": str, "solvers": str}
    parts = {
        f"{package}.{name(module)}"
        for package, name in packages.items()
        for module in names(f"projfree.{package}")
    }
    assert set(pf.__all__) | parts == pages
