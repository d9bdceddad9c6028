"""The commands: help everywhere, errors in one line, and what the workflow calls, by hand."""

import os
import re
import subprocess
import sys

import checkouts
import click
import pandas as pd
import pytest
import yaml
from click.testing import CliRunner
from places import ROOT
from told import in_seconds

from projfree.common import threads
from projfree.common.outside import read_json
from referee import cli, study
from referee.evidence.tidy import tidy

TRACE = "results/quick/traces/ncgs/fig1-left/{}.h5"


def commands(group=cli.main, words=()):
    """All commands with the words that call them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*words, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))


def call(*words):
    return CliRunner().invoke(cli.main, [str(word) for word in words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A project folder whose quick run of fig1-left is tiny; its instance and two traces are made."""
    folder = checkouts.checkout(tmp_path_factory.mktemp("cli"), ("ncgs", "mpcgs"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        checkouts.change(checkouts.tiny)
        checkouts.call("instance", "ncgs", "fig1-left")
        for method in ("fw", "fw-short"):
            checkouts.solve(method)
        yield folder


@pytest.fixture(autouse=True)
def _inside(folder, monkeypatch):
    monkeypatch.chdir(folder)


@pytest.mark.parametrize("words", [(), *(words for words, _ in commands())], ids=" ".join)
def test_every_command_has_help(words):
    shown = call(*words, "--help")
    assert shown.exit_code == 0 and shown.output.startswith("Usage:")
    assert "\\b" not in shown.output, "a raw docstring hides click's mark of a block not to be wrapped"
    about = shown.output.partition("\n\n")[2].strip()
    assert about and not about.startswith("Options:")


def test_help_of_all_lists_what_the_commands_say_of_themselves():
    lines = call("--help").output.splitlines()
    listed = " ".join(" ".join(lines).split())
    for (name, *more), command in commands():
        if not more:
            assert f" {name} {' '.join(command.help.partition(chr(10) * 2)[0].split())}" in listed
    assert max(map(len, lines)) <= 80 and not any(line.endswith("...") for line in lines[1:])


def test_help_of_all_tells_the_commands_for_people_from_those_of_the_workflow():
    titles = "Look at results:|Run again:|Use your own data or method:|Publish:|Called by the workflow:"
    _, look, again, own, publish, workflow = re.split(titles, call("--help").output)
    assert look.index("  claims ") < look.index("  trace ") and "  reproduce " in again
    assert "  complete " in own and "  try " in own and "  publish " in publish
    assert workflow.index("  instance ") < workflow.index("  judge ") < workflow.index("  page ")


def test_a_command_is_explained_by_one_plain_sentence():
    for words, command in commands():
        sentence = command.help.partition("\n\n")[0]
        assert sentence.endswith(".") and ". " not in sentence and len(sentence) <= 80, words


def test_help_of_all_imports_no_command():
    program = "import sys; from referee import cli; cli.main(['--help'], standalone_mode=False); "
    late = "referee.cli.", "ratings", "numpy", "pydantic"
    program += f"print([n for n in sys.modules if n.startswith({late})])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


#: Commands that compute nothing, each with what of `HEAVY` it must do without.
HEAVY = ("numba", "scipy", "pandas", "matplotlib", "snakemake", "h5py", "numpy", "pydantic")
LIGHT = {
    "complete --help": HEAVY,
    "solvers": HEAVY[:-1],
    "status --help": HEAVY[:-1],
    "status": HEAVY[:-1],
    "data": HEAVY[:-1],
    "claims ncgs": HEAVY[:-1],
    "data doctor": ("numba", "scipy", "matplotlib", "snakemake"),
}
LOADED = """
import sys
from click import ClickException
from referee import cli
try:
    cli.main(sys.argv[2:], standalone_mode=False)
except (SystemExit, ClickException):  # that nothing has been run here is said without them, too
    pass
print(sorted(set(sys.argv[1].split()) & set(sys.modules)))
"""


@pytest.mark.parametrize("words", LIGHT)
def test_commands_without_numerics_import_none(words):
    command = [sys.executable, "-c", LOADED, " ".join(LIGHT[words]), *words.split()]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stderr


def test_every_option_that_is_not_obvious_says_what_it_does():
    silent = [
        (*words, option.name)
        for words, command in commands()
        for option in command.params
        if isinstance(option, click.Option) and not option.help and option.name != "output"
    ]
    assert silent == []


@pytest.mark.parametrize(
    "words, code, message",
    [
        ("solve nope fig1-left fw", 1, "papers: unknown paper 'nope'. Known are: "),
        ("solve ncgs fig1-left wf", 1, "experiment fig1-left: unknown method 'wf'."),
        ("solve ncgs fig2-left fw", 1, "is missing; make it with: projfree instance ncgs fig2-left"),
        ("solve ncgs fig2-left fw --instance no.h5", 2, "'no.h5' does not exist"),
        ("solve ncgs fig1-left", 2, "Missing argument 'METHOD'"),
        ("claims ncgs", 1, "ncgs (quick) has no verdicts yet (no results/quick/claims/ncgs.json)"),
        ("claims nope", 1, "unknown paper 'nope'"),
        ("draw ncgs fig1-lef", 1, "ncgs: unknown figure or table 'fig1-lef'. Did you mean 'fig1-left'?"),
        ("draw ncgs tabel1", 1, "ncgs: unknown figure or table 'tabel1'. Did you mean 'table1'?"),
        ("solvers frank_wofle", 1, "unknown solver 'frank_wofle'. Did you mean 'frank_wolfe'"),
        ("judge --from config", 1, "config: no published reports in it (no <paper>/claims.json)"),
        ("publish ncgs", 1, "ncgs (full) has no report yet: make replicate TARGETS=ncgs"),
        ("plan --run nope", 1, "unknown run 'nope'"),
        ("trace no.h5", 2, "'no.h5' does not exist"),
        ("trace config", 2, "'config' is a directory"),
        ("trace config/README.md", 1, "config/README.md: "),
        ("try config/README.md --on ncgs:fig1-right", 1, "config/README.md: not the name of a Python file"),
        ("index", 2, "quick: the papers' reports are not in one folder (0 found)"),
        ("data fetch", 2, "name a dataset, or use --all. List them with: projfree data"),
        ("data prepar", 2, "No such command 'prepar'. Did you mean 'prepare'?"),
        ("staus", 2, "No such command 'staus'. Did you mean 'status'?"),
        ("solve ncgs fig1-left fw --speed 2", 2, "No such option"),
    ],
)
def test_errors_are_one_clear_line(words, code, message):
    done = call(*words.split())
    assert done.exit_code == code, done.output
    assert message in done.output
    assert "Traceback" not in done.output
    lines = [line for line in done.output.splitlines() if line.startswith("Error")]
    assert len(lines) == 1 and (code == 2 or len(done.output.splitlines()) == 1)


def test_schemas_that_are_old_are_written(folder):
    path = folder / "workflow/schemas/config.schema.json"
    current = path.read_text()
    command = [sys.executable, "-m", "referee.study.schemas"]
    assert subprocess.check_output(command, text=True) == ""
    path.write_text("{}")
    assert subprocess.check_output(command, text=True) == "wrote workflow/schemas/config.schema.json\n"
    assert path.read_text() == current


def test_debug_shows_where_an_error_comes_from():
    done = call("--debug", "solve", "nope", "fig1-left", "fw")
    assert done.exit_code == 1 and type(done.exception).__name__ == "StudyError"


def test_a_reader_that_has_read_enough_is_no_error():
    """The reading end of the pipe is closed before the command writes."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", "from referee.cli import main; main(['solvers'])"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_file_that_is_no_trace_is_one_line_too(folder):
    (folder / "text.h5").write_text("not a trace")
    done = call("trace", "text.h5")
    assert done.exit_code == 1 and "Traceback" not in done.output
    assert isinstance(done.exception, SystemExit), repr(done.exception)


def test_trace_tells_what_ran_and_how_it_ended():
    shown = call("trace", TRACE.format("fw"))
    assert shown.exit_code == 0
    assert shown.output.startswith("ncgs fig1-left fw (quick)\nsolver frank_wolfe")
    assert shown.output.count("iterations after 8 iterations") == 2
    assert '"FO": 8' in shown.output and "sq_gradient_mapping" in shown.output


def test_trace_of_two_knows_the_same_from_the_different(folder):
    assert call("solve", "ncgs", "fig1-left", "fw", "--output", "again.h5").exit_code == 0
    same = call("trace", TRACE.format("fw"), "again.h5")
    assert (same.exit_code, same.output) == (0, "the same in all but clocks\n")
    other = call("trace", TRACE.format("fw"), TRACE.format("fw-short"))
    assert other.exit_code == 1 and "seed 0: metrics/objective at record" in other.output


def test_status_counts_the_traces_that_are_there():
    assert "ncgs (quick): 2 of " in call("status", "--run", "quick").output


def test_of_a_run_that_one_paper_has_only_that_is_told():
    """What `quick` made already, of the same numbers, is done and not to be made."""
    plan, status = (call(word, "--run", "taste").output for word in ("plan", "status"))
    left, runs = re.fullmatch(r"ncgs \(taste\): (\d+) of (\d+) runs to make.*\n", plan).groups()
    done = int(runs) - int(left)
    assert re.fullmatch(rf"ncgs \(taste\): {done} of {runs} runs done, {left} left.*\n", status)


def test_plan_predicts_more_for_the_full_run():
    def seconds(run):
        shown = call("plan", "--run", run)
        assert shown.exit_code == 0 and f"ncgs ({run}): " in shown.output
        return in_seconds(shown.output.split(f"ncgs ({run}): ")[1])

    assert 0 < seconds("quick") < seconds("full") < seconds("paper")


def test_solvers_are_listed_and_explained_with_their_defaults():
    listed = call("solvers").output
    assert "frank_wolfe\n" in listed and "ncgs_vr\n" in listed
    one = call("solvers", "frank_wolfe").output
    assert "step_rule='gap'" in one and "line_search" in one


def test_an_instance_can_be_made_where_one_likes(folder):
    done = call("instance", "ncgs", "fig1-left", "--output", "here/i.h5")
    assert done.exit_code == 0 and (folder / "here/i.h5").exists()
    assert done.output == "wrote here/i.h5\n"


def test_one_word_of_yaml_adds_a_solver_to_an_experiment_on_the_simplex(folder):
    path = folder / "papers/mpcgs/experiments.yaml"
    methods = study.load("mpcgs", "quick").experiments["simplex"].methods
    written = f"[{', '.join(methods)}]"
    text = path.read_text()
    assert text.count(written) == 1
    path.write_text(text.replace(written, f"{written[:-1]}, momentum_frank_wolfe]"))
    done = call("evidence", "mpcgs", "simplex", "--output", "made")
    assert done.exit_code == 0, done.output
    table = pd.read_csv("made/simplex.csv").groupby("method")
    listed = {*methods, "momentum_frank_wolfe"}
    assert set(table.groups) == listed and (table.fw_gap.last() < table.fw_gap.first()).all()


def test_a_figure_is_drawn_of_the_tables_that_are_named(folder):
    traces = [TRACE.format(name) for name in ("fw", "fw-short")]
    tidy(traces, folder / "t/fig1-left.csv")
    for name in ("fig1-left.png", "fig1-left.svg"):
        done = call("draw", "ncgs", "fig1-left", "--tables", "t", "--output", f"f/{name}")
        assert done.exit_code == 0, done.output
        assert (folder / "f" / name).stat().st_size > 1000
    taste = call("draw", "ncgs", "fig1-left", "--run", "taste")
    assert taste.exit_code == 1 and "no tidy table" in taste.output, "it has results of its own"


#: A run of one figure that leaves methods out, with one alternative, of a method that is left.
LESS = """
  less:
    like: quick
    only: [fig1-left]
    experiments: {fig1-left: {methods: [ncgs-2, fw]}}
    deviations:
      - {id: U8, open: o, chosen: c, figures: [fig1-left], touches: [NCGS-C1], alternatives: [
          {name: short, override: {methods: {fw: {params: {step_rule: short}}}}}]}
"""


def test_a_run_that_leaves_methods_out_is_judged_with_its_alternatives(folder):
    """Only `fw` is run under the alternative; the curve of ncgs-2 is that of the run, cut to half."""
    path, other = folder / "papers/ncgs/runs.yaml", "less@U8-short"
    paper = yaml.safe_load(path.read_text())
    paper["runs"] |= yaml.safe_load(LESS)
    path.write_text(yaml.safe_dump(paper))
    instance = "results/less/instances/ncgs/fig1-left.h5"
    steps = [["instance", "ncgs", "fig1-left", "--run", "less"]]
    for name, methods in (("less", ["ncgs-2", "fw"]), (other, ["fw"])):
        traces = [f"results/{name}/traces/ncgs/fig1-left/{method}.h5" for method in methods]
        given = ["--run", name, "--instance", instance]
        steps += [["solve", "ncgs", "fig1-left", method, *given] for method in methods]
        steps += [["evidence", "ncgs", "fig1-left", "--run", name, "--trace", *traces]]
        steps += [["judge", "ncgs", "--run", name]]
    for words in (*steps, ["under", "ncgs", "--run", "less", "--output", "over/alternatives.csv"]):
        done = call(*words)
        assert done.exit_code == 0, (words, done.output)
    found = {path.stem: pd.read_csv(path) for path in (folder / "over").iterdir()}
    assert set(found) == {"alternatives"}
    rows = found["alternatives"].set_index("claim")
    entries = {name: read_json(folder / f"results/{name}/claims/ncgs.json") for name in ("less", other)}
    verdicts = {name: {entry["id"]: entry["verdict"] for entry in told} for name, told in entries.items()}
    assert {name.partition(".")[0] for name in rows.index} == {"NCGS-C1", "NCGS-C2"}
    used = {trace for entry in entries[other] for trace in entry["traces"]}
    pairs = (("less", "ncgs-2"), (other, "fw"))
    assert used >= {f"results/{run}/traces/ncgs/fig1-left/{method}.h5" for run, method in pairs}
    assert rows["verdict"].to_dict() == verdicts[other]
    assert rows["full_verdict"].to_dict() == {claim: verdicts["less"][claim] for claim in rows.index}


@pytest.mark.parametrize("words", [["solvers"], ["--help"], ["data"]], ids=" ".join)
def test_a_locale_that_knows_ascii_only(words):
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "referee.cli", *words]
    done = subprocess.run(command, env=os.environ | ascii_only, cwd=ROOT, capture_output=True)
    assert done.returncode == 0 and b"ascii" not in done.stdout + done.stderr, done.stderr.decode()


def test_a_working_folder_that_was_deleted_is_told(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    for words in (["claims"], ["status"], ["data"], ["complete", "x.csv"]):
        done = CliRunner().invoke(cli.main, words)
        assert done.exit_code == 1 and "working folder was deleted" in done.output, done.output


def test_threads_that_the_environment_asks_for_are_overruled():
    """Seconds of a run by hand are those of one thread, as in the workflow."""
    names = [f"{library}_NUM_THREADS" for library in threads.LIBRARIES]
    told = f"import os, referee.cli; print(*(os.environ[n] for n in {names}))"
    environment = {**os.environ, **dict.fromkeys(names, "16")}
    done = subprocess.run([sys.executable, "-c", told], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["1"] * len(names), done.stderr
