"""Traces → tidy tables; tidy tables → verdicts and tables. Reads files only."""

from .checks import check_claims
from .claims import evaluate
from .tables import build_table, tuning_table, write_table
from .tidy import read_tidy, tidy
from .wording import explain

__all__ = [
    "build_table",
    "check_claims",
    "evaluate",
    "explain",
    "read_tidy",
    "tidy",
    "tuning_table",
    "write_table",
]
