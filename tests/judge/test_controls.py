"""The controls of all papers: a claim is told from what it refuses, else from itself with the sides of each
measure exchanged, on planted curves or on published tables.
"""

import sys
from contextlib import ExitStack, nullcontext, suppress
from functools import cache
from unittest import mock

import numpy as np
import pytest
from places import PAPERS
from planted_judge import METRICS, falling, plant, rows

from referee import judge
from referee.judge import Evidence, NotRun, call
from referee.judge.claims import claims_of
from referee.judge.evidence import Panel

CLAIMS = {(paper, claim.id): claim for paper in PAPERS for claim in claims_of(paper) if claim.function}
FAST, SLOW, SLOWER = falling(1 / 16), falling(), falling(16)
MOVIES, SETS = ("movielens-1m", "movielens-10m"), ("fungus10", "fungus134", "k1024")
LARGE = ("netflix", "yahoo60m", "yahoo252m")
HOUR = np.concatenate([[0.0], np.geomspace(1e-3, 3600, 300)])
SENSORLESS = ("fig3-right", "fig3-right-real")
DRAWN = tuple(f"fig{k}-p{share}0" for k in range(1, 5) for share in range(1, 6))
AT_N = {"n_components": [64.0, 256, 1024], **{f"{c}_per_step": [2.0] * 3 for c in ("ifo", "sso")}}
LOWEST = ("casvrg", "spider", "svrg", "sg")
STEP = lambda s: 2.0 - (s > 3000)  # noqa: E731
HIGH = {"error_test": falling(end=9, start=99)}
SHARES = {"seconds_gradient": lambda s: 0.1 * s, "seconds_lmo": lambda s: 0.8 * s}
SIZE = {"size": 1024, "seconds_gradient": 2, "seconds_igm_restart": 3, "seconds_sort": 1}
COSTS = {"seconds_po_full": 2, "seconds_po_partial": 3, "seconds_po_gram": 4}
SLOW1, SLOW3, SLOW4 = ({"objective": falling(factor)} for factor in (1.02, 3, 4))
VIEWS = {"two-views": 1, "one-view": 2}
SEEN, FIG1 = ("views-synthetic", "views-faces"), ("fig1-a", "fig1-b", "fig1-c")
RECORDED = {"seconds_igm_restart": 2, "seconds_inexact": 1}
PROJECTED = {"seconds_project": lambda s: 0.8 * s}
MAPPING = {"sq_gradient_mapping": falling(4)}
RAW = {"sq_error": 2, "sq_error_limit": 1}
#: What no ranking of pairs can plant: paper, claim, panels, then method → columns with which it is true.
PLANTED = [
    ("gcg", "C14a", MOVIES, {"gcg": {"objective": FAST}, "dhm": {"objective": FAST}, "apg": {}}),
    ("gcg", "C16.a", MOVIES, {"gcg": {"rank": 5}, "dhm": {"rank": lambda s: 50 - SLOW(s)}}),
    ("gcg", "C24.d", SETS, {"gcg": HIGH, "dhm": HIGH, "mmbs": HIGH, "js": {"error_test": 90}}),
    ("gcg", "C30", (*MOVIES, *LARGE), {"mmbs": {"objective": FAST}, "dhm": {}}),
    ("gcg", "C30", SETS, {"mmbs": {"objective": SLOWER}, "dhm": {}}),
    ("gcg", "C35.c", ["fig12"], {"gcg": {"objective": STEP}}),
    ("gcg", "C36.a", ["long-fig12"], {"gcg": {"objective": STEP, "error_clean": lambda s: 1 + s}}),
    ("gcg", "C36.b", ["long-fig10", "long-fig11"], {"gcg": {"objective": 1, "error_clean": 1}}),
    ("gcg", "C42", SEEN, {m: {"weight": [1.0, 2, 3], "least_error": [9.0, k, 9]} for m, k in VIEWS.items()}),
    ("gcg", "C43.a", MOVIES[:1], {"gcg": {"objective": 2.8e5}}),
    ("gcg", "C43.a", ["optimum-movielens-1m"], {"gcg-fast": {"objective": 2.8e5}}),
    ("gcg", "C44.c", ["long-fig12"], {"gcg": {"objective": 2.4e5}}),
    ("gcg", "C48", ["long-fig14-faces"], {"gcg": {"polar_ratio": 1.001}}),
    ("ipg", "C5", ["recorded-cardiac", "recorded-coil20"], {"recorded": RECORDED}),
    ("ipg", "C6.b", ["prox-scaling"], {"scale-0.003": SIZE}),
    ("ipg", "C14", ["cardiac", "coil20"], {"nmaipg-theory": {"increases_beyond": 3}}),
    ("mpcgs", "C8.b", ["costs"], {f"costs-{name}": COSTS for name in ("rcv1", "sector", "news20")}),
    ("mpcgs", "C12", FIG1, {"mpcgs-theorem": {"saddle_fw_gap": SLOW}, "spfw": {"saddle_fw_gap": 1}}),
    ("ncgs", "C10.b", ["fig3-left"], {"fw": {"objective": falling(0.3, end=0.3)}, "svfw-tuned": SLOW3}),
    ("ncgs", "C9.b", ("fig3-left", "fig3-middle", *SENSORLESS), {"svrg": PROJECTED}),
    ("ncgs", "C12.a", SENSORLESS, {"ncgs-vr-tuned": {}, "ncgs-2-tuned": SLOW1, "fw": SLOW4}),
    ("ncgs", "C4.a", ["fig1-right"], {"ncgs-2-tuned": {}, "ncgs-vr-tuned": MAPPING}),
    ("ncgs", "C4.b", ["fig1-right"], {"ncgs-2-tuned": SHARES}),
    ("nfwu", "C5.c", DRAWN, {m: {"reconstruction_error": k} for k, m in enumerate(LOWEST, 1)}),
    ("nfwu", "C5.e", DRAWN, {m: {"fw_gap": k} for k, m in enumerate(LOWEST, 1)}),
    ("nfwu", "C13", ["t2-raw"], {"svrg-raw": RAW, "spider-raw": RAW}),
    ("nfwu", "T11.b", ["t11"], dict.fromkeys(("caspider", *LOWEST[:3]), AT_N)),
]


@cache
def published(paper):
    return Evidence(paper)


def pairs_of(paper, claim):
    """(panel, a, b) of the pairs that a claim compares, in the forms that run."""
    found, seeds = [], Panel.seeds

    def noted(panel, *methods):
        found.append((panel.name, *map(panel.form, methods)))
        return seeds(panel, *methods)

    with mock.patch.object(Panel, "seeds", noted), suppress(NotRun):
        call(claim, published(paper))
    return [each for each in found if len(each) == 3]


def ranked(pairs):
    """Methods in an order in which each is before those that it shall be ahead of; none of a circle."""
    left, order = {method for pair in pairs for method in pair}, []
    while left:
        free = sorted(m for m in left if not any(b == m and a in left for a, b in pairs))
        if not free:
            return []
        left.discard(free[0])
        order.append(free[0])
    return order


def run_of(rank):
    """A run that is below the next on its way and at its end, on either scale, and twelve times as fast."""
    seconds = np.concatenate([[0.0], np.geomspace(1e-3, 3000, 300)])
    down = np.exp(-5 * seconds / 12.0**rank)
    low, mapping = 0.05 + 0.1 * rank + down, 100 * down + 1e-12 * 10**rank
    others = dict.fromkeys(METRICS, low) | {"sq_gradient_mapping": mapping, "outer": seconds}
    return rows(lambda s: low, seconds=seconds, **others)


def planted(folder, paper, claim):
    """Evidence that is as the claim says: as it is set above, else of its pairs, who is below whom."""
    tables = {}
    for *_, panels, methods in (each for each in PLANTED if each[:2] == (paper, claim.id)):
        for panel in panels:
            tables[panel] = {m: [run_with(**columns)] for m, columns in methods.items()}
    pairs = [] if tables else pairs_of(paper, claim)
    for panel in dict.fromkeys(panel for panel, *_ in pairs):
        order = ranked([(a, b) for name, a, b in pairs if name == panel])
        tables[panel] = {method: [run_of(k)] for k, method in enumerate(order)}
    return plant(folder, tables, paper) if tables and all(tables.values()) else None


def run_with(**columns):
    """A run over an hour with these columns; of those that are lists over as many records."""
    lengths = [len(values) for values in columns.values() if isinstance(values, list)]
    return rows(SLOW, seconds=HOUR[: lengths[0]] if lengths else HOUR, **columns)


def exchanged(measure):
    return lambda panels, a, b, *how, **named: measure(panels, b, a, *how, **named)


def not_zero(panels, method, column, within=None):
    columns = [column] if isinstance(column, str) else column
    columns = columns if isinstance(columns, dict) else dict.fromkeys(columns, within)
    sizes = [(lambda rows, name=name: rows[name].abs(), most) for name, most in columns.items()]
    return [f for size, most in sizes for f in judge.at_least(panels, method, size, most)]


def steeper(panel, method, y, x, bound, margin=0.25, **how):
    return judge.order_at_least(panel, method, y, x, bound + margin, **how)


def share_of_time(panels, method, timer, *, most=None, least=None):
    return judge.share_of_time(panels, method, timer, most=least, least=most)


#: Each measure with its two sides exchanged.
EXCHANGED = {
    **{name: exchanged(getattr(judge, name)) for name in ("below", "faster", "lower_at", "order_lower")},
    "ordered": lambda panels, methods, *how, **named: judge.ordered(panels, methods[::-1], *how, **named),
    "at_most": judge.at_least,
    "at_least": judge.at_most,
    "zero": not_zero,
    "share_of_time": share_of_time,
    "order_at_most": steeper,
    "order_at_least": lambda *order, **how: judge.order_at_most(*order, margin=0, **how),
}
#: What has no two sides, and no arguments that it refuses.
ONE_SIDED = {("gcg", "C20.a"), *(("ncgs", id) for id in ("C3.d", "C6.b", "C13.a", "C13.b", "C13.c"))}


@pytest.mark.parametrize(("paper", "id"), [key for key in CLAIMS if key not in ONE_SIDED])
def test_a_claim_is_told_from_its_control(tmp_path, paper, id):
    claim = CLAIMS[paper, id]
    made = planted(tmp_path, paper, claim)
    if any(each[:2] == (paper, id) for each in PLANTED):
        assert call(claim, made).verdict == "holds" and tells(claim, made)
    else:
        assert (made and tells(claim, made)) or tells(claim, published(paper))


def tells(claim, evidence):
    """Whether evidence tells a claim from all that it refuses, else from itself with sides exchanged."""
    before = call(claim, evidence).verdict
    if not claim.refused:
        return call_exchanged(claim, evidence).verdict != before
    after = {call(claim, evidence, "refused", arguments).verdict for arguments in claim.refused}
    return not after & {"holds", before}


def call_exchanged(claim, evidence):
    """A claim judged with all measures that its paper's file imports exchanged."""
    whole = claim.function.__module__.partition(".claims")[0] + ".claims"
    modules = [m for name, m in sys.modules.items() if name == whole or name.startswith(f"{whole}.")]
    with ExitStack() as patched:
        for module in modules:
            own = {name: measure for name, measure in EXCHANGED.items() if hasattr(module, name)}
            patched.enter_context(mock.patch.multiple(module, **own) if own else nullcontext())
        return call(claim, evidence)
