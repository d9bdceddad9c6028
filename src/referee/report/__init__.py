"""Figures and pages, drawn from files alone: tidy tables, claims, tables, tuning."""
