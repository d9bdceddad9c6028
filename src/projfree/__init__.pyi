"""What type checkers see of `projfree`: its names come by `__getattr__`, which they do not run."""

from . import estimators, losses, penalties, problems, sets, solvers
from .door.active import decompose
from .door.function import FiniteSum, Function, check_gradient
from .door.methods import methods
from .door.minimize import certificate, minimize
from .door.result import Result
from .solvers.inner.active_set import ActiveSet

__version__: str
__all__ = [
    "ActiveSet",
    "FiniteSum",
    "Function",
    "Result",
    "certificate",
    "check_gradient",
    "decompose",
    "estimators",
    "losses",
    "methods",
    "minimize",
    "penalties",
    "problems",
    "sets",
    "solvers",
]
