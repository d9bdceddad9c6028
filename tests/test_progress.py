import h5py

from projfree import progress, study


def test_status_tells_done_started_and_failed(tmp_path):
    loaded = study.load("ncgs", "quick")
    traces = tmp_path / "results" / "quick" / "traces" / "ncgs" / "fig1-left"
    (traces / ".fw.unfinished").mkdir(parents=True)
    (traces / ".fw.unfinished" / "seed-0.h5").touch()
    (traces / ".fw.unfinished" / "seed-1.checkpoint.h5").touch()
    (traces / "ncgs-1.h5").touch()
    log = tmp_path / "results" / "quick" / "logs" / "solve" / "ncgs" / "fig1-left" / "ncgs-2.log"
    log.parent.mkdir(parents=True)
    log.write_text("starting\nError: no space left\n")
    text = progress.summary(loaded, tmp_path)
    assert f"1 of {len(loaded.solves())} traces" in text
    assert "started   fig1-left fw: 1 of 3 seeds" in text
    assert "failed    fig1-left ncgs-2: Error: no space left" in text


def test_forecast_grows_with_the_budgets():
    def hours(run):
        return float(progress.forecast(study.load("ncgs", run), "/nowhere").split("about ")[1].split()[0])

    assert hours("quick") < hours("full") < hours("paper")


def test_durations_and_hashes_come_from_the_run(tmp_path):
    folder = tmp_path / "benchmarks" / "solve" / "ncgs" / "fig1-left"
    folder.mkdir(parents=True)
    for name, seconds in (("fw", 2.0), ("ncgs-2", 3.5)):
        (folder / f"{name}.tsv").write_text(f"s\th:m:s\tmax_rss\n{seconds}\t0:00:02\t100.5\n")
    assert progress.durations(tmp_path / "benchmarks", "ncgs") == {
        "solve": {"jobs": 2, "seconds": 5.5, "peak_mb": 100.5}
    }
    with h5py.File(tmp_path / "fig3-left.h5", "w") as handle:
        handle.attrs.update(stand_in=True, dataset_sha256="abc")
    assert progress.data_hashes(tmp_path) == {"fig3-left": "abc (stand-in)"}
