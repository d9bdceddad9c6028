"""The deviation register: its alternatives, and a paper under one of them."""

import math
import re
from functools import cache

from .resolution import merge
from .validation import StudyError, lookup
from .views import claims_on, panels_told, shown_in

#: Seeds of a panel that is cheap; share of the budget of one that is not.
SEEDS, HALF = 3, 0.5


def alternatives(spec: dict) -> dict[str, dict]:
    """Alternatives of the deviation register that can be run, by id ``<deviation>-<name in ASCII>``.

    Each has ``deviation, name, override, experiments, methods``; by default the `touched` experiments in
    which it changes something, of them those, and the methods, that the paper's ``alternatives`` names.
    Those that ``alternatives.without`` names are none of this run.
    """
    found, shared, told_by = {}, spec.get("alternatives", {}), _panels_by_claim(spec)
    for deviation in spec.get("deviations", []):
        panels = touched(spec, deviation, told_by)
        panels &= set(shared.get("experiments", panels))
        for choice in deviation.get("alternatives", []):
            if choice.get("override"):
                slug = re.sub(r"[^A-Za-z0-9.]+", "-", choice["name"]).strip("-.")
                name = f"{deviation['id']}-{slug}"
                if name in found:
                    raise StudyError(
                        f"two alternatives are called {name}; give them names that differ in ASCII"
                    )
                choice = {"methods": shared.get("methods", list(spec["methods"])), **choice}
                told = {"experiments": _changed(spec, choice, panels - set(choice.get("without", {})))}
                found[name] = {**told, **choice, "deviation": deviation["id"]}
    for name in shared.get("without", {}):
        lookup(found, name, "alternative", spec["paper"])
    return {name: choice for name, choice in found.items() if name not in shared.get("without", {})}


def touched(spec: dict, deviation: dict, told_by=None) -> set[str]:
    """Experiments that an entry of the register may change: those of its figures and of its claims."""
    figures = {
        stem: spec["figures"][stem] for stem in deviation.get("figures", []) if stem in spec["figures"]
    }
    return shown_in(figures).union(*map(told_by or _panels_by_claim(spec), deviation.get("touches", [])))


def _panels_by_claim(spec):
    """Experiments of which a claim speaks, by its name: looked up once, as many entries touch a claim."""
    known = {f"{spec.get('prefix', '')}-{claim['id']}": claim for claim in spec.get("claims", [])}
    return cache(lambda name: panels_told(known[name], spec["experiments"]) if name in known else set())


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


def under(spec: dict, name: str) -> dict:
    """The spec under one alternative: its override merged, its panels only, fewer seeds, shorter budgets."""
    choice = lookup(alternatives(spec), name, "alternative", spec["paper"])
    if not choice["experiments"]:
        raise StudyError(f"{spec['paper']}: no experiment is run under {name}")
    return _reduced(merge(spec, choice["override"]), set(choice["experiments"]), set(choice["methods"]))


def _reduced(spec, experiments, methods):
    """The spec on these experiments and methods, with what they can answer."""
    wanted = {e: dict(v) for e, v in spec["experiments"].items() if e in experiments}
    left_out = {m for v in wanted.values() for m in v.get("methods", [])} - methods
    for name, values in wanted.items():
        values["methods"] = [m for m in values.get("methods", []) if m in methods]
        if _seconds(values) <= spec.get("alternatives", {}).get("cheap", 0):
            values["seeds"] = min(SEEDS, values.get("seeds", 1))
        else:
            values |= {"seeds": 1, "repetitions": 1}
            share = spec.get("alternatives", {}).get("shares", {}).get(name, HALF)
            values["budget"] = _part(values.get("budget", {}), share)
            own = values.get("method_budgets", {}).items()
            values["method_budgets"] = {m: budget and _part(budget, share) for m, budget in own}
    for source in [v["instance_of"] for v in wanted.values() if "instance_of" in v]:
        wanted.setdefault(source, {**spec["experiments"][source], "methods": []})
    left_out |= set(spec["experiments"]) - set(wanted)
    claims = [claims_on(claim, wanted, left_out) for claim in spec.get("claims", [])]
    answered = {"experiments": wanted, "claims": [claim for claim in claims if claim]}
    none = {"figures": {}, "tables": {}, "alternatives": {}}
    return {**spec, "methods": _grids_alone(spec["methods"]), **answered, **none}


def _grids_alone(methods):
    """The methods with the grids of their tuning as they stand: no value beyond an edge is tried."""
    return {
        name: {**values, "search": {**values["search"], "extensions": 0}} if values.get("search") else values
        for name, values in methods.items()
    }


def _seconds(values):
    """The most CPU seconds that an experiment takes with as many seeds as a cheap one has."""
    limits = [values.get("method_budgets", {}).get(m, values.get("budget", {})) for m in values["methods"]]
    runs = SEEDS + values.get("repetitions", 1) - 1
    return runs * sum(limit.get("cpu_seconds", math.inf) for limit in limits if limit)


def _part(budget, share):
    """That share of every limit; a level that ends a run stays."""
    return {name: limit if name == "stop" else _scaled(name, limit, share) for name, limit in budget.items()}


def _scaled(name, limit, share):
    return limit * share if name.endswith("seconds") else max(1, round(limit * share))
