"""What a verdict says on other hardware: seconds at other costs of the oracles, or made of counts."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd

from projfree.trace.counts import COUNTS
from projfree.trace.timers import oracle_of

TIMER, REST = "seconds_", "rest"
#: Seconds made of counts, which every machine repeats.
MODEL = "model_seconds"
#: Seconds → how the columns begin that say which oracle took them.
PARTS = {"cpu_seconds": TIMER, MODEL: f"{MODEL}_"}
#: What unit costs are of; an iteration costs something too.
COUNTED = ("iteration", *COUNTS)
#: How much dearer or cheaper an oracle may be elsewhere.
LOW, HIGH = 1e-3, 1e3
#: Factors tried in a decade at whose ends the verdict differs; one that turns and turns back is not seen.
A_DECADE = 4
#: Flip factors are known to this share.
PRECISE = 0.01
#: A count that takes less than this share of an oracle's seconds takes none.
SEEN = 1e-6


def oracles(frame: pd.DataFrame, clock: str = "cpu_seconds") -> list[str]:
    """Oracles and phases that took some of the seconds of a clock."""
    parts = _parts(frame, clock)
    return list(dict.fromkeys(oracle for c, oracle in parts if oracle != REST and frame[c].max() > 0))


def _parts(frame, clock="cpu_seconds"):
    """Each column with a part of a clock's seconds, and the oracle whose work it measures."""
    begin = PARTS.get(clock)
    return [(c, oracle_of(c.removeprefix(begin))) for c in frame if begin and c.startswith(begin)]


def seconds_of(records: pd.DataFrame, clock: str) -> dict[str, np.ndarray]:
    """Oracle → its part of a clock's seconds, record by record, in whatever phase; {} of another axis."""
    found = {}
    for column, oracle in _parts(records, clock):
        found[oracle] = found.get(oracle, 0) + np.nan_to_num(records[column].to_numpy(float))
    return found


def extra_seconds(parts: dict[str, np.ndarray], factors: dict[str, float]) -> np.ndarray | int:
    """By how much some records' seconds are more where each oracle costs so many times as much.

    Timers are exclusive: CPU seconds are their sum and the rest, Σ c_o·timer_o + rest. Runs without
    a timer keep theirs.
    """
    return sum((factor - 1) * parts[oracle] for oracle, factor in factors.items() if oracle in parts)


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
    found = {method: fitted(rows) for method, rows in frame.groupby("method", sort=False)}
    return {method: costs for method, costs in found.items() if costs}


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
        seen = {n: c / s for n, c, s in zip(COUNTED, calls, scale, strict=True) if c > SEEN * calls.sum()}
        found |= {oracle: {name: float(f"{cost:.4g}") for name, cost in seen.items()}} if seen else {}
    return found


def _seconds_of(frame):
    """Oracle → its seconds, record by record, in whatever phase; and the rest."""
    found = seconds_of(frame, "cpu_seconds")
    rest = frame["cpu_seconds"].to_numpy() - sum(found.values())
    return found | {REST: np.maximum(rest, 0)}


def flip_factors(verdict: Callable[[dict[str, float]], str], names: list[str]) -> dict[str, list[float]]:
    """Oracle → the factors in [10⁻³, 10³] at which the verdict turns; [] where it does not.

    Parameters
    ----------
    verdict : callable
        Factors of oracles → the verdict with them.
    """
    return {name: _flips(lambda factor, name=name: verdict({name: factor})) for name in names}


def _flips(verdict):
    verdict, found = cache(verdict), []
    decades = np.geomspace(LOW, HIGH, round(np.log10(HIGH / LOW)) + 1).tolist()
    for low, high in pairwise(decades):
        if verdict(low) != verdict(high):
            inside = pairwise(np.geomspace(low, high, A_DECADE + 1).tolist())
            found += [_bisected(verdict, a, b, verdict(a)) for a, b in inside if verdict(a) != verdict(b)]
    return found


def _bisected(verdict, low, high, before):
    """Where, between two factors, the verdict is no longer that before."""
    while high > low * (1 + PRECISE):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if verdict(middle) == before else (low, middle)
    return float(f"{high:.3g}")
