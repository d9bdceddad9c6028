"""`projfree try`: a method from one file beside a paper's, to a page."""

import re

import numpy as np
import pandas as pd
import pytest
from checkouts import checkout
from click.testing import CliRunner
from followed import blocks
from places import PAPERS, ROOT

from projfree.trace.format import read_trace
from referee.cli import main
from referee.cli.trial import method
from referee.cli.trial.standing import standing
from referee.evidence.tidy import read_tidy

pytestmark = pytest.mark.slow

LIBRARY = ROOT / "docs/library.md"
SOLVER = '''
from dataclasses import dataclass

from projfree.ground.parameters import Positive, checked
from projfree.linalg.atoms import toward


@dataclass
class State:
    x: object
    k: int = 0

    @property
    def iterate(self):
        return self.x


@checked
@dataclass(frozen=True)
class Solver:
    """Frank-Wolfe with 2/(k+2)."""

    scale: Positive = 2.0

    def start(self, oracles, rng):
        return State(oracles.start())

    def step(self, oracles, s, rng):
        s.k += 1
        toward(s.x, oracles.lmo(oracles.gradient(s.x)), min(1.0, self.scale / (s.k + self.scale)))
        return s
'''

LEAVER = """
def method(oracles, rng):
    x = oracles.start()
    yield x
    while True:
        x = x + 10.0
        yield x
"""
WRITER = """
def method(oracles, rng):
    x = oracles.start()
    oracles.problem.observed[:] = 0.0
    oracles.constants["L_full"] = 1e-9
    while True:
        yield x
"""

LATE = """
import numpy as np
from numba import njit

from projfree.linalg.atoms import toward


@njit
def slow_to_compile(x):
    return np.linalg.norm(np.sort(x.ravel())) + np.linalg.svd(x)[1].sum()


def method(oracles, rng):
    x, k = oracles.start(), 0
    while True:
        yield x
        k += 1
        if k > 2:
            slow_to_compile(np.eye(3))
        toward(x, oracles.lmo(oracles.gradient(x)), 2 / (k + 2))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project of config and papers alone; its results are its own."""
    return checkout(tmp_path_factory.mktemp("project"), PAPERS)


@pytest.fixture
def tried(project, monkeypatch):
    """Run the command there: exit code and what it says."""
    monkeypatch.setenv("PROJFREE_ROOT", str(project))

    def run(*arguments):
        done = CliRunner().invoke(main, ["try", *map(str, arguments)])
        return done.exit_code, done.output

    return run


def test_the_template_runs_beside_the_papers_methods(tried, project):
    path = project / "my_method.py"
    assert tried(path, "--new")[0] == 0
    code, said = tried(path, "--on", "ncgs:fig1-left", "--run", "taste")
    assert code == 0, said
    assert re.search(r"ncgs:fig1-left  place \d of \d+: sq_gradient_mapping", said)
    page = (project / "results/taste/try/my-method/index.html").read_text()
    assert (
        "<svg" in page
        and "toward(x, v" in page
        and 'class="mine"' in page
        and "http" not in page.partition("<svg")[0]
    )
    table = read_tidy(project / "results/taste/try/my-method/ncgs/fig1-left.csv")
    assert {"my-method", "ncgs-2"} <= set(table.method)
    ends = table.groupby("method")["iteration"].max()
    assert ends["my-method"] == ends["ncgs-2"], "the same budget"
    assert set(table[table.method == "my-method"].seed) == set(table[table.method == "ncgs-2"].seed)


def test_what_a_method_compiles_late_is_not_in_its_seconds(tried, project):
    (project / "late.py").write_text(LATE)
    code, said = tried(project / "late.py", "--on", "ncgs:fig1-left", "--run", "taste")
    assert code == 0, said
    assert "slow_to_compile was compiled within its time" in said
    for trace in read_trace(project / "results/taste/try/late/ncgs/traces/fig1-left.h5")[1]:
        assert max(np.diff(trace.cpu_seconds)) < 0.5


def test_finished_traces_are_reused_and_others_are_not(tried, project):
    path = project / "again.py"
    path.write_text(method.TEMPLATE.format(name="again.py"))
    tried(path, "--on", "ncgs:fig1-left", "--run", "taste")
    (trace,) = project.glob(f"results/store/ncgs/fig1-left/ncgs-2-{'[0-9a-f]' * 16}.h5")
    before = read_trace(trace)[0]["created"]
    assert tried(path, "--on", "ncgs:fig1-left", "--run", "taste")[0] == 0
    assert read_trace(trace)[0]["created"] == before
    trace.unlink()
    assert tried(path, "--on", "ncgs:fig1-left", "--run", "taste")[0] == 0 and trace.exists()


def test_a_solver_class_is_the_same_method_and_takes_parameters(tried, project):
    (project / "as_class.py").write_text(SOLVER)
    (project / "as_walk.py").write_text(method.TEMPLATE.format(name="as_walk.py"))
    for name in ("as_class", "as_walk"):
        code, said = tried(
            project / f"{name}.py", "--on", "ncgs:fig1-left", "--run", "taste", "--set", "scale=3"
        )
        assert code == 0, said
    traces = [
        read_trace(project / f"results/taste/try/{name}/ncgs/traces/fig1-left.h5")[1][0]
        for name in ("as-class", "as-walk")
    ]
    assert traces[0].metrics == traces[1].metrics and traces[0].oracles == traces[1].oracles


def test_a_search_takes_the_best_of_its_grid(tried, project):
    path = project / "searched.py"
    path.write_text(method.TEMPLATE.format(name="searched.py"))
    code, said = tried(path, "--on", "ncgs:fig1-left", "--run", "taste", "--search", "scale=0.01,2")
    assert code == 0, said
    page = (project / "results/taste/try/searched/index.html").read_text()
    assert "Tried on the tuning seed" in page and "0.01" in page
    attrs, _ = read_trace(project / "results/taste/try/searched/ncgs/traces/fig1-left.h5")
    assert attrs["params"] == '{"scale": 2}'


@pytest.mark.parametrize(
    "arguments, said",
    [
        (
            ["--on", "ncgs:fig1-rihgt"],
            "ncgs: unknown experiment or figure 'fig1-rihgt'. Did you mean 'fig1-right'",
        ),
        (["--on", "ncgx:fig1"], "unknown paper 'ncgx'. Did you mean 'ncgs'"),
        ([], "name an experiment or a figure of a paper"),
        (
            ["--on", "ncgs:fig1-left", "--run", "taste", "--set", "sclae=1"],
            "unknown parameter 'sclae'. Did you mean 'scale'",
        ),
        (["--new"], "is there already"),
    ],
)
def test_errors_name_what_is_known(tried, project, arguments, said):
    path = project / "wrong.py"
    path.write_text(method.TEMPLATE.format(name="wrong.py"))
    code, output = tried(path, *arguments)
    assert code == 1 and said in output


def test_an_oracle_that_is_not_there_is_named(tried, project):
    path = project / "prox.py"
    path.write_text(
        "def method(oracles, rng):\n    yield oracles.start()\n    yield oracles.prox(oracles.start(), 1.0)\n"
    )
    code, said = tried(path, "--on", "ncgs:fig1-left", "--run", "taste")
    assert code == 1 and "ncgs: fig1-left (constrained): unknown oracle 'prox'" in said and "lmo" in said


def test_a_file_without_a_method(tmp_path):
    (tmp_path / "empty.py").write_text("x = 1\n")
    with pytest.raises(ValueError, match="no method found"):
        method.read(tmp_path / "empty.py")


def test_places_and_times_by_hand():
    rows = [("a", 0, 0, 0.0, 5.0), ("a", 0, 1, 1.0, 1.0), ("b", 0, 0, 0.0, 5.0), ("b", 0, 1, 2.0, 3.0)]
    frame = pd.DataFrame(rows, columns=["method", "seed", "iteration", "cpu_seconds", "f"])
    first, second = standing(frame.assign(end_status="budget"), "f", "a")
    assert (first.method, first.place, first.end, first.reached) == ("a", 1, 1.0, 1.0)
    assert (second.method, second.place, second.reached) == ("b", 2, 2.0)


@pytest.mark.parametrize(
    "ends, status, outside",
    [
        ([0.0, 0.0], "budget", [1.0, 0.0]),  # back inside at the end
        ([1.0, np.nan], "budget", [0.0, 0.0]),
        ([0.0, 1e-300], "diverged", [0.0, 0.0]),
        ([0.0, -np.inf], "budget", [0.0, 0.0]),
    ],
)
def test_nothing_outside_the_set_and_no_nan_wins(ends, status, outside):
    def run(name, ends, status):
        columns = {"method": name, "seed": 0, "iteration": [0, 1], "cpu_seconds": [0.0, 1.0]}
        return pd.DataFrame({**columns, "f": ends, "end_status": status})

    rivals = [run("a", [5.0, 2.0], "budget"), run("b", [5.0, 3.0], "budget")]
    mine = run("mine", ends, status).assign(outside=outside)
    rows = standing(pd.concat([mine, *rivals], ignore_index=True), "f", "mine")
    assert [(row.method, row.place) for row in rows] == [("a", 1), ("b", 2), ("mine", 3)]
    assert rows[0].reached == 1.0 and ("left the set" in rows[2].status) == any(outside)


def test_one_that_leaves_the_set_is_last_and_no_claim_holds_with_it(tried, project):
    path = project / "leaver.py"
    path.write_text(LEAVER)
    code, said = tried(path, "--on", "ncgs:fig1-left", "--run", "taste")
    assert code == 0, said
    ((place, of),) = re.findall(r"ncgs:fig1-left  place (\d+) of (\d+): .* but it left the set; best", said)
    assert place == of and re.search(r"in place of \S+: none", said)


def test_one_that_writes_into_the_problem_is_refused(tried, project):
    path = project / "writer.py"
    path.write_text(WRITER)
    code, said = tried(path, "--on", "ncgs:fig1-left", "--run", "taste")
    assert code == 1 and "writer writes into the problem that it is measured by" in said, said
    assert "(observed, constants of ncgs: fig1-left)" in said


def test_a_file_with_the_name_of_a_method_of_the_paper_is_refused(tried, project):
    path = project / "ncgs_2.py"
    path.write_text(method.TEMPLATE.format(name="ncgs_2.py"))
    code, said = tried(path, "--on", "ncgs:fig1-left", "--run", "taste")
    assert code == 1 and "ncgs already has a method 'ncgs-2'; give your file another name" in said


def test_the_documents_method_is_short_and_its_transcript_true(tried, project, monkeypatch):
    """A method as a new user would write it, on two papers; numbers may differ in digits."""
    (body,) = [text for name, text in blocks("library.md", "python").items() if name == "my_away.py"]
    assert len(body.splitlines()) <= 40
    (project / "my_away.py").write_text(body)
    monkeypatch.chdir(project)
    ((call, shown),) = re.findall(r"^\$ projfree try (.*)\n((?:.+\n)*?)```", LIBRARY.read_text(), re.M)
    code, said = tried(*call.split())
    assert code == 0, said
    lines = iter(_without_digits(said))
    assert [line for line in _without_digits(shown) if line != "…" and line not in lines] == []
    page = (project / "results/quick/try/my-away/index.html").read_text()
    assert page.count("<svg") == 2 and "fig1-right" in page and "simplex" in page


def _without_digits(text):
    """Lines with their fractions, and the project's folder, left out."""
    return re.sub(r"\d+\.\d+|(?<=wrote ).*(?=results/)", "", text).splitlines()
