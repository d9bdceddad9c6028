"""Whether a verdict stays when the choices are made otherwise that its sentence leaves open."""

from dataclasses import replace

from .cost_model import MODEL
from .grammar import Sentence
from .race import SECONDS

#: With fewer views no grade.
VIEWS = 5
ROBUST, LEANING = 0.9, 0.6
SCALES = {"x0.5": 0.5, "x2": 2.0}
#: Statistics that answer "which is better" alike, where the sentence names no level.
ALIKE = ("end", "area", "time_to")


def graded(verdict: str, views: dict[str, str]) -> dict:
    """Grade of a verdict.

    Parameters
    ----------
    verdict : str
    views : dict
        Name → verdict with that single choice made otherwise. Those that cannot be tested leave.

    Returns
    -------
    dict
        ``grade`` (robust, leaning, fragile, ungraded), ``stays`` (share of the views that agree), ``views``
        (their number) and ``flips`` (those that do not).
    """
    known = {name: other for name, other in views.items() if other != "not_testable"}
    return _grading(verdict, len(known), [name for name, other in known.items() if other != verdict])


def regraded(verdict: str, fragility: dict, alternatives: dict[str, bool]) -> dict:
    """The grade with further views: alternatives → whether the verdict on their panels stays."""
    turned = [name for name, stays in alternatives.items() if not stays]
    return _grading(verdict, fragility["views"] + len(alternatives), [*fragility["flips"], *turned])


def _grading(verdict, views, flips):
    stays = 1 - len(flips) / views if views else 1.0
    grade = _grade(stays) if views >= VIEWS and verdict != "not_testable" else "ungraded"
    return {"grade": grade, "stays": round(stays, 3), "views": views, "flips": flips}


def _grade(stays):
    if stays >= ROBUST:
        return "robust"
    return "leaning" if stays >= LEANING else "fragile"


def variants(
    sentences: list[Sentence], model_seconds: bool = False, thresholds: bool = True
) -> dict[str, list[Sentence]]:
    """Name → the sentences with one choice made otherwise: thresholds, statistics, seconds.

    Thresholds of theorems and strict comparisons are no choices; a statistic is none where a level is named.
    """
    scales = SCALES if thresholds else {}
    found = {f"threshold {name}": scaled(sentences, by) for name, by in scales.items()}
    found |= {f"statistic {name}": _with(sentences, name) for name in ALIKE}
    if model_seconds:
        found["model seconds"] = [replace(s, over=MODEL) if s.over in SECONDS else s for s in sentences]
    return {name: others for name, others in found.items() if others != sentences}


def scaled(sentences: list[Sentence], by: float) -> list[Sentence]:
    """The sentences with their thresholds times `by`, where they have one."""
    return [sentence.scaled(by) or sentence for sentence in sentences]


def _with(sentences, statistic):
    return [_measured_by(sentence, statistic) if _open(sentence) else sentence for sentence in sentences]


def _open(sentence):
    comparison = sentence.relation.type in ("comparison", "order") and hasattr(sentence.relation, "factor")
    return comparison and sentence.statistic in ALIKE and "level" not in sentence.options


def _measured_by(sentence, statistic):
    if statistic == sentence.statistic:
        return sentence
    return replace(sentence, statistic=statistic, options={})
