"""Proximal points of penalties, a file for each way to compute them.

The proximal objective is Φ(x) = ‖x − p‖²/(2γ) + h(x); ``Prox^ε(p)`` holds all x with Φ(x) ≤ min Φ + ε (ipg,
text after Definition 2).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...common.names import unknown


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

    x: Any
    value: float
    gap: float = 0.0
    passes: int = 1
    warm: np.ndarray | None = None
    matvecs: int = 0


def choose(methods: dict, name: str):
    """The method of that name; an unknown one is an error that lists the known."""
    if name not in methods:
        raise ValueError(unknown("prox", name, methods))
    return methods[name]


def level(tol, x) -> float:
    """An allowed error at x: a number, or a function of x."""
    return tol(x) if callable(tol) else tol
