"""What a verdict says on other hardware: seconds at other costs of the oracles, or made of counts."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from ...ground.counts import COUNTS

TIMER, REST = "seconds_", "rest"
#: What unit costs are of; an iteration has costs too that no oracle counts.
COUNTED = ("iteration", *COUNTS)
#: How much dearer or cheaper an oracle may be elsewhere.
LOW, HIGH = 1e-3, 1e3
#: Factors tried a decade; a verdict that turns and turns back between two of them is not seen.
A_DECADE = 4
#: Flip factors are known to this share.
PRECISE = 0.01


def oracles(frame: pd.DataFrame) -> list[str]:
    """Oracles with a timer that ran."""
    return [c.removeprefix(TIMER) for c in frame if c.startswith(TIMER) and frame[c].max() > 0]


def reweighted(frame: pd.DataFrame, factors: dict[str, float]) -> pd.DataFrame:
    """The table with the CPU seconds of a machine where each oracle costs so many times as much.

    Timers are exclusive: CPU seconds are their sum and the rest, Σ c_o·timer_o + rest. Runs without
    a timer keep theirs.
    """
    extra = sum(
        (factor - 1) * frame[f"{TIMER}{oracle}"].fillna(0)
        for oracle, factor in factors.items()
        if f"{TIMER}{oracle}" in frame
    )
    return frame.assign(cpu_seconds=frame["cpu_seconds"] + extra)


def with_model_seconds(
    frame: pd.DataFrame, unit_costs: dict | None, factors: dict[str, float] | None = None
) -> pd.DataFrame:
    """The table with ``model_seconds``, counts × unit cost: no clock, so that all machines agree to the bit.

    Parameters
    ----------
    unit_costs : dict, optional
        Method → oracle → count → seconds a call, as `fitted` gives them. Other methods have NaN.
    factors : dict, optional
        Oracle → how many times as much it costs.

    Raises
    ------
    ValueError
        For a unit cost of what the table does not count.
    """
    if not unit_costs:
        return frame
    counted = {count for oracles in unit_costs.values() for costs in oracles.values() for count in costs}
    if absent := sorted(counted - set(frame)):
        raise ValueError(f"unit costs of {', '.join(absent)}, which the table does not count")
    seconds = np.full(len(frame), np.nan)
    for method, oracles in unit_costs.items():
        rows = (frame["method"] == method).to_numpy()
        seconds[rows] = _modelled(frame[rows], oracles, factors or {})
    return frame.assign(model_seconds=seconds)


def _modelled(rows, oracles, factors):
    """Added up in one order, whatever order the costs are written in."""
    terms = [
        factors.get(oracle, 1.0) * cost * rows[count].to_numpy(float)
        for oracle, costs in sorted(oracles.items())
        for count, cost in sorted(costs.items())
    ]
    return sum(terms, np.zeros(len(rows)))


def fitted(frame: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Oracle → count → seconds a call of one method: what its timers are made of, by least squares.

    Costs are at least 0, and the squares those of shares of the CPU seconds so far, so that early records
    count as late ones do. The rest, what no timer has, is an oracle too. {} without a record that took time.
    """
    from scipy.optimize import nnls  # takes a second to load

    frame = frame[frame["cpu_seconds"] > 0]
    if frame.empty:
        return {}
    cpu, counts = frame["cpu_seconds"].to_numpy(), frame[list(COUNTED)].to_numpy(float)
    scale = np.maximum(counts.max(axis=0), 1)
    found = {}
    for oracle, seconds in _seconds_of(frame).items():
        calls, _ = nnls(counts / scale / cpu[:, None], seconds / cpu)
        costs = {name: float(f"{c:.4g}") for name, c in zip(COUNTED, calls / scale, strict=True) if c > 0}
        found |= {oracle: costs} if costs else {}
    return found


def _seconds_of(frame):
    """Oracle → its seconds, record by record, in whatever phase; and the rest."""
    found = {}
    for column in frame.columns[frame.columns.str.startswith(TIMER)]:
        oracle = column.removeprefix(TIMER).partition("_in_")[0]
        found[oracle] = found.get(oracle, 0) + frame[column].fillna(0).to_numpy(float)
    timed = sum(found.values(), np.zeros(len(frame)))
    return found | {REST: np.maximum(frame["cpu_seconds"].to_numpy() - timed, 0)}


def flip_factors(verdict: Callable[[dict[str, float]], str], names: list[str]) -> dict[str, list[float]]:
    """Oracle → the factors in [10⁻³, 10³] at which the verdict turns; [] where it does not.

    Parameters
    ----------
    verdict : callable
        Factors of oracles → the verdict with them.
    """
    return {name: _flips(lambda factor, name=name: verdict({name: factor})) for name in names}


def _flips(verdict):
    grid = np.geomspace(LOW, HIGH, round(np.log10(HIGH / LOW) * A_DECADE) + 1)
    found = [verdict(float(factor)) for factor in grid]
    turns = [k for k in range(len(grid) - 1) if found[k] != found[k + 1]]
    return [_bisected(verdict, float(grid[k]), float(grid[k + 1]), found[k]) for k in turns]


def _bisected(verdict, low, high, before):
    """Where, between two factors, the verdict is no longer that before."""
    while high > low * (1 + PRECISE):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if verdict(middle) == before else (low, middle)
    return float(f"{high:.3g}")
