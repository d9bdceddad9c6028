"""What published panels say, worked out from their tables alone: the referee of the judge.

Each pair (part of a claim, panel) is a rule on the published evidence, written from the sentence and the
rules of judging. Nothing here, and nothing of `truth_rules`, knows the judge. ``PAIRS[claim, panel]()`` gives
the truth of each seed, of seed −1 that of the mean of all.
"""

from functools import cache, partial

import numpy as np
import pandas as pd
from truth_rules import (
    CLEARLY,
    SAME,
    a_pass,
    as_soon,
    at_least,
    chain,
    coincide,
    costs,
    drawn_at,
    enough,
    flat,
    grows,
    height,
    holds,
    known,
    last,
    left,
    lower,
    near_best,
    near_the_best,
    of_all,
    race_end,
    runs,
    scatter,
    somewhere,
    sooner,
    spends,
    table,
)

PREFIX = {"NCGS": "ncgs", "MP": "mpcgs", "NFWU": "nfwu", "IPG": "ipg", "GCG": "gcg"}
PAIRS = {}


def pair(claim, *labels):
    """Register a rule, (paper, panel) → seed → True, False or None, for panels of a claim."""

    def register(rule):
        for label in labels:
            PAIRS[claim, label] = partial(rule, PREFIX[claim.partition("-")[0]], label.partition(" · ")[0])
        return rule

    return register


@cache
def verdict(claim: str, label: str) -> str:
    """80 % of the decided seeds of a panel, of which at least half are decided."""
    truths = list(PAIRS[claim, label]().values())
    decided = [truth for truth in truths if truth is not None]
    if not decided or 2 * len(decided) < len(truths):
        return "not_testable"
    return "holds" if sum(decided) >= 0.8 * len(decided) else "fails"


# --- ncgs

MAPPING, SECONDS, F, RMSE = "sq_gradient_mapping", "cpu_seconds", "objective", "reconstruction_error"
MAPPED, CLOCKED = {"metric": MAPPING, "axis": SECONDS}, {"metric": F, "axis": SECONDS}
ETAS = [f"ncgs-2-eta-{eta}" for eta in ("10", "1", "0.1", "0.01", "0.001")]

pair("NCGS-C1.b", "fig1-right")(sooner("ncgs-vr", "svfw", **MAPPED, least=0))
pair("NCGS-C1.b", "fig2-left")(sooner("ncgs-vr", "svfw", **CLOCKED))
pair("NCGS-C1.c", "ext-stochastic-mc")(
    sooner("sncgs", ["sfw", "svfw-s"], metric=MAPPING, axis="IFO", least=0)
)
pair("NCGS-C1.d", "fig2-right")(sooner("ncgs-vr", "ncgs-2", metric=F, axis="IFO"))
pair("NCGS-C2.a", "fig1-left")(sooner("ncgs-2", "fw", **MAPPED, least=0, factor=CLEARLY))
pair("NCGS-C2.b", "c2b · too small")(
    sooner(ETAS[:4], ETAS[4], metric=MAPPING, axis="LO", levels=[1], factor=10)
)
pair("NCGS-C2.b", "c2b · too large")(lower(ETAS[1:], ETAS[0], MAPPING, "LO", 10))
pair("NCGS-C2.c", "fig1-left · against the start")(
    holds(lambda r: r[RMSE].iloc[-1] <= 0.5 * r[RMSE].iloc[0], "ncgs-2")
)
pair("NCGS-C2.d", "c2b")(chain(*ETAS[1:], metric=MAPPING, axis="LO", levels=[1]))
pair("NCGS-C3.a", "fig1-right")(sooner("ncgs-vr", "svfw", **MAPPED, levels=[1e-3], factor=6))
pair("NCGS-C4.b", "fig1-right · gradient")(spends("ncgs-2", "gradient", high=0.2))
pair("NCGS-C5.b", "fig2-left")(spends("svrg", "project", low=0.5))
pair("NCGS-C9.b", "fig3-middle")(spends("svrg", "project", low=0.5))
pair("NCGS-C5.c", "c5c · SVRG")(sooner("svrg", "svrg-b1", **CLOCKED, factor=2))
for size in ("200x200", "55x35"):
    method = f"oracle-costs-{size}"
    pair("NCGS-C5.d", f"c5d · {method}")(costs(method, "seconds_lmo", "seconds_projection_full", high=0.8))
pair("NCGS-C6.b", "c6b-sig2-flip · flipped labels")(
    of_all(
        ["ncgs-2", "ncgs-2@c6b-log-flip"],
        lambda a, b: bool(last(a, "accuracy_test") > last(b, "accuracy_test")),
    )
)
pair("NCGS-C7.a", "fig2-left")(chain("ncgs-vr", "ncgs-2", "fw", "svfw", **CLOCKED))
pair("NCGS-C8.a", "fig2-right")(sooner(["ncgs-2", "ncgs-vr"], ["fw", "svfw"], **CLOCKED, factor=CLEARLY))
pair("NCGS-C10.b", "fig3-left · early")(lower("fw", "svfw", F, SECONDS, share=0.1))
pair("NCGS-C10.b", "fig3-left · at the end")(lower("svfw", "fw", F, SECONDS))
pair("NCGS-T4.b", "t4")(grows("ncgs-1", "eps", "iteration", high=-0.75))
pair("NCGS-T8.a", "t8 · FW FO")(grows("fw", "FO", "1/eps_gap", high=2.25, points=3, mean=True))
pair("NCGS-T8.a", "t8 · NCGS LO")(grows("ncgs", "LO", "1/eps_mapping", high=2.25, points=3, mean=True))
pair("NCGS-T8.b", "t8 · stochastic NCGS LO")(
    grows("sncgs", "LO", "1/eps_mapping", high=2.25, points=3, mean=True)
)

# --- mpcgs

SADDLE = "saddle_fw_gap"

pair("MP-C1", "fig1-a · mpcgs-tuned · svre")(lower("mpcgs-tuned", "svre", SADDLE, SECONDS))
pair("MP-C1", "fig1-b · mpscgs-tuned · spfw")(lower("mpscgs-tuned", "spfw", SADDLE, SECONDS))
pair("MP-C1", "fig1-c · mpscgs-tuned · svre")(lower("mpscgs-tuned", "svre", SADDLE, SECONDS))
pair("MP-C2.a", "fig1-c")(spends("svre", "project", low=0.5))
pair("MP-C2.b", "fig1-c")(holds(lambda r: last(r, "snapshots") <= 9, "svre"))
pair("MP-C3.a", "fig1-b")(lower(["mpcgs-tuned", "mpscgs-tuned"], "spfw", SADDLE, SECONDS, 1.25))
pair("MP-C3.b", "fig1-a")(grows("spfw", SADDLE, "iteration", low=-1.2, points=24))
pair("MP-C4.a", "fig1-a", "fig1-b")(sooner("mpscgs", "mpcgs", metric=SADDLE, axis=SECONDS, least=0))
for shape in ("rcv1", "news20"):
    pair("MP-C6", f"costs · costs-{shape}")(
        costs(f"costs-{shape}", "seconds_po_full", "seconds_lo_lanczos", low=1.25)
    )
pair("MP-C8", "sparse")(grows("sparse-lmo", "seconds_lmo", "nnz", 0.7, 1.3))
for panel, method in (("fig1-b", "mpcgs"), ("fig1-b", "mpscgs"), ("fig1-a", "mpscgs")):
    pair("MP-C10.a", f"{panel} · {method}")(
        holds(lambda r: last(r, SADDLE) <= 0.5 * r[SADDLE].iloc[0], method)
    )
pair("MP-C11.a", "t1-late")(grows("theorem-n", "fo", "1/gap", high=0.6, points=7))
pair("MP-C11.c", "t1-late")(grows("theorem-n", "lo", "1/gap", high=2.2, points=7))
pair("MP-C14", "t4 · cgs-100")(holds(lambda r: (r["error"] <= r["promised"]).all(), "cgs-100"))
pair("MP-C15", "fig1-a")(holds(lambda r: r["PO"].iloc[-1] == 0, "mpcgs", "mpscgs", "spfw"))


@pair("MP-C4.b", "size-15935")
def _(paper, panel):
    """The gain at the end rises from each of the four sizes to the next."""
    gains = {}
    for size in (2000, 4000, 8000, 15935):
        for seed, group in runs(paper, f"size-{size}", "mpcgs", "mpscgs").items():
            end = race_end(paper, f"size-{size}", group, SECONDS)
            a, b = (drawn_at(run, SADDLE, SECONDS, end) for run in group.values())
            gains.setdefault(seed, []).append(a / b)
    return {seed: bool((np.diff(found) > 0).all()) for seed, found in gains.items()}


def calls(storc, scgs):
    """Whether inexact STORC needs fewer calls to the level, which lies between two phases, than SCGS."""
    levels = [run["sfo_to_level"].iloc[-1] for run in (storc, scgs)]
    before = [run["sfo"][run["sfo"] < level].max() for run, level in zip((storc, scgs), levels, strict=True)]
    return True if levels[0] < before[1] else False if before[0] > levels[1] else None


for part, noise in (("a", "10"), ("c", "0.1")):
    pair(f"MP-C16.{part}", "c16")(of_all([f"istorc-{noise}", f"scgs-{noise}"], calls))

# --- nfwu

GAP = "fw_gap"


def late_mean(run, end):
    """The mean gap over the last quarter."""
    x, y = known(run, GAP, "iteration", end)
    return y[x >= 0.75 * end].mean()


for panel in ("fig1-p10", "fig1-p30"):
    pair("NFWU-C1.a", f"{panel} · casvrg · svrg")(lower("casvrg", "svrg", GAP, "iteration", read=height))
    above = partial(height, metric=RMSE)
    pair("NFWU-C2.a", f"{panel} · SVRG")(lower("casvrg", "svrg", RMSE, "iteration", read=above))
    pair("NFWU-C10.a", f"{panel} · SVRG")(sooner("casvrg", "svrg", metric=GAP, axis="IFO", least=0))
pair("NFWU-C1.b", "fig1-p30 · caspider · spider")(
    lower("caspider", "spider", GAP, "iteration", 2, read=late_mean)
)
pair("NFWU-C4.a", "fig1-p10 · svrg")(lower("svrg", "sg", GAP, "iteration", CLEARLY))
pair("NFWU-C4.b", "fig1-p10 · svrg")(lower("svrg", "sg", RMSE, "iteration"))
pair("NFWU-C7.a", "x3 · CASVRG · large")(
    costs("large", "seconds_estimate_casvrg", "seconds_estimate_svrg", high=3)
)
pair("NFWU-C8.a", "x3 · small")(costs("small", "seconds_lmo", "seconds_projection_full", high=0.2))
pair("NFWU-C9.a", "x1-noise10 · last")(
    of_all(["cil", "sq"], lambda a, b: bool(last(b, RMSE) >= 1.05 * last(a, RMSE)))
)
pair("NFWU-C9.b", "x1-noise0 · best")(
    of_all(["cil", "sq"], lambda a, b: bool(a[RMSE].min() <= 1.05 * b[RMSE].min()))
)
pair("NFWU-C11.a", "fig1-p10 · spider")(
    sooner("spider", "sg", metric=GAP, axis="IFO", least=0, factor=CLEARLY)
)
pair("NFWU-C11.b", "fig1-p10 · spider", "fig3-p40 · spider")(
    sooner("spider", "full", metric=GAP, axis="IFO", least=0)
)
pair("NFWU-C12.a", "t7 · CASVRG")(holds(lambda r: (r["rms_casvrg"] <= r["eps"]).all(), "single"))
pair("NFWU-T6", "t5 · CASVRG")(grows("orders", "norm_casvrg", "h", 1.9, 2.1))


@pair("NFWU-C3.a", "fig1-p30 · casvrg · svrg")
def _(paper, panel):
    """In the median of twenty windows the mean error of the estimate is clearly larger."""
    found = {}
    for seed, group in runs(paper, panel, "casvrg", "svrg").items():
        end = race_end(paper, panel, group, "iteration")
        curves = [known(run, "gradient_error", "iteration", end) for run in group.values()]
        a, b = (pd.Series(y).groupby(np.minimum(20 * x // end, 19)).mean() for x, y in curves)
        found[seed] = np.log(b / a).median()
    return {s: at_least(g, g, CLEARLY, scatter(found.values())) for s, g in found.items()}


@pair("NFWU-C5.a", "fig1-p10 · V", "fig1-p20 · V")
def _(paper, panel):
    """After 5, 10 and 20 epochs the gaps of SPIDERG and SVRG are within a factor 1.25 of each other."""
    gains = {}
    for seed, group in runs(paper, panel, "spider", "svrg").items():
        end = race_end(paper, panel, group, "iteration")
        a, b = ([drawn_at(r, GAP, "iteration", x * end) for x in (0.25, 0.5, 1)] for r in group.values())
        gains[seed] = np.log(np.divide(a, b))
    noise = max(scatter(column) for column in zip(*gains.values(), strict=True))
    return {s: enough([coincide(g, g, np.log(1.25), noise) for g in gain], 1) for s, gain in gains.items()}


# --- ipg


def together(within):
    """A rule: two objectives at 1, 5, 25 and 100 % of the passes are together, by default to a reader."""

    def rule(paper, panel, methods):
        found = {}
        for seed, group in runs(paper, panel, *methods).items():
            end = race_end(paper, panel, group, "iteration")
            at = np.log(
                [
                    [drawn_at(r, F, "iteration", q * end) for r in group.values()]
                    for q in (0.01, 0.05, 0.25, 1)
                ]
            )
            curves = np.concatenate([known(run, F, "iteration")[1] for run in group.values()])
            drawn = np.log(curves.max() / curves.min())
            found[seed] = bool(np.abs(np.diff(at)).max() < (within or SAME * drawn))
        return found

    return rule


pair("IPG-C1.a", "coil20 · curve")(partial(together(None), methods=("ipg", "pg")))
pair("IPG-C7", "epinions · basic")(partial(together(np.log(1.02)), methods=("link-ipg", "link-pg")))
pair("IPG-C2.a", "cardiac · apg")(sooner("apg", "pg", metric=F, axis="iteration"))
pair("IPG-C2.b", "cardiac · nmaipg")(sooner("nmaipg", "ipg", metric=F, axis="iteration"))
pair("IPG-C2.c", "cardiac · apg")(sooner("apg", "pg", metric=F, axis="FO"))
pair("IPG-C2.c", "coil20 · nmapg")(sooner("nmapg", "pg", metric=F, axis="FO"))
pair("IPG-C3.a", "cardiac · accelerated")(sooner("aipg", "apg", **CLOCKED, factor=CLEARLY))
pair("IPG-C4.a", "coil20")(somewhere("nmaipg", "nmapg", **CLOCKED, factor=100))
pair("IPG-C5", "recorded-coil20")(costs("recorded", "seconds_igm_restart", "seconds_inexact", low=2))
pair("IPG-C6.a", "prox-scaling")(
    grows("scale-0.003", "seconds_igm_restart", "size", low=1.5, points=4)  # above N = 1,000
)
pair("IPG-C6.b", "prox-scaling")(
    holds(
        lambda r: (r["seconds_igm_restart"] >= r["seconds_gradient"])[r["size"] == 1024].all(), "scale-0.003"
    )
)
pair("IPG-C8", "epinions · basic")(sooner("link-ipg", "link-pg", **CLOCKED, factor=1.1))
pair("IPG-C8", "epinions · accelerated")(sooner("link-aipg", "link-apg", **CLOCKED, factor=1.1))
pair("IPG-C15.b", "epinions · basic")(sooner("link-ipg", "link-pg", **CLOCKED, factor=CLEARLY))
pair("IPG-C9.b", "gas-drift · ipg")(left("ipg", 0.01))
pair("IPG-C11", "epinions")(
    of_all(["link-nmaipg", "link-aipg"], lambda a, b: bool(4 / 3 * a_pass(a, "PO") <= a_pass(b, "PO")))
)
pair("IPG-C13.b", "coil20")(holds(lambda r: r["increases"].max() == 0, "aipg"))
pair("IPG-C13.b", "epinions")(holds(lambda r: r["increases"].max() == 0, "link-aipg"))
pair("IPG-C14", "cardiac")(holds(lambda r: r["increases_beyond"].max() >= 1, "nmaipg-theory"))
pair("IPG-C19", "epinions")(
    holds(
        lambda r: (r["prox_error"].dropna() <= 1e-7 * r[F].min()).all(), "link-pg", "link-apg", "link-nmapg"
    )
)
pair("IPG-C4.c", "prox-scaling · scale-0.02")(
    holds(lambda r: r[["size", "seconds_ratio_igm_restart"]].rank().corr().iloc[0, 1] >= 0.8, "scale-0.02")
)


@pair("IPG-C4.b", "prox-scaling")
def _(paper, panel):
    """Exact proxes of some scale and size take 100 times as long as ten subgradient steps."""
    frame = table(paper, panel)
    return {0: bool((frame["seconds_igm_restart"] / frame["seconds_inexact"]).max() >= 100)}


@pair("IPG-C12", "delta-coil20")
def _(paper, panel):
    """δ has no influence on the excess: nothing can be said of its best values."""
    excess, good = table(paper, panel)["excess"], table(paper, panel)["delta"].isin([0.5, 0.6, 0.75, 1])
    return {
        0: None if np.ptp(excess) <= SAME * excess.max() else bool(excess[good].max() <= 1.25 * excess.min())
    }


@pair("IPG-C18", "planted-schedules")
def _(paper, panel):
    """With errors ~ k^(−2.1) and k^(−3) the excess is at most twice the exact method's."""
    frame = table(paper, panel)
    return {0: bool((frame["excess_ratio"][frame["error_power"].isin([2.1, 3])] <= 2).all())}


# --- gcg

BCD = [f"bcd-{columns}" for columns in (10, 20, 50, 100)]

pair("GCG-C2.a", "movielens-1m", "k1024")(sooner("gcg", "gcg-null", **CLOCKED, factor=CLEARLY))
pair("GCG-C3.a", "netflix", "fungus134", "movielens-1m")(sooner("gcg", "dhm", **CLOCKED, factor=CLEARLY))
pair("GCG-C3.b", "fungus134")(sooner("gcg", "mmbs", **CLOCKED, factor=CLEARLY))
pair("GCG-C31.a", "fig12 · bcd-10")(sooner("gcg", "bcd-10", **CLOCKED, factor=CLEARLY))
pair("GCG-C3.d", "fig10 · bcd-10")(sooner("gcg", "bcd-10", **CLOCKED, factor=CLEARLY))
pair("GCG-C4.a", "movielens-1m")(sooner("gcg", "apg", **CLOCKED, factor=CLEARLY))
pair("GCG-C5.a", "svd-costs-500")(costs("costs", "seconds_full", "seconds_pair", low=10))
pair("GCG-C6.b", "ablation-movielens-100k · twice its last")(
    holds(lambda r: r["rank"].max() >= 2 * r["rank"].iloc[-1], "apg")
)
pair("GCG-C7", "ablation-fungus10")(sooner("dhm", "gcg-null", metric=F, axis="outer", factor=CLEARLY))
pair("GCG-C9.a", "fungus10")(spends("gcg", "reduce", low=0.5))
pair("GCG-C13", "ablation-movielens-100k")(sooner("dhm", "dhm-ls", **CLOCKED, factor=1.25))
pair("GCG-C14b", "movielens-1m", "movielens-10m")(
    sooner("gcg", "dhm", metric="rmse_test", axis=SECONDS, levels=near_best("dhm", "rmse_test"), factor=10)
)
pair("GCG-C15", "movielens-1m")(sooner("gcg", "dhm", metric=F, axis="outer", factor=CLEARLY))
pair("GCG-C17", "movielens-1m")(as_soon("mmbs", "gcg", metric=F, axis="outer", within=1, quota=0.5))
pair("GCG-C18.a", "movielens-1m")(sooner("gcg", "mmbs", **CLOCKED, factor=10))
pair("GCG-C24.b", "fungus10", "fungus134")(of_all(["gcg", "dhm", "mmbs"], near_the_best))
pair("GCG-C27.b", "movielens-1m", "k1024")(lower("gcg", "dhm", F, SECONDS))
pair("GCG-C29.a", "fungus10")(sooner("dhm", "mmbs", **CLOCKED))
pair("GCG-C33", "fig10")(left("gcg", 0.1, record=1))
pair("GCG-C33", "fig10 · 2")(
    holds(lambda r: r["error_clean"].iloc[1] >= 5 * r["error_clean"].iloc[1:].min(), "gcg")
)
pair("GCG-C35.b", "fig12 · bcd-100")(lower("gcg", "bcd-100", F, SECONDS, 1.02))
for other in ("gcg@long-fig14-faces", "gcg@long-fig15-faces"):
    pair("GCG-C37", f"long-fig13-faces · at the end · {other}")(
        lower("gcg", other, "error_clean", "iteration", read=lambda run, end: last(run, "error_clean"))
    )
pair("GCG-C38", "fig13-faces")(holds(lambda r: r["rank"].iloc[-1] == 0, *BCD))
for method in ("bcd-10", "bcd-50"):
    pair("GCG-C35.a", f"fig12 · {method}")(flat(method))
    pair("GCG-C40.a", f"escapes-20 · {method}")(holds(lambda r: r["rank"].iloc[-1] >= 1, method))


@pair("GCG-C23.a", "centring-item")
def _(paper, panel):
    """λ = 25 of our loss, inside of the grid, has the least test RMSE, to 1 % of the range."""
    rmse = table(paper, panel).set_index("weight")["rmse_test"]
    return {0: bool(rmse[25] - rmse.min() <= 0.01 * np.ptp(rmse))}


@pair("GCG-C34", "starts-80 · than at 60")
def _(paper, panel):
    """More runs with t = 10 end above a twentieth of their way at λ = 80 than at 60, by more than two."""
    at_60, at_80 = (sum(left("bcd-10", 0.05)(paper, name).values()) for name in ("starts-60", panel))
    return dict.fromkeys(range(10), True if at_60 - at_80 > 2 else False if at_80 - at_60 > 2 else None)


@pair("GCG-C39.a", "trap-30")
def _(paper, panel):
    """Most dictionaries leave H = 0 at t = 100."""
    return {0: bool(table(paper, panel).set_index("columns")["escapes"].idxmax() == 100)}


@pair("GCG-C41", "long-fig15-faces")
def _(paper, panel):
    """The last clean error is 1.2 times its least, inside of the run; the rise is no jitter."""

    def risen(run):
        error = run["error_clean"].dropna().to_numpy(float)
        inside = 0 < error.argmin() < len(error) - 1 and error[-1] - error.min() > 1e-6 * error[0]
        return inside and error[-1] >= 1.2 * error.min()

    return holds(risen, "gcg")(paper, panel)
