"""What is not published, and why: each refusal on a small checkout that has that one fault."""

import json
import subprocess

import h5py
import pytest

from referee.ground import revision
from referee.publish.publishable import UNKNOWN, refusals

TRACE = "results/full/traces/p/e/m.h5"
TUNING = "results/full/tuning/p/e/m.json"


def git(root, *arguments):
    who = ["-c", "user.name=t", "-c", "user.email=t@t"]
    done = subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def committed(root, file, text):
    """The commit after a change of one file."""
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text(text)
    git(root, "add", file)
    git(root, "commit", "-qm", f"{file}: {text}")
    return git(root, "rev-parse", "HEAD")


class Checkout:
    """A project whose run is fit to be published."""

    def __init__(self, root):
        self.root, self.report = root, root / "reports/full/p"
        git(root, "init", "-q")
        self.first = committed(root, "src/code.py", "1")
        (self.report / "figures").mkdir(parents=True)
        for path in (TRACE, TUNING):
            (root / path).parent.mkdir(parents=True)
        self.trace(self.first)
        self.tuning(self.first)
        self.figure(self.first)
        self.page(self.first)
        self.alternatives("U1,a,P-C1,holds\n")
        self.seconds("repetition\n0\n1\n")

    def page(self, commit):
        context = {"commit": commit, "figures": [{"stem": "fig1"}]}
        page = f'<script type="application/json" id="context">{json.dumps(context)}</script>'
        (self.report / "index.html").write_text(page)

    def alternatives(self, rows):
        (self.report / "tables").mkdir(exist_ok=True)
        (self.report / "tables/alternatives.csv").write_text("deviation,alternative,claim,verdict\n" + rows)

    def figure(self, commit):
        (self.report / "figures/fig1.svg").write_text(
            f"<svg>p · fig1 · run full · commit {commit[:12]}</svg>"
        )

    def seconds(self, table):
        """What a claim over seconds was judged from."""
        (self.report / "verdicts.csv").write_text("panel,over\ne,cpu_seconds\nf,IFO\n")
        path = self.root / "results/full/evidence/p/e.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(table)

    def trace(self, commit, file=TRACE, cpu="EPYC", blas=()):
        (self.root / file).parent.mkdir(parents=True, exist_ok=True)
        with h5py.File(self.root / file, "w") as handle:
            handle.attrs["git_commit"] = commit
            pools = [{"architecture": name} for name in blas]
            handle.attrs["environment"] = json.dumps({"cpu": cpu, "blas": pools})

    def tuning(self, commit):
        (self.root / TUNING).write_text(json.dumps({"made_from": {"git_commit": commit}}))

    def refusals(self, fitting=()):
        revision.git_commit.cache_clear()
        results = self.root / "results"
        return refusals(
            self.root, "full", "p", ["U1-a"], lambda path: str(path.relative_to(results)) in fitting
        )


@pytest.fixture
def checkout(tmp_path):
    yield Checkout(tmp_path)
    revision.git_commit.cache_clear()


def test_a_run_of_one_commit_with_its_alternatives_is_published(checkout):
    assert checkout.refusals() == []


@pytest.mark.parametrize("part", ["trace", "tuning", "page"])
def test_parts_of_uncommitted_sources_are_refused(checkout, part):
    getattr(checkout, part)(f"{checkout.first}+changes")
    (found,) = checkout.refusals()
    name = {"trace": "traces/p/e/m.h5", "tuning": "tuning/p/e/m.json", "page": "the page"}[part]
    assert "that no commit has" in found and name in found


@pytest.mark.parametrize("file", ["src/code.py", "papers/p/paper.yaml", "workflow/Snakefile"])
def test_a_changed_checkout_is_refused(checkout, file):
    last = committed(checkout.root, file, "2")
    for part in ("trace", "tuning", "figure", "page"):
        getattr(checkout, part)(last)
    assert checkout.refusals() == []
    (checkout.root / file).write_text("3")
    (found,) = checkout.refusals()
    assert "that no commit has: the checkout" in found


@pytest.mark.parametrize("part", ["trace", "tuning", "figure"])
def test_parts_of_other_sources_than_the_page_are_refused(checkout, part):
    last = committed(checkout.root, "workflow/Snakefile", "rule")
    for name in {"trace", "tuning", "figure", "page"} - {part}:
        getattr(checkout, name)(last)
    (found,) = checkout.refusals()
    assert f"of other sources (commit {checkout.first[:12]}) than the page (commit {last[:12]})" in found


def test_a_page_without_its_drawings_is_refused(checkout):
    (checkout.report / "figures/fig1.svg").unlink()
    (found,) = checkout.refusals()
    assert found.startswith("without the drawings of fig1: snakemake ") and found.endswith("run=full -- p")


def test_results_whose_job_is_still_the_one_asked_for_are_published(checkout):
    """A later judge leaves what it judges as it was; figures are drawn from its verdicts."""
    last = committed(checkout.root, "src/judge.py", "stricter")
    for part in ("figure", "page"):
        getattr(checkout, part)(last)
    assert len(checkout.refusals()) == 1
    fitting = {TRACE.removeprefix("results/"), TUNING.removeprefix("results/")}
    assert checkout.refusals(fitting) == []
    checkout.figure(checkout.first)
    (found,) = checkout.refusals(fitting)
    assert "figure fig1" in found and "traces" not in found


@pytest.mark.parametrize("run", ["full", "full@U1-a"])
def test_a_commit_that_is_not_here_is_of_other_sources(checkout, run):
    checkout.trace("0" * 40, f"results/{run}/traces/p/e/m.h5")
    (found,) = checkout.refusals()
    assert "of other sources (commit 000000000000)" in found and f"{run}/traces/p/e/m.h5" in found


@pytest.mark.parametrize("file", ["docs/notes.md", "papers/p/unit_costs/full.json"])
def test_words_and_what_is_made_of_traces_may_change_after_these(checkout, file):
    checkout.page(committed(checkout.root, file, "2"))
    assert checkout.refusals() == []


@pytest.mark.parametrize("run", ["full", "full@U1-a"])
def test_seconds_of_several_processors_in_one_panel_are_refused(checkout, run):
    checkout.trace(checkout.first, f"results/{run}/traces/p/f/m.h5", cpu="Xeon")
    assert checkout.refusals() == []
    checkout.trace(checkout.first, f"results/{run}/traces/p/f/n.h5")
    (found,) = checkout.refusals()
    assert found == f"with seconds of several processors in one panel: {run}/traces/p/f (EPYC and Xeon)"


def test_one_processor_with_other_kernels_is_another_machine(checkout):
    checkout.trace(checkout.first, "results/full/traces/p/f/m.h5", blas=["Haswell", "Haswell"])
    checkout.trace(checkout.first, "results/full/traces/p/f/n.h5", blas=["SkylakeX", None])
    (found,) = checkout.refusals()
    assert found.endswith("full/traces/p/f (EPYC, Haswell and EPYC, SkylakeX)")


def test_a_register_without_the_verdicts_under_its_alternatives_is_refused(checkout):
    checkout.alternatives("")
    (found,) = checkout.refusals()
    assert "without the verdicts under the 1 alternatives" in found and "alternatives" in found
    assert refusals(checkout.root, "full", "p", [], lambda path: False) == []


def test_seconds_that_were_measured_once_are_refused(checkout):
    for table in ("repetition\n0\n0\n", "seed\n0\n"):
        checkout.seconds(table)
        assert checkout.refusals() == [f"judged on {UNKNOWN}: e"]
