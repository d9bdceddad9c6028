"""The judge's own error: panels of reports/reference against a referee who does not know the judge."""

import ast
from collections import Counter
from dataclasses import replace
from pathlib import Path

import published_truth
import pytest
import truth_rules
from published_truth import PAIRS, PREFIX, verdict
from truth_rules import REPORTS

from projfree.ground.outside import read_json
from referee.evidence.aggregates import named
from referee.evidence.judging.judge import judge
from referee.evidence.judging.views import sentences_of
from referee.evidence.panel import Evidence
from referee.evidence.published import paper_of

CASES = [pytest.param(*key, id=" ".join(key)) for key in PAIRS]
WORDS = {True: "holds", False: "fails", None: "not_testable"}


def published(claim, label):
    """The panel of an entry of claims.json."""
    entries = read_json(REPORTS / paper_named(claim) / "claims.json")
    panels = {panel["panel"]: panel for entry in entries if entry["id"] == claim for panel in entry["panels"]}
    assert label in panels, f"{claim} has no panel {label!r}: {', '.join(panels)}"
    return panels[label]


def paper_named(claim):
    return PREFIX[claim.partition("-")[0]]


def test_the_referee_does_not_know_the_judge():
    """Neither file imports what it judges."""
    for module in (published_truth, truth_rules):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names += [a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names]
        assert not [name for name in names if name.partition(".")[0] in ("referee", "projfree")]


def test_pairs_are_of_all_papers_and_of_all_answers():
    papers = Counter(paper_named(claim) for claim, _ in PAIRS)
    assert len(PAIRS) >= 40 and set(papers) == set(PREFIX.values()) and min(papers.values()) >= 8
    answers = Counter(verdict(*key) for key in PAIRS)
    assert min(answers[word] for word in WORDS.values()) >= 8


@pytest.mark.parametrize(("claim", "label"), CASES)
def test_the_published_verdict_is_that_of_the_referee(claim, label):
    told, truth = published(claim, label), verdict(claim, label)
    assert told["verdict"] == truth
    seeds = {-1 if seed["seed"] == "mean" else seed["seed"]: seed["true"] for seed in told["seeds"]}
    against = {s: t for s, t in PAIRS[claim, label]().items() if t is not None and seeds.get(s) is (not t)}
    assert not against, f"seeds that the judge decides the other way: {against}"


def judged_today(paper, pairs):
    """(claim, label) → verdict of the pairs of a paper, by the judge as it is."""
    study = paper_of(REPORTS / paper)
    evidence, parts = Evidence(study, REPORTS / paper / "evidence"), named(study.claims)
    found, panels = {}, {label.partition(" · ")[0] for _, label in pairs}
    for claim in dict.fromkeys(claim for claim, _ in pairs):
        _, part = parts[claim.partition("-")[2]]
        taken = Counter()
        view = part.race.cells.get(part.race.published) if part.race else None
        for sentence in sentences_of(part, study, view):
            names = tuple(name for name in sentence.panels if name in panels)
            for panel in judge(evidence, replace(sentence, panels=names)).panels:
                words = " · ".join(filter(None, [panel.name, sentence.label]))
                taken[words] += 1
                label = words if taken[words] == 1 else f"{words} · {taken[words]}"
                found[claim, label] = WORDS[panel.holds(sentence.quota)]
    return found


@pytest.mark.parametrize("paper", PREFIX.values())
def test_the_judge_of_today_agrees_with_the_referee(paper):
    """A change of the judge is seen here before anything is published again."""
    pairs = [key for key in PAIRS if paper_named(key[0]) == paper]
    found = judged_today(paper, pairs)
    assert {key: found.get(key) for key in pairs} == {key: verdict(*key) for key in pairs}
