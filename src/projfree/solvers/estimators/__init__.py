"""Gradient estimators, one file each, with a state, refresh and update; several methods share them.

``estimator.update(oracles, state, x, rng)`` returns the estimate g of ∇F(x) and the state for the next call.
The first call gets None, or the result of ``estimator.start(oracles, x, rng)`` if the estimator has `start`.
Estimates have the problem's kind of gradient and belong to the estimator: a method only reads them.
"""

from functools import cache

import numpy as np

from ...common import registry


def available() -> list[str]:
    """Names of the known estimators."""
    return list(registry.names(__name__))


@cache
def load(name: str):
    """The module of that name; an unknown name is an error that lists the known names."""
    return registry.load(__name__, name)


def component_batch(rng, n: int, size: int, replace: bool = True) -> np.ndarray:
    """A uniform batch of component indices, with or without replacement."""
    return rng.integers(0, n, size=size) if replace else rng.choice(n, size=size, replace=False)


def release(state) -> None:
    """Empty a state (or None) before a refresh replaces it, to save memory."""
    for name in [] if state is None else list(vars(state)):
        setattr(state, name, None)


def stationary(v, state) -> bool:
    """Whether an exact estimate vanishes, so that x is stationary for every set."""
    return getattr(state, "exact", False) and not v.any()


def relative_curvature(constants, epsilon: float) -> float:
    """κ = L₂ε/L² with the mean-square constants L₂ and L (the text of nfwu §4 has L₂/L: U15)."""
    return constants["L2_vr"] * epsilon / constants["L_vr"] ** 2
