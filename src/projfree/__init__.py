"""projfree: projection-free and proximal optimisation.

    >>> import numpy as np, projfree as pf
    >>> aim = np.diag([3.0, 2.0, 1.0])
    >>> near = lambda X: (0.5 * np.sum((X - aim) ** 2), X - aim)
    >>> found = pf.minimize(near, pf.sets.NuclearBall(3.0), x0=np.zeros((3, 3)), constants={"L_full": 1.0})
    >>> found.success, int(np.linalg.matrix_rank(found.x, tol=1e-3))
    (True, 2)

Public names are loaded from their modules on first use, so that no part of the package depends on all others.
"""

import importlib

__version__ = "0.2.0"

_HOME = {
    "minimize": "api.minimize",
    "Result": "api.result",
    "ActiveSet": "solvers.inner.active_set",
    "certificate": "api.minimize",
    "decompose": "api.active",
    "check_gradient": "api.function",
    "methods": "api.methods",
    "Function": "api.function",
    "FiniteSum": "api.function",
    "Progress": "api.progress",
    "compile": "api.compiling",
    "Saddle": "api.saddle",
}
_PACKAGES = ("sets", "penalties", "problems", "losses", "solvers", "estimators")

__all__ = [*_HOME, *_PACKAGES]  # noqa: PLE0604 - names that __getattr__ knows


def __getattr__(name):
    if name in _PACKAGES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"{__name__} has no {name!r}; it has {', '.join(__all__)}")


def __dir__():
    return sorted([*__all__, "__version__"])
