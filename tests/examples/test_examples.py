"""Examples are made as the gallery wants them; tests/site runs them, in its build."""

import pytest
from places import ROOT

EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_gallery_has_a_title_and_cells_of_it(name):
    text = (ROOT / "examples" / name).read_text()
    title, line, blank, *_ = text.removeprefix('"""').splitlines()
    assert line == "=" * len(title) and not blank and "\n# %%\n" in text and text.endswith("\nplt.show()\n")


def test_there_are_ten_and_all_are_listed():
    listed = (ROOT / "examples/README.md").read_text()
    assert len(EXAMPLES) >= 10 and [name for name in EXAMPLES if f"`{name}`" not in listed] == []
