"""Active sets: x as a convex combination of atoms of the set, and the steps that move weight between them.

The linear minimisation of the set must give extreme points: vertices of polytopes are kept by their
non-zeros, rank-one matrices by their factors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...linalg.atoms import Atom, as_array

SPARSE = 0.25  # up to this share of non-zeros an array is kept by them
SAME = 1e-24  # atoms whose squared distance is below this share of their squares are one


@dataclass
class Vertex:
    """An array by its non-zeros; `places` is None if all entries are kept."""

    values: np.ndarray
    places: np.ndarray | None = None

    @classmethod
    def of(cls, x) -> Vertex:
        """The array x."""
        flat = x.ravel()
        places = np.flatnonzero(flat)
        return cls(flat[places], places) if places.size <= SPARSE * flat.size else cls(flat.copy())

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
    """x = Σ w_i a_i, w > 0 of sum 1; the x that it is made with is its first atom."""

    x: np.ndarray
    atoms: list
    weights: np.ndarray
    low: np.ndarray  # least entries of the atoms so far: no x lies below but by rounding
    high: np.ndarray

    @classmethod
    def at(cls, x) -> ActiveSet:
        """x alone."""
        return cls(x, [Vertex.of(x)], np.ones(1), x, x)

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
        kept = self.weights.copy()
        kept[[i for i in (to, away) if i is not None]] = 0.0
        rest = self.x if away is None else self.sum(kept)

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
        self._drop()

    def refresh(self) -> None:
        """x from its atoms again: steps add roundings."""
        self.weights = self.weights / self.weights.sum()
        self.x = self.point(self.weights)

    def _drop(self):
        kept = np.flatnonzero(self.weights > 0.0)
        if kept.size < len(self.atoms):
            self.atoms, self.weights = [self.atoms[i] for i in kept], self.weights[kept]


def _same(a, b) -> bool:
    if isinstance(a, Vertex):
        return a.same(b)
    return a.sq_norm - 2 * a.inner(b) + b.sq_norm <= SAME * max(a.sq_norm, b.sq_norm)
