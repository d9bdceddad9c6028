"""What a job has beside the problem: a set or a penalty, as the family says."""

import instances
import pytest

from projfree.families import composite, regularised, saddle
from projfree.penalties import rank, trace_norm
from projfree.sets import simplex
from referee.jobs.instance import make_constraint

SIMPLEX = {"name": "simplex"}


def problem_of(family):
    return next(iter(instances.small_problems(families=(family,)).values()))


@pytest.mark.parametrize(
    ("family", "given", "words"),
    [
        (saddle.FAMILY, {"penalty": {"name": "oscar"}}, r"\(saddle\) needs a `set`. Known are: .*simplex"),
        (regularised.FAMILY, {"set": SIMPLEX}, r"\(regularised\) needs a `penalty`. .*trace_norm"),
    ],
)
def test_a_job_without_the_familys_word_is_told_which(family, given, words):
    job = instances.job(problem={"name": "p"}, **given)
    with pytest.raises(ValueError, match=f"^made: experiment e: problem 'p' {words}"):
        make_constraint(job, problem_of(family))


def test_the_family_says_which_of_two_is_meant():
    job = instances.job(set=SIMPLEX, penalty={"name": "rank", "bound": 1})
    assert isinstance(make_constraint(job, problem_of(saddle.FAMILY)), simplex.Set)
    assert isinstance(make_constraint(job, problem_of(composite.FAMILY)), rank.Penalty)


def test_a_probe_without_an_instance_has_what_its_job_names():
    assert make_constraint(instances.job(set=SIMPLEX), None) == simplex.Set(1.0)
    given = {"name": "trace_norm", "weight": 2.0}
    assert make_constraint(instances.job(penalty=given), None) == trace_norm.Penalty(2.0)
