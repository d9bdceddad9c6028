"""Numbers, nested values and titles as people read them."""

import copy
import json
import math
import re

import made_paper
import numpy as np
import pytest

from referee.evidence.words import titles_of
from referee.report import values
from referee.report.values import titled


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        ("", "–"),
        (True, "yes"),
        (0, "0"),
        (1234, "1234"),
        (581012, "581\u202f012"),
        (0.93456, "0.935"),
        (3.0, "3"),
        (2e-5, "2·10⁻⁵"),
        (1.5e12, "1.5·10¹²"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "not a number"),
        ("text", "text"),
    ],
)
def test_text(value, shown):
    assert values.text(value) == shown


def test_more_digits_and_rounded_lists():
    assert [values.text(v, 5) for v in (59952.785723614026, 2.0008e-7)] == ["59953", "2.0008·10⁻⁷"]
    assert values.rounded(np.array([1.234567, math.nan])) == [1.235, None]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("True", True),
        ("9301174.0", 9301174),
        ("3.678794411714423e+19", 3.678794411714423e19),
        ("0.25", 0.25),
        ("4,096", "4,096"),
        ("", ""),
        ("O(1/ε)", "O(1/ε)"),
    ],
)
def test_cells_of_a_file_are_what_they_are(cell, value):
    parsed = values.parsed(cell)
    assert parsed == value and type(parsed) is type(value)


def test_plain_is_json():
    nested = {1: np.float64(2.5), "a": [np.int64(3), math.nan, np.array([1.0, math.inf])], "b": (True, None)}
    assert values.plain(nested) == {"1": 2.5, "a": [3, "not a number", [1.0, "∞"]], "b": [True, None]}


def test_tables_are_recognised_and_laid_out():
    by_panel = {"left": {"ratio": 0.3}, "right": {"ratio": 0.5, "true in": "3 of 3"}}
    assert values.is_table(by_panel)
    assert values.as_table(by_panel) == {
        "header": ["", "ratio", "true in"],
        "rows": [["left", 0.3, ""], ["right", 0.5, "3 of 3"]],
    }
    assert values.as_table([{"a": 1}])["rows"] == [[1, 1]]
    assert not any(map(values.is_table, ({}, [], {"a": 1}, {"a": {"b": {"c": 1}}}, "text", {"a": {}})))


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
