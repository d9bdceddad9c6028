"""What type checkers see of `projfree`: its names come by `__getattr__`, which they do not run."""

from . import estimators, losses, penalties, problems, sets, solvers
from .api.active import decompose
from .api.compiling import compile
from .api.function import FiniteSum, Function, check_gradient
from .api.methods import methods
from .api.minimize import certificate, minimize
from .api.progress import Progress
from .api.result import Result
from .api.saddle import Saddle
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
