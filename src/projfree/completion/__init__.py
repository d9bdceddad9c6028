"""Completion of ratings: fit, predict, choose λ."""
