"""A trace is of one instance: one that is replaced while a job runs is an error, and no trace."""

import instances
import pytest

from referee.jobs.build import build_instance
from referee.jobs.job import run_job

JOB = instances.job(
    generator={"name": "completion", "shape": [14, 12], "rank": 2, "radius": 2, "observe": 0.5}
    | {"corrupt": 0.1, "noise": 1.0, "mode": "A", "corruption": "add"},
    problem={"name": "matrix_completion", "loss": "sl0", "sigma": 1.0, "weight": "sum"},
    set={"name": "nuclear_ball", "radius": 2},
    solver={"name": "frank_wolfe", "params": {}},
    budget={"iterations": 3},
    metrics=["objective"],
)


def test_an_instance_that_is_replaced_while_a_job_runs_is_told(tmp_path):
    path, trace = tmp_path / "e.h5", tmp_path / "m.h5"
    build_instance(instances.recipe(JOB), path)
    other = JOB.model_copy(update={"generator": JOB.generator.model_copy(update={"noise": 2.0})})

    def replace(iteration):
        if iteration == 2:
            build_instance(instances.recipe(other), path)

    with pytest.raises(ValueError, match=r"e\.h5: changed while the job ran; run it again"):
        run_job(JOB, path, trace, on_step=replace)
    assert not trace.exists()
    run_job(JOB, path, trace)
    assert trace.exists()
