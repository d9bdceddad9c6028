"""How often the judge itself is wrong: curves with a known truth, through the relations that can be misled.

python benchmarks/judge_error_rates.py [draws]        prints the table of docs/judging-errors.md
python benchmarks/judge_error_rates.py [draws] write  writes it into the document

Three methods whose times to any level are a known factor apart are drawn as experiments draw them: smooth,
with teeth, or noisy; many records or few; ended by the budget, by themselves, cut short, or diverged; on 2 to
10 seeds that share their difficulty. Sentences are asked as they stand and with their sides exchanged. A
verdict is false where the truth lies clearly beyond the threshold and it says the opposite; it is untestable
where a reader would decide and it does not.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from projfree.trace.counts import COUNTS
from referee.evidence.judging.grammar import sentences
from referee.evidence.judging.judge import judge
from referee.evidence.panel import Evidence, Panel
from referee.study.models.claim import Test
from referee.study.models.experiment import Budget, Experiment
from referee.study.models.paper import Paper

DOCUMENT = Path(__file__).parents[1] / "docs/judging-errors.md"
BEGIN, END = "<!-- error rates -->\n", "<!-- /error rates -->"
HEAD = "| asked | clear cases | false holds | false fails | not testable |\n|---|---:|---:|---:|---:|\n"
SHARES = ["false_holds", "false_fails", "untestable"]
GAPS = (1.0, 1.1, 2.0, 10.0)
SHAPES = ("smooth", "sawtooth", "noisy")
RECORDS = (60, 12)
ENDS = ("budget", "stopped", "censored", "diverged")
SEEDS = (2, 5, 10)
#: How far beyond the threshold a reader sees on which side the truth is.
CLEAR = 1.25
BUDGET, RATE, FLOOR, CUT = 100.0, 0.08, 1e-5, 0.4
#: How far a bound lies above the curve it is of.
LOOSE = 2.0
#: Teeth upwards, as a share of the value, and the standard deviation of its logarithm.
TOOTH, NOISE = 0.4, 0.15
METRIC = {"metric": "objective", "lowest": 0}
SERIES = {"mean": METRIC | {"windows": 6}}
#: What is asked of curves → the statistic.
STATISTICS = {
    "time": {"time": METRIC},
    "height": {"mean": METRIC | {"height": True}},
    "end": {"value": METRIC},
}


@dataclass(frozen=True)
class Made:
    """Made curves: ``fast`` needs 1/gap of what ``slow`` needs, ``third`` gap times that."""

    gap: float
    shape: str
    records: int
    end: str
    seeds: int
    draw: int = 0

    @property
    def speeds(self) -> dict[str, float]:
        """How fast each method falls."""
        return {"fast": self.gap, "slow": 1.0, "third": 1 / self.gap}

    @property
    def key(self) -> list[int]:
        """The seed of its random numbers."""
        return [int(self.gap * 10), SHAPES.index(self.shape), self.records, self.seeds, self.draw]

    @property
    def hardness(self) -> np.ndarray:
        """How hard the instance of each seed is."""
        return np.exp(0.3 * np.random.default_rng([*self.key, 1]).standard_normal(self.seeds))

    def frame(self) -> pd.DataFrame:
        """Its tidy table."""
        rng = np.random.default_rng(self.key)
        cases = [(seed, hard, name) for seed, hard in enumerate(self.hardness) for name in self.speeds]
        return pd.concat([self._run(*case, rng) for case in cases], ignore_index=True)

    def _run(self, seed, hard, name, rng):
        last = BUDGET * (CUT if self.end == "censored" and name == "slow" else 1.0)
        x = np.concatenate([[0.0], np.geomspace(0.5, last, self.records - 1)])
        y = np.maximum(np.exp(-RATE * hard * self.speeds[name] * x), FLOOR)
        y[1:] *= self._roughness(len(x), rng)[1:]
        status = "converged" if self.end == "stopped" and y[-1] <= 10 * FLOOR else "budget"
        if self.end == "diverged" and name == "slow":
            y[-max(len(y) // 6, 1) :], status = 1e6, "diverged"
        columns = {
            "method": name,
            "seed": seed,
            "iteration": np.arange(len(x)),
            "cpu_seconds": x,
            "objective": y,
            "limit": LOOSE * np.maximum(np.exp(-RATE * hard * x), FLOOR),
            "cost": x ** self.speeds[name] * self._roughness(len(x), rng),
        }
        columns |= dict.fromkeys(COUNTS, 0) | {"IFO": x}
        return pd.DataFrame(columns | {"end_status": status, "stand_in": False, "trace": f"{name}.h5"})

    def _roughness(self, size, rng):
        """Teeth upwards, or noise."""
        if self.shape == "noisy":
            return np.exp(NOISE * rng.standard_normal(size))
        return np.where((np.arange(size) % 4 == 3) & (self.shape == "sawtooth"), 1 + TOOTH, 1.0)

    def resolution(self, statistic: str) -> float:
        """How far single records of two equal curves may differ, in logarithms, where one decides."""
        rough = {"sawtooth": math.log1p(TOOTH), "noisy": 2 * math.sqrt(2) * NOISE}
        return rough.get(self.shape, 0.0) if statistic == "end" else 0.0

    def advantages(self, statistic: str) -> np.ndarray:
        """log of slow over fast in each seed: of times the gap, of heights by the smooth curves."""
        if self.end == "diverged":
            return np.full(self.seeds, np.inf)
        if statistic == "time":
            return np.full(self.seeds, math.log(self.gap))
        way = self._way(BUDGET * (CUT if self.end == "censored" else 1.0))
        gained = way(1.0) - way(self.gap)
        return gained.mean(axis=1) if statistic == "height" else gained[:, -1]

    def excesses(self, name: str) -> np.ndarray:
        """log of the largest quotient of a method over the slow one in each seed, by the smooth curves."""
        way = self._way(BUDGET)
        return (way(self.speeds[name]) - way(1.0)).max(axis=1)

    def _way(self, end):
        """Speed → logarithms of the smooth curve (seeds, 400) up to `end`."""
        x = self.hardness[:, None] * RATE * np.linspace(0.5, end, 400)
        return lambda speed: np.maximum(-speed * x, math.log(FLOOR))


class Asked(NamedTuple):
    """A sentence without its panels, and its truth: margins of the seeds, above 0 where it is true."""

    name: str
    test: dict
    margins: Callable[[Made], np.ndarray]


def asked() -> list[Asked]:
    """All that is asked of each case."""
    found = []
    for statistic, factor, swapped in product(STATISTICS, (1.0, 1.5), (False, True)):
        found.append(_less(statistic, factor, swapped))
    found += [_equal(statistic) for statistic in STATISTICS]
    found += [_order(*methods) for methods in (("fast", "slow", "third"), ("third", "slow", "fast"))]
    found += [_shape(word, word == "turns") for word in ("monotone", "turns")]
    return [*found, *map(_bound, ("fast", "third")), _slope()]


def _less(statistic, factor, swapped):
    a, than = ("slow", "fast") if swapped else ("fast", "slow")
    test = {"less": {"a": a, "than": than, "factor": factor}, **STATISTICS[statistic]}
    side = -1 if swapped else 1
    return Asked(
        f"less by {factor:g} ({statistic})", test, lambda m: side * m.advantages(statistic) - math.log(factor)
    )


def _equal(statistic, within=0.3):
    test = {"equal": {"a": "fast", "to": "slow", "within": within, "quota": 0.5}, **STATISTICS[statistic]}
    return Asked(f"equal ({statistic})", test, lambda m: math.log1p(within) - abs(m.advantages(statistic)))


def _order(*methods):
    """Only of runs that all go on: what diverged has its own place in an order."""
    side = 1 if methods[0] == "fast" else -1
    test = {"order": {"methods": list(methods)}, "time": METRIC}
    return Asked("order (time)", test, lambda m: side * math.log(m.gap) * np.full(1, m.end != "diverged"))


def _shape(word, rises):
    """The slow method falls all the way, or has turned where it diverged."""
    side = 1 if rises else -1
    return Asked(word, {word: {"methods": "slow", "within": 0.5}, **SERIES}, lambda m: side * _turned(m))


def _bound(name):
    """Every record lies below twice what the slow method has without its roughness."""
    test = {"at_most": {"bound": "limit", "methods": name}, "quantile": METRIC}
    return Asked("at_most", test, lambda m: math.log(LOOSE) - m.excesses(name))


def _slope():
    """The cost of the fast method grows with the power `gap`, which is at most 1, by the usual tolerance."""
    test = {"slope_at_most": {"order": 1, "methods": "fast"}, "slope": {"metric": "cost", "against": "IFO"}}
    return Asked("slope_at_most", test, lambda m: np.full(1, 1.25 - m.gap))


def _turned(made):
    return np.full(1, math.inf if made.end == "diverged" else -math.inf)


def verdict_on(made: Made, test: dict) -> str:
    """The verdict on a sentence of one made panel."""
    experiment = Experiment(title="made", methods=[], budget=Budget(IFO=int(BUDGET)))
    paper = Paper.model_construct(paper="made", experiments={"e": experiment}, figures={})
    evidence = Evidence(paper, ".")
    evidence._panels["e", False] = Panel("e", made.frame(), experiment, evidence)
    (sentence,) = sentences(Test(**{"all": ["e"], "over": "IFO", **test}))
    return judge(evidence, sentence).verdict


def cases(draws: int = 1) -> list[Made]:
    """All made panels."""
    every = [Made(*case) for case in product(GAPS, SHAPES, RECORDS, ENDS, SEEDS)]
    return [replace(made, draw=draw) for draw in range(draws) for made in every]


def table(made: list[Made]) -> pd.DataFrame:
    """A row for each thing asked: how many clear cases, and which shares of them are false or untestable."""
    found = [(ask.name, *answered) for ask in asked() for m in made if (answered := _answered(m, ask))]
    frame = pd.DataFrame(found, columns=["asked", "truth", "verdict"])
    frame["false_holds"] = ~frame["truth"] & (frame["verdict"] == "holds")
    frame["false_fails"] = frame["truth"] & (frame["verdict"] == "fails")
    frame["untestable"] = frame["verdict"] == "not_testable"
    grouped = frame.groupby("asked", sort=False)
    shares = grouped[["false_holds", "false_fails", "untestable"]].mean().round(4)
    return shares.assign(clear=grouped.size()).reset_index()


def _answered(made, ask):
    """Truth and verdict; None too near to the threshold to be clear."""
    margins = ask.margins(made)
    truths = set((margins > 0).tolist())
    near = max(math.log(CLEAR), *(made.resolution(word) for word in ask.test))
    if len(truths) > 1 or abs(margins).min() < near:
        return None
    return truths.pop(), verdict_on(made, ask.test)


def with_total(found: pd.DataFrame) -> pd.DataFrame:
    """The table with a last row for all that was asked."""
    total = {name: np.average(found[name], weights=found["clear"]) for name in SHARES}
    total |= {"asked": "all", "clear": found["clear"].sum()}
    return pd.concat([found, pd.DataFrame([total])], ignore_index=True)


def markdown(found: pd.DataFrame) -> str:
    """Its rows for the document."""
    rows = (
        [row["asked"], f"{int(row['clear']):,}", *(f"{100 * row[name]:.1f} %" for name in SHARES)]
        for _, row in found.iterrows()
    )
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write(text: str) -> None:
    """Put it between the marks of the document."""
    head, rest = DOCUMENT.read_text().split(BEGIN)
    DOCUMENT.write_text(head + BEGIN + text + END + rest.split(END)[1])


if __name__ == "__main__":
    words = sys.argv[1:]
    found = with_total(table(cases(next((int(word) for word in words if word.isdigit()), 1))))
    print(found.to_string(index=False))
    if "write" in words:
        write(markdown(found))
