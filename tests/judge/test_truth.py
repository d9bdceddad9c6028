"""Published verdicts by a few lines of pandas, without the judge: numbers, and who is lower at ten places."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from places import ROOT

REFERENCE = ROOT / "reports/reference"
#: Claim, panel, method, column or quotient, what of each run, relation, bound.
BOUNDS = """
MP-C10.a fig1-a mpcgs-tuned saddle_fw_gap of_start <= 0.5
MP-C12 fig1-a mpcgs-theorem saddle_fw_gap of_start <= 0.5
MP-C12 fig1-c mpcgs-theorem saddle_fw_gap of_start <= 0.5
MP-C13 fig1-a mpcgs-py capped_passes every <= 0
MP-C14 t4 cgs-100 error/promised every <= 1
MP-C15 fig1-b mpcgs-tuned PO every <= 0
MP-C17 t1 exact-1 gidel_excess every <= 1e-6
MP-C18 t2 structure midpoint every <= 1e-12
MP-C19.a t10 spfw-adaptive linear_fit last >= 0.95
MP-C19.b t10 spfw-adaptive decades last >= 6
MP-C2.b fig1-a svre snapshots last <= 9
NCGS-T1.a t1 condg-certificate gap/eta every <= 1
NCGS-C2.c fig1-left ncgs-2-tuned reconstruction_error of_start <= 0.5
NCGS-C3.c fig1-right svfw-tuned sq_gradient_mapping last >= 1e-3
NCGS-T5.c t5 ncgs-2 |infeasibility| every <= 1e-9
NFWU-T3 t3 caspider |bias_error| every <= 1e-14
NFWU-T4 t3 casvrg |sq_error_deviation| every <= 1e-12
NFWU-T5 t5 identities |epoch_of_one| every <= 1e-13
NFWU-T9 t1 caspider-open gap every >= -1e-12
NFWU-T9 t1 casvrg gap every >= -1e-12
NFWU-C7.a x3 large memory_array_caspider every <= 1.05
NFWU-T3 t3 casvrg |bias_error| every <= 1e-14
NFWU-T4 t3 caspider |sq_error_deviation| every <= 1e-12
NFWU-C7.a x3 small memory_array_caspider every <= 1.05
IPG-C13.a cardiac aipg rise every <= 1e-12
IPG-C13.b cardiac aipg increases every <= 0
IPG-C22 cardiac nmaipg v_steps last >= 1
IPG-T3 cardiac aipg-theory rise every <= 1e-12
IPG-T1 t-small constant descent every <= 1e-10
IPG-T2 t-small constant path/path_bound every <= 1
IPG-T5 t5 descent theorem3 every <= 1e-10
IPG-T8 t8 identities momentum_low every <= 1e-12
IPG-T9 t9 correntropy largest_violation largest >= 1e-3
GCG-C10 polar-fig10 gcg certified mean >= 0.9
GCG-C10 polar-fig12 gcg certified mean >= 0.9
GCG-C11.a polar-fig12 gcg median_dual_over_power last >= 1
GCG-C11.a polar-fig10 gcg median_dual_over_power last >= 1
GCG-C11.b polar-fig10 gcg median_svds_over_power last >= 1
GCG-C6.a movielens-1m gcg rank/outer later <= 1
GCG-T7 t7 random concave every <= 1e-9
GCG-T10.a t10 corrective search_excess every <= 1e-9
"""
#: Claim, panel, who is lower, than whom, in what, over what.
LINES = """
NCGS-C2.a fig1-left ncgs-2-tuned fw sq_gradient_mapping cpu_seconds
NCGS-C1.a fig2-left ncgs-2-tuned fw objective cpu_seconds
NCGS-C5.c c5c ncgs-vr ncgs-vr-b1 objective cpu_seconds
NCGS-C5.a fig2-left fw svrg objective cpu_seconds
NCGS-C12.b fig3-right ncgs-2-tuned fw objective cpu_seconds
NFWU-C4.b fig1-p10 caspider sg reconstruction_error iteration
NFWU-C4.a fig1-p10 caspider sg fw_gap iteration
NFWU-C4.b fig3-p30 casvrg sg reconstruction_error iteration
MP-C1 fig1-a mpcgs-tuned spfw saddle_fw_gap cpu_seconds
"""


def given(lines):
    return [line.split() for line in lines.strip().splitlines()]


@cache
def verdicts(paper):
    table = pd.read_csv(REFERENCE / paper / "verdicts.csv", keep_default_na=False, dtype=str)
    return table[(table["call"] == "") & (table["column"] == "published")]


def said(claim, panel, *words):
    """Paper, and the rows of a claim in a panel, whose `what` begins with the first of the words."""
    prefix = {"MP": "mpcgs"}.get(claim.partition("-")[0], claim.partition("-")[0].lower())
    rows = verdicts(prefix)
    rows = rows[(rows["claim"] == claim) & (rows["panel"] == panel)]
    rows = rows[rows["what"].str.startswith(words[0])]
    for word in words[1:]:
        rows = rows[rows["what"].str.contains(word, regex=False)]
    assert len(rows), f"{claim}: no row of {words} in {panel}"
    return prefix, rows


def runs(paper, panel, method):
    table = pd.read_csv(REFERENCE / paper / "evidence" / f"{panel}.csv.gz", low_memory=False)
    table = table[(table["method"] == method) & (table["end_status"] != "error")]
    keys = ["seed", "repetition"] if "repetition" in table else ["seed"]
    return [run.sort_values("iteration", kind="stable") for _, run in table.groupby(keys, dropna=False)]


def number(rows, of):
    top, _, bottom = of.strip("|").partition("/")
    values = rows[top] / rows[bottom] if bottom else rows[top]
    return (values.abs() if of.startswith("|") else values).dropna()


OF_A_RUN = {
    "every": lambda values: list(values),
    "later": lambda values: list(values[1:]),
    "last": lambda values: [values.iloc[-1]],
    "largest": lambda values: [values.max()],
    "mean": lambda values: [values.mean()],
    "of_start": lambda values: [values.iloc[-1] / values.iloc[0]],
}


@pytest.mark.parametrize(("claim", "panel", "method", "of", "what", "relation", "bound"), given(BOUNDS))
def test_a_bound_is_met_or_broken_as_published(claim, panel, method, of, what, relation, bound):
    own = {"NCGS-C2.c": "error", "GCG-C6.a": "after_the_start"}.get(claim, of.strip("|").partition("/")[0])
    paper, rows = said(claim, panel, f"{method}: ", own)
    found = [x for run in runs(paper, panel, method) for x in OF_A_RUN[what](number(run, of))]
    ends = pd.to_numeric(rows["low"]).min(), pd.to_numeric(rows["high"]).max()
    assert np.allclose(ends, (min(found), max(found)), rtol=1e-4, atol=1e-20)
    met = [x <= float(bound) if relation == "<=" else x >= float(bound) for x in found]
    assert set(rows["truth"]) <= ({"true"} if all(met) else {"true", "false"})
    assert ("false" in set(rows["truth"])) != all(met)


@pytest.mark.parametrize(("claim", "panel", "a", "b", "metric", "over"), given(LINES))
def test_who_is_lower_at_ten_places_is_so_as_published(claim, panel, a, b, metric, over):
    paper, rows = said(claim, panel, f"{a} below {b}")
    one, other = ([run for run in runs(paper, panel, m) if run["seed"].iloc[0] == 0][0] for m in (a, b))
    end = min(run[over].max() for run in (one, other))
    places = pd.DataFrame({over: (np.arange(10) + 0.5) / 10 * end})
    columns = [run[[over, metric]].astype(float).drop_duplicates(over, keep="last") for run in (one, other)]
    values = [pd.merge_asof(places, each, on=over)[metric] for each in columns]
    ahead = int((values[0] < values[1]).sum())
    assert ahead in (0, 1, 9, 10), "the comparison is clear"
    assert set(rows.loc[rows["seed"] == "0", "truth"]) == {"true" if ahead >= 9 else "false"}
