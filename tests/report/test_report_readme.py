import json
import re
from collections import Counter

import made_readme
import pytest
from places import PAPERS, ROOT

from referee.ground.marks import between
from referee.report.learned import Sentence
from referee.report.readme import _finding, renewed


@pytest.fixture
def text(tmp_path):
    made_readme.write(tmp_path / "x")
    (tmp_path / ".y.old").mkdir()
    (tmp_path / ".y.old/claims.json").write_text("of a publication that was killed")
    return renewed(made_readme.README, tmp_path, "pages")


def test_a_row_a_paper_counts_its_claims_without_their_parts(text):
    row = "| [x](pages/x/README.md) | A, B: *A Method*, V, 2020 | 4 | ✓ 2 ✗ 1 ○ 1 | ✓ 1 ✗ 1 ○ 1 | ✓ 1 ◐ 1 |"
    assert row in text.splitlines() and text.startswith("head\n") and text.endswith("tail\n")
    assert "\nold\n" not in text


FOUND = """\
1. 2 of the 3 claims that could be judged hold against the papers’ own baselines (x 2); the papers make 4. \
(X-C1, X-C2)
2. Of 2 that hold and have a strong baseline 1 hold against it too, 1 fails against it: X-C1. (X-C2)
3. 0 claims hold in some panels or seeds only, 1 fails: x 1. (X-C4)
4. On stand-in data 0 of 1 claims hold, on data as in the papers 2 of 2. (X-C4)
5. Beside the claims, 1 of 2 checks of the theory hold, not or in part only X-T2. (X-T1)
<!-- /findings -->
"""


def test_findings_are_the_first_five_sentences_of_what_was_learned(text):
    def link(match):
        return f"[{match[0]}](pages/x/README.md#{match[0].lower()})"

    assert re.sub(r"(?<=[ (])X-\w+(?=[,)])", link, FOUND) in text


def test_a_finding_names_three_of_its_claims():
    sentence = Sentence("some", "All hold.", [(f"C{i}", f"x/pages/{i}.html") for i in range(4)])
    links = ", ".join(f"[C{i}](at/x/README.md#c{i})" for i in range(3))
    assert _finding(1, sentence, "at") == f"1. All hold. ({links}, …)"


def test_a_finding_about_a_paper_leads_to_all_of_its_readme():
    sentence = Sentence("data", "Found.", [("x", "x/pages/data.html")])
    assert _finding(1, sentence, "at") == "1. Found. ([x](at/x/README.md))"


def test_a_claim_is_shown_with_both_verdicts(text):
    assert "X-C1](pages/x/README.md#x-c1): “A wins” — §6\n" in text
    assert "> **✓ holds**; against strong baselines: ✗ fails." in text


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


MARKS = {"✓": "holds", "◐": "holds_in_part", "✗": "fails", "○": "not_testable"}


def tops(folder):
    entries = json.loads((folder / "claims.json").read_text())
    return [entry for entry in entries if "." not in entry["id"]]


def tally(cell):
    return {MARKS[mark]: int(count) for mark, count in re.findall(r"(\S) (\d+)", cell)}


def test_what_the_readme_counts_is_what_stands_in_the_claims():
    """Read apart from the code that writes it: claims of papers, ids with -C; checks, ids with -T."""
    readme, folders = (ROOT / "README.md").read_text(), sorted(ROOT.glob("reports/reference/*/claims.json"))
    rows = dict(re.findall(r"^\| \[(\w+)\]\(.*?\) (\|.*)\|$", readme, re.M))
    assert [*rows] == [path.parent.name for path in folders]
    held, judged, made = 0, 0, 0
    for path in folders:
        entries = tops(path.parent)
        own, checks = ([e for e in entries if f"-{kind}" in e["id"]] for kind in "CT")
        assert len(own) + len(checks) == len(entries)
        *_, count, verdicts, strong, theory = (cell.strip() for cell in rows[path.parent.name].split(" |"))
        for cell, some, kind in (
            (verdicts, own, "verdict"),
            (strong, own, "verdict_strong"),
            (theory, checks, "verdict"),
        ):
            assert tally(cell) == Counter(e[kind] for e in some if e[kind]), (path.parent.name, cell)
        assert int(count.strip("| ")) == len(own) == sum(tally(verdicts).values())
        held, made = held + tally(verdicts).get("holds", 0), made + len(own)
        judged += len(own) - tally(verdicts).get("not_testable", 0)
    assert f"1. {held} of the {judged} claims that could be judged hold" in readme
    assert f"the papers make {made}." in readme


def test_the_readme_and_the_site_say_of_which_papers_the_alternatives_are_published():
    run = [path.parents[1].name for path in sorted(ROOT.glob("reports/reference/*/tables/alternatives.csv"))]
    told = (ROOT / "README.md").read_text().partition("<!-- alternatives -->")[2].partition("<!-- /")[0]
    assert (
        re.findall(r"\w+", told.partition("have been run for")[2].partition(";")[0].replace(" and ", " "))
        == run
    )
    assert set(PAPERS) - set(run) == set(re.findall(r"\w+", told.partition("; of ")[2])) & set(PAPERS)
    for page in ("README.md", "docs/site/index.md"):
        text = (ROOT / page).read_text()
        assert "<!-- alternatives -->" in text and "follow." not in text.partition("What we found")[2][:900]
