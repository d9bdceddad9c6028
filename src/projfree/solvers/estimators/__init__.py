"""Gradient estimators, each a state with refresh and update; several methods share them."""

import numpy as np


def component_batch(rng, n: int, size: int) -> np.ndarray:
    """A batch of component indices, uniform with replacement."""
    return rng.integers(0, n, size=size)
