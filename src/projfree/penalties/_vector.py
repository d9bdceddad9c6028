"""Common part of the convex penalties of vectors, the smooth part of whose objectives a prox completes."""

import numpy as np

from ..families import composite


class VectorPenalty:
    """A convex h of vectors (n,) with a prox; the method `reference` of it is the most accurate."""

    family = composite.FAMILY
    convex = True
    reference = "full"

    def metrics(self, problem) -> dict:
        """Number of non-zeros."""
        return {"nonzeros": nonzeros}


def nonzeros(point) -> int:
    """Entries above 1e-8 of the largest."""
    size = np.abs(point.array)
    return int(np.sum(size > 1e-8 * max(size.max(), 1e-300)))
