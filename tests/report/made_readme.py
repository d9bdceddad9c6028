"""A README, a paper's claims, study and pages, as small as they can be."""

import json

from referee.evidence.published import STUDY, packed

README = """head
<!-- claim:x/X-C1 -->
<!-- /claim -->
<!-- papers -->
old
<!-- /papers -->
<!-- alternatives -->
<!-- /alternatives -->
<!-- findings -->
<!-- /findings -->
tail
"""
FINDING = {
    "text": "A wins {times} times.",
    "numbers": {"times": {"claim": "C1", "field": "measured.ratio"}},
    "rests_on": {"C1": "as_published"},
    "front": True,
}
#: One for the paper's page alone, and one whose claim came out otherwise.
OTHERS = [
    {"text": "A is quoted.", "rests_on": {"C2": "holds"}},
    {"text": "A fails.", "rests_on": {"C1": "fails"}, "front": True},
]
ABOUT = {"title": "A Method", "authors": "A, B", "venue": "V", "year": 2020, "prefix": "X"}
ABOUT |= {"findings": [FINDING, *OTHERS]}
COMMON = {"where": "§6", "measured": {"ratio": 2.5}, "threshold": {}, "seeds": [0], "traces": [], "note": ""}


def claim(name, verdict, strong=None, *, note="", readings=None, quote="", statement="s"):
    """An entry of claims.json."""
    return COMMON | {
        "id": name,
        "quote": quote,
        "statement": statement,
        "verdict": verdict,
        "verdict_strong": strong,
        "note": note,
        "verdict_readings": readings or {},
    }


CLAIMS = [
    claim("X-C1", "holds", "fails", quote="A wins", readings={"other": "fails"}),
    claim("X-C1.a", "fails"),
    claim("X-C2", "holds", "holds", readings={"other": "holds"}),
    claim("X-C3", "not_testable", "not_testable"),
    claim("X-C4", "fails", note="STAND-IN: data on a stand-in"),
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
        "claims.json": json.dumps(CLAIMS),
        **{f"figures/a.{end}": "drawn" for end in ("svg", "pdf", "png")},
        **{f"tables/a.{end}": "counted" for end in ("csv", "tex")},
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "evidence").mkdir()
    (folder / "evidence" / STUDY).write_bytes(packed(json.dumps(ABOUT).encode()))
