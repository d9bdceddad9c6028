"""What a job's spec has beside the problem: a set or a penalty, as the family says."""

import instances
import pytest

from projfree.families import composite, regularised, saddle
from projfree.jobs.instance import make_constraint
from projfree.penalties import rank
from projfree.sets import simplex

SPEC = {"paper": "made", "experiment": "e", "set": {"name": "simplex"}}


def problem_of(family):
    return next(iter(instances.small_problems(families=(family,)).values()))


@pytest.mark.parametrize(
    ("family", "given", "words"),
    [
        (saddle.FAMILY, {"penalty": {"name": "oscar"}}, r"\(saddle\) needs a `set`. Known are: .*simplex"),
        (
            regularised.FAMILY,
            {"set": {"name": "simplex"}},
            r"\(regularised\) needs a `penalty`. .*trace_norm",
        ),
    ],
)
def test_a_spec_without_the_familys_word_is_told_which(family, given, words):
    spec = {"paper": "made", "experiment": "e", "problem": {"name": "p"}, **given}
    with pytest.raises(ValueError, match=f"^made: experiment e: problem 'p' {words}"):
        make_constraint(spec, problem_of(family))


def test_the_family_says_which_of_two_is_meant():
    spec = {**SPEC, "penalty": {"name": "rank", "bound": 1}}
    assert isinstance(make_constraint(spec, problem_of(saddle.FAMILY)), simplex.Set)
    assert isinstance(make_constraint(spec, problem_of(composite.FAMILY)), rank.Penalty)


def test_a_probe_without_an_instance_has_a_set():
    assert make_constraint(SPEC, None) == simplex.Set(1.0)
