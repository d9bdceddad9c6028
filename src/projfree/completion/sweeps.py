"""Sweeps over blocks of ratings: a task on each, its rows joined and its sums added in one fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

import numpy as np

from ..linalg.partition import each, fold


@dataclass
class Sweeps:
    """In this process.

    Attributes
    ----------
    shape : users, items
    ranges : list of (first, last) row of each block
    opened : function of a block's number, which gives the block
    threads : int, which makes no difference to any bit
    """

    shape: tuple[int, int]
    ranges: list[tuple[int, int]]
    opened: object
    threads: int = 1

    def run(self, task, lefts=(), rights=(), *constants):
        """(left product or None, tuple of sums or None) of a task of `blocks`."""
        result, start = [], self.ranges[0][0]

        def one(number):
            first, last = self.ranges[number]
            rows = tuple(left[first - start : last - start] for left in lefts)
            return task(self.opened(number), rows, rights, *constants)

        def totals():
            for left, total in each(one, range(len(self.ranges)), self.threads):
                result.append(left)
                yield total

        total = fold(totals(), added)
        return (None if result[0] is None else np.concatenate(result)), total

    def kept(self, left, right):
        """Factors that many tasks will be given, in the form in which `run` takes them without delay."""
        return left, right


def added(one, other):
    """Two tuples of sums, in double precision."""
    if one is None:
        return None
    return tuple(np.add(a, b, dtype=np.float64) for a, b in zip(one, other, strict=True))


def token() -> str:
    """A name that nothing had before."""
    return uuid4().hex


@dataclass(frozen=True)
class Image:
    """L Rᵀ on Ω by its factors: never formed where it is made, at most where the ratings are."""

    left: np.ndarray
    right: np.ndarray
    dtype = np.dtype(np.float32)

    def combined(self, keep: float, theta: float, other: Image) -> Image:
        """keep·this + theta·other."""
        left = np.concatenate([keep * self.left, theta * other.left], axis=1)
        return Image(left, np.concatenate([self.right, other.right], axis=1))
