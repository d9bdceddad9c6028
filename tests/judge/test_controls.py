"""The controls of all papers: what a claim refuses is refused, on planted curves or on published tables."""

from functools import cache

import numpy as np
import pytest
from places import ROOT
from planted_judge import plant, rows

from referee.judge import Evidence, NotRun, call
from referee.judge.claims import claims_of
from referee.judge.evidence import Panel

PAPERS = sorted(path.parent.name for path in ROOT.glob("reports/reference/*/claims.json"))
CLAIMS = {(paper, claim.id): claim for paper in PAPERS for claim in claims_of(paper) if claim.refused}
#: Not about who is below whom, and not found to hold: neither curves nor tables tell its control.
UNSEEN = {
    "gcg": {"C24.d", "C7", "C14a", "C14b", "C16.a", "C18.b", "C30", "C43.a", "C35.b", "C35.c", "C36.b"}
    | {"C44.c", "C48"},
    "ipg": {"C4.a", "C5", "C6.b", "C14"},
    "mpcgs": {"C4.a", "C4.b", "C8.b", "C12"},
    "ncgs": {"C10.b"},
    "nfwu": {"C5.c", "C5.e", "C10.b", "C13", "T11.b"},
}
KNOWN = sorted(key for key in CLAIMS if key[1] not in UNSEEN[key[0]])


@cache
def published(paper):
    return Evidence(paper)


def pairs_of(paper, claim):
    """(panel, a, b) of the pairs that a claim compares, in the forms that run."""
    found, seeds = [], Panel.seeds

    def noted(panel, *methods):
        found.append((panel.name, *map(panel.form, methods)))
        return seeds(panel, *methods)

    Panel.seeds = noted
    try:
        call(claim, published(paper))
    except NotRun:
        pass
    finally:
        Panel.seeds = seeds
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
    mapping = 100 * down + 1e-12 * 10**rank
    return rows(lambda s: 0.05 + 0.1 * rank + down, seconds=seconds, sq_gradient_mapping=mapping)


def planted(folder, paper, claim):
    """Evidence that is as the claim says, if it is about who is below whom."""
    pairs, tables = pairs_of(paper, claim), {}
    for panel in dict.fromkeys(panel for panel, *_ in pairs):
        order = ranked([(a, b) for name, a, b in pairs if name == panel])
        tables[panel] = {method: [run_of(k)] for k, method in enumerate(order)}
    return plant(folder, tables, paper) if tables and all(tables.values()) else None


@pytest.mark.parametrize(("paper", "id"), KNOWN)
def test_a_claim_is_refused_on_its_control(tmp_path, paper, id):
    claim = CLAIMS[paper, id]
    made = planted(tmp_path, paper, claim)
    assert (made and tells(claim, made)) or tells(claim, published(paper))


def tells(claim, evidence):
    """Whether evidence tells a claim from all that it refuses."""
    try:
        before = call(claim, evidence).verdict
        after = {call(claim, evidence, "refused", arguments).verdict for arguments in claim.refused}
    except KeyError:  # it reads a column that no planted table has
        return False
    return not after & {"holds", before}


@pytest.mark.parametrize("paper", PAPERS)
def test_what_is_not_seen_is_a_small_part(paper):
    controls = {id for name, id in CLAIMS if name == paper}
    assert UNSEEN[paper] <= controls and len(UNSEEN[paper]) <= 0.2 * len(controls)
