"""The claims of the papers in config: every name known, every claim testable once there are traces."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from frames import run, write

from projfree.evidence import build_table, check_claims, evaluate
from projfree.evidence.checks import checks_of, parts_of

PAPERS = sorted((Path(__file__).parents[2] / "config" / "papers").glob("*.yaml"))
METRIC_ARGS = ("metric", "limit", "equals", "numerator", "denominator", "x", "y", "criterion")
COUNTED = ("iteration", "FO", "IFO", "LO")


@pytest.fixture(scope="module", params=PAPERS, ids=lambda path: path.stem)
def paper(request):
    """The paper's YAML with the methods of `like` filled in."""
    spec = yaml.safe_load(request.param.read_text())
    experiments = spec["experiments"]
    for entry in experiments.values():
        model = entry
        while "methods" not in model:
            model = experiments[model["like"]]
        entry["methods"] = model["methods"]
    return spec


def all_checks(paper):
    """Every check of every part under every view."""
    for claim in paper["claims"]:
        for part in parts_of(claim).values():
            for view in ({}, part.get("strong") or {}, *(part.get("readings") or {}).values()):
                yield from checks_of(part, view)


def wanted_metrics(paper):
    """Experiment → names of metrics that its claims and tables read."""
    wanted = {}
    for check in all_checks(paper):
        names = {check.args.get(key) for key in METRIC_ARGS} - set(COUNTED)
        names |= {f"seconds_{check.args['timer']}"} if "timer" in check.args else set()
        for experiment in {check.experiment, check.args.get("other")} - {None}:
            wanted.setdefault(experiment, set()).update(name for name in names if isinstance(name, str))
    return wanted


def made_up(folder, paper):
    """Falling random curves for every method of every experiment that a claim reads."""
    rng = np.random.default_rng(0)
    for name, metrics in wanted_metrics(paper).items():
        runs = []
        for seed in range(2):
            for method in paper["experiments"][name]["methods"]:
                falling = {m: np.exp(-np.cumsum(rng.random(9))) for m in sorted(metrics)}
                counts = {c: 2 ** np.arange(9) for c in COUNTED}
                made = run(method, falling, seed=seed, seconds=np.linspace(0, 20, 9))
                runs.append(made.assign(**counts))
        write(folder, name, *runs)


def test_every_name_is_known(paper):
    check_claims(paper)


def test_every_claim_is_testable_once_there_are_traces(paper, tmp_path):
    made_up(tmp_path, paper)
    entries = evaluate(paper, tmp_path)
    untested = {entry["id"]: entry["note"] for entry in entries if entry["verdict"] == "not_testable"}
    assert all(note.startswith("Not judged: ") for note in untested.values()), untested
    assert all(entry["measured"] and entry["traces"] and entry["seeds"] for entry in entries)
    assert all(entry[key] for entry in entries for key in ("quote", "where", "statement", "threshold"))
    strong = {entry["id"]: entry["note"] for entry in entries if entry["verdict_strong"] == "not_testable"}
    assert not strong
    assert "not_testable" not in {
        verdict for e in entries if e["id"] not in untested for verdict in e["verdict_readings"].values()
    }


def test_every_row_of_every_table_is_measured(paper, tmp_path):
    made_up(tmp_path, paper)
    for name in paper["tables"]:
        table = build_table(paper, name, tmp_path)
        assert len(table) and (table["note"] == "").all(), table[table["note"] != ""].to_string()


def test_deviations_name_claims_and_figures(paper):
    known = {f"{paper['prefix']}-{claim['id']}" for claim in paper["claims"]}
    names = [entry["id"] for entry in paper["deviations"]]
    assert len(set(names)) == len(names)
    for entry in paper["deviations"]:
        assert set(entry["touches"]) <= known and set(entry["figures"]) <= set(paper["figures"]), entry["id"]
        assert entry["open"] and entry["chosen"] and entry["reason"], entry["id"]
        assert all(alternative["name"] for alternative in entry["alternatives"]), entry["id"]
