"""Generated instances: one file here = one generator, found by its name.

A generator is a function `generate(rng, *, source=None, **params) -> dict[str, ndarray]`; `source` is a
prepared dataset as `prepare.load` returns it, or None.
"""

import importlib
import inspect
import pkgutil

import numpy as np

from projfree.data.errors import DataError
from projfree.registry import unknown


def names() -> list[str]:
    """Names of all generators in this folder."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def find(name: str):
    """The `generate` function of a generator; an unknown name gives an error that lists the known."""
    if name not in names():
        raise DataError(unknown("generator", name, names()))
    return importlib.import_module(f"{__name__}.{name}").generate


def generate(
    name: str, rng: np.random.Generator, *, source: dict | None = None, **params
) -> dict[str, np.ndarray]:
    """Run a generator; unknown parameters give an error that lists the known."""
    function = find(name)
    known = [p for p in inspect.signature(function).parameters if p not in ("rng", "source")]
    for parameter in params:
        if parameter not in known:
            raise DataError(unknown("parameter", parameter, known, f"generator {name!r}"))
    return function(rng, source=source, **params)
