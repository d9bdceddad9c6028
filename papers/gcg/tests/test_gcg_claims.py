"""The claims of the paper as they are written: whom "strong" makes strong."""

import pytest

from referee import study
from referee.evidence.aggregates import parts_of

OURS = ("gcg", "gcg-rot", "gcg-null", "gcg-open")


@pytest.fixture(scope="module")
def parts():
    claims = study.load("gcg", "full").claims
    return {f"{c.id}.{n}": part for c in claims for n, part in parts_of(c).items() if part.strong}


def swapped(part):
    return part.strong.swap


def test_strong_strengthens_baselines_and_never_the_method_of_the_paper(parts):
    assert not [name for name, part in parts.items() if set(swapped(part)) & set(OURS)]
    forms = {old: new for part in parts.values() for old, new in swapped(part).items()}
    assert "dhm" in forms and "apg" in forms
    assert all(old in new for old, new in forms.items() if isinstance(new, list)), "the best of its forms"


def test_both_strong_has_the_same_baselines_and_the_method_too(parts):
    both = {name: part for name, part in parts.items() if part.both_strong}
    assert both
    for name, part in both.items():
        assert set(part.both_strong.swap) & set(OURS), name
