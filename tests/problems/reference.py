"""Objectives in plain NumPy, one sample at a time, written from the formulas of the paper."""

import numpy as np


def sigmoid_squares(theta, features, labels, ptr):
    """(1/N) Σ (y − 1/(1 + e^t))² and its gradient (eq. 2)."""
    value, gradient = 0.0, np.zeros(theta.shape)
    for task in range(len(ptr) - 1):
        for i in range(ptr[task], ptr[task + 1]):
            p = 1 / (1 + np.exp(features[i] @ theta[:, task]))
            value += (labels[i] - p) ** 2
            gradient[:, task] += 2 * (labels[i] - p) * p * (1 - p) * features[i]
    return value / len(labels), gradient / len(labels)


def logistic(theta, features, labels, ptr):
    """−(1/N) Σ log P(y), P(y = 1) = 1/(1 + e^t)."""
    value, gradient = 0.0, np.zeros(theta.shape)
    for task in range(len(ptr) - 1):
        for i in range(ptr[task], ptr[task + 1]):
            p = 1 / (1 + np.exp(features[i] @ theta[:, task]))
            value -= np.log(p if labels[i] else 1 - p)
            gradient[:, task] += (labels[i] - p) * features[i]
    return value / len(labels), gradient / len(labels)


def central_differences(f, x, step=1e-5):
    """The gradient of a scalar function, entry by entry."""
    gradient = np.zeros(x.shape)
    for position in np.ndindex(x.shape):
        shift = np.zeros(x.shape)
        shift[position] = step
        gradient[position] = (f(x + shift) - f(x - shift)) / (2 * step)
    return gradient
