"""No command deletes or overwrites what it did not make, wherever its output is sent.

The commands are found, not listed: one that is added is tried too, with its output in a folder of others.
"""

import shutil

import checkouts
import click
import pytest
from click.testing import CliRunner

from referee import cli

TRACE = "results/taste/evidence/ncgs/theory/traces/fig1-left/fw.h5"
#: What the arguments and required options of commands are given, by their names.
GIVEN = {
    "paper": "ncgs",
    "papers": "ncgs",
    "experiment": "fig1-left",
    "experiments": "fig1-left",
    "reports": "ncgs",
    "method": "ncgs-2-tuned",
    "traces": TRACE,
    "first": "taste",
    "second": "taste",
    "ratings": "ratings.csv",
    "weights": "1",
    "date": "2020-01-01",
}
#: Paths that are read, or that are a store of finished traces.
READ = (
    *("traces", "ratings", "folders", "first", "second", "predict", "base", "datasets", "tuning", "own"),
    *("others", "claims", "drawn", "alternatives", "reports"),
)
#: The name of the file that a command writes, where it is not free.
NAMED = {"solve": "a.h5", "instance": "a.h5", "under": "alternatives.csv"}
#: Commands whose output is a folder.
FOLDERS = ("evidence", "draw", "page")
#: Files of others, in a folder and where parts of ours would be, and those with the names of ours.
BESIDE = [f"{folder}/{name}" for folder in (".", "pages", "data", "evidence") for name in ("a.txt", "b.js")]
SETS = {"beside": BESIDE, "index": ["index.html", "ledger.html"], "same": ["claims.json", "model.h5"]}
#: Commands whose very file is refused too where others made it; elsewhere who names a file means it.
PAGES = ("page", "index", "try")


def written(command):
    """The options and arguments of a command that say where it writes."""
    for parameter in command.params:
        kind = parameter.type
        if type(kind) is click.Path and not kind.exists and parameter.name not in READ:
            yield parameter


def commands(group=cli.main, words=()):
    context = click.Context(group)
    for name in sorted({*group.list_commands(context)} - {"under"}):  # which needs hours of runs
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))
        else:
            yield from ((" ".join((*words, name)), command, parameter) for parameter in written(command))


def call(*words):
    return CliRunner().invoke(cli.main, [str(word) for word in words])


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project folder whose taste run is tiny, and made."""
    folder = checkouts.checkout(tmp_path_factory.mktemp("project"))
    rows = [f"u{i},i{j},{(i * j) % 5 + 1}" for i in range(8) for j in range(8) if (i + j) % 3]
    (folder / "ratings.csv").write_text("\n".join(["user,item,rating", *rows]))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        checkouts.change(checkouts.tiny)
        first = ("evidence ncgs fig1-left", "instance ncgs fig1-left", "judge ncgs")
        for words in (*first, "draw ncgs", "page ncgs", "index"):
            done = call(*words.split(), "--run", "taste")
            assert done.exit_code == 0, done.output
    return folder


def test_commands_with_an_output_are_found():
    names = {name for name, *_ in commands()}
    assert {"complete", "solve", "evidence", "draw", "page", "index", "try"} <= names


def told(name, command, parameter, place):
    """The words that call a command with its output there."""
    for own in command.params:
        if own is parameter:
            yield from (own.opts[:1] if own.param_type_name == "option" else ())
            yield (
                place if name in FOLDERS or not own.type.file_okay else place / NAMED.get(name, "index.html")
            )
        if own.name in GIVEN and (own.param_type_name == "argument" or own.name in ("weights", "date")):
            yield from (own.opts[:1] if own.param_type_name == "option" else ())
            yield place / "ncgs" if own.name == "reports" else GIVEN[own.name]
        if own.name == "run_name":
            yield from ("--run", "taste")
    if name == "try":
        yield "--new"


@pytest.mark.parametrize("strangers", SETS.values(), ids=SETS)
@pytest.mark.parametrize(("name", "command", "parameter"), [pytest.param(*c, id=c[0]) for c in commands()])
def test_what_others_have_there_survives(project, tmp_path, monkeypatch, name, command, parameter, strangers):
    monkeypatch.chdir(project)
    place = tmp_path / "place"
    shutil.copytree("reports/taste/ncgs", place / "ncgs")  # for an overview to be of
    for stranger in strangers:
        (place / stranger).parent.mkdir(parents=True, exist_ok=True)
        (place / stranger).write_text(f"mine: {stranger}")
    words = [*told(name, command, parameter, place)]
    done = call(*name.split(), *words)
    kept = [s for s in strangers if place / s not in words or name in PAGES]
    assert {s: (place / s).read_text() for s in kept} == {s: f"mine: {s}" for s in kept}, done.output
    refused = "did not make" in done.output or "is there already" in done.output
    assert refused or done.exit_code == 0, f"{words}: {done.output}"
    assert not isinstance(done.exception, Exception), done.exception
