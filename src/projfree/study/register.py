"""The deviation register: its alternatives, and a paper under one of them."""

import re

from .grids import panels_of
from .merging import merge
from .validation import StudyError, lookup
from .views import claims_on


def alternatives(spec: dict) -> dict[str, dict]:
    """Alternatives of the deviation register that can be run, by id ``<deviation>-<name in ASCII>``.

    Each has ``deviation, name, override, experiments, methods``; by default the experiments of the
    deviation's figures, and the methods, that the paper's ``alternatives`` section names.
    """
    found, shared = {}, spec.get("alternatives", {})
    for deviation in spec.get("deviations", []):
        stems = [stem for stem in deviation.get("figures", []) if stem in spec["figures"]]
        touched = {panel["experiment"] for stem in stems for panel in panels_of(spec["figures"][stem], stem)}
        defaults = {
            "experiments": sorted(touched & set(shared.get("experiments", touched))),
            "methods": shared.get("methods", list(spec["methods"])),
        }
        for choice in deviation.get("alternatives", []):
            if choice.get("override"):
                slug = re.sub(r"[^A-Za-z0-9.]+", "-", choice["name"]).strip("-.")
                name = f"{deviation['id']}-{slug}"
                if name in found:
                    raise StudyError(
                        f"two alternatives are called {name}; give them names that differ in ASCII"
                    )
                found[name] = {**defaults, **choice, "deviation": deviation["id"]}
    return found


def alternative_runs(spec: dict) -> list[str]:
    """What stands behind ``@`` in the runs of the inverse search: alternatives, and several as one."""
    search = spec.get("inverse", {})
    joined = ["+".join(names) for names in search.get("combinations", [])]
    return [*search.get("alternatives", alternatives(spec)), *joined]


def under(spec: dict, name: str) -> dict:
    """The spec under one alternative: its override merged, its panels only, one seed, half the budgets.

    Several joined by ``+`` are one run, on the panels that all of them have.
    """
    known = alternatives(spec)
    choices = [lookup(known, part, "alternative", spec["paper"]) for part in name.split("+")]
    for choice in choices:
        spec = merge(spec, choice["override"])
    experiments = set.intersection(*(set(choice["experiments"]) for choice in choices))
    methods = {method for choice in choices for method in choice["methods"]}
    if not experiments:
        raise StudyError(f"{spec['paper']}: no experiment is run under all of {', '.join(name.split('+'))}")
    return _reduced(spec, experiments, methods)


def _reduced(spec, experiments, methods):
    """The spec on these experiments and methods, with what they can answer."""
    wanted = {e: dict(v) for e, v in spec["experiments"].items() if e in experiments}
    left_out = {m for v in wanted.values() for m in v.get("methods", [])} - methods
    for values in wanted.values():
        values["seeds"] = 1
        values["methods"] = [m for m in values.get("methods", []) if m in methods]
        values["budget"] = {k: _half(k, v) for k, v in values.get("budget", {}).items()}
    for source in [v["instance_of"] for v in wanted.values() if "instance_of" in v]:
        wanted.setdefault(source, {**spec["experiments"][source], "methods": []})
    left_out |= set(spec["experiments"]) - set(wanted)
    claims = [claims_on(claim, wanted, left_out) for claim in spec.get("claims", [])]
    facts = {name: claims_on(fact, wanted, left_out) for name, fact in spec.get("facts", {}).items()}
    answered = {
        "claims": [claim for claim in claims if claim],
        "facts": {name: {**spec["facts"][name], "tests": f["tests"]} for name, f in facts.items() if f},
    }
    return {**spec, "experiments": wanted, **answered, "figures": {}, "tables": {}, "alternatives": {}}


def _half(name, limit):
    return limit / 2 if name.endswith("seconds") else limit if name == "stop" else max(1, round(limit / 2))
