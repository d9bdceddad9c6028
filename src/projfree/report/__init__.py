"""Figures and pages, drawn from files alone: tidy tables, claims, tables, tuning."""

from .figures import draw
from .index import write_index
from .page import write_page

__all__ = ["draw", "write_index", "write_page"]
