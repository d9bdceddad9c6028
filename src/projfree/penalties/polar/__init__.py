"""The polar κ°(G) = max_{‖a‖=‖b‖=1} ‖G₁ᵀa + G₂ᵀb‖ of the two-view norm (gcg Prop. 21, §4.4.2, B.4).

All of it in the m dimensions of the columns: with K_i = G_iᵀG_i,

    κ°(G) = max_{‖v‖=1} ‖G₁v‖ + ‖G₂v‖ = max √(vᵀK₁v) + √(vᵀK₂v),

since for fixed v the best blocks are a = G₁v/‖G₁v‖, b = G₂v/‖G₂v‖; and the dual (59) in squared form is

    κ°(G)² = min_{μ≥0} λ_max((1 + μ)K₁ + (1 + 1/μ)K₂).

`power` climbs the first, `certificate` proves a point of it optimal, `golden_section` solves the second,
`recovery` finds the maximiser that belongs to a dual solution, `two_view` puts them together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Polar(NamedTuple):
    """An atom u vᵀ with ⟨u vᵀ, G⟩ = value ≤ κ°(G) ≤ bound."""

    u: np.ndarray
    v: np.ndarray
    value: float
    bound: float
    certified: bool
    matvecs: int
    warm: np.ndarray
