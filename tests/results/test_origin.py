"""The job that a finished file holds is a job of the study again, or an error that says why not."""

import json

import pytest
from places import ROOT

from referee import study
from referee.jobs.attributes import written
from referee.publish.wanted import job_of


def test_what_is_written_of_a_job_gives_the_job_again():
    loaded = study.load("ncgs", "quick", ROOT)
    jobs = [loaded.job(*pair) for pair in loaded.solves()]
    assert any(job.probe for job in jobs) and any(job.search for job in jobs)
    for job in jobs:
        assert job_of(json.loads(json.dumps(written(job))), "trace.h5") == job


@pytest.mark.parametrize(
    "change, told",
    [
        ({"sedes": [0]}, "trace.h5: top level: unknown key 'sedes'. Did you mean 'seeds'"),
        ({"seeds": "two"}, "trace.h5: seeds: "),
        ({"solver": {"name": "svrg"}}, "trace.h5: solver: 'params' is a required property"),
    ],
)
def test_what_is_no_job_is_told(change, told):
    plain = study.load("ncgs", "quick", ROOT).job("fig1-left", "fw").plain()
    with pytest.raises(study.StudyError) as error:
        job_of({**plain, **change}, "trace.h5")
    assert str(error.value).startswith(told)
