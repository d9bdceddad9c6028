"""What the saddle-point methods share: the pair that is measured, their own counts, scores kept beside x."""

from dataclasses import dataclass

import numpy as np

from ...linalg.atoms import Atom, move


@dataclass
class Pair:
    """(x, y)."""

    x: np.ndarray
    y: np.ndarray


@dataclass
class Effort:
    """Counts that the oracles do not have."""

    passes: int = 0  # of the prox step, over all steps
    most_passes: int = 0  # of one step
    most_passes_over: int = -1000  # the same beyond the 2 + ⌈½ log₂ 27k⌉ that theory allows; negative below
    capped_passes: int = 0  # steps that the cap of passes ended
    phases: int = 0  # of the y-problem, over all passes
    most_phases: int = 0  # of one pass
    lo_x: int = 0
    lo_y: int = 0
    fo_literal: int = 0  # full gradients as the paper counts them, each step of CGS in y included
    ifo_literal: int = 0  # the same in components
    idle: int = 0  # steps in which CndG returned its start
    snapshots: int = 0  # of SVRE
    theorem_bound: float = np.inf  # on the primal–dual gap of the pair


def follow(oracles, scores, moves, x):
    """The scores after the moves that took their point to x: (1−ξ)S + ξ·A(atom) each, in place.

    Where there are more moves than columns, one product with x costs less.
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
