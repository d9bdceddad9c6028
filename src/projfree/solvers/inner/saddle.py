"""Common parts of the saddle-point methods: the pair that is measured, scores kept next to x."""

from dataclasses import dataclass

import numpy as np

from ...linalg.atoms import Atom, move


@dataclass
class Pair:
    """(x, y)."""

    x: np.ndarray
    y: np.ndarray


def follow(oracles, scores, moves, x):
    """The scores after the moves that took their point to x: (1−ξ)S + ξ·A(atom) each, in place.

    If there are more moves than columns, one product with x costs less.
    """
    if len(moves) > (x.shape[1] if x.ndim == 2 else 0):
        return oracles.scores(x)
    for share, v in moves:
        if isinstance(v, Atom):
            left, right = oracles.scores(v)
            move(scores, 1.0 - share, share, left, right)
        else:
            scores *= 1.0 - share
            scores += share * oracles.scores(v)
    return scores
