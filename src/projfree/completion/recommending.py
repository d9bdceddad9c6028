"""From a fit to recommendations: a row for a new user, the best unseen items, similar items."""

import numpy as np

from .fitting import Fit
from .model import weights


def row(fit: Fit, cols, values, *, ridge: float, power: float, average: float):
    """The factor (rank,) and the offset of a user who rated these items, the rest of the fit as it is.

    Of a user of the fit it is his own row, up to the tolerance: given the items, the objective is a ridge
    regression in what belongs to one user.

    Parameters
    ----------
    cols, values : places of items (n,), their ratings (n,)
    ridge, power : of the model, see `setting.Setting`
    average : mean number of ratings of a user of the fit
    """
    scale = float(weights(np.array([len(cols)]), power, average)[0])
    V = np.column_stack([fit.V[cols], np.ones(len(cols))])
    penalty = np.full(V.shape[1], fit.weight / scale**2)
    penalty[-1] = ridge
    left = np.asarray(values, float) - fit.column_offset[cols] - fit.row_offset[-1]
    result = np.linalg.solve(V.T @ V + np.diag(penalty), V.T @ left)
    return result[:-1], result[-1] + fit.row_offset[-1]


def scores(fit: Fit, factor, offset) -> np.ndarray:
    """Predictions (items,) for a user of this factor and offset, as `row` gives them."""
    return fit.V @ factor + offset + fit.column_offset[:-1]


def best(values, excluded, n: int) -> np.ndarray:
    """Places of the n greatest values that are not excluded, falling; of equal ones the first."""
    values = np.array(values, float)
    values[excluded] = -np.inf
    order = np.argsort(-values, kind="stable")[:n]
    return order[values[order] > -np.inf]


def alike(fit: Fit, item: int) -> np.ndarray:
    """Cosines (items,) of what the fit predicts all users beyond the offsets, between an item and each."""
    _, R = np.linalg.qr(fit.U)
    V = fit.V @ R.T
    norms = np.linalg.norm(V, axis=1)
    V = np.divide(V, norms[:, None], out=np.zeros_like(V), where=norms[:, None] > 0)
    return V @ V[item]
