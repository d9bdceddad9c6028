"""`projfree data …` as a user types it."""

import pytest
from click.testing import CliRunner
from local_site import digest, row

from referee.cli.data import data

TEXT = b"1 1:0.5 3:2\n2 2:-1\n"
PRINT = {"shape": [2, 3], "nnz": 3, "labels": {1: 1, 2: 1}, "column_sums": None}
TINY = {"classes": 2, "per_class": 1, "dimension": 3}
STAND_IN = {"generator": "class_clusters", "params": TINY | {"per_class": 3}, "seed": 7}


@pytest.fixture
def run(project, site, monkeypatch):
    site.files["/a"] = TEXT
    known = {"reader": "libsvm", "reader_params": {"features": 3}, "fingerprint": PRINT}
    file = {"name": "a", "addresses": [site.url("/a")], "sha256": digest(TEXT), "bytes": len(TEXT)}
    root = project(
        open_=row([file], **known),
        closed=row([{"name": "a"}], obtain="Ask the author.", **known),
        small=row([{"name": "a"}], stand_in=STAND_IN | {"params": TINY}, **known),
        guessed=row([{"name": "a"}], stand_in=STAND_IN, **known | {"fingerprint": PRINT | {"shape": [6, 3]}}),
    )

    (root / "config/config.yaml").touch()
    monkeypatch.setenv("PROJFREE_ROOT", str(root))

    def call(*arguments, code=0):
        result = CliRunner().invoke(data, list(map(str, arguments)))
        assert result.exit_code == code, result.output
        return result.output

    call.root = root
    return call


def states(text):
    return {line.split()[0]: " ".join(line.split()[2:]) for line in text.splitlines()[1:]}


def test_list_shows_each_state(run):
    text = run()
    assert text.split("\n")[0].split() == ["dataset", "used", "by", "state", "size", "licence"]
    found = states(text)
    assert found["open-"].startswith("fetchable") and found["closed"].startswith("needs a file from you")
    assert found["guessed"].startswith("stand-in")
    run("fetch", "open-")
    assert states(run())["open-"].startswith("ready")
    assert states(run("--offline"))["closed"].startswith("needs a file")
    mirror = run.root / "mirror" / "closed"
    mirror.mkdir(parents=True)
    (mirror / "a").write_bytes(TEXT)
    assert states(run("--mirror", run.root / "mirror"))["closed"].startswith("ready (mirror)")


def test_fetch_all_takes_what_can_be_had(run):
    assert "open-:" in run("fetch", "--all")
    assert "name a dataset" in run("fetch", code=2)


def test_fetch_fails_clearly_but_goes_on(run):
    output = run("fetch", "closed", "open-", code=1)
    assert "Ask the author." in output and "open-:" in output and "1 failed: closed" in output
    assert "Did you mean 'closed'" in run("fetch", "close", code=1)


def test_add_verify_prepare(run, tmp_path):
    mine = tmp_path / "mine"
    mine.write_bytes(TEXT + b"3 x\n")
    assert "line 3" in run("add", "closed", mine, code=1)
    mine.write_bytes(TEXT)
    run("add", "closed", mine)
    assert "closed/a: verified" in run("doctor", "closed", "--hash")
    assert "STAND-IN" not in run("prepare", "closed")
    raw = run.root / "data" / "raw" / "closed" / "a"
    raw.chmod(0o644)
    raw.write_bytes(b"other")
    assert "closed/a: WRONG" in run("doctor", "closed", "--hash", code=1)


def test_prepare_stand_in_or_not(run):
    assert "STAND-IN" in run("prepare", "guessed")
    assert "cannot be had" in run("prepare", "guessed", "--no-stand-in", code=1)


def told(text):
    """Dataset → its line and the lines below it."""
    name, found = None, {}
    for line in text.splitlines():
        if line.startswith("  "):
            word, _, rest = line.strip().partition(":")
            found[name][word] = rest.strip()
        elif ": " in line:
            name, _, kind = line.partition(": ")
            found[name] = {"kind": kind}
    return found


def test_the_doctor_tells_what_is_real_and_what_cures_the_rest(run):
    found = told(run("doctor", "open-", "closed", "guessed"))
    assert found["open-"]["kind"].startswith("not here")
    assert found["open-"]["cure"].startswith("projfree data fetch open- && projfree data prepare open-")
    assert found["closed"]["kind"].startswith("ABSENT")
    assert found["closed"]["cure"].startswith("projfree data add closed a")
    assert "Ask" in found["closed"]["get"]
    run("fetch", "open-")
    assert told(run("doctor", "open-"))["open-"] == {"kind": "real (Test data)"}


def test_the_doctor_holds_a_stand_in_against_the_published_facts(run):
    run("prepare", "guessed")
    (found,) = told(run("doctor", "guessed")).values()
    assert found["kind"].startswith("STAND-IN")
    assert "shape as published; nnz " in found["facts"]
    assert found["facts"].endswith("for 3; labels {'1': 3, '2': 3} for {'1': 1, '2': 1}")


def test_a_stand_in_stays_one_until_the_real_data_are_prepared(run):
    run("prepare", "small")
    file = run.root / "mine"
    file.write_bytes(TEXT)
    run("add", "small", file)
    found = told(run("doctor", "small"))["small"]
    assert found["kind"].startswith("STAND-IN")
    assert found["cure"] == "projfree data prepare small --no-stand-in"
    run("prepare", "small", "--no-stand-in")
    assert told(run("doctor", "small"))["small"] == {"kind": "real (Test data)"}


def test_the_doctor_names_the_claims_that_a_dataset_touches():
    text = CliRunner().invoke(data, ["--offline", "doctor", "sensorless", "movielens-1m"]).output
    assert "  claims: ncgs C1, " in text
