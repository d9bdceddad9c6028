"""Gradient estimators, each a state with refresh and update; found by folder, shared by several methods.

``estimator.update(oracles, state, x, rng)`` returns the estimate g of ∇F(x) and the state for the next call;
the first call gets None, or what ``estimator.start(oracles, x, rng)`` made, where there is one. Estimates are
of the problem's gradient kind and belong to the estimator: a method reads them only.
"""

from functools import cache

import numpy as np

from ...ground import registry


def available() -> list[str]:
    """Names of the known estimators."""
    return list(registry.names(__name__))


@cache
def load(name: str):
    """The module of that name; an unknown name is an error that lists the known."""
    return registry.load(__name__, name)


def component_batch(rng, n: int, size: int, replace: bool = True) -> np.ndarray:
    """A batch of component indices, uniform; i.i.d. unless drawn without replacement."""
    return rng.integers(0, n, size=size) if replace else rng.choice(n, size=size, replace=False)


def release(state) -> None:
    """Empty a state that a refresh replaces (or None), so that there need not be room for both."""
    for name in [] if state is None else list(vars(state)):
        setattr(state, name, None)


def stationary(v, state) -> bool:
    """Whether an estimate known to be exact vanishes: then x is stationary whatever the set."""
    return getattr(state, "exact", False) and not v.any()


def relative_curvature(constants, epsilon: float) -> float:
    """κ = L₂ε/L² with the mean-square constants L₂ and L (the text of nfwu §4 has L₂/L: U15)."""
    return constants["L2_vr"] * epsilon / constants["L_vr"] ** 2
