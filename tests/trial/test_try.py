"""`projfree try`: a method from one file beside a paper's, to a page."""

import os
import re
import threading
import time

import numpy as np
import pandas as pd
import pytest
from checkouts import checkout
from click.testing import CliRunner
from followed import blocks
from places import PAPERS, ROOT

from projfree.trace.format import read_trace
from referee import study
from referee.cli import main
from referee.cli.trial import method
from referee.cli.trial.baseline import claims, ranking
from referee.evidence.tidy import read_tidy
from referee.jobs.store import make_instance
from referee.judge import Evidence, call
from referee.judge.claims import claims_of
from referee.study.models.experiment import Records

pytestmark = pytest.mark.slow

LIBRARY = ROOT / "docs/library.md"
SOLVER = '''
from dataclasses import dataclass

from projfree.common.parameters import Positive, checked
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

FRAMES = """
    frame = sys._getframe()
    while frame:
        setting = getattr(frame.f_locals.get("self"), "setting", None)
        if setting:
            {cheat}
        frame = frame.f_back
"""
#: Ways to look better than one is, each in front of a fair method.
CHEATS = {
    "problem": """
    oracles.problem.observed[:] = 0.0
    oracles.constants["L_full"] = 1e-9
""",
    "module": """
    from projfree.problems.matrix_completion import Problem

    Problem.gradient = lambda self, x: np.zeros(self.shape)
""",
    "metrics": FRAMES.format(cheat="setting.metrics = dict.fromkeys(setting.metrics, lambda x: 0.0)"),
    "values": FRAMES.format(
        cheat="for n, ask in setting.metrics.items(): setting.metrics[n] = lambda x, ask=ask: 0.0 * ask(x)"
    ),
    "points": """
    global Zero

    class Zero(np.ndarray):
        def __sub__(self, other):
            return np.zeros(self.shape)

    sys.modules["tried_own"] = type(sys)("tried_own")
    sys.modules["tried_own"].Zero = Zero
    yield oracles.start().view(Zero)
""",
}
FAIR = """
import os
import sys
import threading
import time

import numpy as np
from projfree.linalg.atoms import toward


def burn(seconds, clock=time.process_time):
    end = clock() + seconds
    while clock() < end:
        pass


def method(oracles, rng, every=1):
    x, k = oracles.start(), 0
{before}
    while True:
        yield x
        for _ in range(every):
            k += 1
            toward(x, oracles.lmo(oracles.gradient(x)), 2 / (k + 2))
{inside}
"""

LATE = """
    from numba import njit

    @njit
    def slow_to_compile(x):
        return np.linalg.norm(np.sort(x.ravel())) + np.linalg.svd(x)[1].sum()
"""
CHILD = """
        if not os.fork():
            burn(0.5)
            os._exit(0)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project of config and papers alone; its results are its own."""
    return checkout(tmp_path_factory.mktemp("project"), PAPERS)


@pytest.fixture(scope="module")
def job(project):
    """The job of a rival with every step recorded, and its instance."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PROJFREE_ROOT", str(project))
        loaded = study.load("ncgs", "taste")
        make_instance(loaded.recipe("fig1-left"), project / "fig1-left.h5", None)
        found = loaded.job("fig1-left", "ncgs-2")
    records = type(found.records or Records())(every=1)
    return found.model_copy(update={"records": records}), project / "fig1-left.h5"


@pytest.fixture
def run(job, tmp_path):
    """The trace of a method, from its text, for so many CPU seconds."""

    def of(text, seconds=0.2, **params):
        (tmp_path / "own.py").write_text(text)
        mine = method.read(tmp_path / "own.py")
        method.run_mine(mine, params, method.in_place(job[0], mine, seconds), job[1], tmp_path / "own.h5")
        return read_trace(tmp_path / "own.h5")[1][0]

    return of


@pytest.fixture
def tried(project, monkeypatch):
    """Run the command there on a file, with this text where one is given: exit code and what it says."""
    monkeypatch.setenv("PROJFREE_ROOT", str(project))

    def run(name, *arguments, text=None):
        if text is not None:
            (project / name).write_text(text)
        done = CliRunner().invoke(main, ["try", str(project / name), *arguments])
        return done.exit_code, done.output

    return run


#: One figure, seconds long.
ON = ("--on", "ncgs:fig1-left", "--run", "taste")
TEMPLATE = method.TEMPLATE.format(name="any.py")


def test_the_template_runs_beside_the_papers_methods(tried, project):
    assert tried("my_method.py", "--new")[0] == 0
    code, said = tried("my_method.py", *ON)
    assert code == 0, said
    assert re.search(r"ncgs:fig1-left  place \d of \d+: sq_gradient_mapping", said)
    page = (project / "results/taste/try/my-method/index.html").read_text()
    assert "<svg" in page and "toward(x, v" in page and 'class="mine"' in page
    assert "http" not in page.partition("<svg")[0]
    table = read_tidy(project / "results/taste/try/my-method/ncgs/fig1-left.csv")
    assert {"my-method", "ncgs-2"} <= set(table.method)
    assert set(table[table.method == "my-method"].seed) == set(table[table.method == "ncgs-2"].seed)


def test_what_a_method_compiles_late_is_not_in_its_seconds(tried, project):
    inside = "        if k > 2:\n            slow_to_compile(np.eye(3))"
    code, said = tried("late.py", *ON, text=FAIR.format(before=LATE, inside=inside))
    assert code == 0, said
    for trace in read_trace(project / "results/taste/try/late/ncgs/traces/fig1-left.h5")[1]:
        assert max(np.diff(trace.cpu_seconds)) < 0.5


def test_finished_traces_are_reused_and_others_are_not(tried, project):
    tried("again.py", *ON, text=TEMPLATE)
    (trace,) = project.glob(f"results/store/ncgs/fig1-left/ncgs-2-{'[0-9a-f]' * 16}.h5")
    before = read_trace(trace)[0]["created"]
    assert tried("again.py", *ON)[0] == 0 and read_trace(trace)[0]["created"] == before
    trace.unlink()
    assert tried("again.py", *ON)[0] == 0 and trace.exists()


def test_a_solver_class_is_the_same_method_and_takes_parameters(tried, project):
    traces = []
    for name, text in (("as_class", SOLVER), ("as_walk", TEMPLATE)):
        code, said = tried(f"{name}.py", *ON, "--set", "scale=3", text=text)
        assert code == 0, said
        path = f"results/taste/try/{name.replace('_', '-')}/ncgs/traces/fig1-left.h5"
        traces.append(read_trace(project / path)[1][0])
    assert shared(*traces) > 2


def shared(one, other, every=1):
    """How many records of two runs are of the same step; they have the same values and counts."""
    found = {step * every: place for place, step in enumerate(other.iteration)}
    pairs = [(place, found[step]) for place, step in enumerate(one.iteration) if step in found]
    for table in ("metrics", "oracles"):
        ours, theirs = getattr(one, table), getattr(other, table)
        assert all(ours[name][i] == theirs[name][j] for name in ours for i, j in pairs[:-1])
    return len(pairs) - 1


def test_a_search_takes_the_best_of_its_grid(tried, project):
    code, said = tried("searched.py", *ON, "--search", "scale=0.01,2", text=TEMPLATE)
    assert code == 0, said
    page = (project / "results/taste/try/searched/index.html").read_text()
    assert "Tried on the tuning seed" in page and "0.01" in page
    attrs, _ = read_trace(project / "results/taste/try/searched/ncgs/traces/fig1-left.h5")
    assert attrs["params"] == '{"scale": 2}'


PROX = "def method(oracles, rng):\n    yield oracles.start()\n    yield oracles.prox(oracles.start(), 1.0)\n"


@pytest.mark.parametrize(
    "name, arguments, text, said",
    [
        ("wrong.py", ["--on", "ncgs:fig1-rihgt"], TEMPLATE, "'fig1-rihgt'. Did you mean 'fig1-right'"),
        ("wrong.py", ["--on", "ncgx:fig1"], TEMPLATE, "unknown paper 'ncgx'. Did you mean 'ncgs'"),
        ("wrong.py", [], TEMPLATE, "name an experiment or a figure of a paper"),
        ("wrong.py", ["--on", "ncgs"], TEMPLATE, "--on ncgs: name an experiment or figure too"),
        ("wrong.py", [*ON, "--set", "sclae=1"], TEMPLATE, "parameter 'sclae'. Did you mean 'scale'"),
        ("wrong.py", ["--new"], TEMPLATE, "is there already"),
        ("ncgs_2.py", ON, TEMPLATE, "ncgs already has a method 'ncgs-2'; give your file another name"),
        ("prox.py", ON, PROX, r"fig1-left \(constrained\): unknown oracle 'prox'.*lmo"),
    ],
)
def test_errors_name_what_is_known(tried, name, arguments, text, said):
    code, output = tried(name, *arguments, text=text)
    assert code == 1 and re.search(said, output, re.S), output


@pytest.mark.parametrize(
    "text, said", [("x = 1\n", ": no method found"), ("x = 1\n1 / 0\n", ", line 2: ZeroDivisionError")]
)
def test_a_file_without_a_method(run, text, said):
    with pytest.raises(ValueError, match=said):
        run(text)


@pytest.mark.parametrize("name", ["...py", "..py", "a b.py", "a.b.py", "a.txt"])
def test_a_name_that_is_no_module_is_refused(tmp_path, name):
    (tmp_path / name).write_text("x = 1\n")
    with pytest.raises(ValueError, match="not the name of a Python file"):
        method.read(tmp_path / name)


def test_places_and_times_by_hand():
    curves = curve("a", range(2), [0.0, 1.0], [5.0, 1.0]), curve("b", range(2), [0.0, 2.0], [5.0, 3.0])
    first, second = ranking(pd.concat(curves), "f", "a")
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
    rivals = [curve("a", range(2), [0.0, 1.0], [5.0, 2.0]), curve("b", range(2), [0.0, 1.0], [5.0, 3.0])]
    mine = curve("mine", range(2), [0.0, 1.0], ends, status).assign(outside=outside)
    rows = ranking(pd.concat([mine, *rivals], ignore_index=True), "f", "mine")
    assert [(row.method, row.place) for row in rows] == [("a", 1), ("b", 2), ("mine", 3)]
    assert rows[0].reached == 1.0 and ("left the set" in rows[2].status) == any(outside)


def test_one_that_leaves_the_set_is_last_and_no_claim_holds_with_it(tried):
    code, said = tried("leaver.py", *ON, text=FAIR.format(before="", inside="        x = x + 10.0"))
    assert code == 0, said
    ((place, of),) = re.findall(r"ncgs:fig1-left  place (\d+) of (\d+): .* but it left the set; best", said)
    assert place == of and re.search(r"in place of \S+: none", said)


@pytest.mark.parametrize("name", CHEATS)
def test_what_a_method_does_to_its_process_does_not_change_what_is_measured(run, name):
    fair, text = run(FAIR.format(before="", inside="")), FAIR.format(before=CHEATS[name], inside="")
    named = {"metrics": "0 points for", "points": "not tried_own.Zero"}
    if name in named:
        with pytest.raises(ValueError, match=named[name]):
            run(text)
        return
    trace = run(text)
    first, expected = ({m: values[0] for m, values in each.metrics.items()} for each in (trace, fair))
    assert first == expected and (name != "values" or shared(fair, trace) > 2)


@pytest.mark.parametrize(
    "inside",
    [
        CHILD + "        os.wait()",
        CHILD + "        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)",
        "        burn(0.5)",
    ],
    ids=["child", "child that nobody waits for", "step without an oracle"],
)
def test_what_took_more_than_the_budget_is_not_measured(run, inside):
    trace = run(FAIR.format(before="", inside=inside), seconds=0.3)
    assert trace.cpu_seconds[-1] > 0.4
    assert set(trace.metrics["objective"]) == {trace.metrics["objective"][0]}


@pytest.mark.parametrize("kind", ["thread", "child"])
def test_the_clock_has_other_threads_and_children(kind):
    def burn(clock):
        end = clock() + 0.05
        while clock() < end:
            pass

    clock = method.Whole()
    thread = threading.Thread(target=burn, args=(time.thread_time,))
    with clock:
        if kind == "thread":
            thread.start()
        elif child := os.fork():
            os.waitpid(child, 0)
        else:
            burn(time.process_time)
            os._exit(0)
    if kind == "thread":
        thread.join()
        with clock:
            pass
    assert clock.cpu > 0.045


def test_one_that_yields_every_few_steps_is_at_the_same_points(run):
    plain, sparse = (run(FAIR.format(before="", inside=""), every=every) for every in (1, 5))
    assert shared(plain, sparse, every=5) > 2


def test_a_place_does_not_depend_on_how_often_a_method_yields(long):
    """Curves of which every step or every k-th is known, clear of each other where the shorter ends."""
    rng, cases, clear = np.random.default_rng(0), 300 if long else 30, 0
    for _ in range(cases):
        steps, k = 20_000, int(rng.integers(2, 60))
        rates, costs = rng.uniform(0.2, 2.0, size=4), rng.uniform(1e-4, 3e-3, size=4)
        frames = {}
        for name, rate, cost in zip("abcm", rates, costs, strict=True):
            step = np.arange(int(steps * rng.uniform(0.5, 1.0)))
            frames[name] = curve(name, step, cost * step, (1.0 + step) ** -rate)
        plain, rivals = frames.pop("m"), list(frames.values())
        sparse = plain[::k].assign(iteration=np.arange(len(plain[::k])))
        if not any(_is_close(plain, rival, k) for rival in rivals):
            clear += 1
            one, other = (places(ranking(pd.concat([mine, *rivals]), "f", "m")) for mine in (plain, sparse))
            assert one == other
    assert clear > cases / 2


def curve(name, step, seconds, values, status="budget"):
    columns = {"method": name, "seed": 0, "iteration": step, "cpu_seconds": seconds, "f": values}
    return pd.DataFrame({**columns, "end_status": status})


def places(rows):
    return {row.method: row.place for row in rows}


def _is_close(plain, rival, k):
    """Whether a curve crosses a rival's value within the last k steps before the shorter of both ends."""
    end = min(rival.cpu_seconds.max(), plain.cpu_seconds.max())
    level = rival.f[rival.cpu_seconds <= end].iloc[-1]
    near = plain.f[plain.cpu_seconds <= end].iloc[-k:]
    return near.min() <= level <= near.max()


def test_one_that_goes_on_for_longer_or_stops_early_wins_nothing():
    rival = curve("a", range(4), [0.0, 1.0, 2.0, 3.0], [9.0, 4.0, 2.0, 1.0])
    longer = curve("m", range(3), [0.0, 3.0, 30.0], [9.0, 3.0, 0.0])
    early = curve("m", range(2), [0.0, 0.5], [9.0, 3.0], "converged")
    for mine in (longer, early):
        assert places(ranking(pd.concat([rival, mine]), "f", "m")) == {"a": 1, "m": 2}


def test_no_claim_over_what_a_method_counts_itself_is_judged_with_it(tried, project, still):
    assert tried("counts.py", *ON, text=FAIR.format(before="", inside=""))[0] == 0
    folder = project / "results/taste/try/counts/ncgs"
    judged = {claim["id"] for claim in claims("ncgs", folder, ["fig1-left"], "ncgs-2", "counts", "taste")}
    evidence = Evidence("ncgs", tables=[folder], run="taste")
    axes = {c.id: {f.over for f in call(c, evidence).findings} for c in claims_of("ncgs") if c.function}
    assert judged and {axis for name in judged for axis in axes[name]} <= {"", "cpu_seconds", "wall_seconds"}


def test_the_documents_method_is_short_and_its_transcript_true(tried, project, monkeypatch):
    """A method as a new user would write it, on two papers; numbers, places and winners may differ."""
    (body,) = [text for name, text in blocks("library.md", "python").items() if name == "my_away.py"]
    assert len(body.splitlines()) <= 40
    monkeypatch.chdir(project)
    ((call, shown),) = re.findall(r"^\$ projfree try (.*)\n((?:.+\n)*?)```", LIBRARY.read_text(), re.M)
    name, *arguments = call.split()
    code, said = tried(name, *arguments, text=body)
    assert code == 0, said
    lines = iter(_without_digits(said))
    assert [line for line in _without_digits(shown) if line != "…" and line not in lines] == []
    page = (project / "results/quick/try/my-away/index.html").read_text()
    assert page.count("<svg") == 2 and "fig1-right" in page and "simplex" in page


def _without_digits(text):
    """Lines without numbers, the project's folder, and what depends on them."""
    text = re.sub(r"(?<=wrote ).*(?=results/)|(?<=best ).*|(?<=in place of ).*", "", text)
    return re.sub(r"\d+(\.\d+)?(e[-+]\d+)?", "", text).splitlines()
