"""The result of `minimize`: a point, its certificate, and the trace of the run."""

from dataclasses import dataclass, field
from importlib import import_module

from ..common import provenance
from ..solvers.inner.active_set import ActiveSet
from ..trace.format import SeedTrace, write_trace

#: Family → the metric that certifies, and what it says.
CERTIFIES = {
    "constrained": (
        "fw_gap",
        "the Frank-Wolfe gap ⟨∇F(x), x − v⟩ by an exact linear minimisation: if F is convex, F(x) is at most "
        "so much above the minimum; otherwise it is 0 at stationary points only",
    ),
    "regularised": (
        "dual_gap",
        "F(x) less a lower bound of the minimum, by the dual norm, for a convex loss; or infinite",
    ),
    "composite": (
        "sq_gradient_mapping",
        "the squared norm of the gradient mapping with γ = 1/(2L), 0 at stationary points only",
    ),
    "saddle": (
        "duality_gap_bound",
        "a bound of max over y less min over x at this pair, for convex-concave f",
    ),
}
CERTIFIES["strongly_convex"] = CERTIFIES["constrained"]
#: A certificate below this share of the objective may be rounding.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Certificate:
    """A bound on the distance of a point from an optimum.

    Attributes
    ----------
    name : str, the metric
    value : float
    says : str, the quantity that the number bounds
    infeasibility : float, how far the point lies outside of its set (0 for penalties)
    """

    name: str
    value: float
    says: str
    infeasibility: float = 0.0

    def __str__(self):
        return f"{self.name} = {self.value:.3g}: {self.says}"


@dataclass
class Result:
    """The result of a run.

    Attributes
    ----------
    x : array, or an object that holds factors (``x.toarray()``)
    value : float, the objective at x
    gap : float, the certificate's number
    certificate : Certificate
    status : str
        ``converged`` if the certificate is at most the tolerance. Else ``stalled`` (the method cannot go on;
        the message says why), ``iterations``, ``budget``, ``diverged``, ``error`` (the
        function failed: see `error`) or ``interrupted``.
    message : str
    counts : dict, oracle calls by name: FO, IFO, SSO, LO, PO, PU, matvec
    trace : SeedTrace, records over iterations, seconds and counts
    method : str
    options : dict, the method's parameters
    error : Exception or None, what the function ended with; its notes say where
    constraint : set or penalty
    active_set : ActiveSet or None
        Atoms of the set and their weights, of which x is the sum; None for methods that keep none.
    """

    x: object
    value: float
    gap: float
    certificate: Certificate
    status: str
    message: str
    counts: dict
    trace: SeedTrace = field(repr=False)
    method: str = ""
    options: dict = field(default_factory=dict, repr=False)
    error: Exception | None = field(default=None, repr=False)
    constraint: object = field(default=None, repr=False)
    active_set: ActiveSet | None = field(default=None, repr=False)

    @property
    def fun(self) -> float:
        """SciPy's name for the value."""
        return self.value

    @property
    def nit(self) -> int:
        """Iterations."""
        return self.trace.iteration[-1]

    @property
    def success(self) -> bool:
        """Whether the tolerance was met."""
        return self.status == "converged"

    def plot(self, x="iteration", y=None, ax=None):
        """Draw a metric (default: the certificate's) over ``iteration``, ``cpu_seconds`` or a count.

        Returns Matplotlib's axes. Needs Matplotlib (the extra ``plot``).
        """
        ax = ax or import_module("matplotlib.pyplot").subplots(layout="constrained")[1]
        y = y or self.certificate.name
        ax.plot(self.column(x), self.column(y), label=self.method, marker=".")
        ax.set(xlabel=x, ylabel=y, yscale="log" if min(self.column(y)) > 0 else "linear")
        ax.legend()
        return ax

    def column(self, name: str) -> list:
        """One column of the trace by name; an unknown name is an error that lists the known names."""
        trace = self.trace
        clocks = {key: getattr(trace, key) for key in ("iteration", "cpu_seconds", "wall_seconds")}
        known = {**clocks, **trace.oracles, **trace.metrics}
        if name not in known:
            raise ValueError(f"the trace has no {name!r}; it has {', '.join(known)}")
        return known[name]

    def write(self, path) -> None:
        """Write the trace as HDF5, as the workflow writes its own (docs/design.md); x is in it."""
        about = {"paper": "library", "experiment": "minimize", "method": self.method, "run": "library"}
        made_by = {"solver": self.method, "params": self.options, "problem": {}, "code_sha256": ""}
        data = {"stand_in": False, "stand_in_note": "", "dataset_sha256": "none", "git_commit": "unknown"}
        data |= {"instance_digest": "none", "instance_sha256": "none"}
        environment = {"environment": provenance.environment()}
        write_trace(path, {**about, **made_by, **data, **environment}, [self.trace])


def done(value, level) -> bool:
    """Whether a certificate shows that a run has converged; one below zero shows nothing."""
    return 0.0 <= value <= level


def outcome(trace, certificate, level) -> tuple[str, str]:
    """Status and message of a run that ended with that certificate."""
    status, message = trace.end_status, trace.message
    if status in ("diverged", "error"):
        return status, message
    if done(certificate.value, level):
        return "converged", f"{certificate.name} ≤ {level}"
    if status == "iterations":
        message = f"the end of {trace.iteration[-1]} iterations"
    elif not message:
        message = "the end of the budget"
    if certificate.value < 0.0:
        message += f", with {certificate.name} = {certificate.value:.3g} below zero: "
        message += "the linear minimisation is inexact"
        message += f", or x is outside of the set (by {certificate.infeasibility:.3g})"
    elif status != "interrupted":
        message += f", with {certificate.name} = {certificate.value:.3g} above {level:.3g}"
    return ("stalled" if status == "converged" else status), message


def never_fell(trace, name) -> bool:
    """Whether a run away from an optimum had no objective below its first, or converged above it."""
    first, *others = trace.metrics["objective"]
    start, end = (trace.metrics[name][k] > ROUNDING * (1.0 + abs(first)) for k in (0, -1))
    if not others:
        return False
    if trace.end_status == "converged":  # as steps by gradients alone do where these have the wrong sign
        return start and min(others) > first + ROUNDING * (1.0 + abs(first))
    return end and trace.end_status in ("iterations", "budget") and min(others) >= first
