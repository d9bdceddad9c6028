"""What a verdict says on other hardware: seconds at other costs of the oracles, or made of counts."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from ...ground.timers import oracle_of

TIMER = "seconds_"
#: How much dearer or cheaper an oracle may be elsewhere.
LOW, HIGH = 1e-3, 1e3
#: Factors tried a decade; a verdict that turns and turns back between two of them is not seen.
A_DECADE = 4
#: Flip factors are known to this share.
PRECISE = 0.01


def oracles(frame: pd.DataFrame) -> list[str]:
    """Oracles and phases with a timer that ran."""
    return list(dict.fromkeys(oracle for c, oracle in _timers(frame) if frame[c].max() > 0))


def _timers(frame):
    """Each timer's column with the oracle whose work it measures."""
    return [(c, oracle_of(c.removeprefix(TIMER))) for c in frame if c.startswith(TIMER)]


def reweighted(frame: pd.DataFrame, factors: dict[str, float]) -> pd.DataFrame:
    """The table with the CPU seconds of a machine where each oracle costs so many times as much.

    Timers are exclusive: CPU seconds are their sum and the rest, Σ c_o·timer_o + rest. Runs without
    a timer keep theirs.
    """
    extra = sum(
        (factors[oracle] - 1) * frame[c].fillna(0) for c, oracle in _timers(frame) if oracle in factors
    )
    return frame.assign(cpu_seconds=frame["cpu_seconds"] + extra)


def with_model_seconds(frame: pd.DataFrame, unit_costs: dict[str, float] | None) -> pd.DataFrame:
    """The table with ``model_seconds``, counts × unit cost: no clock, so that all machines agree to the bit.

    Raises
    ------
    ValueError
        For a unit cost of what the table does not count.
    """
    if not unit_costs:
        return frame
    absent = sorted(set(unit_costs) - set(frame))
    if absent:
        raise ValueError(f"unit costs of {', '.join(absent)}, which the table does not count")
    terms = [frame[count].to_numpy(float) * cost for count, cost in sorted(unit_costs.items())]
    return frame.assign(model_seconds=np.sum(terms, axis=0))


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
