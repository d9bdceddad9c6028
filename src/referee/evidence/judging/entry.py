"""The entry of a part in claims.json: verdicts, controls, readings and words of its sentences."""

import math
from dataclasses import replace

from ...ground.operands import ON
from ...study.models.claim import Part, View
from ..aggregates import added, controls, tightest
from ..panel import Evidence
from ..relations.base import Cell
from ..words import measured, medians, number, shown
from . import cost_model
from .grammar import Sentence
from .judge import Judgement, judge, together
from .quantifiers import CELLS, NOT_RUN, STATED
from .race import SECONDS
from .ranges import Range, runs_of
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

    def race(self) -> dict[str, dict | str]:
        """Cell → its verdict with its numbers, "not run" for those without other forms of both sides."""
        if not self.part.race:
            return {}
        told = {STATED: self._cell(self.judgements(self.sentences))}
        told |= {name: self._cell(self.against_tuned(view)) for name, view in self.part.race.cells.items()}
        return {name: told.get(name, NOT_RUN) for name in CELLS}

    def _cell(self, found):
        """Verdict, panels that hold, and the range of the first number over the decided panels."""
        panels = [(panel, panel.verdict(j.sentence.quota)) for j in found for panel in j.panels]
        labels = _labels(found)
        verdict = "not_testable" if self.part.not_judged else together(found)
        cell = {"verdict": verdict, "panels": panels_that_hold(panels)}
        span = interval([panel for panel, word in panels if word != "not_testable"])
        still = list(dict.fromkeys(words for j in found for panel in j.panels for words in _still(j, panel)))
        told = {
            "interval": span,
            "still": still,
            "by_panel": _by_panel(panels, labels),
            "sentence": self.told(found),
        }
        return cell | {key: value for key, value in told.items() if value}

    def told(self, found: list[Judgement]) -> str:
        """Judgements in sentences; empty where numbers are not judged."""
        return verdict_text(found, _methods(self.paper), titles(self.paper))

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
        """Its sentences with other forms of its methods."""
        views = self.part.race.cells.values() if self.part.race else ()
        return [s for view in views for s in self.sentences_under(view)]

    def published(self, view: View | None = None) -> list[Judgement]:
        """Its sentences on the forms whose verdict is published, as they stand or under a reading."""
        race = self.part.race
        tuned = race.cells.get(race.published) if race else None
        if tuned:
            return self.against_tuned(tuned.and_(view) if view else tuned)
        return self.judgements(self.sentences_under(view))

    def readings(self) -> dict[str, str]:
        """Name → verdict under another reading of the paper."""
        views = self.part.readings or {}
        if self.part.not_judged:
            return dict.fromkeys(views, "not_testable")
        return {name: together(self.published(view)) for name, view in views.items()}

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
    """Fields of a part's entry but its id and words; ``remarks`` become its note."""
    judged = PartJudge(evidence, part)
    race, main = judged.race(), judged.published()
    labels = _labels(main)
    found = {
        "verdict": "not_testable" if part.not_judged else together(main),
        "verdict_strong": race[part.race.best]["verdict"] if race else None,
        "race": race,
        "measured": {labels[id(p)]: measured(p) for j in main for p in j.panels if p.cells},
        "threshold": thresholds(judged.sentences),
        "verdict_readings": judged.readings(),
        "seeds": sorted({seed for j in main for p in j.panels for seed in _seeds(evidence, p)}),
        "traces": list(dict.fromkeys(trace for j in main for trace in j.traces)),
        "type": part.type or _type(main),
        "covers": [s.covers for s in judged.sentences if s.covers],
        "sentence": judged.told(main),
        "cells": added([j.counts for j in main]),
        "controls": controls([j.control for j in main]),
        "vacuous": any(j.vacuous for j in main),
        "loosely": _loosely(main),
        "panels": [_panel(j, p, labels[id(p)]) for j in main for p in j.panels],
        "extra": part.extra,
    }
    found["vacuous"] = found["vacuous"] and found["verdict"] == "not_testable"
    if found["verdict"] == "not_testable":
        found["remedies"] = remedies(main)
    return found | _by_type(judged, main, found["type"]) | {"remarks": remarks_of(judged, main, found)}


def panels_that_hold(panels) -> str:
    """“2 of 3”: panels on which all that is said of them holds."""
    found = {}
    for panel, word in panels:
        found.setdefault(panel.name, []).append(word)
    held = sum(set(words) == {"holds"} for words in found.values())
    return f"{held} of {len(found)}"


def _still(judgement, panel):
    """Sides of a comparison that made no progress on a panel: of several forms, all of them."""
    for side in judgement.sentence.relation.operands:
        runs = [run._replace(panel=run.panel or panel.name) for run in side.runs]
        if set(runs) <= set(panel.still):
            yield f"{'every form of ' * bool(runs[1:])}{runs[0].method} on {runs[0].panel}"


def _by_panel(panels, labels):
    """Each panel's verdict with its number, where there are several."""
    if len(panels) < 2:
        return []
    found = [(labels[id(panel)], word, interval([panel])) for panel, word in panels]
    return [
        {"panel": name, "verdict": word} | ({"interval": span} if span else {}) for name, word, span in found
    ]


def _loosely(main):
    """Whether its bounds hold, but would with another order too."""
    cells = [cell for j in main for panel in j.panels for cell in panel.cells.values()]
    return any(c.loosely for c in cells) and all(j.verdict == "holds" for j in main)


def interval(panels) -> str:
    """The range of the first number of several panels, over the medians of their seeds; empty without one."""
    found = [next(iter(medians(panel).items()), None) for panel in panels]
    names = {name for name, _ in filter(None, found)}
    if len(names) != 1:
        return ""
    ranges = [value for _, value in filter(None, found)]
    span = Range(min(r.low for r in ranges), max(r.high for r in ranges))
    told = shown(span, 3)
    return "" if told is None else f"{names.pop()} {told}"


BLIND = "its control holds"
#: Why a cell is open → what would decide it.
DECIDES = {
    "within the resolution": "more seeds, or records closer together",
    "neither": "a longer budget",
    "missing: settled": "a longer budget",
    "missing: no run": "the runs that are missing",
    "not reached": "a longer budget, so that the premise is reached",
    "seconds that were not": "three repetitions on a quiet machine",
    "the bound lies": "more seeds",
    "its range is open": "a longer range of sizes or accuracies",
    BLIND: "another test: this one cannot see the difference",
}


def remedies(main) -> dict:
    """What was tried where cells stayed open, and what would decide them."""
    cells = [cell for j in main for panel in j.panels for cell in panel.cells.values()]
    opened = [cell for cell in cells if cell.verdict is None]
    tried = list(dict.fromkeys(cell.remedy.removeprefix("tried: ") for cell in opened if cell.remedy))
    reasons = dict.fromkeys(cell.why for cell in opened)
    reasons |= {BLIND: None} if any(j.vacuous for j in main) else {}
    needed = [words for why in reasons for begin, words in DECIDES.items() if why.startswith(begin)]
    needed += ["the runs that are missing" for j in main for panel in j.panels if panel.missing]
    return {"tried": tried, "would_decide": list(dict.fromkeys(needed))}


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


def _on(run, panel):
    """A run as a sentence on a panel names it."""
    return run.method if run.panel == panel else ON.join(run)


def _panel(judgement, panel, label):
    """The numbers of one panel, seed by seed, for who wants to look closer."""
    words = panel.verdict(judgement.sentence.quota)
    levels = {name: number(value) for name, value in judgement.levels.get(panel.name, {}).items()}
    return (
        {
            "panel": label,
            "verdict": words,
            "seeds": [
                {
                    "seed": seed if seed >= 0 else "mean",
                    "true": cell.verdict,
                    **({"why": cell.why} if cell.why else {}),
                    **({"hardly": True} if cell.hardly else {}),
                    **({"remedy": cell.remedy} if cell.remedy else {}),
                }
                | {name: shown(value) for name, value in cell.measured.items() if shown(value) is not None}
                for seed, cell in panel.cells.items()
            ],
            "medians": {
                name: shown(value) for name, value in medians(panel).items() if shown(value) is not None
            },
        }
        | ({"levels": levels} if levels else {})
        | ({"still": [_on(run, panel.name) for run in panel.still]} if panel.still else {})
    )
