import made_readme
import pytest
from places import ROOT

from projfree.ground.marks import between
from projfree.report.readme import renewed


@pytest.fixture
def text(tmp_path):
    made_readme.write(tmp_path / "x")
    (tmp_path / ".y.old").mkdir()
    (tmp_path / ".y.old/index.html").write_text("of a publication that was killed")
    return renewed(made_readme.README, tmp_path, "pages")


def test_a_row_a_paper_counts_its_claims_without_their_parts(text):
    row = "| [x](pages/x/index.html) | A, B: *A Method*, V, 2020 | 6 | ✓ 3 ◐ 1 ✗ 1 ○ 1 | ✓ 1 ✗ 1 ○ 1 |"
    assert row in text.splitlines() and text.startswith("head\n") and text.endswith("tail\n")
    assert "\nold\n" not in text


FOUND = """\
1. **Comparisons.** Of 2 claims that compare methods 2 hold against the paper's own baselines, 1 of them \
against strong ones too (X-C2).
2. **Theory.** 1 of 2 bounds, rates and formulas hold; not in full (X-T2).
3. **Thresholds.** 1 of 5 verdicts are others with thresholds halved or doubled (X-C1).
4. **What the paper left open.** 1 of 2 verdicts turn on a choice that the paper does not state, 1 of \
them from holding to failing or back (X-C1).
5. **Data.** 3 of 4 claims hold on data that can be had, 0 of 1 where a stand-in took the place of some.
"""


def test_findings_are_counted(text):
    link = "[{0}](pages/x/index.html#claim-{0})".format
    found = FOUND
    for name in ("X-C1", "X-C2", "X-T2"):
        found = found.replace(f"({name})", f"({link(name)})")
    assert found in text


def test_a_claim_is_shown_with_both_verdicts(text):
    assert "X-C1](pages/x/index.html#claim-X-C1): “A wins”" in text
    assert "> **✓ holds**; against strong baselines: ✗ fails." in text


def test_a_claim_with_a_page_of_its_own_is_linked_there(tmp_path):
    made_readme.write(tmp_path / "x")
    (tmp_path / "x/pages").mkdir()
    (tmp_path / "x/pages/claim-X-C1.html").touch()
    assert "[X-C1](reports/reference/x/pages/claim-X-C1.html)" in renewed(made_readme.README, tmp_path)


def test_what_is_made_again_is_made_alike(text, tmp_path):
    assert renewed(text, tmp_path, "pages") == text


@pytest.mark.parametrize("text", ["none", "<!-- times -->", "<!-- /times --><!-- times -->"])
def test_a_text_without_marks_is_an_error(text):
    with pytest.raises(ValueError, match="lacks the lines <!-- times --> and <!-- /times -->"):
        between(text, "times", "table")


def test_the_readme_tells_the_verdicts_that_are_published_and_is_short():
    readme = (ROOT / "README.md").read_text()
    assert renewed(readme, ROOT / "reports/reference") == readme, "make reference renews it"
    assert len(readme.splitlines()) <= 150
