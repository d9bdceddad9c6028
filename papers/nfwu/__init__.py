"""Normalised Frank-Wolfe with gradient estimators (nfwu)."""
