"""Traces → tidy tables; tidy tables → verdicts and tables. Reads files only."""
