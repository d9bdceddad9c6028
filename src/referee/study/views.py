"""What is left of a claim where a smaller run, or one under an alternative, has not all of its panels."""

import fnmatch

from ..ground.operands import parts
from ..ground.quantifiers import on_panels, panels_of
from . import grids
from .validation import lookup


def claims_on(claim: dict, experiments, left_out) -> dict | None:
    """A claim with only those tests and panels that the experiments can answer; None if nothing is left.

    A test that names an experiment or a method that is `left_out` beside its panels cannot be answered.
    """

    def reduced(part):
        tests = [on_panels(test, _named_by(panels_of(test), experiments)) for test in part.get("tests", [])]
        tests = [test for test in tests if panels_of(test) and not left_out & names_in(test)]
        return {**part, "tests": tests, "race": None, "readings": None} if tests else None

    if "parts" not in claim:
        return reduced(claim)
    parts = {name: part for name, given in claim["parts"].items() if (part := reduced(given))}
    return {**claim, "parts": parts} if parts else None


def panels_told(claim: dict, experiments) -> set[str]:
    """Experiments of which a claim, or a part of it, speaks."""
    tests = [test for part in (claim, *claim.get("parts", {}).values()) for test in part.get("tests", [])]
    return {name for test in tests for name in _named_by(panels_of(test), experiments)}


def shown_in(figures: dict) -> set[str]:
    """Experiments in the panels of some figures."""
    panels = (panel for name, figure in figures.items() for panel in grids.panels_of(figure, name))
    return {panel["experiment"] for panel in panels}


def on_figures(spec: dict, names, where) -> dict:
    """The part of a paper that shows some figures: their experiments, and claims which those can answer."""
    figures = {name: lookup(spec["figures"], name, "figure", where) for name in names}
    shown = shown_in(figures)
    shown |= {spec["experiments"][name].get("instance_of", name) for name in shown}
    experiments = {name: values for name, values in spec["experiments"].items() if name in shown}
    left_out = spec["experiments"].keys() - shown
    claims = [claims_on(claim, experiments, left_out) for claim in spec.get("claims", [])]
    claims = [claim for claim in claims if claim]
    known = {claim["id"] for claim in claims}
    for name, figure in figures.items():
        told = [claim for claim in figure.get("claims", []) if claim in known]
        figures[name] = {**figure, "claims": told, "deviations": []}
    part = {"figures": figures, "experiments": experiments, "claims": claims}
    none = {"tables": {}, "deviations": [], "alternatives": {}}
    return {**spec, **part, **none}


def answerable(claim: dict, experiments: dict, whole: dict) -> dict:
    """A claim without those views whose panels or methods a smaller run leaves out.

    `experiments` are the run's, `whole` those of the full run, in which a view without panels is an error.
    """
    every = {method for values in whole.values() for method in values["methods"]}

    def there(part, view):
        template, named = view.get("experiments", "{}"), _strings(part.get("tests", []))
        wanted = every & _strings([new for old, new in view.get("swap", {}).items() if old in named])
        patterns = [name for test in part.get("tests", []) for name in panels_of(test)]
        found = [template.format(name) for name in _named_by(patterns, experiments)]
        listed = [experiments[name]["methods"] for name in found if name in experiments]
        return bool(listed) and all(method in methods for method in wanted for methods in listed)

    def reduced(part):
        views = {k: view for k, view in (part.get("readings") or {}).items() if there(part, view)}
        given = {k: v for k, v in (part.get("race") or {}).items() if v}
        race = {k: v for k, v in given.items() if k == "unstated" or there(part, v)}
        kept = {key: value for key, value in part.items() if key not in ("race", "readings")}
        kept |= {"race": race} if race.keys() - {"unstated"} else {}
        return kept | ({"readings": views} if views else {})

    if "parts" not in claim:
        return reduced(claim)
    return {**claim, "parts": {name: reduced(part) for name, part in claim["parts"].items()}}


def _named_by(patterns, experiments) -> list[str]:
    """The experiments, in their order, that are in a list of names and shell patterns."""
    found = {name for p in patterns for name in ([p] if p in experiments else fnmatch.filter(experiments, p))}
    return [name for name in experiments if name in found]


def names_in(test) -> set[str]:
    """All names in a test, or in a list of tests, those of operands (``a / b``, ``a@panel``) apart."""
    return {name for text in _strings(test) for name in parts(text)[::2]}


def _strings(value) -> set[str]:
    """All strings inside a value of YAML."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return {text for item in value for text in _strings(item)}
    return {value} if isinstance(value, str) else set()
