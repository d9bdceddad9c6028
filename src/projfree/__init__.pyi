"""What type checkers see of `projfree`: its names come by `__getattr__`, which they do not run."""

from . import estimators, losses, penalties, problems, sets, solvers
from .door.active import decompose
from .door.compiling import compile
from .door.function import FiniteSum, Function, check_gradient
from .door.methods import methods
from .door.minimize import certificate, minimize
from .door.progress import Progress
from .door.result import Result
from .door.saddle import Saddle
from .solvers.inner.active_set import ActiveSet

__version__: str
__all__ = [
    "ActiveSet",
    "FiniteSum",
    "Function",
    "Progress",
    "Result",
    "Saddle",
    "certificate",
    "check_gradient",
    "compile",
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
