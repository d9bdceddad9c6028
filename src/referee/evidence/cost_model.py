"""Seconds made of counts, which every machine repeats: what a call of each oracle costs."""

import numpy as np
import pandas as pd

from projfree.trace.counts import COUNTS
from projfree.trace.timers import oracle_of

TIMER, REST = "seconds_", "rest"
#: Seconds made of counts, which every machine repeats.
MODEL = "model_seconds"
#: What unit costs are of; an iteration costs something too.
COUNTED = ("iteration", *COUNTS)
#: A count that takes less than this share of an oracle's seconds takes none.
SEEN = 1e-6


def with_model_seconds(frame: pd.DataFrame, unit_costs: dict | None) -> pd.DataFrame:
    """The table with ``model_seconds``, counts × unit cost, and of them ``model_seconds_<oracle>``.

    No clock is read, so that all machines agree to the bit.

    Parameters
    ----------
    unit_costs : dict, optional
        Method → oracle → count → seconds a call, as `fitted` gives them. Other methods have NaN.

    Raises
    ------
    ValueError
        For a unit cost of what the table does not count.
    """
    if not unit_costs:
        return frame
    priced = {count for oracles in unit_costs.values() for costs in oracles.values() for count in costs}
    if absent := sorted(priced - set(frame)):
        raise ValueError(f"unit costs of {', '.join(absent)}, which the table does not count")
    oracles = sorted({oracle for costs in unit_costs.values() for oracle in costs})
    parts = {f"{MODEL}_{oracle}": _part(frame, unit_costs, oracle) for oracle in oracles}
    return frame.assign(**{MODEL: sum(parts.values())}, **parts)


def _part(frame, unit_costs, oracle):
    """Model seconds of an oracle; counts are added in the order of their names, whatever their own."""
    methods, seconds = frame["method"].to_numpy(), np.full(len(frame), np.nan)
    for method, costs in unit_costs.items():
        rows = methods == method
        terms = [cost * frame[n].to_numpy(float)[rows] for n, cost in sorted(costs.get(oracle, {}).items())]
        seconds[rows] = sum(terms)
    return seconds


def unit_costs(frame: pd.DataFrame) -> dict[str, dict]:
    """What is `fitted` of each method of a table that took time."""
    fits = {method: fitted(rows) for method, rows in frame.groupby("method", sort=False)}
    return {method: costs for method, costs in fits.items() if costs}


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
    prices = {}
    for oracle, seconds in _seconds_of(frame).items():
        calls, _ = nnls(counts / scale / cpu[:, None], seconds / cpu)
        shares = {n: c / s for n, c, s in zip(COUNTED, calls, scale, strict=True) if c > SEEN * calls.sum()}
        prices |= {oracle: {name: float(f"{cost:.4g}") for name, cost in shares.items()}} if shares else {}
    return prices


def _seconds_of(frame):
    """Oracle → its seconds, record by record, in whatever phase; and the rest."""
    totals = {}
    for column in (c for c in frame if c.startswith(TIMER)):
        oracle = oracle_of(column.removeprefix(TIMER))
        totals[oracle] = totals.get(oracle, 0) + np.nan_to_num(frame[column].to_numpy(float))
    rest = frame["cpu_seconds"].to_numpy() - sum(totals.values())
    return totals | {REST: np.maximum(rest, 0)}
