"""Lazy conditional gradients: any Frank-Wolfe method with a cache of atoms (Braun, Pokutta and Zink 2017).

The cache and an estimate Φ of the gap make a weak separation oracle (their Oracle 1). An old atom v is good
enough if ⟨G, x − v⟩ ≥ Φ/K; a linear minimisation is made only if there is no such atom. If its vertex is not
good enough either, the gap is below Φ/K, and Φ is halved.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from ..common.names import require
from ..common.parameters import Count, Range, checked
from ..families import constrained, strongly_convex
from ..linalg.atoms import Atom, inner
from . import check_needs, make
from .inner.active_set import Vertex, _same

#: Methods that ask for one vertex a step, at their iterate. `blended_cg` is lazy itself.
METHODS = (
    "blended_pairwise_fw",
    "away_fw",
    "pairwise_fw",
    "fully_corrective_fw",
    "quadratic_corrective_fw",
    "frank_wolfe",
    "adaptive_fw",
    "dicg",
    "momentum_frank_wolfe",
    "estimator_frank_wolfe",
    "nfwu",
)


@dataclass
class State:
    """The method's own state, and the cache."""

    own: object
    atoms: list  # from the one unused for the longest to the last used
    phi: float = np.inf  # Φ; infinite before the first linear minimisation

    @property
    def iterate(self):
        return self.own.iterate

    @property
    def converged(self) -> bool:
        return getattr(self.own, "converged", False)


@checked
@dataclass(frozen=True)
class Solver:
    """Another method with a linear minimisation that first looks in a cache for an atom that gains Φ/K.

    Attributes
    ----------
    method : str
        Name of the other method.
    options : dict or None
        Its parameters.
    K : float
        An old atom must gain Φ/K: 1 is strictest; larger values use old atoms for longer.
    cache : int
        Largest number of atoms to keep; the least recently used one is dropped.
    """

    families = (constrained.FAMILY, strongly_convex.FAMILY)
    method: str = "blended_pairwise_fw"
    options: dict | None = None
    K: Annotated[float, Range(least=1)] = 2.0
    cache: Count = 500

    def __post_init__(self):
        require([self.method.replace("-", "_")], METHODS, "method", "solver 'lazy'")
        _ = self.own  # its parameters are checked at once

    @cached_property
    def own(self):
        return make(self.method, self.options or {})

    def start(self, oracles, rng):
        """The method's start, and an empty cache."""
        check_needs(self.own, oracles.constraint)
        return State(self.own.start(oracles, rng), [])

    def step(self, oracles, s, rng):
        """A step of the method, with 1 LO less if the cache has an atom, counted as ``cached``."""
        s.own = self.own.step(Lazy(oracles, s, self), s.own, rng)
        return s


class Lazy:
    """The oracles of a run, with a linear minimisation that may answer from the cache of a state."""

    def __init__(self, oracles, state, solver):
        self._oracles, self._s, self._solver = oracles, state, solver
        self._x = getattr(state.own, "x", state.iterate)  # a method may give another one, drawn at random

    def __getattr__(self, name):
        return getattr(self._oracles, name)

    def lmo(self, G, start=None, tol=None):
        """An old atom with ⟨G, x − v⟩ ≥ Φ/K, else the best vertex; with `tol`, always the best vertex."""
        if tol is not None:
            return self._oracles.lmo(G, start=start, tol=tol)
        s, along = self._s, inner(G, self._x)
        required = s.phi / self._solver.K
        scores = [_product(G, atom) for atom in s.atoms]
        best = int(np.argmin(scores)) if scores else None
        if scores and along - scores[best] >= required > 0.0:
            self._oracles.tally.add(cached=1)
            s.atoms.append(s.atoms.pop(best))
            return _answer(s.atoms[-1], G.shape)
        v = self._oracles.lmo(G, start=start)
        gap = along - inner(G, v)
        if gap < required:  # an inexact answer may seem to gain nothing
            s.phi = (min(gap, s.phi) if gap > 0.0 else s.phi) / 2
        self._remember(v)
        return v

    def _remember(self, v):
        atom, atoms = v if isinstance(v, Atom) else Vertex.of(v), self._s.atoms
        if not any(type(old) is type(atom) and _same(old, atom) for old in atoms):
            atoms.append(atom)
            del atoms[: -self._solver.cache]


def _product(G, atom) -> float:
    if isinstance(atom, Atom):
        return inner(G, atom)
    return atom.inner(G if isinstance(G, np.ndarray) else G.toarray())


def _answer(atom, shape):
    """An atom as the linear minimisation gives it; rank one with no products, since none were made."""
    if isinstance(atom, Atom):
        return Atom(atom.u, atom.v, atom.scale, atom.sigma, 0.0)
    x = np.zeros(shape)
    atom.add_to(x, 1.0)
    return x
