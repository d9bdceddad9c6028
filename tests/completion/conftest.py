"""Made-up ratings in many small blocks."""

import numpy as np
import pytest

from projfree.completion.ratings import Ratings
from projfree.linalg import partition


@pytest.fixture
def ratings(monkeypatch):
    """200 × 60, in halves from 0.5 to 5, about 3,900 of them in blocks of at least 500."""
    monkeypatch.setattr(partition, "LEAST", 500)
    rng = np.random.default_rng(2)
    truth = 3 + rng.standard_normal((200, 3)) @ rng.standard_normal((3, 60))
    rows, cols = np.nonzero(rng.random(truth.shape) < np.linspace(0.05, 0.6, 60))
    values = np.clip(np.round(2 * (truth[rows, cols] + 0.3 * rng.standard_normal(rows.size))) / 2, 0.5, 5)
    names = [np.array([f"{what}{k}" for k in range(size)], object) for what, size in (("u", 200), ("i", 60))]
    return Ratings(rows.astype(np.int32), cols.astype(np.int32), values.astype(np.float32), *names)
