"""Inexact STORC: STORC with a sampled gradient at the snapshots (mpcgs Algorithm 5, Theorem 2)."""

from dataclasses import dataclass

from ..common.parameters import checked
from . import storc
from .storc import State  # noqa: F401 - the same state


@checked
@dataclass(frozen=True)
class Solver(storc.Solver):
    """STORC with the mean of P_t samples as ĝ; with the attributes of `storc`."""

    exact: bool = False
