"""Earlier results and active sets as starts of `minimize`."""

import dataclasses

import numpy as np

from ..solvers.inner.active_set import ActiveSet

#: Fields of a set that say its size.
SIZES = ("radius", "total")
#: Slack of memberships, as of x_0.
SLACK = 1e-6


def warmed(warm_start, x0, constraint):
    """x_0 and the active set (or None) of a warm start by an earlier result or an active set."""
    if warm_start is None:
        return x0, None
    if x0 is not None:
        raise ValueError("give x0 or warm_start, not both")
    active = getattr(warm_start, "active_set", warm_start)
    factor = ratio(getattr(warm_start, "constraint", None), constraint)
    if active is None:
        x = warm_start.x
        x = x.toarray() if hasattr(x, "toarray") else np.array(x)
        return (x if factor == 1.0 else factor * x), None
    if not isinstance(active, ActiveSet):
        raise ValueError(
            "warm_start must be a Result of minimize or an ActiveSet, such as "
            f"projfree.ActiveSet.of(atoms, weights), not of type {type(warm_start).__name__}"
        )
    active = active if factor == 1.0 else active.times(factor)
    single = getattr(getattr(warm_start, "x", None), "dtype", None) == np.float32
    return active.x.astype(np.float32 if single else float), active


def ratio(old, new) -> float:
    """The size of a set over that of another one that differs from it by its size alone; 1 for others."""
    if type(old) is not type(new) or not dataclasses.is_dataclass(new):
        return 1.0
    for name in SIZES:
        before, after = getattr(old, name, None), getattr(new, name, None)
        if before and after and dataclasses.replace(old, **{name: after}) == new:
            return after / before
    return 1.0


def held(active, constraint) -> ActiveSet:
    """The active set, if all of its atoms are in the set; ValueError with the place of one that is not."""
    for i, atom in enumerate(active.atoms):
        if not constraint.contains(atom if hasattr(atom, "nuclear_norm") else atom.toarray(), SLACK):
            raise ValueError(f"warm_start: its atom {i} does not lie in the set")
    return active
