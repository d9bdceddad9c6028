"""Generated instances: one file here = one generator, found by its name.

A generator is a function `generate(rng, *, source=None, **params) -> dict[str, ndarray]`; `source` is a
prepared dataset as `prepared.load` returns it, or None.
"""

import numpy as np

from projfree.ground import parameters, registry


def names() -> list[str]:
    """Names of all generators in this folder."""
    return list(registry.names(__name__))


def find(name: str):
    """The `generate` function of a generator; an unknown name is an error that lists the known."""
    return registry.load(__name__, name).generate


def generate(
    name: str, rng: np.random.Generator, *, source: dict | None = None, **params
) -> dict[str, np.ndarray]:
    """Run a generator with checked parameters."""
    return parameters.call(find(name), params, rng, source=source)
