"""The claims of the paper as they are written: whom a race makes strong."""

import pytest

from referee import study
from referee.evidence.aggregates import parts_of

OURS = ("gcg", "gcg-rot", "gcg-null", "gcg-open")


@pytest.fixture(scope="module")
def races():
    """Claim and letter → its race."""
    claims = study.load("gcg", "full").claims
    return {f"{c.id}.{n}": part.race for c in claims for n, part in parts_of(c).items() if part.race}


def forms(view):
    """Method → what stands in its place."""
    return view.swap | {"than": view.args.get("than")} if view else {}


def test_strong_strengthens_baselines_and_never_the_method_of_the_paper(races):
    rivals = {name: forms(race.rivals) for name, race in races.items()}
    assert not [name for name, swap in rivals.items() if set(swap) & set(OURS)]
    swapped = {old: new for swap in rivals.values() for old, new in swap.items()}
    assert "dhm" in swapped and "apg" in swapped
    lists = {old: new for old, new in swapped.items() if isinstance(new, list) and old != "than"}
    assert all(old in new for old, new in lists.items()), "the best of its forms"


def test_the_fair_race_has_the_same_baselines_and_the_method_too(races):
    both = {name: race for name, race in races.items() if race.ours and race.rivals}
    assert both
    for name, race in both.items():
        fair = race.cells["tuned_strong"]
        assert set(race.ours.swap) & set(OURS) and race.ours.swap.items() <= fair.swap.items(), name
        assert race.rivals.swap.items() <= fair.swap.items(), name
