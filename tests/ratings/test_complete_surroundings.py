"""What the machine has set changes no result; ids that a spreadsheet takes for formulas are told."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ratings import work
from referee.cli import main

PROGRAM = [sys.executable, "-c", "from referee.cli import main; main()", "complete"]
#: A matplotlibrc, and variables of the environment.
SURROUNDINGS = {
    "a plain terminal": ("", {}),
    "TeX for every text": ("text.usetex: True\nfont.family: none such\nfigure.dpi: 7\n", {}),
    "a notebook, its module elsewhere": ("backend: none such\n", {"MPLBACKEND": "module://none_such.inline"}),
    "an unknown backend in Latin-1": ("", {"MPLBACKEND": "none such", "PYTHONIOENCODING": "latin-1"}),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("plain"), np.random.default_rng(0)
    rows = [f"{u},{i},{rng.integers(1, 6)}\n" for u in range(12) for i in range(9) if (u + i) % 3]
    (folder / "r.csv").write_text("user,item,rating\n" + "".join(rows))
    (folder / "w.csv").write_text("user,item\n1,1\n3,3\n")
    return folder / "r.csv"


def results(table, output, style="", env=()):
    """What is written, and what is said."""
    output.mkdir()
    (output / "matplotlibrc").write_text(style)
    env = {**os.environ, "MATPLOTLIBRC": str(output / "matplotlibrc"), **dict(env)}
    asked = [str(table), "--weights", "3", "--predict", str(table.with_name("w.csv")), "--output", "made"]
    done = subprocess.run([*PROGRAM, *asked], cwd=output, env=env, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return [(output / "made" / name).read_bytes() for name in ("index.html", "predictions.csv")], done.stdout


@pytest.fixture(scope="module")
def plain(table, tmp_path_factory):
    return results(table, tmp_path_factory.mktemp("made") / "plain")


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_what_the_machine_has_set_changes_no_result(table, plain, tmp_path, name):
    style, env = SURROUNDINGS[name]
    found, said = results(table, tmp_path / "out", style, env)
    assert found == plain[0]
    encoding = env.get("PYTHONIOENCODING", "utf-8")
    assert said == plain[1].decode().encode(encoding, "backslashreplace") and b"rank" in said


def test_predictions_are_there_where_the_page_fails(table, tmp_path, monkeypatch):
    def fail(*_):
        raise ValueError("no page today")

    monkeypatch.setattr(work, "write_page", fail)
    asked = ["--weights", "3", "--predict", str(table.with_name("w.csv")), "--output", str(tmp_path / "out")]
    done = CliRunner().invoke(main, ["complete", str(table), *asked])
    assert done.exit_code == 1 and len(pd.read_csv(tmp_path / "out/predictions.csv")) == 2


def test_ids_that_begin_as_formulas_do_are_told_and_written_as_they_are(tmp_path, monkeypatch):
    users, items = ["=1+1", "+cmd", "@SUM(A1)", "-x", "ann", "-5", "+1.5"], ["=HYPERLINK(1)", "a", "b", "-7"]
    rated = ((k, j) for k in range(7) for j in range(4) if k != j)
    rows = (f"{users[k]},{items[j]},{1 + (k + j) % 5}\n" for k, j in rated)
    (tmp_path / "r.csv").write_text("user,item,rating\n" + "".join(rows))
    (tmp_path / "who.txt").write_text("=1+1\nann\n")
    (tmp_path / "w.csv").write_text("user,item\n" + "".join(f"{u},a\n" for u in users))
    (tmp_path / "fine.csv").write_text("user,item\nann,b\n-5,-7\n")
    monkeypatch.chdir(tmp_path)
    asked = ["complete", "r.csv", "--weights", "3", "--folds", "2", "--output", "o"]
    done = CliRunner().invoke(main, [*asked, "--predict", "w.csv", "--recommend", "who.txt"])
    assert done.exit_code == 0, done.output
    assert "predictions.csv: 4 ids such as '+cmd' begin as formulas do" in done.output
    assert "recommendations.csv: 2 ids such as '=1+1' begin as formulas do" in done.output
    assert pd.read_csv(tmp_path / "o/predictions.csv", dtype=str)["user"].tolist() == users
    done = CliRunner().invoke(main, [*asked, "--predict", "fine.csv"])
    assert done.exit_code == 0 and "formulas" not in done.output
