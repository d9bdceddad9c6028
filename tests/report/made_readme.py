"""A README, a paper's claims and its page, as small as they can be."""

import json

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
ABOUT = {"title": "A Method", "authors": "A, B", "venue": "V", "year": 2020}
COMMON = {"where": "§6", "measured": {}, "threshold": {}, "seeds": [0], "traces": [], "note": ""}


def claim(name, verdict, strong=None, *, note="", scaled=None, readings=None, quote="", statement="s"):
    """An entry of claims.json; `scaled` is the verdict under doubled thresholds."""
    return COMMON | {
        "id": name,
        "quote": quote,
        "statement": statement,
        "verdict": verdict,
        "verdict_strong": strong,
        "note": note,
        "sensitivity": {"x2": scaled or verdict},
        "verdict_readings": readings or {},
    }


CLAIMS = [
    claim("X-C1", "holds", "fails", quote="A wins", scaled="fails", readings={"other": "fails"}),
    claim("X-C1.a", "fails"),
    claim("X-C2", "holds", "holds", readings={"other": "holds"}),
    claim("X-C3", "not_testable", "not_testable", scaled="holds"),
    claim("X-C4", "fails", note="STAND-IN: data on a stand-in"),
    claim("X-T1", "holds"),
    claim("X-T2", "holds_in_part"),
]


def page(word="page"):
    """The page of a paper, as far as others read it."""
    context = json.dumps({"paper": ABOUT})
    script = f'<script type="application/json" id="context">{context}</script>'
    return f"<title>x – projfree</title><p>{word}</p>{script}"


def write(folder, word="page"):
    """A paper's published folder."""
    folder.mkdir(parents=True)
    (folder / "index.html").write_text(page(word))
    (folder / "claims.json").write_text(json.dumps(CLAIMS))
