"""Subproblem solvers that several methods share."""
