"""Instances of generators, common or of a paper: a test's short way to them."""

import numpy as np
from places import ROOT

from referee.data import generators

#: Name of a generator → the paper that alone has it.
PAPERS = {path.stem: path.parts[-3] for path in ROOT.glob("papers/*/generators/[a-z]*.py")}


def rng(seed=0):
    return np.random.Generator(np.random.PCG64DXSM(seed))


def make(name, seed=0, **params):
    return generators.generate(name, rng(seed), paper=PAPERS.get(name, ""), **params)


def table(sizes=(30, 20, 50), d=4, seed=1):
    """A prepared table of classes 1, 2, …, one of its columns constant."""
    y = rng(seed).permutation(np.repeat(np.arange(1, len(sizes) + 1), sizes))
    X = rng(seed).uniform(-5, 20, (len(y), d)).astype(np.float32)
    X[:, 1] = 7.0
    return {"X": X, "y": y, "minimum": X.min(axis=0), "maximum": X.max(axis=0)}


def same(a, b):
    """Equal as arrays, sparse ones entry by entry."""
    return np.array_equal(*(part.toarray() if hasattr(part, "toarray") else part for part in (a, b)))


def check_seeds(name, params):
    """The same seed makes the same arrays, another seed others."""
    first, again, other = make(name, 5, **params), make(name, 5, **params), make(name, 6, **params)
    assert first.keys() == again.keys() and all(same(first[k], again[k]) for k in first)
    assert any(not same(first[k], other[k]) for k in first)
