"""The output of `projfree complete` belongs to one table: nothing of another one, or of others, is lost."""

import pytest
from click.testing import CliRunner

from referee.cli import main

RATINGS = "".join(f"{u}\t{i}\t{1 + (u * i) % 5}\n" for u in range(12) for i in range(12) if (u + i) % 3)
NAMES = "model.h5", "index.html", "predictions.csv", "recommendations.csv"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"u1.base": RATINGS, "u1.test": RATINGS + "12\t1\t3\n", "pairs": "1\t2\n"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "users").write_text("1\n")
    return tmp_path


def complete(*words):
    return CliRunner().invoke(main, ["complete", *words, "--weights", "3", "--folds", "2"])


def right(done):
    assert done.exit_code == 0, done.output
    return done


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_tables_whose_names_begin_alike_have_folders_of_their_own(folder):
    right(complete("u1.base"))
    right(complete("u1.test"))
    assert {path.name for path in folder.glob("*completed")} == {"u1.base-completed", "u1.test-completed"}


def test_results_of_another_table_stay_until_force(folder):
    words = "--predict", "pairs", "--recommend", "users", "--output", "out"
    right(complete("u1.base", *words))
    right(complete("u1.base", *words))
    before = content(folder / "out")
    assert set(before) == set(NAMES)
    done = complete("u1.test", *words)
    assert done.exit_code == 1 and "--force" in done.output and "model.h5" in done.output
    assert content(folder / "out") == before
    right(complete("u1.test", *words, "--force"))
    assert content(folder / "out")["model.h5"] != before["model.h5"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("beside", [True, False], ids=["beside our model", "alone"])
def test_what_is_made_by_hand_stays(folder, name, beside):
    """Before a fit of minutes is made for nothing."""
    if beside:
        right(complete("u1.base", "--output", "out"))
    (folder / "out").mkdir(exist_ok=True)
    (folder / "out" / name).write_text("user,item,rating\n1,2,3\n")
    before = content(folder / "out")
    done = complete("u1.base", "--output", "out")
    assert done.exit_code == 1 and name in done.output and "ratings by" not in done.output
    assert content(folder / "out") == before
