"""A claim's YAML → checks: one kind on one panel with all its parameters; unknown names are errors."""

from dataclasses import dataclass, replace
from itertools import product

from ..ground.names import require
from .aggregates import order, parts_of
from .judging.grammar import is_sentence
from .judging.views import check_sentences
from .kinds import lookup
from .kinds.base import METHOD_ARGS, defaults
from .panel import flat
from .patterns import expand, swapped

CLAIM_KEYS = ("id", "quote", "where", "statement", "note", "parts")
WORD_KEYS = ("quote", "where", "statement", "note", "extra")
PART_KEYS = (*WORD_KEYS, "type", "tests", "strong", "both_strong", "readings", "not_judged", "follows")
TEST_KEYS = ("kind", "experiments", "each", "pool", "quota", "cells", "label")
VIEW_KEYS = ("swap", "args", "experiments")
CELL_KEYS = ("holds", "in_part")


@dataclass(frozen=True)
class Check:
    """One kind on one panel.

    Attributes
    ----------
    pool : bool
        Average the records over the seeds first: for statements about expectations.
    quota : float
        Share of the seeds in which it has to be true.
    cells : dict, optional
        Shares ``holds`` and ``in_part`` of the (panel, seed) cells of all checks with the same `group`, which
        then have one verdict together.
    """

    kind: str
    experiment: str
    args: dict
    pool: bool
    quota: float
    label: str
    cells: dict | None = None
    group: str = ""

    @property
    def methods(self) -> list[str]:
        """Methods that the parameters name."""
        return flat(*(self.args.get(name) for name in METHOD_ARGS))


def checks_of(part: dict, spec: dict, view: dict | None = None, scale: float = 1.0) -> list[Check]:
    """Checks of a part under a view.

    Parameters
    ----------
    part : dict
        Statement with ``tests``.
    spec : dict
        The paper's; of it ``experiments``, among which patterns choose, and ``paper``, whose kinds are known.
    view : dict, optional
        ``swap``: names (of methods, experiments, metrics) to replace; ``args``: parameters to replace in
        the tests whose kind has them; ``experiments``: a name with ``{}`` for the name of each experiment,
        as in ``"{}-r3"``. Panels without such a counterpart are left out.
    scale : float
        Multiplies every threshold.

    Raises
    ------
    ValueError
        For unknown names, and where no panel is left.
    """
    view = view or {}
    if part.get("not_judged") and not part.get("tests"):
        return []
    tests = [_under(test, spec["experiments"], view) for test in part["tests"]]
    if not any(test["experiments"] for test in tests):
        raise ValueError(f"no panel is left under {view or 'its tests'}")
    found = [list(_expanded(test, spec["paper"], view.get("args", {}), scale)) for test in tests]
    _distinct([check.group for checks in found for check in _one_a_group(checks)], "test in cells")
    return _labelled([check for checks in found for check in checks])


def _under(test, experiments, view):
    """A test with its patterns expanded and its names as the view wants them."""
    names = expand(test["experiments"], experiments)
    test = swapped({**test, "experiments": names}, view.get("swap", {}))
    template = view.get("experiments")
    if not template:
        return test
    if "{}" not in template:
        raise ValueError(f"experiments of a view is a name with {{}} for each panel's, not {template!r}")
    names = [template.format(name) for name in test["experiments"]]
    if "other" in test:
        test["other"] = template.format(test["other"])
        names = names if test["other"] in experiments else []
    return {**test, "experiments": [name for name in names if name in experiments]}


def _expanded(test, paper, override, scale):
    """One check per experiment and combination of ``each``."""
    kind, each, cells = lookup(test["kind"], paper), test.get("each", {}), test.get("cells")
    if cells and set(cells) != set(CELL_KEYS):
        raise ValueError(f"cells needs {' and '.join(CELL_KEYS)}; given: {', '.join(cells)}")
    args = {key: value for key, value in test.items() if key not in TEST_KEYS}
    for experiment, *values in product(test["experiments"], *each.values()):
        given = args | dict(zip(each, values, strict=True))
        filled = defaults(kind, given)
        filled |= {key: value for key, value in override.items() if key in filled}
        filled["threshold"] = filled["threshold"] * scale
        words = [str(v) for v in values] or [test.get("label") or ""]
        label = " · ".join(filter(None, [experiment, *words]))
        group = (" · ".join(filter(None, words)) or test["kind"].replace("_", " ")) if cells else ""
        pool, quota = test.get("pool", False), test.get("quota", 0.8)
        yield Check(test["kind"], experiment, filled, pool, quota, label, cells, group)


def _one_a_group(checks):
    return {check.group: check for check in checks if check.cells}.values()


def _labelled(checks):
    """Labels made unique, where needed by the methods, else by a number."""
    for words in (lambda i, c: " vs ".join(c.methods), lambda i, c: f"{c.kind} {i + 1}"):
        labels = [c.label for c in checks]
        checks = [
            c if labels.count(c.label) == 1 else replace(c, label=f"{c.label} · {words(i, c)}")
            for i, c in enumerate(checks)
        ]
    return checks


def check_claims(spec: dict) -> None:
    """Raise `ValueError` for the first unknown key, kind, parameter, experiment, method or claim."""
    _distinct([claim.get("id", "?") for claim in spec["claims"]], "claim")
    for claim in spec["claims"]:
        name = f"claim {claim.get('id', '?')}"
        require(claim, CLAIM_KEYS if "parts" in claim else (*CLAIM_KEYS, *PART_KEYS), "key", name)
        for letter, part in parts_of(claim).items():
            try:
                _check_part(spec, part)
            except (ValueError, KeyError) as error:
                raise ValueError(f"{name}{'.' * bool(letter)}{letter}: {error}") from error
    order(spec["claims"])


def _check_part(spec, part):
    require(part, PART_KEYS, "key", "a part")
    if "follows" in part:
        require(part, (*WORD_KEYS, "follows"), "key", "a part that follows")
        return
    if "tests" not in part and not part.get("not_judged"):
        raise ValueError("a part needs tests or follows")
    if any(map(is_sentence, part.get("tests", []))):
        check_sentences(spec, part)
        return
    views = [{}, part.get("strong") or {}, *(part.get("readings") or {}).values()]
    for view in views:
        require(view, VIEW_KEYS, "key", "strong or reading")
        for check in checks_of(part, spec, view):
            _check_names(spec["experiments"], check)


def _check_names(experiments, check):
    for name in filter(None, (check.experiment, check.args.get("other"))):
        require([name], experiments, "experiment")
        if experiments[name].get("methods"):
            require(check.methods, experiments[name]["methods"], "method", name)


def _distinct(names, what):
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"more than one {what} is called {', '.join(twice)}")
