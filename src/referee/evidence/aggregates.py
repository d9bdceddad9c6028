"""Aggregates: verdicts of parts, of claims that follow from others, and entries of parts."""

import math
from collections import Counter
from graphlib import CycleError, TopologicalSorter

from projfree.ground.names import require

from ..study.models.claim import Claim, Part
from .judging.quantifiers import CELLS, NOT_RUN, conjunction


def parts_of(claim: Claim) -> dict[str, Part]:
    """A claim's parts by letter; a claim without parts is its own only part, under the empty letter."""
    return {"": claim} if claim.parts is None else claim.parts


def named(claims: list[Claim]) -> dict[str, tuple[Claim, Part | None]]:
    """Name without prefix (``C1``, ``C1.a``) → claim and part, None for a claim that has parts; in order."""
    found = {}
    for claim in claims:
        found[claim.id] = claim, None
        for letter, part in parts_of(claim).items():
            found[f"{claim.id}.{letter}" if letter else claim.id] = claim, part
    return found


def heads(claim: Claim) -> list[str]:
    """Names of the parts that make the verdict of a claim with parts: all but the extra ones."""
    return [f"{claim.id}.{letter}" for letter, part in parts_of(claim).items() if not part.extra]


def leaves(claims: list[Claim]) -> dict[str, list[str]]:
    """Name of each claim and part → the parts with sentences of their own that make its verdict."""
    entries, found = named(claims), {}
    for name in order(claims):
        claim, part = entries[name]
        sources = heads(claim) if part is None else part.follows.from_ if part.follows else []
        found[name] = list(dict.fromkeys(leaf for source in sources for leaf in found[source])) or [name]
    return found


def order(claims: list[Claim]) -> list[str]:
    """Names of all claims and parts, each after those that it follows from.

    Raises
    ------
    ValueError
        For a name in ``follows`` that nothing has, for what is needed but not followed from, for a circle.
    """
    entries = named(claims)
    graph = {name: _sources(claim, part, name, entries) for name, (claim, part) in entries.items()}
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise ValueError(f"claims follow from each other: {' → '.join(error.args[1])}") from error


def _sources(claim, part, name, entries):
    """Names that an entry follows from."""
    if part is None:
        return [f"{claim.id}.{letter}" for letter in parts_of(claim)]
    if part.follows is None:
        return []
    for wanted, known in ((part.follows.from_, entries), (part.follows.needed, part.follows.from_)):
        require(wanted, known, "claim", f"{name} follows")
    return part.follows.from_


def follow(verdicts: dict[str, str], needed=()) -> str:
    """All of them, but a claim fails with each of those that it needs."""
    together = conjunction(list(verdicts.values()))
    fails = together != "not_testable" and any(verdicts[name] == "fails" for name in needed)
    return "fails" if fails else together


def added(counts: list[dict]) -> dict:
    """Cells of several sentences or parts."""
    total = {name: sum(count[name] for count in counts) for name in ("true", "false", "untestable")}
    reasons = sum((Counter(count["reasons"]) for count in counts), Counter())
    return total | {"reasons": dict(reasons.most_common())}


def controls(found: list[dict]) -> dict:
    """One control of several: negative where one is; it holds only if all do."""
    kinds = {control["kind"] for control in found}
    return {
        "kind": "swap" if kinds == {"swap"} else "negative",
        "verdict": conjunction([control["verdict"] for control in found]),
    }


def tightest(found: list[dict]) -> dict:
    """The tightness of several bounds."""
    ends = {"worst": (max, "worst"), "best": (min, "best")}
    values = {
        name: end([t[key] for t in found if key in t], default=math.nan) for name, (end, key) in ends.items()
    }
    return {name: float(f"{value:.4g}") for name, value in values.items() if math.isfinite(value)}


def combined_fields(parts: list[dict], verdict) -> dict:
    """The keys that follow from those of a claim's parts; none where no part has them.

    Parameters
    ----------
    parts : list of dict
        Entries.
    verdict : callable
        A function part → verdict, applied to all of them → the verdict of the claim.
    """
    parts = [part for part in parts if "cells" in part]
    if not parts:
        return {}
    found = {
        "type": parts[0]["type"],
        "covers": [words for part in parts for words in part["covers"]],
        "sentence": " ".join(dict.fromkeys(part["sentence"] for part in parts)),
        "cells": added([part["cells"] for part in parts]),
        "controls": controls([part["controls"] for part in parts]),
        "vacuous": any(p["vacuous"] for p in parts) and verdict(lambda p: p["verdict"]) == "not_testable",
        "loosely": any(p["loosely"] for p in parts) and verdict(lambda p: p["verdict"]) == "holds",
    }
    return found | _where_there_is(parts)


def raced(parts: list[dict], verdict) -> dict:
    """The cells of a race over a claim's parts: those without a race of their own count as they stand."""
    if not any(part.get("race") for part in parts):
        return {}

    def cell(name):
        run = [p["race"][name] for p in parts if p.get("race") and p["race"][name] != NOT_RUN]
        if not run:
            return NOT_RUN
        found = {"verdict": verdict(lambda p: _in_cell(p, name))}
        still = list(dict.fromkeys(words for each in run for words in each.get("still", [])))
        return found | ({"still": still} if still else {})

    return {name: cell(name) for name in CELLS}


def _in_cell(part, name):
    """A part's verdict in a cell; in one that it does not have, as it is published."""
    found = (part.get("race") or {}).get(name, NOT_RUN)
    return part["verdict"] if found == NOT_RUN else found["verdict"]


def _where_there_is(parts):
    """Tightness of bounds, and what verdicts on seconds have."""
    found = {"tightness": tightest([p["tightness"] for p in parts if "tightness" in p])}
    for key, together in (("flip_factor", _all_of), ("repeatability", max), ("occupation", max)):
        names = dict.fromkeys(name for p in parts for name in p.get(key, {}))
        found[key] = {n: together([p[key][n] for p in parts if n in p.get(key, {})]) for n in names}
    return {key: value for key, value in found.items() if any(key in p for p in parts)}


def _all_of(lists):
    return sorted({factor for factors in lists for factor in factors})
