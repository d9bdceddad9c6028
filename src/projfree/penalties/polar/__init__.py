"""Polars of atomic penalties: κ°(G) = max ⟨A, G⟩ over atoms A = u vᵀ, with the atom that attains it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Polar:
    """An atom u vᵀ and what certifies it: value = ⟨u vᵀ, G⟩ ≤ κ°(G) ≤ bound.

    Attributes
    ----------
    u, v : ndarray (m,), (n,)
        The atom: u of unit c-norm, v a unit vector.
    value, bound : float
    certified : bool
        Whether bound and value agree to the asked tolerance.
    matvecs : int
        Products with G done.
    warm : ndarray or None
        What the next call may start from.
    """

    u: np.ndarray
    v: np.ndarray
    value: float
    bound: float
    certified: bool = True
    matvecs: int = 0
    warm: np.ndarray | None = None
