import gzip
import json

import h5py
import numpy as np
import pytest

from referee.evidence.tidy import read_tidy, tidy


def trace(path, experiment="e", seeds=(0,), metric="objective", status="budget", records=3, **attrs):
    with h5py.File(path, "w") as handle:
        handle.attrs.update(experiment=experiment, **attrs)
        for seed in seeds:
            group = handle.create_group(f"seed-{seed}")
            group.attrs.update(seed=seed, end_status=status, message="")
            group["iteration"] = np.arange(records)
            for clock in ("cpu_seconds", "wall_seconds"):
                group[clock] = np.arange(records) / 3
            for name in ("FO", "IFO", "SSO", "LO", "PO", "PU", "matvec"):
                group[f"oracles/{name}"] = np.arange(records)
            group["timers/lmo"] = np.arange(records) / 7
            group[f"metrics/{metric}"] = np.arange(records) / 9 + seed
    return path


def test_one_row_per_record_with_exact_floats(tmp_path):
    both = [trace(tmp_path / "b.h5", seeds=(10, 2), stand_in=True), trace(tmp_path / "a.h5", metric="fw_gap")]
    tidy(both, tmp_path / "out" / "e.csv")
    frame = read_tidy(tmp_path / "out" / "e.csv")
    assert list(frame)[:6] == ["experiment", "method", "seed", "iteration", "cpu_seconds", "wall_seconds"]
    assert list(frame)[13:] == ["seconds_lmo", "fw_gap", "objective", "end_status", "stand_in", "trace"]
    assert frame["method"].tolist() == ["b"] * 6 + ["a"] * 3, "methods as given"
    assert frame["seed"].tolist() == [2] * 3 + [10] * 3 + [0] * 3, "seeds in order of their number"
    assert frame.loc[2, "cpu_seconds"] == 2 / 3 and frame.loc[1, "objective"] == 1 / 9 + 2
    assert frame.loc[6:, "objective"].isna().all() and frame.loc[:5, "stand_in"].all()
    assert not frame.loc[6:, "stand_in"].any()
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["e.csv"], "no partial file left"


def test_parameters_that_vary_between_methods_are_columns(tmp_path):
    problem = {"name": "p", "lam": 2, "penalty": {"name": "trace_norm", "weight": 50}}
    light = problem | {"penalty": {"name": "trace_norm", "weight": 0.5}}
    given = {
        "a": (problem, {"prox": {"passes": 3}, "columns": 10, "objective": 1, "plain": True, "rule": "x"}),
        "b": (light, {"prox": {"passes": 3}, "columns": 20, "objective": 2, "plain": False, "rule": "y"}),
        "c": (light, {"grid": [1, 2]}),
    }
    paths = [
        trace(tmp_path / f"{name}.h5", problem=json.dumps(of), params=json.dumps(params), records=2)
        for name, (of, params) in given.items()
    ]
    tidy(paths, tmp_path / "e.csv")
    frame = read_tidy(tmp_path / "e.csv")
    assert list(frame)[-3:] == ["trace", "penalty.weight", "columns"], "what varies, behind all others"
    assert frame["penalty.weight"].tolist() == [50, 50, 0.5, 0.5, 0.5, 0.5]
    assert frame["columns"].tolist()[:4] == [10, 10, 20, 20] and frame["columns"][4:].isna().all()
    assert frame["objective"].tolist() == [0, 1 / 9] * 3, "a metric keeps its name"


def test_same_traces_same_bytes(tmp_path):
    path = trace(tmp_path / "a.h5")
    tidy([path], tmp_path / "1.csv")
    tidy([path], tmp_path / "2.csv")
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


def test_a_run_that_failed_at_once_keeps_its_status(tmp_path):
    tidy([trace(tmp_path / "a.h5", status="error", records=0)], tmp_path / "e.csv")
    frame = read_tidy(tmp_path / "e.csv")
    assert frame["end_status"].tolist() == ["error"] and frame["objective"].isna().all()


def test_refuses_what_is_not_one_experiment(tmp_path):
    paths = [trace(tmp_path / "a.h5"), trace(tmp_path / "b.h5", experiment="other")]
    with pytest.raises(ValueError, match="several experiments: e, other"):
        tidy(paths, tmp_path / "e.csv")
    with pytest.raises(ValueError, match="no traces"):
        tidy([], tmp_path / "e.csv")
    with h5py.File(tmp_path / "c.h5", "w") as handle:
        handle["x"] = 1
    with pytest.raises(ValueError, match=r"c\.h5: not a trace"):
        tidy([tmp_path / "c.h5"], tmp_path / "e.csv")
    assert not (tmp_path / "e.csv").exists()


def test_a_long_table_is_thinned_to_what_is_published(tmp_path, monkeypatch):
    monkeypatch.setattr("referee.evidence.tidy.PACKED", 4000)
    lengths = {"a": 1001, "b": 2, "c": 20}
    paths = [trace(tmp_path / f"{name}.h5", seeds=(0, 1), records=k) for name, k in lengths.items()]
    tidy(paths, tmp_path / "e.csv")
    assert len(gzip.compress((tmp_path / "e.csv").read_bytes(), 9, mtime=0)) <= 4000
    frame = read_tidy(tmp_path / "e.csv")
    for _, behind in frame[frame["method"] == "a"].groupby("seed"):
        kept = behind["iteration"].to_numpy()
        assert kept[0] == 0 and kept[-1] == 1000 and len(set(np.diff(kept[:-1]))) == 1  # every k-th
        assert (behind["cpu_seconds"] == kept / 3).all(), "a kept record keeps its floats"
    for name in "bc":
        assert (frame["method"] == name).sum() == 2 * lengths[name], "a shorter run keeps all it has"


def test_a_table_whose_ends_alone_are_too_much_ends(tmp_path, monkeypatch):
    monkeypatch.setattr("referee.evidence.tidy.PACKED", 10)
    tidy([trace(tmp_path / "a.h5", records=50)], tmp_path / "e.csv")
    assert read_tidy(tmp_path / "e.csv")["iteration"].tolist() == [0, 49]
