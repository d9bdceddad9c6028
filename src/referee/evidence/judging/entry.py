"""The entry of a part in claims.json: verdict, controls, views and words of its sentences."""

import math
from dataclasses import replace

from ...study.models.claim import Part, View
from ..aggregates import added, controls, tightest
from ..panel import Evidence
from ..relations.base import Cell
from ..words import measured, medians, number, shown
from . import cost_model
from .fragility import SCALES, scaled, variants
from .grammar import Sentence
from .judge import Judgement, judge, together
from .operands import runs_of
from .race import SECONDS
from .remarks import remarks_of, titles
from .sentences import verdict_text
from .views import sentences_of


class PartJudge:
    """A part of a claim on a paper's evidence: judged as it stands, and under each of its views."""

    def __init__(self, evidence: Evidence, part: Part):
        self.evidence, self.part, self.paper = evidence, part, evidence.paper
        self.sentences = sentences_of(part, self.paper)

    def judgements(self, sentences: list[Sentence], evidence: Evidence | None = None) -> list[Judgement]:
        """Each sentence with its structural control."""
        return [judge(evidence or self.evidence, s, self._control(s)) for s in sentences]

    def _control(self, sentence):
        if not sentence.control:
            return []
        tests = [test for test in self.part.tests if test.control == sentence.control]
        bare = [test.model_copy(update={"control": None}) for test in tests]
        return sentences_of(self.part.model_copy(update={"tests": bare}), self.paper, sentence.control)

    def verdict(self, sentences: list[Sentence], evidence: Evidence | None = None) -> str:
        """The verdict of the part, were these its sentences."""
        if self.part.not_judged:
            return "not_testable"
        return together(self.judgements(sentences, evidence))

    def sentences_under(self, view: View | None) -> list[Sentence]:
        """Its sentences under a view."""
        return sentences_of(self.part, self.paper, view)

    def under(self, view: View | None) -> str:
        """The verdict under a view."""
        return self.verdict(self.sentences_under(view))

    def strong(self, view: View | None) -> str | None:
        """The verdict against strong baselines, None without them."""
        if not view:
            return None
        found = together(self.against_tuned(view))
        return "not_testable" if self.part.not_judged else found

    def against_tuned(self, view: View) -> list[Judgement]:
        """Its sentences under a strong view; panels with a method that was not tuned say nothing."""
        found = self.judgements(self.sentences_under(view))
        return [replace(j, panels=[self._if_tuned(j.sentence, panel) for panel in j.panels]) for j in found]

    def _if_tuned(self, sentence, panel):
        why = "; ".join(self._untuned(sentence, panel.name))
        opened = {seed: Cell(None, None, {}, why) for seed in panel.cells}
        return replace(panel, cells=opened) if why else panel

    def _untuned(self, sentence, name):
        """Words on each of a sentence's methods whose tuning criterion did not see a parameter."""
        runs = [(run.panel or name, run.method) for run in runs_of(sentence.relation.operands)]
        known = self.evidence.untuned
        return [f"{m} on {e} is untuned in {', '.join(known[e, m])}" for e, m in runs if known.get((e, m))]

    def untuned(self) -> list[str]:
        """The same of all strong views."""
        told = (w for s in self.strong_sentences() for name in s.panels for w in self._untuned(s, name))
        return list(dict.fromkeys(told))

    def strong_sentences(self) -> list[Sentence]:
        """Its sentences under its strong views."""
        views = filter(None, (self.part.strong, self.part.both_strong))
        return [s for view in views for s in self.sentences_under(view)]

    def views(self) -> dict[str, str]:
        """Name → verdict with one choice made otherwise that the sentence leaves open."""
        model = bool(self.paper.unit_costs)
        fixed = self.part.type == "bound"  # of a theorem
        others = variants(self.sentences, model, thresholds=not fixed)
        return {name: self._safely(sentences) for name, sentences in others.items()}

    def _safely(self, sentences):
        """A statistic that this metric does not have (levels without a lowest value) is no view."""
        try:
            return self.verdict(sentences)
        except ValueError:
            return "not_testable"

    def readings(self) -> dict[str, str]:
        """Name → verdict under another reading of the paper."""
        return {name: self.under(view) for name, view in (self.part.readings or {}).items()}

    def flip_factors(self) -> dict[str, list[float]]:
        """Oracle → at how many times its cost the verdict turns, where seconds can be judged."""
        if self.part.not_judged:
            return {}
        priced = [self._priced(sentence) for sentence in self.sentences]
        found = self.judgements(self.sentences) if any(priced) else []

        def verdict(factors):
            """Of all sentences, of which those are judged again whose seconds the oracle has a part in."""
            again = [bool(oracles & factors.keys()) for oracles in priced]
            touched = [s for s, is_touched in zip(self.sentences, again, strict=True) if is_touched]
            new = iter(self.judgements(touched, self.evidence.priced(factors)))
            return together([next(new) if touch else old for touch, old in zip(again, found, strict=True)])

        return cost_model.flip_factors(verdict, sorted(set().union(*priced)))

    def _priced(self, sentence):
        """Oracles that the seconds of a sentence depend on."""
        names = {*sentence.panels, *(run.panel for run in runs_of(sentence.relation.operands))} - {None, ""}
        return {oracle for name in names for oracle in self._oracles(sentence, name)}

    def _oracles(self, sentence, name):
        """Oracles that the seconds of a panel depend on: of the model, or measured and repeated."""
        if sentence.over not in (*SECONDS, cost_model.MODEL) or not self.evidence.has(name):
            return []
        panel = self.evidence.panel(name)
        if sentence.over == cost_model.MODEL:
            return cost_model.oracles(panel.frame, cost_model.MODEL)
        return cost_model.oracles(panel.frame) if panel.repetitions else []


def entry_of(evidence: Evidence, part: Part) -> dict:
    """Fields of a part's entry but its id and words; ``views`` become its grade, ``remarks`` its note."""
    judged = PartJudge(evidence, part)
    main = judged.judgements(judged.sentences)
    labels, readings = _labels(main), judged.readings()
    found = {
        "verdict": judged.verdict(judged.sentences),
        "verdict_strong": judged.strong(part.strong),
        "verdict_both_strong": judged.strong(part.both_strong),
        "measured": {labels[id(p)]: measured(p) for j in main for p in j.panels if p.cells},
        "threshold": thresholds(judged.sentences),
        "sensitivity": {n: judged.verdict(scaled(judged.sentences, by)) for n, by in SCALES.items()},
        "verdict_readings": readings,
        "seeds": sorted({seed for j in main for p in j.panels for seed in _seeds(evidence, p)}),
        "traces": list(dict.fromkeys(trace for j in main for trace in j.traces)),
        "type": part.type or _type(main),
        "covers": [s.covers for s in judged.sentences if s.covers],
        "sentence": verdict_text(main, _methods(evidence.paper), titles(evidence.paper)),
        "cells": added([j.counts for j in main]),
        "controls": controls([j.control for j in main]),
        "vacuous": any(j.vacuous for j in main),
        "panels": [_panel(j, p, labels[id(p)]) for j in main for p in j.panels],
        "views": judged.views() | readings,
        "extra": part.extra,
    }
    found["vacuous"] = found["vacuous"] and found["verdict"] == "not_testable"
    return found | _by_type(judged, main, found["type"]) | {"remarks": remarks_of(judged, main, found)}


def _seeds(evidence, panel):
    """Seeds of a panel's cells; of a mean of seeds those that it is of."""
    return map(int, evidence.panel(panel.name).frame["seed"]) if panel.pool and panel.cells else panel.cells


def _by_type(judged, main, kind):
    """What only bounds, and only verdicts on seconds, have."""
    tight = [j.tightness for j in main if j.tightness]
    found = {"tightness": tightest(tight)} if kind == "bound" else {}
    flips = judged.flip_factors()
    found |= {"flip_factor": flips} if flips else {}
    spreads = {}
    for name, noise in (item for j in main for item in j.spreads.items()):
        spreads[name] = max(spreads.get(name, 0.0), round(math.exp(noise), 4))
    return found | ({"repeatability": spreads, "occupation": _occupation(judged, spreads)} if spreads else {})


def _occupation(judged, panels):
    """Panel → the largest share of its core that others used of a run or a repetition, where it is known."""
    found = {}
    for name in panels:
        frames = judged.evidence.panel(name).repetitions.values()
        shares = [share for f in frames if "others_on_core" in f for share in f["others_on_core"].dropna()]
        found |= {name: float(f"{max(shares):.3g}")} if shares else {}
    return found


def _type(main):
    """The type of the first sentence; of times to levels alone, level; of calls and shares of time, cost."""
    if not main:
        return "property"
    sentence = main[0].sentence
    if sentence.statistic in ("count", "share") or str(sentence.read.get("metric", "")).startswith(
        "seconds_"
    ):
        return "cost"
    return sentence.relation.type


def _labels(main):
    """Panel → its name with the label of its test, and a number where that is not enough."""
    found, taken = {}, {}
    for judgement in main:
        for panel in judgement.panels:
            words = " · ".join(filter(None, [panel.name, judgement.sentence.label]))
            taken[words] = taken.get(words, 0) + 1
            found[id(panel)] = words if taken[words] == 1 else f"{words} · {taken[words]}"
    return found


def _methods(paper):
    """Method → how it is called in the figures."""
    own = {name: given for e in paper.experiments.values() for name, given in e.define.items()}
    return {name: given.label for name, given in (own | paper.methods).items() if given.label}


def thresholds(sentences: list[Sentence]) -> dict:
    """Relation → the thresholds of the first sentence that has it, as claims.json holds them."""
    found = {}
    for sentence in sentences:
        relation = sentence.relation
        values = {n: getattr(relation, n, None) for n in ("factor", "within", "order", "bound", "quota")}
        words = {n: v for n, v in values.items() if v is not None and (n, v) != ("factor", 1.0)}
        found.setdefault(type(relation).__name__.lower(), words)
    return {name: next(iter(v.values())) if len(v) == 1 else v or 1 for name, v in found.items()}


def _panel(judgement, panel, label):
    """The numbers of one panel, seed by seed, for who wants to look closer."""
    held = panel.holds(judgement.sentence.quota)
    words = {True: "holds", False: "fails", None: "not_testable"}[held]
    levels = {name: number(value) for name, value in judgement.levels.get(panel.name, {}).items()}
    return {
        "panel": label,
        "verdict": words,
        "seeds": [
            {
                "seed": seed if seed >= 0 else "mean",
                "true": cell.verdict,
                **({"why": cell.why} if cell.why else {}),
            }
            | {name: shown(value) for name, value in cell.measured.items() if shown(value) is not None}
            for seed, cell in panel.cells.items()
        ],
        "medians": {name: shown(value) for name, value in medians(panel).items() if shown(value) is not None},
    } | ({"levels": levels} if levels else {})
