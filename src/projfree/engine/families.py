"""What a family of problems brings along in the engine."""

from .oracles import Oracles
from .regularised import RegularisedOracles
from .saddle import SaddleOracles

ORACLES = {"saddle": SaddleOracles, "regularised": RegularisedOracles}


def oracles_of(problem) -> type[Oracles]:
    """The kind of oracles that a problem needs."""
    return ORACLES.get(getattr(problem, "family", None), Oracles)
