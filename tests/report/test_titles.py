"""What a reader sees of an experiment is its title; the key where a command needs it."""

import copy
import json
import re

import made_paper
import pytest

from projfree.report.titles import retold, titled, titles_of

EXPERIMENTS = {
    "t1": {"title": "one (small)"},
    "t10": {"title": "ten"},
    "a": {"title": "the same"},
    "b": {"title": "the same"},
    "polar": None,
}
TITLES = titles_of(EXPERIMENTS)


def test_titles_are_told_apart_by_their_keys():
    same = {"a": "the same (a)", "b": "the same (b)"}
    assert {"t1": "one (small)", "t10": "ten", "polar": "polar"} | same == TITLES
    assert titled("t1 · svrg · 2", TITLES) == "one (small) · svrg · 2"
    assert titled("elsewhere", TITLES) == "elsewhere"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("On t1 (one (small)), in both seeds, x is less.", "On “one (small)”, in both seeds, x is less."),
        ("In 1 of 4 panels (not on t1 and t10) x", "In 1 of 4 panels (not on “one (small)” and “ten”) x"),
        (
            "On t10 (ten) x. On t10 y. On t1 z. On t10 w",
            "On “ten” x. There y. On “one (small)” z. On “ten” w",
        ),
        ("On t10 (ten) x. In all 3 panels y. On t10 z.", "On “ten” x. In all 3 panels y. On “ten” z."),
        ("x of a on t10 is at most a / b of that of t1", "x of a on “ten” is at most a / b of that of t1"),
        ("STAND-IN: a, t1 on generated data", "STAND-IN: “the same (a)” and “one (small)” on generated data"),
        ("the order in polar, a rate on t100", "the order in polar, a rate on t100"),
    ],
)
def test_sentences_name_titles(words, told):
    assert retold(words, EXPERIMENTS, TITLES) == told


def test_no_page_names_a_key_but_for_commands(made, rewrite):
    spec = copy.deepcopy(made.spec)
    spec["experiments"]["fig1-left"]["title"] = "completion 200 × 200"
    sentence = "On fig1-left (completion 200 × 200), in 2 of 3 seeds, it is less."
    fields = {"sentence": sentence, **made_paper.PRICED, "repeatability": {"fig1-left": 1.02}}
    pages = rewrite([made_paper.claim("NCGS-C1", "holds", **fields)], spec, tidy_dir=made.evidence)
    text = pages["claim-NCGS-C1.html"]
    panels = re.search(r'class="panels">(.*?)</script>', text, re.S)[1]
    assert [panel["title"] for panel in json.loads(panels)] == ["completion 200 × 200"]
    shown = re.sub("<[^>]+>", " ", re.sub("<script.*?</script>|<details>.*?</details>", "", text, flags=re.S))
    assert "On “completion 200 × 200”, in 2 of 3 seeds" in shown
    assert '<th scope="row" title="fig1-left">completion 200 × 200</th>' in text
    assert "fig1-left" not in shown
    assert 'completion 200 × 200 <small class="soft"><code>fig1-left</code></small>' in pages["data.html"]
    compared = (made.report.parent / "compared" / "index.html").read_text()
    assert f'<th scope="row" title="fig1-left">{made_paper.LONG}</th>' in compared
