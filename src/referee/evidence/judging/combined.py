"""What an entry has of several: cells added up, controls and tightness at their worst, views part by part."""

import math
from collections import Counter

from ..aggregates import combine


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
        "verdict": combine(control["verdict"] for control in found) if found else "not_testable",
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
    names = dict.fromkeys(name for part in parts for name in part["views"])
    found = {
        "type": parts[0]["type"],
        "covers": [words for part in parts for words in part["covers"]],
        "sentence": " ".join(dict.fromkeys(part["sentence"] for part in parts)),
        "cells": added([part["cells"] for part in parts]),
        "controls": controls([part["controls"] for part in parts]),
        "vacuous": any(p["vacuous"] for p in parts) and verdict(lambda p: p["verdict"]) == "not_testable",
        "views": {n: verdict(lambda p, n=n: p.get("views", {}).get(n, p["verdict"])) for n in names},
        "verdict_both_strong": _both_strong(parts, verdict),
    }
    return found | _where_there_is(parts)


def _both_strong(parts, verdict):
    if not any(part["verdict_both_strong"] for part in parts):
        return None
    return verdict(lambda p: p.get("verdict_both_strong") or p["verdict"])


def _where_there_is(parts):
    """Tightness of bounds, and what verdicts on seconds have."""
    found = {"tightness": tightest([p["tightness"] for p in parts if "tightness" in p])}
    for key, together in (("flip_factor", _all_of), ("repeatability", max), ("occupation", max)):
        names = dict.fromkeys(name for p in parts for name in p.get(key, {}))
        found[key] = {n: together([p[key][n] for p in parts if n in p.get(key, {})]) for n in names}
    return {key: value for key, value in found.items() if any(key in p for p in parts)}


def _all_of(lists):
    return sorted({factor for factors in lists for factor in factors})
