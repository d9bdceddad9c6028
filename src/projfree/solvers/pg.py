"""Proximal gradient: Algorithm 1 of Gu, Wang, Huo, Huang (2018), exact (PG) or inexact (IPG) by its prox."""

from dataclasses import dataclass

from ..common.parameters import checked
from .inner import proximal

State = proximal.State


@checked
@dataclass(frozen=True)
class Solver(proximal.Settings):
    """x_k ∈ Prox^{ε_k}(x_{k−1} − γ∇g(x_{k−1})): 1 FO, 1 PO a step."""

    def start(self, oracles, rng):
        """x_0."""
        return self.begin(oracles, rng)

    def step(self, oracles, s, rng):
        """One pass."""
        s.k += 1
        return self.accept(oracles, s, self.trial_from_x(oracles, s, rng))
