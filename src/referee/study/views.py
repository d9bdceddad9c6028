"""Panels of figures, and the part of a claim that a smaller run, or one under an alternative, can answer."""

import fnmatch

from ..ground.operands import on_panels, panels_named, parts
from .validation import lookup


def panels_of(figure, stem):
    """Panels of a figure of a paper's file, a grid's written out.

    Parameters
    ----------
    figure : dict
        An entry of `figures`, with `panels` or with `grid` (`rows`, `columns` and, for all, `cells`).
    stem : str
        The figure's name.

    Returns
    -------
    list of dict
        A grid's cells row by row, called `<stem>-<row>-<column>`: options of `cells`, then of the row, then
        of the column, of which the later wins; titles of row and column are joined.
    """
    grid = figure.get("grid")
    if not grid:
        return figure["panels"]
    shared = grid.get("cells", {})
    return [shared | _cell(stem, row, column) for row in grid["rows"] for column in grid["columns"]]


def drawable(figures):
    """All that can be drawn by name: every figure, and every named panel as a figure of its own."""
    found = dict(figures)
    for stem, figure in figures.items():
        common = {key: value for key, value in figure.items() if key not in ("grid", "panels")}
        for panel in panels_of(figure, stem):
            if "name" in panel:
                found.setdefault(panel["name"], common | {"panels": [panel]})
    return found


def methods_in(spec, experiment):
    """The paper's methods, and those that only this experiment defines."""
    return {**spec["methods"], **spec["experiments"][experiment].get("define", {})}


def _cell(stem, row, column):
    titles = [side["title"] for side in (row, column) if side.get("title")]
    title = {"title": ", ".join(titles)} if titles else {}
    return row | column | title | {"name": f"{stem}-{row['name']}-{column['name']}"}


def claims_on(claim: dict, experiments, left_out) -> dict | None:
    """A claim with only those tests and panels that the experiments can answer; None if nothing is left.

    A test that names an experiment or a method that is `left_out` beside its panels cannot be answered.
    """

    def reduced(part):
        tests = [
            on_panels(test, _named_by(panels_named(test), experiments)) for test in part.get("tests", [])
        ]
        tests = [test for test in tests if panels_named(test) and not left_out & names_in(test)]
        return {**part, "tests": tests, "race": None, "readings": None} if tests else None

    return _of_parts(claim, reduced)


def panels_told(claim: dict, experiments) -> set[str]:
    """Experiments of which a claim, or a part of it, speaks."""
    tests = [test for part in (claim, *claim.get("parts", {}).values()) for test in part.get("tests", [])]
    return {name for test in tests for name in _named_by(panels_named(test), experiments)}


def shown_in(figures: dict) -> set[str]:
    """Experiments in the panels of some figures."""
    panels = (panel for name, figure in figures.items() for panel in panels_of(figure, name))
    return {panel["experiment"] for panel in panels}


def on_figures(spec: dict, names, where) -> dict:
    """The part of a paper that shows some figures: their experiments, their claims, what is open in these."""
    figures = {name: lookup(spec["figures"], name, "figure", where) for name in names}
    shown = shown_in(figures)
    shown |= {spec["experiments"][name].get("instance_of", name) for name in shown}
    experiments = {name: values for name, values in spec["experiments"].items() if name in shown}
    left_out = spec["experiments"].keys() - shown
    claims = [claims_on(claim, experiments, left_out) for claim in spec.get("claims", [])]
    claims = [claim for claim in claims if claim]
    register = _register_of(spec, figures, _ids(spec, claims))
    part = {**spec, "figures": figures, "experiments": experiments, "claims": claims, "deviations": register}
    known = {entry["id"] for entry in register}
    shared = dict(spec.get("alternatives", {}))
    if "experiments" in shared:
        shared["experiments"] = [name for name in shared["experiments"] if name in shown]
    if "without" in shared:
        shared["without"] = {n: why for n, why in shared["without"].items() if n.partition("-")[0] in known}
    return _told(part, known) | {"tables": {}, "alternatives": shared}


def _register_of(spec, figures, claims):
    """Entries of the register that touch one of these figures or claims, with those alone."""
    entries = [
        {
            **entry,
            "figures": [name for name in entry.get("figures", []) if name in figures],
            "touches": [name for name in entry.get("touches", []) if name in claims],
        }
        for entry in spec.get("deviations", [])
    ]
    return [entry for entry in entries if entry["figures"] or entry["touches"]]


def _ids(spec, claims):
    """What figures and register call claims and their parts."""
    names = {f"{claim['id']}{part}" for claim in claims for part in ("", *_letters(claim))}
    return {f"{spec['prefix']}-{name}" for name in names} if spec.get("prefix") else names


def _letters(claim):
    return [f".{letter}" for letter in claim.get("parts", {})]


def _told(spec, deviations=None):
    """The spec whose figures name no claim, and no entry of the register, that it has not."""
    known, figures = _ids(spec, spec["claims"]), {}
    for name, figure in spec["figures"].items():
        told = (
            {"claims": [claim for claim in figure["claims"] if claim in known]} if "claims" in figure else {}
        )
        if deviations is not None and "deviations" in figure:
            told["deviations"] = [entry for entry in figure["deviations"] if entry in deviations]
        figures[name] = figure | told
    return {**spec, "figures": figures}


def with_answers(spec: dict, whole: dict) -> dict:
    """A run's spec with the claims that it can answer, where it leaves out methods or experiments.

    `whole` are the experiments of the full run. A test loses the panels in which one of its methods is left
    out; a claim without tests goes, with those that follow from it.
    """
    experiments = spec["experiments"]
    gone = {
        name: {*values.get("methods", [])} - {*experiments[name].get("methods", [])}
        for name, values in whole.items()
        if name in experiments
    }
    left_out = whole.keys() - experiments.keys()

    def left_of(test):
        names, panels = names_in(test), _named_by(panels_named(test), experiments)
        kept = [name for name in panels if not names & gone.get(name, set())]
        others = (names & experiments.keys()) - {*panels}
        if names & left_out - {*panels_named(test)} or any(names & gone.get(name, set()) for name in others):
            return None
        whole_test = kept == panels and not {*panels_named(test)} & left_out
        return test if whole_test else on_panels(test, kept) if kept else None

    def reduced(part):
        if not part.get("tests"):
            return part
        tests = [test for test in map(left_of, part["tests"]) if test]
        return {**part, "tests": tests} if tests else None

    claims = [_of_parts(claim, reduced) for claim in spec.get("claims", [])]
    return _told({**spec, "claims": _followed([claim for claim in claims if claim])})


def _of_parts(claim, reduced):
    """A claim, or its parts, reduced; None if nothing is left."""
    if "parts" not in claim:
        return reduced(claim)
    parts = {name: part for name, given in claim["parts"].items() if (part := reduced(given))}
    return {**claim, "parts": parts} if parts else None


def _followed(claims):
    """Claims without those that follow from one that is not there."""
    known = _ids({}, claims)

    def there(part):
        return part if {*(part.get("follows") or {}).get("from", [])} <= known else None

    kept = [claim for claim in (_of_parts(claim, there) for claim in claims) if claim]
    return claims if kept == claims else _followed(kept)


def answerable(claim: dict, experiments: dict, whole: dict) -> dict:
    """A claim without those views whose panels or methods a smaller run leaves out.

    `experiments` are the run's, `whole` those of the full run, in which a view without panels is an error.
    """
    every = {method for values in whole.values() for method in values["methods"]}

    def there(part, view):
        template, named = view.get("experiments", "{}"), _strings(part.get("tests", []))
        wanted = every & _strings([new for old, new in view.get("swap", {}).items() if old in named])
        patterns = [name for test in part.get("tests", []) for name in panels_named(test)]
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
