"""Active sets: x as a convex combination of atoms of the set, and the steps that move weight between them.

The linear minimisation of the set must give extreme points: vertices of polytopes are kept by their
non-zeros, rank-one matrices by their factors.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...linalg.atoms import Atom, as_array
from ...linalg.validation import array, vector

SPARSE = 0.25  # up to this share of non-zeros an array is kept by them
SAME = 1e-24  # atoms whose squared distance is below this share of their squares are one


@dataclass
class Vertex:
    """An array by its non-zeros; `places` is None if all entries are kept."""

    values: np.ndarray
    places: np.ndarray | None
    shape: tuple

    @classmethod
    def of(cls, x) -> Vertex:
        """The array x."""
        flat = x.ravel()
        places = np.flatnonzero(flat)
        sparse = places.size <= SPARSE * flat.size
        return cls(flat[places], places, x.shape) if sparse else cls(flat.copy(), None, x.shape)

    def toarray(self) -> np.ndarray:
        """The array, a new one."""
        x = np.zeros(self.shape)
        self.add_to(x, 1.0)
        return x

    def times(self, factor) -> Vertex:
        """A multiple of it."""
        return replace(self, values=factor * self.values)

    def inner(self, G) -> float:
        """⟨G, v⟩."""
        flat = G.ravel()
        return float(self.values @ (flat if self.places is None else flat[self.places]))

    def add_to(self, x, weight) -> None:
        """x += weight·v in place."""
        flat = x.ravel()  # a view: iterates are contiguous
        if self.places is None:
            flat += weight * self.values
        else:
            flat[self.places] += weight * self.values

    def same(self, other) -> bool:
        """Whether both are one array."""
        kinds = (self.places is None) == (other.places is None)
        places = kinds and (self.places is None or np.array_equal(self.places, other.places))
        return bool(places and np.array_equal(self.values, other.values))


@dataclass
class ActiveSet:
    """x = Σ w_i a_i, w > 0 of sum 1.

    Attributes
    ----------
    x : array
    atoms : list
        The points a_i, each with ``toarray()``; those of rank one with ``scale``, ``u`` and ``v``.
    weights : array (k,)
    low, high : arrays, the least and the largest entries of the atoms so far
    """

    x: np.ndarray = field(repr=False)
    atoms: list = field(repr=False)
    weights: np.ndarray
    low: np.ndarray = field(repr=False)  # no x lies below but by rounding
    high: np.ndarray = field(repr=False)

    @classmethod
    def at(cls, x) -> ActiveSet:
        """x alone."""
        return cls(x, [Vertex.of(x)], np.ones(1), x, x)

    @classmethod
    def of(cls, atoms, weights) -> ActiveSet:
        """The convex combination of given points, arrays or atoms.

        Parameters
        ----------
        atoms : sequence of k arrays of one shape, or objects with ``toarray``
        weights : array (k,), ≥ 0, of sum 1 (to 1e-9)

        Raises
        ------
        ValueError
            If there is no atom, or for weights of another number, below 0, or of another sum.
        """
        weights = vector("weights", weights, len(atoms)) if len(atoms) else np.zeros(0)
        if not (weights.size and weights.min() >= 0.0 and abs(weights.sum() - 1.0) <= 1e-9):
            raise ValueError(f"an active set needs atoms with as many weights ≥ 0 of sum 1, not {weights}")
        made: Any = None
        for given in atoms:
            x = array("atom", as_array(given) if hasattr(given, "toarray") else given)
            made = made or cls(x, [], weights / weights.sum(), x, x)
            if x.shape != made.x.shape:
                raise ValueError(f"an atom has shape {x.shape}, others {made.x.shape}")
            made.atoms.append(given if isinstance(given, Atom | Vertex) else Vertex.of(x))
            made.low, made.high = np.minimum(made.low, x), np.maximum(made.high, x)
        made.go(made.point(made.weights), made.weights)
        return made

    @classmethod
    def start(cls, oracles) -> ActiveSet:
        """The active set of a warm start, a copy, or the problem's start as the only atom."""
        given = getattr(oracles.problem, "active_set", None)
        if given is not None:
            return cls.of(given.atoms, given.weights)
        return cls.at(np.ascontiguousarray(oracles.start()))

    def times(self, factor) -> ActiveSet:
        """The same combination of multiples of the atoms."""
        return ActiveSet.of([atom.times(factor) for atom in self.atoms], self.weights)

    def scores(self, G) -> np.ndarray:
        """⟨G, a_i⟩ of all atoms."""
        return np.array([atom.inner(G) for atom in self.atoms])

    def extremes(self, G) -> tuple[int, int, np.ndarray]:
        """Places of the least and the largest ⟨G, a_i⟩ of the atoms that have a weight, and all `scores`."""
        scores, held = self.scores(G), self.weights > 0.0
        best, worst = np.argmin(np.where(held, scores, np.inf)), np.argmax(np.where(held, scores, -np.inf))
        return int(best), int(worst), scores

    def place(self, v) -> int:
        """The place of an answer of the linear minimisation, with weight 0 if it is new."""
        atom = v if isinstance(v, Atom) else Vertex.of(v)
        for i, known in enumerate(self.atoms):
            if type(known) is type(atom) and _same(known, atom):
                return i
        self.low, self.high = np.minimum(self.low, as_array(v)), np.maximum(self.high, as_array(v))
        self.atoms.append(atom)
        self.weights = np.append(self.weights, 0.0)
        return len(self.atoms) - 1

    def direction(self, to: int | None, away: int | None) -> np.ndarray:
        """a_to − x, x − a_away or a_to − a_away."""
        d = self.x * float((to is None) - (away is None))
        for i, sign in ((to, 1.0), (away, -1.0)):
            if i is not None:
                self.atoms[i].add_to(d, sign)
        return d

    def longest(self, to, away) -> float:
        """The longest step in that direction: until the weight of a_away is used up."""
        if away is None:
            return 1.0
        weight = float(self.weights[away])
        if to is not None:
            return weight
        return weight / (1.0 - weight) if weight < 1.0 else np.inf

    def path(self, to, away):
        """γ ↦ (x, weights) after a step of that length: sums with weights ≥ 0, in which nothing cancels."""
        others = self.weights.copy()
        others[[i for i in (to, away) if i is not None]] = 0.0
        rest = self.x if away is None else self.sum(others)

        def after(gamma):
            keep = 1.0 + gamma * ((to is None) - (away is None))
            x, weights = keep * rest, keep * self.weights
            if away is not None:
                weights[away] = max(weights[away] - gamma, 0.0) if gamma < self.longest(to, away) else 0.0
                self.atoms[away].add_to(x, weights[away])
            if to is not None:
                weights[to] += gamma
                self.atoms[to].add_to(x, gamma if away is None else weights[to])
            return np.clip(x, self.low, self.high, out=x), weights

        return after

    def point(self, weights) -> np.ndarray:
        """Σ w_i a_i for weights ≥ 0 of sum 1: rounding takes no entry beyond those of the atoms."""
        return np.clip(self.sum(weights), self.low, self.high)

    def sum(self, weights) -> np.ndarray:
        """Σ w_i a_i."""
        x = np.zeros(self.x.shape)
        for weight, atom in zip(weights, self.atoms, strict=True):
            if weight:
                atom.add_to(x, float(weight))
        return x

    def go(self, x, weights) -> None:
        """Take x and its weights; an atom without a weight is none any more."""
        self.x, self.weights = x, weights
        positive = np.flatnonzero(weights > 0.0)
        if positive.size < len(self.atoms):
            self.atoms, self.weights = [self.atoms[i] for i in positive], weights[positive]

    def refresh(self) -> None:
        """x from its atoms again: steps add roundings."""
        self.weights = self.weights / self.weights.sum()
        self.x = self.point(self.weights)


def _same(a, b) -> bool:
    if isinstance(a, Vertex):
        return a.same(b)
    return a.sq_norm - 2 * a.inner(b) + b.sq_norm <= SAME * max(a.sq_norm, b.sq_norm)
