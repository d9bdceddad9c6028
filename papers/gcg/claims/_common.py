"""What claims of several sections share: panels, rows of GCG, levels."""

import pandas as pd

from referee.judge import faster, measured

MOVIELENS, LARGE = ("movielens-1m", "movielens-10m"), ("netflix", "yahoo60m", "yahoo252m")
RATINGS, CLASSES = (*MOVIELENS, *LARGE), ("fungus10", "fungus134", "k1024")
ABLATION = "ablation-movielens-100k"
F, RMSE, ERROR = "objective", "rmse_test", "error_test"
WORK = {"counted in oracle calls": {"cpu_seconds": "FO+matvec/10"}}
LITERAL = {"the text as it stands (half the loss, no centring)": {"choice": "U23", "ending": "-literal"}}
SURROGATE = {"in the surrogate": {"objective": "surrogate"}}
#: MMBS and GCG have rows of their own in the table of forms where other forms were run.
ROWS = {
    "GCG": dict.fromkeys(CLASSES, "GCG-classes")
    | dict.fromkeys((ABLATION, "ablation-fungus10"), "GCG-ablation"),
    "MMBS": dict.fromkeys(CLASSES, "MMBS-classes"),
}


def row(panel, method):
    """The row of a method in the table of forms, for a panel."""
    return ROWS.get(method, {}).get(panel.name, method)


def sooner(evidence, panels, a, b, metric=F, ending="", **how):
    """Where a is faster than b, in panels by name."""
    findings = []
    for panel in evidence.panels(*(name + ending for name in panels)):
        findings += faster(panel, row(panel, a), row(panel, b), metric, **how)
    return findings


def height(panel, share, metric=F):
    """Of each seed F* + share · (F(0) − F*), where F* is the least of all its runs in the panel."""
    runs = panel.table.groupby(["method", "seed"])[metric]
    least, start = runs.min().groupby("seed").min(), runs.first().groupby("seed").max()
    return least + share * (start - least)


def best(panel, methods, metric, at="min"):
    """Of each seed the least value of methods in a panel, in any form that the column gives them."""
    runs = [panel.rows(row(panel, m)).groupby("seed")[metric].agg(at) for m in methods]
    return pd.concat(runs, axis=1).min(axis=1)


def value(panel, methods, what, seed, number, required, metric="", over="", **shared):
    """A finding about one number: true where it is at least what is required."""
    return measured(panel, methods, what, number, required, seed=seed, metric=metric, over=over, **shared)
