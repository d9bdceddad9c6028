"""The deviation register: its alternatives, and a paper under one of them."""

import math
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module

from ..common import rooms
from .files import PAPERS
from .resolution import merge
from .unit_costs import part
from .validation import StudyError, lookup
from .views import shown_in

#: Seeds of a panel that is cheap; share of the budget of one that is not.
SEEDS, HALF = 3, 0.5


def alternatives(spec: dict) -> dict[str, dict]:
    """Alternatives of the deviation register that have an experiment to run, as `known` has them."""
    return {name: choice for name, choice in known(spec).items() if choice["experiments"]}


def known(spec: dict, only: str | None = None, panels: bool = True) -> dict[str, dict]:
    """Alternatives of the register that override something, by id ``<deviation>-<name in ASCII>``.

    Each has ``deviation, name, override, experiments, methods``; by default the `touched` experiments in
    which it changes something, of them those, and the methods, that the paper's ``alternatives`` names.
    Those that ``alternatives.without`` names are none of this run. With `only`, just that one has its
    `experiments`, since each takes a merge of the whole paper; without `panels` none has.
    """
    choices, shared = {}, spec.get("alternatives", {})
    for deviation in spec.get("deviations", []):
        shown = touched(spec, deviation) if panels else set()
        shown &= set(shared.get("experiments", shown))
        for choice in deviation.get("alternatives", []):
            if choice.get("override"):
                slug = re.sub(r"[^A-Za-z0-9.]+", "-", choice["name"]).strip("-.")
                name = f"{deviation['id']}-{slug}"
                if name in choices:
                    raise StudyError(
                        f"two alternatives are called {name}; give them names that differ in ASCII"
                    )
                choice = {"methods": shared.get("methods", list(spec["methods"])), **choice}
                names = shown - set(choice.get("without", {})) if only in (None, name) else ()
                defaults = {"experiments": _changed(spec, choice, names) if names else []}
                choices[name] = {**defaults, **choice, "deviation": deviation["id"]}
    for name in shared.get("without", {}):
        lookup(choices, name, "alternative", spec["paper"], _all(spec))
    return {name: choice for name, choice in choices.items() if name not in shared.get("without", {})}


def _all(spec):
    return f"All are in {PAPERS}/{spec['paper']}/register.yaml"


def touched(spec: dict, deviation: dict) -> set[str]:
    """Experiments that an entry of the register may change: those of its figures and of its claims."""
    figures = {
        stem: spec["figures"][stem] for stem in deviation.get("figures", []) if stem in spec["figures"]
    }
    panels = (asked(spec["paper"]).get(name, ()) for name in deviation.get("touches", []))
    return shown_in(figures).union(*panels) & spec["experiments"].keys()


@cache
def asked(paper: str) -> dict[str, set[str]]:
    """Claim, with its prefix → the experiments that it asks for; none of a paper without claims.

    The judge, which reads studies, is found by its name: no import leads from here to it.
    """
    if not rooms.has(paper, "claims"):
        return {}
    return import_module("referee.judge.products").asked(paper)


def _changed(spec, choice, names):
    """Those of the experiments in which an alternative makes another run of one of its methods."""
    other = merge(spec, choice["override"])
    runs = [{name: _made_of(s, name, choice["methods"]) for name in names} for s in (spec, other)]
    return sorted(name for name in names if runs[0][name] != runs[1][name])


def _made_of(spec, name, methods):
    """What the runs of an experiment are made of; nothing where none of the methods is run."""
    values = spec["experiments"][name]
    run = [m for m in values.get("methods", []) if m in methods]
    source = spec["experiments"].get(values.get("instance_of"), values)
    known = {**spec["methods"], **values.get("define", {})}
    parts = {k: v for k, v in values.items() if k not in ("define", "methods")}
    return run and (parts, source.get("generator"), source.get("dataset"), [known.get(m) for m in run])


def under(spec: dict, name: str, in_counts: Callable | None = None) -> dict:
    """The spec under one alternative: its override merged, its panels only, fewer seeds, shorter budgets.

    Where seconds are made of counts, only methods that the alternative changes are run; the others are
    listed as `from_base`, and their curves are those of the base run.

    Parameters
    ----------
    in_counts : callable, optional
        (experiment, method, budget, share) → its budget as counts of the base run, as `counts_of` makes it:
        claims over seconds are then judged on model seconds. Without it budgets in seconds stay seconds.
    """
    choice = lookup(known(spec, name), name, "alternative", spec["paper"], _all(spec))
    other = merge(spec, choice["override"])
    _keeps_tuning(spec, other, name)
    if in_counts:
        spec, other = ({**each, "clock": "model"} for each in (spec, other))
    panels = {}
    for experiment in (e for e in spec["experiments"] if e in choice["experiments"]):
        listed = [m for m in other["experiments"][experiment].get("methods", []) if m in choice["methods"]]
        untouched = [m for m in listed if not _changed(spec, {**choice, "methods": [m]}, [experiment])]
        taken = untouched if other.get("clock") == "model" else []
        if len(listed) > len(taken):
            panels[experiment] = {
                **other["experiments"][experiment],
                "methods": listed,
                "from_base": taken,
            }
    if not panels:
        raise StudyError(f"{spec['paper']}: no experiment is run under {name}")
    short = {e: _short(values, e, spec.get("alternatives", {}), in_counts) for e, values in panels.items()}
    return _answering(other, short)


def _keeps_tuning(spec, other, name):
    """A tuned method takes under an alternative what was chosen in the base run."""
    for method, values in other["methods"].items():
        if values.get("search") != spec["methods"].get(method, values).get("search"):
            raise StudyError(
                f"{spec['paper']}: {name} changes the search of {method}; alternatives keep the values that "
                "were chosen in the base run, so give the values in `params`, or another method"
            )


def _short(values, name, shared, in_counts):
    """An experiment of an alternative with as many seeds, and as long budgets, as it is run with there."""
    cheap = _seconds(values) <= shared.get("cheap", 0)
    share = 1 if cheap else shared.get("shares", {}).get(name, shared.get("share", HALF))
    fewer = {"seeds": min(SEEDS, values.get("seeds", 1))} if cheap else {"seeds": 1, "repetitions": 1}
    if not cheap or in_counts:
        fewer |= _shorter(values, name, share, in_counts)
    return {**values, **fewer}


def _shorter(values, name, share, in_counts):
    """Budgets cut to a share; in counts each method has its own."""
    common, own = values.get("budget"), values.get("method_budgets", {})
    if not in_counts:
        method_budgets = {m: budget and part(budget, share) for m, budget in own.items()}
        return {"budget": common and part(common, share), "method_budgets": method_budgets}
    limits = {m: own.get(m, common) for m in values["methods"]}
    counted = {m: budget and in_counts(name, m, budget, share) for m, budget in limits.items()}
    return {"budget": None, "method_budgets": counted}


def _answering(spec, experiments):
    """The spec on these experiments, and those whose instances they share."""
    whole = spec["experiments"]
    sources = [v["instance_of"] for v in experiments.values() if "instance_of" in v]
    needed = experiments | {s: {**whole[s], "methods": []} for s in sources if s not in experiments}
    return {**spec, "experiments": needed, "figures": {}, "tables": {}, "alternatives": {}}


def _seconds(values):
    """The most CPU seconds that an experiment takes with as many seeds as a cheap one has."""
    limits = [values.get("method_budgets", {}).get(m, values.get("budget", {})) for m in values["methods"]]
    runs = SEEDS + values.get("repetitions", 1) - 1
    return runs * sum(limit.get("cpu_seconds", math.inf) for limit in limits if limit)
