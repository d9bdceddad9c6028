"""Products of sets: the consecutive pieces of an array lie in one set each."""

from dataclasses import dataclass
from functools import cached_property
from math import hypot, prod

import numpy as np

import projfree.sets as known

from ..common.parameters import checked
from ..linalg.atoms import as_array
from ..linalg.validation import entries, numbers
from ._base import FeasibleSet


@checked
@dataclass(frozen=True, eq=False)
class Set(FeasibleSet):
    """Vectors of pieces, with piece i in the i-th set; or matrices with blocks of rows as pieces.

    Attributes
    ----------
    parts : list
        Sets, or ``{name, **parameters}`` of sets.
    shapes : list
        The shape of each piece, a number of entries or a list of sides.
    """

    parts: list | tuple
    shapes: list | tuple

    def __post_init__(self):
        if len(self.parts) != len(self.shapes) or not self.parts:
            raise ValueError(f"product: {len(self.parts)} parts and {len(self.shapes)} shapes")
        made = tuple(known.make(part) if isinstance(part, dict) else part for part in self.parts)
        object.__setattr__(self, "parts", made)

    @cached_property
    def sides(self):
        """The shapes as tuples."""
        return [(shape,) if isinstance(shape, int) else tuple(shape) for shape in self.shapes]

    @cached_property
    def ends(self):
        """The ends of the pieces."""
        return np.cumsum([prod(shape) for shape in self.sides])

    @property
    def is_polytope(self) -> bool:
        """Whether all parts are polytopes."""
        return all(getattr(part, "is_polytope", False) for part in self.parts)

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖."""
        return hypot(*(part.diameter for part in self.parts))

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖."""
        return hypot(*(part.norm_bound for part in self.parts))

    def pieces(self, x) -> list:
        """(set, piece in its shape), one after the other."""
        cut = np.split(numbers("product: x", x.ravel(), int(self.ends[-1])), self.ends[:-1])
        return [(s, y.reshape(shape)) for s, y, shape in zip(self.parts, cut, self.sides, strict=True)]

    def contains(self, x, slack=1e-9) -> bool:
        """Whether each piece lies in its set."""
        return all(part.contains(y, slack) for part, y in self.pieces(entries("product: x", x)))

    def lmo(self, G, *, start=None, rng=None, tol=1e-3) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩, piece by piece."""
        return self._joined(self._finite("G", G), lambda part, g: part.lmo(g, rng=rng, tol=tol))

    def _support(self, G):
        return sum(part.support(g) for part, g in self.pieces(G))

    def _gauge(self, x):
        """The largest gauge of a piece, in units of its bound."""
        return max(part.gauge(y) / (part.bound or 1.0) for part, y in self.pieces(x))

    def _project(self, x):
        return self._joined(x, lambda part, y: part.project(y))

    def _joined(self, x, answer):
        return np.concatenate([as_array(answer(*pair)).ravel() for pair in self.pieces(x)]).reshape(x.shape)
