"""Templates: one entry or item for a grid of them."""

import copy
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.study.resolution import expand

TEMPLATE = {
    "for": [[{"k": 1, "r": 5}, {"k": 2, "r": 10}], [{"p": 10}, {"p": 50}]],
    "title": "rank {r}, b = n/{p}",
    "generator": {"name": "completion", "rank": "{r}"},
    "records": {"every": "{p}"},
    "methods": ["full", "m{k}"],
}


def test_every_combination_in_order_with_its_values_in_all_strings():
    found = expand({"fig{k}-p{p}": TEMPLATE, "plain": {"title": "{as} it is"}})
    assert list(found) == ["fig1-p10", "fig1-p50", "fig2-p10", "fig2-p50", "plain"]
    assert found["fig2-p10"] == {
        "title": "rank 10, b = n/10",
        "generator": {"name": "completion", "rank": 10},
        "records": {"every": 10},
        "methods": ["full", "m2"],
    }
    assert found["plain"] == {"title": "{as} it is"}, "only templates have braces"


@pytest.mark.parametrize("value", [5, 0.5, True, None, [1, 2], {"a": 1}, "text"])
def test_a_string_that_is_one_name_becomes_the_value_itself(value):
    found = expand({"e{k}": {"for": [[{"k": 1, "v": value}]], "x": "{v}", "text": "v = {v}"}})
    assert found["e1"] == {"x": value, "text": f"v = {value}"}
    assert type(found["e1"]["x"]) is type(value)


def test_keys_are_filled_too_and_a_later_list_wins():
    found = expand({"e{k}": {"for": [[{"k": 1, "m": "a"}], [{"m": "b"}]], "method_seeds": {"{m}": "{k}"}}})
    assert found == {"e1": {"method_seeds": {"b": 1}}}


def test_templates_stay_as_they_are():
    before = copy.deepcopy(TEMPLATE)
    expand({"fig{k}-p{p}": TEMPLATE})
    assert before == TEMPLATE


@pytest.mark.parametrize(
    "experiments, message",
    [
        ({"e{k}": {"for": [[{"k": 1}]], "x": "{q}"}}, r"'e\{k\}.x': \{q\} is not given; given are k"),
        ({"e{q}": {"for": [[{"k": 1}]]}}, r"\{q\} is not given"),
        ({"e": {"for": [[{"k": 1}, {"k": 2}]]}}, "two entries are called 'e'; the template is 'e'"),
        ({"e1": {}, "e{k}": {"for": [[{"k": 1}]]}}, "two entries are called 'e1'"),
        ({"e{k}": {"for": [[{"k": 1}]]}, "e1": {}}, "two entries are called 'e1'"),
        ({"e{k}": {"for": [{"k": 1}]}}, r"template 'e\{k\}': for must be lists of mappings"),
        ({"e{k}": {"for": [[1, 2]]}}, "for must be lists of mappings"),
        ({"e{k}": {"for": [[]]}}, "for must be lists of mappings"),
        ({"e{k}": {"for": 3}}, "for must be lists of mappings"),
    ],
)
def test_what_does_not_fit_is_named(experiments, message):
    with pytest.raises(ValueError, match=message):
        expand(experiments)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=3))
def test_there_are_as_many_as_the_product_of_the_lists(sizes):
    lists = [[{f"k{i}": j} for j in range(size)] for i, size in enumerate(sizes)]
    name = "-".join(f"{{k{i}}}" for i in range(len(sizes)))
    found = expand({name: {"for": lists, "x": 1}})
    assert len(found) == math.prod(sizes) and set(map(str, found.values())) == {"{'x': 1}"}


def test_every_entry_and_item_at_any_depth_may_be_a_template():
    inner = {"for": [[{"y": "gap"}, {"y": "error"}]], "title": "{k}, {y}"}
    template = {"for": [[{"k": 1}, {"k": 2}]], "panels": [inner, {"title": "last"}]}
    found = expand({"figures": {"fig{k}": template}})["figures"]
    titles = {name: [panel["title"] for panel in figure["panels"]] for name, figure in found.items()}
    assert titles == {f"fig{k}": [f"{k}, gap", f"{k}, error", "last"] for k in (1, 2)}


def test_names_of_the_template_outside_are_given_inside_and_may_be_given_anew():
    inner = {"for": [[{"b": "{a}{a}"}], [{"a": 3}]], "x": "{a} {b}"}
    found = expand({"o{a}": {"for": [[{"a": 1}, {"a": 2}]], "in": {"i": inner}, "a": "{a}"}})
    assert found == {f"o{a}": {"in": {"i": {"x": f"3 {a}{a}"}}, "a": a} for a in (1, 2)}


def test_braces_outside_of_templates_stay():
    value = {"claims": [{"readings": {"r": {"experiments": "{}-r3"}}, "text": "{x}"}], 3: "{k}", "n": None}
    assert expand(value) == value


@pytest.mark.parametrize(
    "value, message",
    [
        ({"a": [{}, {"for": [[{"k": 1}]], "x": {"y": "{q}"}}]}, r"'spec.a.1.x.y': \{q\} is not given"),
        ({"a": {"e{k}": {"for": 1}}}, r"template 'spec.a.e\{k\}': for must be lists of mappings"),
        ({"a": {"e": {"for": [[{}, {}]]}}}, "two entries of spec.a are called 'e'; the template is 'e'"),
    ],
)
def test_an_error_names_the_place(value, message):
    with pytest.raises(ValueError, match=message):
        expand(value, "spec")
