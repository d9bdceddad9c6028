"""Objectives given as plain functions, in the form that the solvers of each family use."""

import math
from contextlib import contextmanager
from numbers import Integral, Real

import numpy as np

from ..common.names import require
from ..families import composite, constrained, regularised
from ..linalg.atoms import as_array
from ..linalg.dense import blend
from ..linalg.points import VectorPoint
from ..linalg.projections import norm_l2
from ..linalg.scaling import EPS, PRECISIONS, precision, rounding
from ..linalg.validation import array, finite, real

#: What only problems with structure have, and which methods ask for it.
STRUCTURE = {
    "component_slopes": "components with one linear argument each",
    "component_curvatures": "components with one linear argument each",
    "component_gradient": "a finite sum (`FiniteSum`)",
    "component_gradient_difference": "a finite sum (`FiniteSum`)",
    "factor_curvatures": "second derivatives along factors",
    "curvature": "second derivatives along changes",
    "left": "a loss of rows times a factor",
    "atom_products": "a loss of rows times a factor",
    "best_response": "the y that is best against x",
    "sq_noise": "a finite sum",
    "batch_gradient_x": "a finite sum",
    "batch_gradients": "a finite sum",
    "dual_set": "a saddle point",
    "triangular_factor": "a matrix of features",
    "views": "two views",
}


#: What methods may ask to be told of a function.
CONSTANTS = {
    "L_full": "Lipschitz constant of the gradient",
    "L_vr": "mean-square Lipschitz constant of the components' gradients",
    "L_max": "largest Lipschitz constant of a component's gradient",
    "L2_vr": "mean-square Lipschitz constant of the components' second derivatives",
    "G": "bound of the components' gradients",
    "mu": "modulus of strong convexity",
    "sq_noise": "bound of the variance of the components' gradients",
    "lower_bound": "a number that the function is never below, of either sign",
    "L_xx": "Lipschitz constant of ∇_x of a `Saddle` in x",
    "L_xy": "Lipschitz constant of ∇_x of a `Saddle` in y",
    "L_yy": "Lipschitz constant of ∇_y of a `Saddle` in y",
}


class Unstructured(AttributeError, ValueError):
    """A method needs structure that a plain function does not have."""


class Constants(dict):
    """Constants by name; a missing constant is an error that says how to give it."""

    def __missing__(self, name):
        raise ValueError(
            f"this method needs the constant {name!r} of the function: give it as "
            f"minimize(…, constants={{{name!r}: …}}), or choose a method that needs none (projfree.methods())"
        )


class Function:
    """F of an array, given with its gradient.

    Parameters
    ----------
    fun_and_grad : callable
        x ↦ (F(x), ∇F(x)), the gradient of x's shape: SciPy's ``jac=True``. Its answer may be of NumPy, JAX or
        PyTorch.
    x0 : array
        Starting point of the methods. If it is of float32, the function gets points of float32.
    constants : dict, optional
        Known constants, with names from `CONSTANTS`: ``L_full``, the Lipschitz constant of ∇F; ``mu``; ….

    Raises
    ------
    ValueError
        If x0 is not a finite array of real numbers, or no method uses one of the constants.
    """

    family, quadratic, n = constrained.FAMILY, False, 1
    partial = True  # its value may be infinite somewhere in a set
    active_set = None  # of a warm start
    calls = 0  # of the function
    precision = EPS  # the relative rounding of its values and gradients, the coarsest so far
    sides: int | None = None  # 1 for vectors only, 2 for matrices only
    lacks = ("a plain function", "a problem of projfree.problems or a FiniteSum")  # structure; what has it

    def __init__(self, fun_and_grad, x0, constants=None):
        self.fun_and_grad, self.single = fun_and_grad, precision(x0) == PRECISIONS["float32"]
        self.x0 = np.array(array("x0", x0), order="C")
        self.shape = self.x0.shape
        if self.x0.ndim == 0:
            raise ValueError("x0 must be an array of at least one dimension, such as [0.5], not a number")
        if self.x0.ndim != (self.sides or self.x0.ndim):
            what = {1: "vectors", 2: "matrices"}[self.sides]
            raise ValueError(f"next to this penalty, functions are of {what}, not of x of shape {self.shape}")
        known = _known(constants)
        if self.n == 1 and "L_full" in known:
            known = {"L_vr": known["L_full"], "L_max": known["L_full"], **known}
        self.constants = Constants(known)
        self._last = self.failure = None  # the failure is the error that the function ended with

    def __getattr__(self, name):
        if name in STRUCTURE:
            what, advice = self.lacks
            raise Unstructured(
                f"this method or penalty needs {STRUCTURE[name]}, and {what} has none: give {advice}, "
                "or choose another one (projfree.methods())"
            )
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    @property
    def metrics(self):
        """Metrics that can be recorded in addition to the metrics of the set."""
        return {"objective": self.value}

    def start(self, kind="array"):
        """x_0, always as a new array."""
        return self.x0.copy()

    def value(self, x) -> float:
        """F(x), which may be infinite: there is no gradient then."""
        if self._last is None or not np.array_equal(self._last[0], x):
            with self.at(x):
                self.calls = None if self.calls is None else self.calls + 1
                self._last = (x.copy(), *self.checked(self.fun_and_grad(self.form(x))))
        return self._last[1]

    def gradient(self, x) -> np.ndarray:
        """∇F(x), a fresh array."""
        return self.both(x)[1].copy()

    def anchor(self, x):
        """∇F(x), and x for differences to it."""
        return self.gradient(x), x.copy()

    def line(self, x, v):
        """γ ↦ F(x + γ(v − x)) for an array or an atom v."""
        start, end = x.copy(), as_array(v)
        return lambda gamma: self.value(blend(start, end, gamma))

    def both(self, x):
        """F(x) and ∇F(x); the last evaluation is kept and used again for the same x."""
        value = Function.value(self, x)
        with self.at(x):
            return value, finite("the gradient", self._last[2])

    @contextmanager
    def at(self, x):
        """A context in which the function is asked at x: an error is kept, with a note that says where."""
        try:
            yield
        except Exception as error:
            entries = np.array2string(x.ravel(), threshold=8, precision=6, separator=", ")
            error.add_note(f"x has shape {x.shape} and the entries {entries}")
            self.failure = error
            raise

    def form(self, x):
        """A copy of x as the function gets it: in single precision if x_0 was."""
        return x.astype(np.float32) if self.single else x.copy()

    def checked(self, answer):
        """The result of the function as a number and a new array of the right shape.

        Of an infinite value the gradient may be anything.
        """
        try:
            value, gradient = answer
            self.precision = max(self.precision, precision(value, gradient))
            value = float(real("the value", value))
            gradient = np.array(real("the gradient", gradient), order="C")  # not theirs
        except (TypeError, ValueError) as error:
            raise ValueError(f"the function must give (value, gradient): {error}") from error
        if gradient.shape != self.shape:
            raise ValueError(f"the function gives a gradient of shape {gradient.shape} for x of {self.shape}")
        gradient = gradient if math.isinf(value) else finite("the gradient", gradient)
        if math.isnan(value):
            raise ValueError("the value is not a number (NaN)")
        return value, gradient


class FiniteSum(Function):
    """F = (1/n) Σ f_i, given by batches, for the stochastic methods.

    Parameters
    ----------
    component : callable
        (x, indices) ↦ (mean of f_i(x), mean of ∇f_i(x)) over the batch; indices may repeat.
    n : int
    x0, constants
        As for `Function`; ``L_vr`` is the mean-square Lipschitz constant of ∇f_i, ``L_max`` the largest.

    Examples
    --------
    >>> import numpy as np, projfree as pf
    >>> rows = np.eye(3)
    >>> def component(x, indices):
    ...     miss = x - rows[indices]
    ...     return 0.5 * np.mean(np.sum(miss**2, axis=1)), miss.mean(axis=0)
    >>> mean = pf.FiniteSum(component, 3, np.zeros(3), {"L_full": 1.0, "L_vr": 1.0})
    >>> pf.minimize(mean, pf.sets.L2Ball(1.0), "ncgs-vr", tol=1e-3).x.round(2)
    array([0.33, 0.33, 0.33])
    """

    partial = False  # one value asks for all components
    calls = None  # type: ignore[assignment] # its components are counted
    lacks = ("a FiniteSum", "a problem of projfree.problems, or nfwu the estimator 'svrg'")

    def __init__(self, component, n: int, x0, constants=None):
        if not isinstance(n, Integral) or n < 1:
            raise ValueError(f"n, the number of components, must be a whole number ≥ 1, not {n!r}")
        self.component, self.n = component, int(n)
        everything = np.arange(self.n)
        super().__init__(lambda x: component(x, everything), x0, constants)

    def component_gradient(self, x, indices):
        """(1/b) Σ ∇f_i(x) over the batch."""
        with self.at(x):
            return finite("the gradient", self.checked(self.component(self.form(x), indices))[1])

    def component_gradient_difference(self, x, anchor, indices):
        """(1/b) Σ (∇f_i(x) − ∇f_i(anchor)) over the batch."""
        return self.component_gradient(x, indices) - self.component_gradient(anchor, indices)


def check_gradient(fun_and_grad, x, *, directions=5, rng=0) -> float:
    """Compare a gradient with differences of its function: the largest relative error of a slope at x.

    The slopes along random directions are compared with central differences.

    Parameters
    ----------
    fun_and_grad : callable
        x ↦ (F(x), ∇F(x)).
    x : array
        A point where F is smooth and its gradient is not zero.
    directions : int
    rng : int or Generator

    Returns
    -------
    float
        About 1e-6 for a right gradient, and 2 for a gradient of the wrong sign.

    Examples
    --------
    >>> import projfree as pf
    >>> pf.check_gradient(lambda x: (x @ x, 2 * x), [1.0, 2.0]) < 1e-6
    True
    >>> pf.check_gradient(lambda x: (x @ x, -2 * x), [1.0, 2.0])
    2.0
    """
    problem, errors = Function(fun_and_grad, x), []
    x, (value, gradient) = problem.x0, problem.both(problem.x0)
    step = np.cbrt(np.finfo(float).eps) * (1.0 + np.abs(x).max())
    rounding = 10 * np.finfo(float).eps * abs(value) / step
    for d in np.random.default_rng(rng).standard_normal((directions, *x.shape)):
        d /= np.linalg.norm(d)
        slope = (problem.value(x + step * d) - problem.value(x - step * d)) / (2 * step)
        said = float(np.vdot(gradient, d))
        errors.append(max(abs(slope - said) - rounding, 0.0) / (max(abs(slope), abs(said)) or 1.0))
    return round(float(max(errors)), 8)


def _known(constants) -> dict:
    """The given constants, by the names that methods use."""
    given = dict(constants or {})
    require(given, CONSTANTS, "constant", "constants")
    for name, value in given.items():
        least, rule = (-math.inf, "") if name == "lower_bound" else (0.0, " ≥ 0")
        if not (isinstance(value, Real) and least <= float(value) and math.isfinite(value)):
            raise ValueError(f"constants: {name} must be a finite number{rule}, not {value!r}")
    L, mu = given.get("L_full", math.inf), given.get("mu", 0.0)
    if mu > L * (1.0 + 1e-9):
        raise ValueError(f"constants: mu = {mu} cannot be larger than L_full = {L}")
    return given


class Smooth(Function):
    """A function as the smooth part of an objective with a prox-friendly penalty: its points are vectors."""

    family, sides = composite.FAMILY, 1

    def __init__(self, fun_and_grad, x0, constants=None):
        super().__init__(fun_and_grad, x0, constants)
        slope = np.abs(super().gradient(np.zeros(self.shape))).max()
        self.constants["largest_slope"] = float(slope)

    metrics = {}

    def start(self, kind="array"):
        return self.point(self.x0.copy())

    def point(self, array) -> VectorPoint:
        """The point of an array, its own image."""
        return VectorPoint(array, array)

    def raw(self, point) -> np.ndarray:
        return point.array

    def value(self, point) -> float:
        return super().value(point.array)

    def gradient(self, point) -> np.ndarray:
        return super().gradient(point.array)


class SmoothOfAny(Smooth):
    """The same next to a penalty of the user's own, whose points are arrays of any shape."""

    sides = None  # type: ignore[assignment]


class Loss(Function):
    """A function of a matrix, used with an atomic penalty: it gets W = UVᵀ as a dense array."""

    family, sides = regularised.FAMILY, 2
    metrics = {}

    def image(self, U, V):
        return U @ V.T

    def slopes(self, image):
        return super().gradient(image)

    def gradient(self, slopes):
        """∇ℓ, which is its slopes."""
        return slopes

    def factor_gradients(self, U, V):
        """ℓ, ∇ℓ V and ∇ℓᵀ U."""
        value, G = self.both(self.image(U, V))
        return value, G @ V, G.T @ U

    def products(self, slopes, U, V):
        """∇ℓ V and ∇ℓᵀ U of known slopes."""
        return slopes @ V, slopes.T @ U

    def dual_bound(self, slopes, image, polar: float, weight: float, most: float = np.inf) -> float:
        """A lower bound of min ℓ + λκ for a convex ℓ: the tangent at W, with ⟨−∇ℓ, W*⟩ ≤ κ°κ(W*).

        With κ° > λ it needs a bound of κ(W*): `most`, or (ℓ(0) − m)/λ if ℓ ≥ m is known (the constant
        ``lower_bound``). Without one it is −∞.
        """
        value, product = self.value(image), float(np.sum(slopes * image))
        tangent = value - product - rounding(image.size, value, norm_l2(slopes) * norm_l2(image))
        if polar <= weight:
            return tangent
        if weight and "lower_bound" in self.constants:
            above = self.value(np.zeros(self.shape)) - self.constants["lower_bound"]
            if above < 0.0:
                raise ValueError(f"constants: lower_bound is above the value at 0 by {-above:.3g}")
            most = min(most, above / weight)
        return tangent - (polar - weight) * most
