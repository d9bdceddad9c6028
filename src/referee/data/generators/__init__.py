"""Generated instances: one file = one generator, found by its name here or in the folder of its paper.

A generator is a function `generate(rng, *, source=None, **params) -> dict[str, ndarray]`; `source` is a
prepared dataset as `prepared.load` returns it, or None.
"""

import numpy as np

from projfree.common import parameters
from referee.common import rooms


def find(name: str, paper: str = ""):
    """The `generate` function of a generator, common or of a paper; an error lists the known names."""
    return rooms.load(paper, "generators", name).generate


def generate(
    name: str, rng: np.random.Generator, *, source: dict | None = None, paper: str = "", **params
) -> dict[str, np.ndarray]:
    """Run a generator with checked parameters."""
    return parameters.call(find(name, paper), params, rng, source=source)
