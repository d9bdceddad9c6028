"""The settings of a fit, as values alone, for a command's help."""

from dataclasses import dataclass

#: What may be subtracted from ratings before a matrix is fitted to them, see `centring`.
OFFSETS = ("none", "global", "user", "item", "user-item")
CENTRES = ("fitted", *OFFSETS)
#: What recommendations may be ranked by, see `top_n`, or by predicted ratings.
RANKINGS = ("top-n", "rating")


@dataclass(frozen=True)
class Setting:
    """What is fitted, and how λ is chosen.

    Attributes
    ----------
    centre : offsets of users and items: `fitted` with the matrix, or what is subtracted first, one of
        `OFFSETS`.
    power, implicit, ridge : of the model, see `model`.
    folds, seed : of the cross-validation.
    enough : held-out ratings from which on no further fold is tried.
    count, least : number of λ tried, by golden section between κ°(−∇ℓ(0)) and `least` times it; or `weights`
        themselves.
    tol : relative duality gap of the last fit.
    rough : relative fall of the objective in a step below which those in the cross-validation end.
    most_steps : outer iterations for one λ, after which the certificate says what was reached.
    clip : predictions are cut to the scale of the ratings.
    threads : of the sweeps over the ratings; the same bits with any number.
    memory : bytes of anonymous memory that steps keep to, see `budget`; None is no bound.
    """

    centre: str = "fitted"
    ridge: float = 3.0
    power: float = 0.25
    implicit: float = 0.5
    folds: int = 3
    seed: int = 0
    enough: int = 40_000
    count: int = 5
    least: float = 0.05
    weights: tuple[float, ...] = ()
    tol: float = 1e-3
    rough: float = 1e-2
    most_steps: int = 60
    clip: bool = True
    threads: int = 1
    memory: int | None = None
