"""Canonical correlations as a dictionary with constrained views: Proposition 20 of gcg (GCG-T13)."""

from typing import Annotated

import numpy as np

from projfree.common.parameters import Count, Range
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    trials: Count = 50,
    largest: Annotated[int, Range(least=2)] = 8,
    samples: Count = 40,
):
    """One row a random centred pair of views, relative errors of what the proposition states.

    With X̃ = (XXᵀ)^{−½}X, Ỹ likewise and C = X̃Ỹᵀ, its leading t singular vectors A, B and
    H = ½(AᵀX̃ + BᵀỸ): ``optimum``, the objective of (56) against its least value over all orthonormal
    dictionaries of [X̃; Ỹ] (principal components); ``correlations``: tr(UᵀXYᵀV) of U = (XXᵀ)^{−½}A,
    V = (YYᵀ)^{−½}B against Σ of the t largest singular values of C; ``constraints``: of UᵀXXᵀU = I;
    ``lengths``: of the columns of A and B, which must be 1.
    """
    for trial in range(trials):
        n1, n2 = (int(k) for k in rng.integers(2, largest + 1, 2))
        t = int(rng.integers(1, min(n1, n2) + 1))
        shared = rng.standard_normal((t, samples))
        X, Y = (_centred(rng, n, shared, samples) for n in (n1, n2))
        left, right = _inverse_root(X @ X.T), _inverse_root(Y @ Y.T)
        A, s, Bt = np.linalg.svd(left @ X @ (right @ Y).T)
        A, B = A[:, :t], Bt[:t].T
        stacked, C = np.concatenate([left @ X, right @ Y]), np.concatenate([A, B])
        reached = float(np.sum((stacked - C @ (C.T @ stacked) / 2) ** 2))
        least = float(np.sum(np.linalg.svd(stacked, compute_uv=False)[t:] ** 2))
        U, V = left @ A, right @ B
        gained = float(np.trace(U.T @ X @ Y.T @ V))
        yield Row(
            trial,
            {
                "optimum": abs(reached - least) / max(least, 1e-12 * float(np.sum(stacked**2))),
                "correlations": abs(gained - s[:t].sum()) / s[:t].sum(),
                "constraints": max(_off(U, X), _off(V, Y)),
                "lengths": max(float(np.abs(np.linalg.norm(M, axis=0) - 1).max()) for M in (A, B)),
            },
        )


def _centred(rng, n, shared, samples):
    X = rng.standard_normal((n, len(shared))) @ shared + rng.standard_normal((n, samples))
    return X - X.mean(axis=1, keepdims=True)


def _inverse_root(S):
    values, vectors = np.linalg.eigh(S)
    return (vectors / np.sqrt(values)) @ vectors.T


def _off(U, X):
    """‖UᵀXXᵀU − I‖."""
    return float(np.linalg.norm(U.T @ X @ X.T @ U - np.eye(U.shape[1]), 2))
