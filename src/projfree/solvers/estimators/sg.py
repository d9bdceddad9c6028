"""SG: the plain mini-batch gradient."""

from dataclasses import dataclass

from . import component_batch


@dataclass(frozen=True)
class Estimator:
    """v = (1/b) Σ_{i∈I} ∇f_i(x), I uniform with replacement; b IFO a draw.

    Attributes
    ----------
    batch : int, b
    """

    batch: int

    def __post_init__(self):
        if self.batch < 1:
            raise ValueError(f"batch must be at least 1, got {self.batch}")

    def draw(self, oracles, x, rng):
        """An unbiased estimate of ∇F(x)."""
        return oracles.component_gradient(x, component_batch(rng, oracles.n, self.batch))
