"""What a reader sees of an experiment is its title; the key where a command needs it."""

import copy
import json
import re

import made_paper

from referee.evidence.words import titles_of
from referee.report.values import titled


def test_titles_are_told_apart_by_their_keys():
    titles = titles_of({"t": "one (small)", "a": "same", "b": "same"})
    assert titles == {"t": "one (small)", "a": "same (a)", "b": "same (b)"}
    assert titled("t · svrg · 2", titles) == "one (small) · svrg · 2"
    assert titled("elsewhere", titles) == "elsewhere"


def test_no_page_names_a_key_but_for_commands(made, rewrite):
    spec = copy.deepcopy(made.spec)
    spec["experiments"]["fig1-left"]["title"] = "completion 200 × 200"
    pages = rewrite([made_paper.claim("NCGS-C1", "holds")], spec, tidy_dir=made.evidence)
    text = pages["claim-NCGS-C1.html"]
    panels = re.search(r'class="panels">(.*?)</script>', text, re.S)[1]
    assert [panel["title"] for panel in json.loads(panels)] == ["completion 200 × 200"]
    shown = re.sub("<[^>]+>", " ", re.sub("<script.*?</script>|<details>.*?</details>", "", text, flags=re.S))
    assert '<th scope="row" title="fig1-left">completion 200 × 200</th>' in text
    assert "fig1-left" not in shown
    assert 'completion 200 × 200 <small class="soft"><code>fig1-left</code></small>' in pages["data.html"]
