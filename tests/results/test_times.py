"""The README's table of times, from kept costs."""

import json

import pytest
from places import ROOT

from referee.publish import costs


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "0 s"), (54.2, "54 s"), (599, "599 s"), (600, "10 min"), (5369, "89 min"), (5400, "1 h 30 min")],
)
def test_a_length_of_time_is_told_in_two_or_three_digits(seconds, words):
    assert costs.duration_text(seconds) == words


def test_the_readme_tells_the_times_that_are_kept():
    readme = (ROOT / "README.md").read_text()
    assert costs.renewed(readme, ROOT / "reports/reference") == readme, "projfree publish renews them"


def test_times_are_sums_over_jobs_with_the_machine_they_are_of(tmp_path):
    quick = {"jobs": {"page": [60, 100], "judge": [30, 300]}, "disk_mb": 200, "machine": "abacus"}
    full = {"jobs": {"page": [6000, 1200]}, "disk_mb": 1500}
    for name, runs in {"one": {"quick": quick, "full": full}, "two": {"quick": quick}}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "costs.json").write_text(json.dumps(runs))
    assert costs.table(tmp_path).splitlines()[2:] == [
        "| `make quick` | 180 s | 0.3 GB | 0.4 GB | abacus |",
        "| `make replicate TARGETS=one` | 1 h 40 min | 1.2 GB | 1.5 GB | not noted |",
        "| `make replicate TARGETS=two` | not kept | | | |",
    ]
    with pytest.raises(ValueError, match="README.md lacks the lines <!-- times -->"):
        costs.renewed("no marks", tmp_path)
