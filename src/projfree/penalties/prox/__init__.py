"""Proximal points of penalties, a file for each way to compute them.

The proximal objective is Φ(x) = ‖x − p‖²/(2γ) + h(x); ``Prox^ε(p)`` holds all x with Φ(x) ≤ min Φ + ε (ipg,
text after Definition 2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from projfree.ground.names import unknown


@dataclass
class Prox:
    """A proximal point with what is known about it.

    Attributes
    ----------
    x : ndarray, or a pair of factors (U, V) of a matrix U Vᵀ
    value : float
        h(x).
    gap : float
        Certified bound on Φ(x) − min Φ; 0 for an exact method, NaN where nothing is certified.
    passes : int
        Inner steps: sorts, singular value decompositions, sweeps.
    warm : ndarray or None
        What the next call for a similar p may start from.
    matvecs : int
        Products of p with a vector (of matrices that are never formed).
    """

    x: object
    value: float
    gap: float = 0.0
    passes: int = 1
    warm: np.ndarray | None = None
    matvecs: int = 0


def check_finite(p, gamma: float) -> None:
    """ValueError for a point with entries that are not finite, or a step that is not positive."""
    if not np.isfinite(p).all():
        raise ValueError("prox: the point has entries that are not finite")
    if not gamma > 0:
        raise ValueError(f"prox: the step must be positive, not {gamma}")


def choose(methods: dict, name: str):
    """The method of that name; an unknown one is an error that lists the known."""
    if name not in methods:
        raise ValueError(unknown("prox", name, methods))
    return methods[name]


def level(tol, x) -> float:
    """An allowed error at x: a number, or a function of x."""
    return tol(x) if callable(tol) else tol
