"""Saddle functions of the user's own, in the form that the saddle-point methods use."""

import numpy as np

from ..engine.metrics.base import frank_wolfe_gap
from ..families import saddle
from ..linalg.atoms import as_array
from ..linalg.validation import finite, real, vector
from .function import Function


class Saddle(Function):
    """min over x max over y of f(x, y), convex in x and concave in y, given with both gradients.

    Parameters
    ----------
    fun_and_grads : callable
        (x, y) ↦ (f(x, y), ∇_x f, ∇_y f).
    x0 : array
        Starting point in the set that `minimize` gets.
    y0 : array (q,)
        Starting point in `dual_set`.
    dual_set : set
        The set of y.
    constants : dict, optional
        ``L_xx``, ``L_yy`` and ``L_xy``, Lipschitz constants of the gradients in x and y by themselves and of
        ∇_x in y, and ``mu``, the modulus of strong concavity in y: ``mpcgs`` needs them, ``spfw`` none.
    best_response : callable, optional
        x ↦ argmax over y of f(x, y). With it the certificate is tighter: without, it is the sum of the
        Frank-Wolfe gaps of x and of y.

    Raises
    ------
    ValueError
        If a start is no finite array, or y0 is no vector of `dual_set`.

    Examples
    --------
    >>> import numpy as np, projfree as pf
    >>> M = np.array([[0.0, 1.0], [-1.0, 2.0]])  # a game: the pay of y against x
    >>> game = pf.Saddle(lambda x, y: (x @ M @ y, M @ y, x @ M), [0.5, 0.5], [0.5, 0.5], pf.sets.Simplex())
    >>> found = pf.minimize(game, pf.sets.Simplex(), "spfw", tol=1e-2)
    >>> found.status, found.x.x.round(2), found.x.y.round(2)
    ('converged', array([1., 0.]), array([0., 1.]))
    """

    family, partial = saddle.FAMILY, False
    lacks = ("this Saddle", "it `best_response`, or a problem of projfree.problems")

    def __init__(self, fun_and_grads, x0, y0, dual_set, constants=None, best_response=None):
        super().__init__(fun_and_grads, x0, constants)
        self.y0, self.dual_set = np.array(vector("y0", y0)), dual_set
        if not dual_set.contains(self.y0, 1e-6):
            raise ValueError("y0 does not lie in the dual set: start at dual_set.lmo(y0)")
        if best_response is not None:
            self._respond = best_response
            self.best_response, self.phi = self._best, self._most

    @property
    def metrics(self):
        return {"objective": lambda point: self.value(point.x, point.y)}

    def dual_start(self):
        """y_0, always as a new array."""
        return self.y0.copy()

    def scores(self, x):
        """x itself: the methods carry it along as scores, slopes and payoff."""
        return as_array(x).copy()

    def slopes(self, scores, rows=None):
        return scores.copy()

    payoff = slopes

    def value(self, x, y) -> float:  # type: ignore[override]
        return self.at_pair(x, y)[0]

    def gradient_x(self, x, y):
        return self.at_pair(x, y)[1].copy()

    def gradient_y(self, x, y):
        return self.at_pair(x, y)[2].copy()

    def at_pair(self, x, y):
        """f and its gradients, kept until another pair is asked for."""
        last = self._last
        if last is None or not (np.array_equal(last[0], x) and np.array_equal(last[1], y)):
            with self.at(x):
                value, *gradients = self.fun_and_grad(x.copy(), y.copy())
                parts = zip(("x", "y"), gradients, (self.x0, self.y0), strict=True)
                checked = [self._checked(name, G, start.shape) for name, G, start in parts]
                self._last = x.copy(), y.copy(), float(real("the value", value)), *checked
        return self._last[2:]

    def _checked(self, name, gradient, shape):
        gradient = np.array(finite(f"the gradient in {name}", real(f"the gradient in {name}", gradient)))
        if gradient.shape != shape:
            raise ValueError(f"the gradient in {name} has shape {gradient.shape}, {name} {shape}")
        return gradient

    def _best(self, x):
        return vector("the best response", self._respond(x.copy()), self.y0.size)

    def _most(self, x):
        """A bound of max over y of f(x, y), whatever the response is worth."""
        y = self._best(x)
        return self.value(x, y) + frank_wolfe_gap(-self.gradient_y(x, y), y, self.dual_set)
