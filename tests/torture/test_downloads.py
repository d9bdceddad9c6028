"""A short torture of the downloader."""

import downloads

FEW = 2 * len(downloads.ALL)


def test_a_few_schedules_of_every_kind(tmp_path):
    outcomes, wrongs = downloads.torture(FEW, 7, tmp_path, apart=False)
    assert wrongs == []
    assert sum(o.cases for o in outcomes) == FEW and {o.cases for o in outcomes} == {2}
    assert all(o.resumed + o.clear_errors == 2 for o in outcomes)  # how many are right, the clock decides


def test_killed_in_the_middle(tmp_path):
    servers = downloads.Servers(tmp_path)
    outcome, wrongs = downloads.killed(servers, tmp_path, 2, 0)
    servers.close()
    assert wrongs == [] and outcome.resumed == 2
