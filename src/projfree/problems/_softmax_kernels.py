"""Softmax losses and residuals from scores, one pass each."""

import math

from ..linalg.compiled import njit


@njit
def losses(scores, labels, out):
    """out_i = log Σ_j exp(S_ij) − S_{i,b_i}, safe for scores of any size."""
    for i in range(scores.shape[0]):
        row = scores[i]
        top = row.max()
        total = 0.0
        for j in range(row.size):
            total += math.exp(row[j] - top)
        out[i] = math.log(total) + (top - row[labels[i]])


@njit
def residuals(scores, labels, out):
    """out = P − B, P the row softmax of S and B one-hot."""
    for i in range(scores.shape[0]):
        row = scores[i]
        top = row.max()
        total = 0.0
        for j in range(row.size):
            out[i, j] = math.exp(row[j] - top)
            total += out[i, j]
        for j in range(row.size):
            out[i, j] /= total
        out[i, labels[i]] -= 1.0


@njit
def step(x, rate, gradient, indptr, indices, data, weights, out):
    """out = x − rate·(gradient + rowsᵀ weights), the rows in CSR form."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] - rate * gradient[i, j]
    for row in range(indptr.size - 1):
        for k in range(indptr[row], indptr[row + 1]):
            share, target = rate * data[k], out[indices[k]]
            for j in range(target.size):
                target[j] -= share * weights[row, j]
