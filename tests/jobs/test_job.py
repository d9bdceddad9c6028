"""What names the work of a job: its plain form and the code that it runs, and nothing beside them."""

import pytest

from projfree.ground import provenance
from projfree.study.models.job import Job


@pytest.mark.parametrize("module", ["job", "probe", "tuning"])
def test_no_model_is_part_of_the_code_that_a_job_runs(module):
    files = provenance.import_closure(f"projfree.jobs.{module}")
    assert files and not [path for path in files if "study" in path.parts]


def test_no_run_depends_on_a_default_of_the_job():
    assert not any(field.default for field in Job.model_fields.values() if not field.is_required())
