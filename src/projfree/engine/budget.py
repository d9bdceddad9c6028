"""The end of a run: seconds, iterations, oracle calls, or a metric that is small enough."""

from dataclasses import dataclass, field
from numbers import Real

from ..common.names import require
from ..trace.counts import COUNTS
from .oracles.base import OutOfBudget

#: A step may overrun its budget by this factor before an oracle call ends it from inside.
OVERRUN = 1.1
LIMITS = ("cpu_seconds", "wall_seconds", "iterations", *COUNTS)


@dataclass(frozen=True)
class Budget:
    """Limits of one run; the first that is reached ends it.

    Attributes
    ----------
    limits : dict
        Of ``cpu_seconds``, ``wall_seconds``, ``iterations`` and the oracle counts.
    stop : dict
        Metric name → level; the run ends ``converged`` at the first record at or below it.
    """

    limits: dict[str, float]
    stop: dict[str, float] = field(default_factory=dict)

    @classmethod
    def parse(cls, values: dict) -> "Budget":
        """Read ``{cpu_seconds: 5, stop: {fw_gap: 1e-4}}``; unknown keys are an error."""
        values = dict(values)
        stop = values.pop("stop", None) or {}
        require(values, (*LIMITS, "stop"), "limit", "budget")
        limits = {key: value for key, value in values.items() if value is not None}
        if not limits:
            raise ValueError("a budget needs at least one limit")
        for name, limit in {**limits, **{f"stop: {name}": level for name, level in stop.items()}}.items():
            if not (isinstance(limit, Real) and limit == limit):
                raise ValueError(f"budget: {name} must be a number, not {limit!r}")
        return cls(limits, stop)

    def reached(self, iteration, clock, counts) -> str | None:
        """End status (``iterations`` or ``budget``) if a limit is reached after a step, else None."""
        for name, limit in self.limits.items():
            if _spent(name, iteration, clock.cpu, clock.wall, counts) >= limit:
                return "iterations" if name == "iterations" else "budget"
        return None

    def guard(self, clock, counts):
        """A check for inside a step: raises `OutOfBudget` once a limit is overrun by `OVERRUN`."""
        inner = {k: v * OVERRUN for k, v in self.limits.items() if k not in ("iterations", "wall_seconds")}
        seconds = inner.pop("cpu_seconds", None)

        def check():
            if seconds is not None and clock.now() > seconds:
                raise OutOfBudget(f"{clock.now():.2f} CPU seconds")
            for name, limit in inner.items():
                if counts[name] > limit:
                    raise OutOfBudget(f"{counts[name]} {name}")

        return check

    def fraction(self, iteration, clock, counts) -> float:
        """Share of the budget that is spent, for the progress display."""
        return max(
            _spent(name, iteration, clock.cpu, clock.wall, counts) / limit if limit else 1.0
            for name, limit in self.limits.items()
        )


def _spent(name, iteration, cpu, wall, counts):
    clocks = {"cpu_seconds": cpu, "wall_seconds": wall, "iterations": iteration}
    return clocks[name] if name in clocks else counts[name]
