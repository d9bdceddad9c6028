"""Held-out links predicted by scikit-learn, beside the low-rank model (table link-quality)."""

from __future__ import annotations

from time import process_time
from typing import Literal

import numpy as np
from scipy import sparse

from referee.jobs.probes import Row

BASELINES = ("truncated_svd", "node_signs", "logistic_regression")


def measure(job, problem, constraint, rng, *, baseline: Literal[*BASELINES]):
    """Two rows, a constant score and the baseline: ``auc_test``, ``average_precision_test`` (of the
    negative links).

    ``truncated_svd``: scores of the rank-r decomposition of the sign matrix; ``node_signs``: smoothed mean
    sign that the source gives plus that the target gets; ``logistic_regression`` on those two and the log
    degrees.
    """
    from sklearn.metrics import average_precision_score, roc_auc_score

    if problem.test is None:
        raise ValueError("link_baselines needs held-out links: set held_out of the generator")
    began = process_time()
    held_out, signs = problem.test
    scores = _svd(problem, constraint, rng) if baseline == "truncated_svd" else _nodes(problem, baseline)
    seconds, positive = process_time() - began, signs > 0
    for k, score in enumerate((np.zeros(signs.size), scores)):
        metrics = {
            "auc_test": float(roc_auc_score(positive, score)),
            "average_precision_test": float(average_precision_score(~positive, -score)),
            "seconds_fit": seconds * k,
        }
        yield Row(k, metrics)


def _svd(problem, constraint, rng):
    from sklearn.decomposition import TruncatedSVD

    pattern, (held_out, _) = problem.pattern, problem.test
    M = sparse.csr_matrix((problem.signs, pattern.cols, pattern.indptr), shape=problem.shape)
    model = TruncatedSVD(constraint.bound, random_state=int(rng.integers(2**31)))
    left = model.fit_transform(M)
    return np.einsum("ij,ij->i", left[held_out.rows], model.components_.T[held_out.cols])


def _nodes(problem, baseline):
    pattern, (held_out, _) = problem.pattern, problem.test
    known = _features(problem, pattern, leave_out=problem.signs)
    asked = _features(problem, held_out, leave_out=None)
    if baseline == "node_signs":
        return asked[:, 0] + asked[:, 1]
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000).fit(known, problem.signs > 0).decision_function(asked)


def _features(problem, pattern, leave_out):
    """Mean signs given and got, shrunk to 0 by one link, and log degrees; a known link does not see
    itself.
    """
    columns, degrees = [], []
    for side, places, size in (
        (problem.pattern.rows, pattern.rows, problem.shape[0]),
        (problem.pattern.cols, pattern.cols, problem.shape[1]),
    ):
        total = np.bincount(side, weights=problem.signs, minlength=size)[places]
        count = np.bincount(side, minlength=size)[places].astype(float)
        if leave_out is not None:
            total, count = total - leave_out, count - 1
        columns.append(total / (count + 1))
        degrees.append(np.log1p(count))
    return np.column_stack([*columns, *degrees])
