"""What the probes of NFWU share: its estimators, a run step by step, and the estimates of given batches."""

import copy

import numpy as np

from projfree.engine import metrics
from projfree.engine.oracles.constrained import Oracles
from projfree.problems import matrix_completion
from projfree.solvers import nfwu
from projfree.solvers.estimators import caspider, casvrg, full, sg, spider, svrg

ESTIMATORS = {"full": full, "sg": sg, "svrg": svrg, "spider": spider, "casvrg": casvrg, "caspider": caspider}
VARIANCE_REDUCED = ("svrg", "spider", "casvrg", "caspider")
#: Estimators that remember the estimate before: in the mean its error stays.
RECURSIVE = ("spider", "caspider")
CURVATURE_AIDED = ("casvrg", "caspider")


def states(method, oracles, rng, steps):
    """The state after each step of a run from zero; the method goes on writing to it."""
    state = method.start(oracles, rng)
    for _ in range(steps):
        state = method.step(oracles, state, rng)
        if state.converged:
            return
        yield state


def at_each_step(method, oracles, rng, steps):
    """(V(x^t), ‖g^t − ∇F(x^t)‖) of a run from zero, t = 0 … steps − 1: array (steps, 2)."""
    gap, error = (metrics.make(m, oracles.problem, oracles.constraint) for m in ("fw_gap", "gradient_error"))
    return np.array([(gap(s.before), error(s)) for s in states(method, oracles, rng, steps)])


def inner_steps(steps: int, epoch: int) -> np.ndarray:
    """Whether t is no anchor, t = 0 … steps − 1: at anchors the error is zero and says nothing."""
    return np.arange(steps) % epoch != 0


def printed_kappa(constants) -> dict:
    """Constants with which the theory's κ = L₂ε/L² becomes the L₂ε/L of the text (U15)."""
    return {**constants, "L2_vr": constants["L2_vr"] * constants["L_vr"]}


KAPPAS = {"corrected": lambda constants: constants, "printed": printed_kappa}


def constants_for(kappa: str, constants) -> dict:
    """The constants that the theory shall see for κ ``corrected`` (L₂ε/L²) or ``printed`` (L₂ε/L)."""
    return KAPPAS[kappa](constants)


def with_loss(problem, loss: str) -> matrix_completion.Problem:
    """The problem with another loss on the same observations."""
    pattern = problem.pattern
    arrays = {"rows": pattern.rows, "cols": pattern.cols, "values": problem.observed, "shape": pattern.shape}
    return matrix_completion.Problem(arrays, loss=loss, weight="mean")


class FixedBatch:
    """In place of a generator: the batch is the one given."""

    def __init__(self, batch):
        self.batch = np.asarray(batch)

    def integers(self, low, high, size):
        """The batch."""
        if self.batch.size != size:
            raise ValueError(f"a batch of {size} is asked for, {self.batch.size} are given")
        return self.batch


def estimates(estimator, problem, constraint, memory, x, batches) -> np.ndarray:
    """The estimate at x that each batch gives, from the same memory; what F sees of it, (batches, n)."""
    oracles = Oracles(problem, constraint, None)
    drawn = (estimator.update(oracles, copy.deepcopy(memory), x, FixedBatch(batch))[0] for batch in batches)
    return np.array([entries(problem, g) for g in drawn])


def entries(problem, x) -> np.ndarray:
    """The observed entries of an iterate or a gradient, (n,)."""
    return problem.arguments(x, slice(None)).copy()


def solver(estimator: str, params=None, **values) -> nfwu.Solver:
    """NFWU with an estimator and parameters, the values winning; the iterate is an array unless told."""
    return nfwu.Solver(**{"iterate": "array", **(params or {}), "estimator": estimator, **values})
