"""The output that theorems on non-convex problems are of: one of all iterates so far, each equally likely."""


def redrawn(before, x, rng, t: int):
    """θ_α, α uniform on the first t iterates, from such a one of the first t − 1: reservoir sampling."""
    return x.copy() if rng.random() * t < 1 else before
