import json
import re
import tomllib
from collections import Counter

import made_readme
import pytest
from places import PAPERS, ROOT

from referee.ground.marks import between
from referee.judge.findings import AGREED
from referee.report.readme import renewed

#: A number that somebody typed: digits that no name has, or a word for one.
WORDS = "two three four five six seven eight nine ten twice half tenfold".replace(" ", "|")
TYPED = re.compile(rf"(?<![\w-])\d[\d.,]*|\b(?:{WORDS})\b")


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


def told_by_files():
    """The numbers that the README states outside of its marks, in the words around them."""
    papers = [*(ROOT / "reports/reference").glob("*/claims.json")]
    counted = dict(
        enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)
    )
    lowest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    return (
        f"of {counted[len(papers)]} papers",
        f"Python {lowest.strip('>=')} or newer",
        f"at least {100 * AGREED:g} % of the seeds",
    )


def test_no_number_of_the_readme_is_typed():
    """Other tests make again all between its marks; elsewhere it states numbers of files, and no other."""
    text = re.sub(r"<!-- ([a-z]+)\S* -->\n.*?<!-- /\1 -->", "", (ROOT / "README.md").read_text(), flags=re.S)
    text = re.sub(r"^```python.*?^```|`[^`\n]+`|\]\([^)]*\)|!\[[^]]*\]", "", text, flags=re.M | re.S)
    text = " ".join(text.split())
    for words in told_by_files():
        assert text.count(words) == 1, words
        text = text.replace(words, "")
    assert re.findall(TYPED, text) == re.findall(TYPED, text.lower()) == []


LATE = {"…": "not_run", "–": "not_judged"}
MARKS = {"✓": "holds", "◐": "holds_in_part", "✗": "fails", "○": "not_testable"} | LATE
HEADLINES = {"✓": "holds", "(✓)": "as_published", "◐": "in_part", "✗": "fails", "○": "open"} | LATE


def tops(folder):
    entries = json.loads((folder / "claims.json").read_text())
    return [entry for entry in entries if "." not in entry["id"]]


def tally(cell, marks=MARKS):
    return {marks[mark]: int(count) for mark, count in re.findall(r"(\S+) (\d+)", cell)}


def test_what_the_readme_counts_is_what_stands_in_the_claims():
    """Read apart from the code that writes it: claims of papers, ids with -C; checks, ids with -T."""
    readme, folders = (ROOT / "README.md").read_text(), sorted(ROOT.glob("reports/reference/*/claims.json"))
    rows = dict(re.findall(r"^\| \[(\w+)\]\(.*?\) (\|.*)\|$", readme, re.M))
    assert [*rows] == [path.parent.name for path in folders]
    held, made = 0, 0
    for path in folders:
        entries = tops(path.parent)
        own, checks = ([e for e in entries if f"-{kind}" in e["id"]] for kind in "CT")
        assert len(own) + len(checks) == len(entries)
        *_, count, headlines, fair, theory = (cell.strip() for cell in rows[path.parent.name].split(" |"))
        for cell, some, kind, marks in (
            (headlines, own, "headline", HEADLINES),
            (fair, own, "verdict_strong", MARKS),
            (theory, checks, "verdict", MARKS),
        ):
            assert tally(cell, marks) == Counter(e[kind] for e in some if e[kind]), (path.parent.name, cell)
        assert int(count.strip("| ")) == len(own) == sum(tally(headlines, HEADLINES).values())
        held, made = held + tally(headlines, HEADLINES).get("holds", 0), made + len(own)
    assert f"\nWe judged {made} claims: {held} hold, " in readme


def test_the_readme_and_the_site_say_of_which_papers_the_alternatives_are_published():
    run = [path.parents[1].name for path in sorted(ROOT.glob("reports/reference/*/tables/alternatives.csv"))]
    told = (ROOT / "README.md").read_text().partition("<!-- alternatives -->")[2].partition("<!-- /")[0]
    assert (
        re.findall(r"\w+", told.partition("have been run for")[2].partition(", not")[0].replace(" and ", " "))
        == run
    )
    assert set(PAPERS) - set(run) == set(re.findall(r"\w+", told.partition("not yet for")[2])) & set(PAPERS)
    for page in ("README.md", "docs/site/index.md"):
        text = (ROOT / page).read_text()
        assert "<!-- alternatives -->" in text and "follow." not in text.partition("What we found")[2][:900]
