"""A README, a paper's claims, study and pages, as small as they can be."""

import json

import made_paper

from referee.evidence.published import STUDY, packed

README = """head
<!-- example:x -->
<!-- /example -->
<!-- papers -->
old
<!-- /papers -->
<!-- verdicts -->
<!-- /verdicts -->
tail
"""
MESSAGE = {
    "paper": "A wins.",
    "we": "A wins at {places} places.",
    "numbers": {"places": {"claim": "C1"}},
    "data": "real data",
    "claims": {"C1": "as_published"},
}
#: One for the paper's page alone, and one whose claim came out otherwise.
OTHERS = [
    {"paper": "B", "we": "A is quoted.", "data": "real", "claims": {"C2": "holds"}},
    {"paper": "C", "we": "A fails.", "data": "real", "claims": {"C1": "fails"}},
]
SENTENCE = {"claim": "C1", "verdict": "holds", "text": "A won at {n} places.", "numbers": {"n": {}}}
ABOUT = {"title": "A Method", "authors": "A, B", "venue": "V", "year": 2020, "prefix": "X"}
ABOUT |= {"messages": [MESSAGE, *OTHERS], "sentences": [SENTENCE]}


claim = made_paper.claim
CLAIMS = [
    claim("X-C1", "holds", "fails", quote="A wins", where="§6"),
    claim("X-C1.a", "fails"),
    claim("X-C2", "holds", "holds"),
    claim("X-C3", "not_testable", "not_testable"),
    claim("X-C4", "fails", data={"stand-in": "fails"}),
    claim("X-T1", "holds"),
    claim("X-T2", "holds_in_part"),
]


def front(word):
    """What a code host renders of a paper."""
    return f"<!-- Made by projfree -->\n{word}"


def write(folder, word="page"):
    """A paper's report, with all that publishing it keeps or leaves."""
    files = {
        "README.md": front(word),
        "index.html": "<title>x – projfree</title>",
        "pages/claim-X-C1.html": "<title>x – projfree</title>",
        **{f"figures/a.{end}": "drawn" for end in ("svg", "pdf", "png")},
        **{f"tables/a.{end}": "counted" for end in ("csv", "tex")},
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    made_paper.judge(folder, CLAIMS)
    (folder / "evidence").mkdir()
    (folder / "evidence" / STUDY).write_bytes(packed(json.dumps(ABOUT).encode()))
