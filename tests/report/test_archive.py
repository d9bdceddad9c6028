"""The supplement: whole, described file by file, the same bytes each time."""

import hashlib
import json
import shutil
import subprocess
import zipfile

import pytest
from click.testing import CliRunner
from places import ROOT

from referee.cli.archive import archive as command
from referee.ground.revision import UNKNOWN
from referee.report.archive import METADATA, write_archive

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
    folders = made.report, made.report.parent / "assets"
    paths = [path for folder in folders for path in folder.rglob("[!.]*") if path.is_file()]
    files = {f"report/{path.relative_to(made.report.parent)}" for path in paths}
    names = set(archive.namelist())
    assert (
        files
        | {
            METADATA,
            "requirements.lock",
            *(f"report/{page}.html" for page in ("index", "ledger", "undecided", "glossary")),
        }
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
    assert run["description"] == "snakemake --cores 2 --config run=full -- ncgs"


def test_the_same_reports_are_the_same_bytes(made, archive):
    again = made.root / "again.zip"
    write_archive(
        made.report.parent, ["ncgs"], {"requirements.lock": made.root / "requirements.lock"}, ABOUT, again
    )
    assert again.read_bytes() == (made.root / "run.zip").read_bytes()
    assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.fixture
def released(made, tmp_path, monkeypatch):
    """A project's folder as a release has it, without git, and a function that archives its quick run."""
    for part in ("config", "papers"):
        shutil.copytree(ROOT / part, tmp_path / part)
    for name in ("CITATION.cff", "LICENSE", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(made.report.parent, tmp_path / "reports" / "quick")
    page = tmp_path / "reports/quick/ncgs/index.html"
    page.write_text(page.read_text().replace('"run":"full"', '"run":"quick"'))
    shutil.copytree(made.evidence, tmp_path / "results" / "quick" / "evidence" / "ncgs")
    monkeypatch.setenv("PROJFREE_ROOT", str(tmp_path))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)

    def run(*words, **environment):
        done = CliRunner(env=environment).invoke(command, ["ncgs", *words])
        return done, tmp_path / "reports" / "quick.zip"

    return run


def described(path):
    """Id → entity of an archive's metadata."""
    return {e["@id"]: e for e in json.loads(zipfile.ZipFile(path).read(METADATA))["@graph"]}


def test_the_command_adds_study_lock_evidence_and_the_data_that_is_used(released):
    done, path = released("--date", "2026-01-02")
    assert "wrote" in done.output
    names = set(zipfile.ZipFile(path).namelist())
    assert {"requirements.lock", "config/datasets.yaml", "papers/ncgs/claims/statements.yaml"} <= names
    assert "report/ncgs/evidence/fig1-left.csv.gz" in names
    graph = described(path)
    assert graph["./"]["datePublished"] == "2026-01-02"
    data = [item["@id"] for item in graph["#run-ncgs"]["object"]]
    assert "#data-covertype-sample" in data and "#data-movielens-1m" not in data


@pytest.mark.parametrize("place", ["reports/quick/ncgs/more.txt", "reports/quick/assets", "config/more.yaml"])
def test_a_link_out_of_the_folder_is_refused(released, tmp_path, tmp_path_factory, place):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "secret.txt").write_text("not to be published")
    link = tmp_path / place
    if link.exists():
        shutil.rmtree(link)
    link.symlink_to(elsewhere if not link.suffix else elsewhere / "secret.txt")
    done, path = released("--date", "2026-01-02")
    assert "a link out of" in str(done.exception) and link.name in str(done.exception)
    assert not path.exists()
    link.unlink()
    inside = tmp_path / "reports/quick/ncgs/again.html"
    inside.symlink_to(inside.with_name("index.html"))
    done, path = released("--date", "2026-01-02")
    assert done.exit_code == 0 and "report/ncgs/again.html" in zipfile.ZipFile(path).namelist()


def test_outside_git_a_date_is_told_or_asked_for(released):
    done, path = released()
    assert done.exit_code == 2 and "not a git checkout" in done.output and "--date" in done.output
    assert not path.exists()
    assert released("--date", "2026-01-02")[0].exit_code == 0
    first = path.read_bytes()
    path.unlink()
    done, _ = released(SOURCE_DATE_EPOCH="1767312000")  # 2 January 2026
    assert done.exit_code == 0 and path.read_bytes() == first


def test_a_release_inside_of_another_checkout_has_not_its_date(released, tmp_path):
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "another project"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True)
    assert "not a git checkout" in released()[0].output


@pytest.mark.parametrize("words", [{"SOURCE_DATE_EPOCH": "now"}, {"SOURCE_DATE_EPOCH": "1" * 30}])
def test_a_date_that_is_none_is_refused(released, words):
    done, path = released(**words)
    assert done.exit_code == 2 and "not seconds since 1970" in done.output and not path.exists()


def test_a_commit_that_is_not_known_is_not_named(made, rewrite, tmp_path):
    rewrite(provenance=made.provenance | {"commit": UNKNOWN})
    (tmp_path / "report").rename(tmp_path / "ncgs")
    write_archive(tmp_path, ["ncgs"], {}, ABOUT, tmp_path / "run.zip")
    graph = described(tmp_path / "run.zip")
    code = graph[graph["#run-ncgs"]["instrument"]["@id"]]
    assert "identifier" not in code and "commit is not known" in code["description"]
