"""A few iterations within a bound of memory: the part of `bench_beyond_memory.py` with ``--memory``.

Ratings are made block by block, straight into the prepared format.
"""

from __future__ import annotations

import tempfile
import threading
from itertools import islice
from time import perf_counter, process_time, sleep

import numpy as np
from tqdm import tqdm

from projfree.completion.blocks import Block
from projfree.completion.budget import anonymous
from projfree.completion.fitting import REDUCE, Part, Setting
from projfree.completion.prepared import Prepared
from projfree.linalg.partition import LEAST
from projfree.linalg.scratch import rooms_in
from projfree.penalties.trace_norm import Penalty

A_USER, ITEMS, RANK, STEPS, SHARE = 500, 20_000, 4, 3, 0.4  # λ is a share of the largest


def blocks(ratings: int):
    """`A_USER` ratings a user in halves of stars, of rank `RANK` and noise."""
    rng, apart = np.random.default_rng(0), ITEMS // A_USER
    R = rng.standard_normal((ITEMS, RANK)).astype(np.float32)
    users, rows = ratings // A_USER, LEAST // A_USER + 1
    for first in tqdm(range(0, users, rows), desc="making ratings", unit="block"):
        here = min(rows, users - first)
        cols = rng.integers(0, apart, (here, A_USER), np.int32) + np.arange(0, ITEMS, apart, dtype=np.int32)
        L = rng.standard_normal((here, RANK), np.float32)
        values = 6 + np.matmul(R[cols], L[:, :, None])[:, :, 0] + rng.standard_normal(cols.shape, np.float32)
        values = np.clip(np.rint(values), 1, 10).astype(np.float32) / 2
        yield Block(np.arange(here + 1, dtype=np.int64) * A_USER, cols.ravel(), values.ravel())


class Peak:
    """The largest anonymous memory of this process since it was last `taken`."""

    def __init__(self):
        self.most = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while True:
            self.most = max(self.most, anonymous())
            sleep(0.005)

    def taken(self) -> int:
        """Bytes."""
        most, self.most = self.most, 0
        return most


def within(ratings: int, memory: int):
    """Print seconds and peak of making ratings, of what begins a fit, and of each of `STEPS` iterations."""
    peak, peaks, began = Peak(), [], (perf_counter(), process_time())

    def told(what):
        nonlocal began
        now = perf_counter(), process_time()
        peaks.append(peak.taken())
        seconds = f"{now[0] - began[0]:>8.1f} s, {now[1] - began[1]:>8.1f} s CPU"
        print(f"{what:<44}{seconds}, peak {peaks[-1] / 1e9:.2f} GB anonymous", flush=True)
        began = perf_counter(), process_time()

    with tempfile.TemporaryDirectory(prefix="ratings-", dir=".") as folder, rooms_in(folder):
        names = (np.arange(side).astype(str) for side in (ratings // A_USER, ITEMS))
        prepared = Prepared.write(folder, blocks(ratings), *names)
        told(f"{prepared.n:,} ratings made and prepared")
        part = Part(prepared.sweeps(), Setting(implicit=0.0, memory=memory))
        penalty = Penalty(SHARE * part.largest_weight())
        told(f"offsets, and λ = {penalty.weight:.4g}")
        for number, x in enumerate(islice(part.iterates(penalty, 1e-2, REDUCE), STEPS), 1):
            told(f"iteration {number}, from disk, rank {x.rank}")
        ratio, gap = part.certificate(x, penalty, 1e-2)[1:]
        told(f"certificate {ratio:.4f} λ, gap {gap:.2%}")
    verdict = "kept" if max(peaks) <= memory else "NOT KEPT"
    print(f"peak of anonymous memory {max(peaks) / 1e9:.2f} GB, bound {memory / 1e9:.2f} GB: {verdict}")
