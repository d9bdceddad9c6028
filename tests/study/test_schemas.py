"""Schemas for editors: made from the types, and fit for every file as it is written."""

import json
from functools import cache

import pytest
import yaml
from jsonschema import Draft202012Validator  # comes with Snakemake
from places import ROOT

from referee.study import schemas

FILES = {
    "config": [ROOT / "config/config.yaml"],
    "datasets": [ROOT / "config/datasets.yaml"],
    "paper": sorted((ROOT / "papers").rglob("*.yaml")),
}


@cache
def validator(name):
    return Draft202012Validator(schemas.schema(name))


def errors(name, value):
    return [error.message for error in validator(name).iter_errors(value)]


def test_the_schemas_are_what_the_types_say(tmp_path):
    assert schemas.stale(ROOT) == {}
    assert len(schemas.stale(tmp_path)) == len(schemas.MODELS), "missing ones are told"


@pytest.mark.parametrize("name", schemas.MODELS)
def test_the_text_is_the_schema(name):
    assert json.loads(schemas.text(name)) == schemas.schema(name)
    Draft202012Validator.check_schema(schemas.schema(name))


@pytest.mark.parametrize(
    "name, path", [(name, path) for name, paths in FILES.items() for path in paths], ids=str
)
def test_every_file_fits_its_schema(name, path):
    assert errors(name, yaml.safe_load(path.read_text())) == []


@pytest.mark.parametrize(
    "part, fits",
    [
        ({"experiments": {"e": {"methods": ["a"]}}}, True),
        ({"experiments": {"e{p}": {"for": [[{"p": 1}]], "seeds": "{p}", "problem": {"n": "{p}"}}}}, True),
        ({"figures": {"f": {"panels": [{"for": [[{"p": 1}]], "name": "f{p}", "draw": "{p}"}]}}}, True),
        ({"runs": {"quick": {"experiments": {"e": {"budget": {"FO": None}, "seeds": 1}, "f": None}}}}, True),
        ({"experiments": {"e": {"seeds": "two"}}}, False),
        ({"experiments": {"e": {"sedes": 2}}}, False),
        ({"runs": {"quick": {"experimants": {}}}}, False),
        ({"runs": {"quick": {"experiments": {"e": {"budget": {"seconds": 1}}}}}}, False),
        ({"figures": {"f": {"panels": [{"y_scale": "lgo"}]}}}, False),
        ({"deviations": [{"alternatives": [{"override": {"methds": {}}}]}]}, False),
    ],
)
def test_a_file_may_be_a_part_and_a_template_but_no_other_word(part, fits):
    assert (errors("paper", part) == []) == fits
