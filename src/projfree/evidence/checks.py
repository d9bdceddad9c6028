"""A claim's YAML → checks: one kind on one panel with all its parameters; unknown names are errors."""

from dataclasses import dataclass
from itertools import product

from .kinds import defaults
from .kinds.base import METHOD_ARGS
from .panel import flat

CLAIM_KEYS = ("id", "quote", "where", "statement", "note", "parts")
PART_KEYS = ("quote", "where", "statement", "note", "extra", "tests", "strong", "readings", "not_judged")
TEST_KEYS = ("kind", "experiments", "each", "pool", "quota", "label")
VIEW_KEYS = ("swap", "args")


@dataclass(frozen=True)
class Check:
    """One kind on one panel.

    Attributes
    ----------
    pool : bool
        Average the records over the seeds first: for statements about expectations.
    quota : float
        Share of the seeds in which it has to be true.
    """

    kind: str
    experiment: str
    args: dict
    pool: bool
    quota: float
    label: str

    @property
    def methods(self) -> list[str]:
        """Methods that the parameters name."""
        return flat(*(self.args.get(name) for name in METHOD_ARGS))


def parts_of(claim: dict) -> dict[str, dict]:
    """A claim's parts by letter; a claim without parts is its own only part, under the empty letter."""
    if "parts" in claim:
        return claim["parts"]
    return {"": {key: value for key, value in claim.items() if key not in ("id", "parts")}}


def checks_of(part: dict, view: dict | None = None, scale: float = 1.0) -> list[Check]:
    """Checks of a part under a view.

    Parameters
    ----------
    part : dict
        Statement with ``tests``.
    view : dict, optional
        ``swap``: names (of methods, experiments, metrics) to replace; ``args``: parameters to replace in
        the tests whose kind has them.
    scale : float
        Multiplies every threshold.
    """
    view = view or {}
    tests = [_swapped(test, view.get("swap", {})) for test in part["tests"]]
    checks = [check for test in tests for check in _expanded(test, view.get("args", {}), scale)]
    return _labelled(checks)


def _expanded(test, override, scale):
    """One check per experiment and combination of ``each``."""
    each = test.get("each", {})
    args = {key: value for key, value in test.items() if key not in TEST_KEYS}
    for experiment, *values in product(test["experiments"], *each.values()):
        given = args | dict(zip(each, values, strict=True))
        filled = defaults(test["kind"], given)
        filled |= {key: value for key, value in override.items() if key in filled}
        filled["threshold"] = filled["threshold"] * scale
        words = [str(v) for v in values] or [test.get("label") or ""]
        label = " · ".join(filter(None, [experiment, *words]))
        yield Check(test["kind"], experiment, filled, test.get("pool", False), test.get("quota", 0.8), label)


def _labelled(checks):
    """Labels made unique, where needed by the methods, else by a number."""
    for words in (lambda i, c: " vs ".join(c.methods), lambda i, c: f"{c.kind} {i + 1}"):
        labels = [c.label for c in checks]
        checks = [
            c if labels.count(c.label) == 1 else Check(**vars(c) | {"label": f"{c.label} · {words(i, c)}"})
            for i, c in enumerate(checks)
        ]
    return checks


def _swapped(value, names):
    """The value with every string in it replaced by `names`, once; keys stay."""
    if isinstance(value, dict):
        return {key: _swapped(inner, names) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_swapped(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def check_claims(spec: dict) -> None:
    """Raise `ValueError` for the first unknown key, kind, parameter, experiment or method in the claims."""
    for claim in spec["claims"]:
        name = f"claim {claim.get('id', '?')}"
        _known(claim, CLAIM_KEYS if "parts" in claim else (*CLAIM_KEYS, *PART_KEYS), name)
        for letter, part in parts_of(claim).items():
            try:
                _check_part(spec, part)
            except (ValueError, KeyError) as error:
                raise ValueError(f"{name}{'.' * bool(letter)}{letter}: {error}") from error


def _check_part(spec, part):
    _known(part, PART_KEYS, "part")
    views = [{}, part.get("strong") or {}, *(part.get("readings") or {}).values()]
    for view in views:
        _known(view, VIEW_KEYS, "strong or reading")
        for check in checks_of(part, view):
            _check_names(spec["experiments"], check)


def _check_names(experiments, check):
    for name in filter(None, (check.experiment, check.args.get("other"))):
        _known([name], experiments, "experiment")
        if experiments[name].get("methods"):
            _known(check.methods, experiments[name]["methods"], f"method of {name}")


def _known(names, known, what):
    unknown = [str(name) for name in names if name not in known]
    if unknown:
        raise ValueError(f"unknown {what}: {', '.join(unknown)}; known: {', '.join(map(str, known))}")
