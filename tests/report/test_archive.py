"""The supplement: whole, described file by file, the same bytes each time."""

import hashlib
import json
import shutil
import zipfile

import pytest
from click.testing import CliRunner
from places import ROOT

from projfree.commands.archive import archive as command
from projfree.report.archive import METADATA, write_archive

DATASET = {
    "name": "covertype",
    "title": "Forest covertype",
    "license": "CC BY 4.0",
    "citation": "Blackard (1998)",
    "papers": ["ncgs"],
    "files": [{"name": "c.gz", "bytes": 7, "sha256": "ab" * 32, "address": "https://example.org/c.gz"}],
}
ABOUT = {
    "name": "projfree",
    "description": "The quick run.",
    "version": "1.0",
    "date": "2026-01-02",
    "licence": "MIT",
    "authors": ["A. Author"],
    "datasets": [DATASET],
}


@pytest.fixture(scope="module")
def archive(made):
    lock = made.root / "requirements.lock"
    lock.write_text("numpy==2\n")
    (made.report / ".timestamp").write_text("the workflow's")
    output = made.root / "run.zip"
    write_archive(made.report.parent, ["ncgs"], {"requirements.lock": lock}, ABOUT, output)
    return zipfile.ZipFile(output)


@pytest.fixture(scope="module")
def graph(archive):
    return {entity["@id"]: entity for entity in json.loads(archive.read(METADATA))["@graph"]}


def test_all_of_the_paper_is_there_with_its_hash(made, archive, graph):
    files = {f"report/ncgs/{p.relative_to(made.report)}" for p in made.report.rglob("[!.]*") if p.is_file()}
    names = set(archive.namelist())
    assert (
        files
        | {METADATA, "requirements.lock", *(f"report/{page}.html" for page in ("index", "ledger", "learned"))}
        == names
    )
    for name in names - {METADATA}:
        content = archive.read(name)
        assert graph[name]["sha256"] == hashlib.sha256(content).hexdigest(), name
        assert graph[name]["contentSize"] == str(len(content))
    assert {part["@id"] for part in graph["./"]["hasPart"]} == names - {METADATA}


def references(value):
    """Everything that an entity points at."""
    if isinstance(value, list):
        return [found for inner in value for found in references(inner)]
    return [value["@id"]] if isinstance(value, dict) else []


def test_every_reference_is_described(graph):
    for entity in graph.values():
        for name in references(list(entity.values())):
            assert name in graph or name.startswith("https://w3id.org/ro/crate/"), (entity["@id"], name)


def test_the_run_names_its_code_its_data_and_its_command(made, graph):
    run = graph["#run-ncgs"]
    assert run["instrument"] == {"@id": f"#code-{made.provenance['commit']}"}
    assert graph[run["object"][0]["@id"]]["license"] == "CC BY 4.0"
    assert graph["https://example.org/c.gz"]["sha256"] == "ab" * 32
    assert run["description"] == "snakemake --cores 2 --config run=quick -- ncgs"


def test_the_same_reports_are_the_same_bytes(made, archive):
    again = made.root / "again.zip"
    write_archive(
        made.report.parent, ["ncgs"], {"requirements.lock": made.root / "requirements.lock"}, ABOUT, again
    )
    assert again.read_bytes() == (made.root / "run.zip").read_bytes()
    assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_command_adds_study_lock_evidence_and_the_data_that_is_used(made, tmp_path, monkeypatch):
    for name in ("config", "CITATION.cff", "LICENSE", "requirements.lock"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(made.report.parent, tmp_path / "reports" / "quick")
    tables = tmp_path / "results" / "quick" / "evidence" / "ncgs"
    shutil.copytree(made.evidence, tables)
    monkeypatch.setenv("PROJFREE_ROOT", str(tmp_path))
    done = CliRunner().invoke(command, ["ncgs", "--date", "2026-01-02"], catch_exceptions=False)
    assert "wrote" in done.output
    archive = zipfile.ZipFile(tmp_path / "reports" / "quick.zip")
    names = set(archive.namelist())
    assert {"requirements.lock", "config/datasets.yaml", "report/ncgs/evidence/fig1-left.csv.gz"} <= names
    graph = {entity["@id"]: entity for entity in json.loads(archive.read(METADATA))["@graph"]}
    assert graph["./"]["datePublished"] == "2026-01-02"
    data = [item["@id"] for item in graph["#run-ncgs"]["object"]]
    assert "#data-covertype-sample" in data and "#data-movielens-1m" not in data
