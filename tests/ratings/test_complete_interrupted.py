"""`^C` during `projfree complete` leaves the best of what is fitted so far, and says so."""

import os
import subprocess
import sys

import h5py
import numpy as np
import pandas as pd
import pytest

#: The command, with ^C in the middle of its k-th fit; the signal is real, and so is the process.
SCRIPT = """
import signal, sys
from projfree.completion import fitting
from referee.cli import main

begun, true = iter(range(100)), fitting.Part.certificate

def certificate(*arguments):
    if next(begun) == int(sys.argv[1]):
        signal.raise_signal(signal.SIGINT)
    return true(*arguments)

fitting.Part.certificate = certificate
main(sys.argv[2:], prog_name="projfree")
"""
FOLDS, WEIGHTS = 2, "30,3"


def interrupted(tmp_path, fit):
    """The command, interrupted in the fit of that number, from 0."""
    rng = np.random.default_rng(0)
    rows, cols = np.nonzero(rng.random((20, 15)) < 0.6)
    values = rng.normal(size=20)[rows] * rng.normal(size=15)[cols] + 0.1 * rng.normal(size=len(rows))
    pd.DataFrame({"user": rows, "item": cols, "rating": values}).to_csv(tmp_path / "r.csv", index=False)
    (tmp_path / "pairs.csv").write_text("user,item\n1,2\n3,4\n")
    options = ["--predict", "pairs.csv", "--folds", str(FOLDS), "--weights", WEIGHTS, "--output", "out"]
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(fit), "complete", "r.csv", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(("fit", "tried"), [(2, [30.0]), (3, [30.0]), (4, [30.0, 3.0])])
def test_the_best_so_far_is_left(tmp_path, fit, tried):
    done = interrupted(tmp_path, fit)
    assert done.returncode == 130 and "Traceback" not in done.stderr, done.stderr
    assert "Interrupted: this is the best of the λ that were tried so far" in done.stdout
    assert sorted(os.listdir(tmp_path / "out")) == ["index.html", "model.h5", "predictions.csv"]
    with h5py.File(tmp_path / "out/model.h5") as model:
        assert model.attrs["interrupted"] and model["path/weight"][:].tolist() == tried
        assert model.attrs["weight"] == tried[np.argmin(model["path/rmse"])]
        u, i = (model[name].asstr()[:].tolist().index(k) for name, k in (("users", "1"), ("items", "2")))
        value = model["row_offset"][u] + model["column_offset"][i] + model["U"][u] @ model["V"][i]
        value = np.clip(value, *model.attrs["scale"])
    assert "Interrupted: this is the best" in (tmp_path / "out/index.html").read_text()
    assert pd.read_csv(tmp_path / "out/predictions.csv")["rating"][0] == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("fit", [0, 1])
def test_before_a_first_weight_was_tried_nothing_is_written(tmp_path, fit):
    done = interrupted(tmp_path, fit)
    assert done.returncode == 130 and "Traceback" not in done.stderr, done.stderr
    assert "Interrupted before a first λ was tried: nothing is written" in done.stderr
    assert not (tmp_path / "out").exists()
