"""The judge: claims are functions over tables, an answer is what a reader finds with a ruler on the figure.

- `evidence`: a paper's tables in one column; which form of a method runs there (forms.yaml).
- `races`: two lines of a drawn figure, at places and at heights; no rules.
- `measures`, `orders`: what a claim asks, about a dozen functions; each gives findings.
- `findings`: a finding, and the verdict over findings, seeds first, then panels.
- `claims`: the decorators of a paper's file.
- `runner`: claims judged, rows of verdicts.csv, and entries of claims.json as a view of them.
- `products`: both files written, and judged again; which panels a claim asks for.

docs/judging.md says how to add a claim. Papers import from here alone::

    from referee.judge import below, claim
"""

from .claims import claim, follows, statement, unjudged
from .evidence import PUBLISHED, Evidence, NotRun, Panel
from .findings import NOT_RUN, Finding, at_length, decided, verdict
from .measures import (
    about,
    about_panel,
    at_least,
    at_most,
    below,
    faster,
    lower_at,
    measured,
    ordered,
    share_of_time,
    zero,
)
from .orders import order_about, order_at_least, order_at_most, order_lower
from .products import again, asked, differences, products, publish, written
from .races import Race, settled
from .runner import FAIR, call, judge_paper, under, with_alternatives

__all__ = [
    "FAIR",
    "NOT_RUN",
    "PUBLISHED",
    "Evidence",
    "Finding",
    "NotRun",
    "Panel",
    "Race",
    "about",
    "about_panel",
    "again",
    "asked",
    "at_least",
    "at_length",
    "at_most",
    "below",
    "call",
    "claim",
    "decided",
    "differences",
    "faster",
    "follows",
    "judge_paper",
    "lower_at",
    "measured",
    "order_about",
    "order_at_least",
    "order_at_most",
    "order_lower",
    "ordered",
    "products",
    "publish",
    "settled",
    "share_of_time",
    "statement",
    "under",
    "unjudged",
    "verdict",
    "with_alternatives",
    "written",
    "zero",
]
