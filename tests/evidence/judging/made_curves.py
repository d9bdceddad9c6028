"""Sentences on curves made by hand."""

from pathlib import Path

import pandas as pd
from frames import paper, sentences

from referee.evidence.judging.judge import judge
from referee.evidence.panel import Evidence, Panel


def evidence(experiments=None, figures=None, **panels):
    """Evidence of these panels (name → runs, tables of `frames.run`)."""
    experiments = {name: {} for name in panels} | (experiments or {})
    made = Evidence(paper({"experiments": experiments, "figures": figures or {}}), Path("nowhere"))
    for name, runs in panels.items():
        frame = pd.concat(runs, ignore_index=True)
        frame = frame.assign(experiment=name, IFO=frame["cpu_seconds"])  # a count has no noise
        made._panels[name, False] = Panel(name, frame, made.paper.experiments[name], made)
    return made


def judged(runs, test, experiments=None, **others):
    """The judgement of a test on the panel ``e`` (and others)."""
    made = evidence(experiments, e=runs, **others)
    (sentence,) = sentences({"all": ["e"], "over": "IFO", **test})
    return judge(made, sentence)


def cell(runs, test, seed=0, **others):
    """The cell of a seed."""
    return judged(runs, test, **others).panels[0].cells[seed]
