"""The judge: claims are functions over tables, an answer is what a reader finds with a ruler on the figure.

- `evidence`: a paper's tables in one column; which form of a method runs there (forms.yaml).
- `races`: two lines of a drawn figure, at places and at heights; no rules.
- `measures`, `orders`: what a claim asks, about a dozen functions; each gives findings.
- `findings`: a finding, and the verdict over findings, seeds first, then panels.
- `claims`: the decorators of a paper's file.
- `runner`: all claims of a paper → verdicts.csv, and claims.json as a view of it.

docs/judging.md says how to add a claim. Papers import from here alone::

    from referee.judge import below, claim, reading, refused
"""

from .claims import claim, follows, reading, readings, refused, unjudged
from .evidence import Evidence, NotRun, Panel
from .findings import Finding, at_length, decided, verdict
from .measures import (
    about,
    about_panel,
    at_least,
    at_most,
    below,
    faster,
    lower_at,
    ordered,
    share_of_time,
    zero,
)
from .orders import order_about, order_at_least, order_at_most, order_lower
from .races import Race, settled
from .runner import judge_paper, publish, under

__all__ = [
    "Evidence",
    "Finding",
    "NotRun",
    "Panel",
    "Race",
    "about",
    "about_panel",
    "at_least",
    "at_length",
    "at_most",
    "below",
    "claim",
    "decided",
    "faster",
    "follows",
    "judge_paper",
    "lower_at",
    "order_about",
    "order_at_least",
    "order_at_most",
    "order_lower",
    "ordered",
    "publish",
    "reading",
    "readings",
    "refused",
    "settled",
    "share_of_time",
    "under",
    "unjudged",
    "verdict",
    "zero",
]
