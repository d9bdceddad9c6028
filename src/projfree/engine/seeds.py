"""The source of all random numbers of a run, data and method apart."""

import numpy as np


def seed_sequence(paper: str, experiment: str, seed: int) -> np.random.SeedSequence:
    """The seed sequence of one (paper, experiment, seed); children: data, method."""
    words = [int.from_bytes(text.encode(), "little") for text in (paper, experiment)]
    return np.random.SeedSequence([*words, seed])


def children(paper: str, experiment: str, seed: int):
    """Two seed sequences, for the data and for the method."""
    return seed_sequence(paper, experiment, seed).spawn(2)


def seeds_of(rng) -> np.random.SeedSequence:
    """The seed sequence of a run."""
    if isinstance(rng, np.random.SeedSequence):
        return rng
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(int(rng.integers(2**63)))
    return np.random.SeedSequence(0 if rng is None else rng)
