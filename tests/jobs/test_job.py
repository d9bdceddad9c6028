"""What names the work of a job: its plain form and the code that it runs, and nothing beside them."""

import pytest

from projfree.common.atomic_io import atomic_h5
from projfree.trace.format import SeedTrace, write_seed
from referee.common import closure
from referee.jobs.job import _finished
from referee.study.models.experiment import Job


@pytest.mark.parametrize("module", ["build", "job", "probe", "tuning"])
def test_no_model_is_part_of_the_code_that_a_job_runs(module):
    files = closure.import_closure(f"referee.jobs.{module}")
    assert files and not [path for path in files if "study" in path.parts]


def test_no_run_depends_on_a_default_of_the_job():
    assert not any(field.default for field in Job.model_fields.values() if not field.is_required())


def test_a_finished_seed_serves_its_own_key_and_seed_only(tmp_path, capsys):
    path = tmp_path / "seed-1.h5"
    with atomic_h5(path) as handle:
        handle.attrs["key"] = "this code"
        write_seed(handle.create_group("trace"), SeedTrace(1))
    assert _finished(path, "this code", (1, 0)).seed == 1
    assert _finished(path, "other code", (1, 0)) is None and capsys.readouterr().err == ""
    for other in ((2, 0), (1, 1)):
        assert _finished(path, "this code", other) is None
        assert "running it again: seed-1.h5 is of seed-1" in capsys.readouterr().err
