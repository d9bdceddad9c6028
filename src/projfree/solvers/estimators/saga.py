"""SAGA: variance reduction by a table of component gradients, for samples drawn once (Reddi et al. 2016)."""

from dataclasses import dataclass

import numpy as np

from ...common.parameters import Count, Natural
from . import component_batch


@dataclass
class State:
    """The table."""

    pool: np.ndarray  # (n',) components drawn once
    slopes: np.ndarray  # (n',) what evaluates their gradients again
    mean: np.ndarray  # average of the table's gradients


@dataclass(frozen=True)
class Estimator:
    """v = (1/b) Σ_{i∈I} (∇f_i(x) − table_i) + mean; then a second batch of b refreshes the table.

    n' IFO the table, at most 2b IFO an update.

    Attributes
    ----------
    batch : int, b
    pool : int, n'
    epoch : int, ignored: there is no anchor to refresh
    """

    batch: Count
    pool: Count
    epoch: Natural | None = None

    def start(self, oracles, x, rng) -> State:
        """Draw the pool and fill the table at x."""
        pool = component_batch(rng, oracles.n, self.pool)
        slopes = oracles.component_slopes(x, pool)
        return State(pool, slopes, oracles.combine(slopes / self.pool, pool))

    def update(self, oracles, table: State, x, rng):
        """The estimate at x; returns (v, table)."""
        first, second = (component_batch(rng, self.pool, self.batch) for _ in range(2))
        change = oracles.component_slopes(x, table.pool[first]) - table.slopes[first]
        v = table.mean + oracles.combine(change / self.batch, table.pool[first])
        second = np.unique(second)
        fresh = oracles.component_slopes(x, table.pool[second])
        change = fresh - table.slopes[second]
        table.mean = table.mean + oracles.combine(change / self.pool, table.pool[second])
        table.slopes[second] = fresh
        return v, table
