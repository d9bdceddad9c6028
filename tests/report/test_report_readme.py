import made_readme
import pytest
from places import ROOT

from referee.ground.marks import between
from referee.report.readme import renewed


@pytest.fixture
def text(tmp_path):
    made_readme.write(tmp_path / "x")
    (tmp_path / ".y.old").mkdir()
    (tmp_path / ".y.old/claims.json").write_text("of a publication that was killed")
    return renewed(made_readme.README, tmp_path, "pages")


def test_a_row_a_paper_counts_its_claims_without_their_parts(text):
    row = "| [x](pages/x/README.md) | A, B: *A Method*, V, 2020 | 4 "
    row += "| ✓ 1 (✓) 1 ✗ 1 ○ 1 | ✓ 1 ✗ 1 ○ 1 | ✓ 1 ◐ 1 |"
    assert row in text.splitlines() and text.startswith("head\n") and text.endswith("tail\n")
    assert "\nold\n" not in text


FOUND = """\
We judged 4 claims: 1 holds, 1 holds as published only, 1 fails, 1 undecided. \
3 of them compare methods that we also tuned: as published, 2 hold, 1 undecided; \
in the fair comparison, 1 holds, 1 fails, 1 undecided. \
We checked 2 theorems and bounds: 1 holds, 1 holds in part.

1. **x.** A wins. We find: A wins at 7–10 places. (real data; [X-C1](pages/x/README.md#x-c1))
<!-- /findings -->
"""


def test_findings_are_what_the_verdicts_say_together_and_those_of_papers_for_the_front(text):
    """FAULTS-3, P8: undecided strong verdicts were left out, and failures against strong methods too."""
    assert FOUND in text


def test_a_claim_is_shown_with_both_verdicts_and_its_finding(text):
    assert "X-C1](pages/x/README.md#x-c1): “A wins” — §6\n" in text
    assert "> **(✓) holds as published only**. A won at 7–10 places.\n" in text


def test_what_is_made_again_is_made_alike(text, tmp_path):
    assert renewed(text, tmp_path, "pages") == text


@pytest.mark.parametrize("text", ["none", "<!-- times -->", "<!-- /times --><!-- times -->"])
def test_a_text_without_marks_is_an_error(text):
    with pytest.raises(ValueError, match="lacks the lines <!-- times --> and <!-- /times -->"):
        between(text, "times", "table")


def test_the_readme_tells_the_verdicts_that_are_published_and_is_short():
    readme = (ROOT / "README.md").read_text()
    assert renewed(readme, ROOT / "reports/reference") == readme, "make reference renews it"
    assert len(readme.splitlines()) <= 140
