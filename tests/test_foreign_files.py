"""No command deletes or overwrites what it did not make, wherever its output is sent.

Commands and options are found, not listed: each is called once on a free place, which shows what it writes;
then with something of somebody in the place of each such file. An option that is added is called too.
"""

import os
import random
import shutil
import stat
from pathlib import Path

import checkouts
import click
import pytest
from click.testing import CliRunner

from referee import cli, study
from referee.evidence.published import keep
from referee.publish import records

EVIDENCE = "results/taste/evidence/ncgs/theory"
TABLE = f"{EVIDENCE}/tuning/fig1-left/ncgs-2-tuned.json"
#: What arguments and options are given, by their names, those of one command first.
GIVEN = {
    "paper": ["ncgs"],
    "papers": ["ncgs"],
    "experiment": ["fig1-left"],
    "experiments": ["fig1-left"],
    "method": ["ncgs-2-tuned"],
    "draw name": ["fig1-left"],
    "formats": ["pdf"],
    "first": ["taste"],
    "second": ["taste"],
    "ratings": ["ratings.csv"],
    "weights": ["1"],
    "run_name": ["taste"],
    "instance_path": ["results/taste/instances/ncgs/fig1-left.h5"],
    "tuning": [TABLE],
    "datasets": ["data/prepared/none.h5"],
    "traces": ["results/taste/traces/ncgs/fig1-left/fw.h5"],
    "folders": [EVIDENCE],
    "base": [EVIDENCE],
    "claims": ["results/taste/claims/ncgs.json"],
    "own": ["results/taste/claims/ncgs.json"],
    "others": ["results/taste@U1-theorem/claims/ncgs.json"],
    "drawn": ["results/taste/drawn/ncgs"],
    "alternatives": ["results/taste/alternatives/ncgs/alternatives.csv"],
    "reports": ["published"],
    "index reports": ["reports/taste/ncgs"],
    "predict": ["pairs.csv"],
    "recommend": ["users.txt"],
    "columns": ["user,item,rating"],
    "missing": ["9"],
    "memory": ["1GB"],
    "targets": ["ncgs:fig1-left"],
    # Values alone, or more than is here.
    **dict.fromkeys(("given", "grid", "hero", "scheduler")),
}
#: Required, or without them it takes long.
ALWAYS = ("weights", "run_name")
#: What is written where a command is told, by its name.
NAMED = {
    **dict.fromkeys(("solve", "instance"), "o.h5"),
    **dict.fromkeys(("evidence", "page", "complete"), "o"),
    **{"judge": "o.json", "under": "o.csv", "draw": "o.svg", "index": "index.html", "try": "m.py"},
}
#: Commands that are not called, and why.
LEFT = {
    "reproduce": "it starts the workflow, whose jobs are these commands",
    "compile": "it writes into the cache of compiled code alone",
    "data fetch": "tests/data: raw files are compared by hash, never replaced",
    "data add": "tests/data",
    "data prepare": "tests/data",
}
#: Commands that write nothing, or nothing of a run whose sources no commit has.
READERS = {"claims", "compare", "solvers", "status", "trace", "plan", "publish"}
READERS |= {"data doctor", "judge --from"}
#: Outputs of a command of which CI tries so many; --long all.
SHARE = 4
#: Folders whose files are not written again where they are whole.
WHOLE = ("store", "assets", "next")
DECOYS = ("file", "read-only", "folder", "link", "broken link", "hard link", "fifo")
#: Of options alone: values that change nothing in what is written.
PLAIN = (click.Choice, click.types.IntParamType, click.types.FloatParamType, click.types.IntRange)


def commands(group=cli.main, words=(), left=LEFT):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name), left)
        elif " ".join((*words, name)) not in left:
            yield " ".join((*words, name)), command


def calls():
    """(name, option or None, words) of each call: plain, and with each option that says what is written."""
    for name, command in commands():
        for option in [None, *filter(chosen, command.params)]:
            told = option and (option.opts[0] if option.param_type_name == "option" else f"no {option.name}")
            marks = [pytest.mark.long] if name == "under" else []  # it judges a paper ten times
            yield pytest.param(name, command, option, id=" ".join(filter(None, [name, told])), marks=marks)


def chosen(parameter):
    """Whether a call of its own tries an option, or leaves an argument out: numbers change values alone."""
    if parameter.param_type_name == "argument":
        return not parameter.required
    if parameter.name in (*ALWAYS, "force") or GIVEN.get(parameter.name, ()) is None:
        return False
    return parameter.is_flag or not isinstance(parameter.type, PLAIN)


def given(name, command, option, place):
    """The words that call a command; None where an option has no value here."""
    words = name.split()
    for own in command.params:
        values = GIVEN.get(f"{name} {own.name}", GIVEN.get(own.name))
        if own.param_type_name == "argument":
            if own is option:
                continue
            if name == "try":
                words.append(str(place / NAMED[name]) if option and option.name == "new" else "mine.py")
            else:
                words += values or []
        elif own is option or own.name in ALWAYS:
            if own.is_flag:
                words.append(own.opts[0])
            elif own.name == "output":
                words += [own.opts[0], str(place / NAMED[name])]
            elif values is None:
                return None
            else:
                words += [own.opts[0], *values]
    return words


def call(words):
    return CliRunner().invoke(cli.main, words)


def shot(folder):
    """Kind and content of all in a folder, by path; locks left out."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if path.name.endswith((".lock", ".part")) or ".cache" in path.parts or "__pycache__" in path.parts:
            continue
        what = os.readlink(path) if stat.S_ISLNK(mode) else path.read_bytes() if stat.S_ISREG(mode) else b""
        found[path.relative_to(folder).as_posix()] = stat.S_IFMT(mode), what
    return found


def stamps(folder):
    """A mark of each file in a folder that another one in its place has not, locks left out.

    An inode may be taken again for the file that comes after one that was removed, so the time counts too.
    """
    regular = [folder / path for path, (kind, _) in shot(folder).items() if stat.S_ISREG(kind)]
    found = {path: path.stat() for path in regular}
    return {str(path.relative_to(folder)): (s.st_ino, s.st_mtime_ns) for path, s in found.items()}


def put(decoy, path, own):
    """Something of somebody in place of a file; what else must not be lost."""
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    (path.parent / "precious").write_text("mine")
    if decoy == "file":
        path.write_text("mine: 1, 2\n")
    elif decoy == "read-only":
        path.write_bytes(own)
        path.chmod(0o444)
    elif decoy == "folder":
        path.mkdir()
        (path / "inside").write_text("mine")
    elif decoy == "fifo":
        os.mkfifo(path)
    elif decoy == "hard link":
        os.link(path.parent / "precious", path)
    else:
        path.symlink_to("precious" if decoy == "link" else "gone")


def clear(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    (path.parent / "precious").unlink(missing_ok=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project folder whose taste run is tiny, and made."""
    folder = checkouts.checkout(tmp_path_factory.mktemp("project"))
    rows = [f"u{i},i{j},{(i * j) % 5 + 1}" for i in range(8) for j in range(8) if (i + j) % 3]
    (folder / "ratings.csv").write_text("\n".join(["user,item,rating", *rows]))
    (folder / "pairs.csv").write_text("user,item\nu1,i1\nu2,i5\n")
    (folder / "users.txt").write_text("u1\nu3\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        checkouts.change(checkouts.tiny)
        first = ("instance ncgs fig1-left", "solve ncgs fig1-left fw", "evidence ncgs fig1-left")
        for words in (*first, "judge ncgs", "draw ncgs", "page ncgs", "index"):
            right(call([*words.split(), "--run", "taste"]))
        right(call(["try", "mine.py", "--new"]))
        loaded = study.load("ncgs", "taste")
        for name in study.alternatives(loaded.spec):  # as if it had been run
            shutil.copytree("results/taste/claims", f"results/taste@{name}/claims")
        right(call(["under", "ncgs", "--run", "taste"]))
        shutil.copytree("reports/taste/ncgs", "published/ncgs")
        keep(loaded.spec, [EVIDENCE], [Path(TABLE)], "published/ncgs/evidence")
        records.write("published/ncgs/evidence", loaded, records.read([EVIDENCE]))
    return folder


def right(done):
    assert done.exit_code == 0, done.output


@pytest.fixture
def place(project, tmp_path, monkeypatch):
    """A folder for outputs, within a copy of the project where one works."""
    folder = tmp_path / "project"
    shutil.copytree(project, folder, symlinks=True)
    monkeypatch.chdir(folder)
    (folder / "place").mkdir()
    return folder / "place"


def test_every_command_that_writes_is_tried():
    found = {name for name, _ in commands()}
    assert {"complete", "solve", "evidence", "under", "draw", "page", "index", "try"} <= found
    assert set(LEFT) <= {name for name, _ in commands(left=())}


@pytest.mark.parametrize(("name", "command", "option"), [*calls()])
def test_what_others_have_there_survives(request, place, name, command, option, long):
    """Nothing is lost of what stands where a command writes; its own output it makes again."""
    words, root = given(name, command, option, place), place.parent
    if words is None:
        pytest.fail(f"{name} {option.opts[0]}: name a value for it in GIVEN, or the command in LEFT")
    before = stamps(root)
    done = call(words)
    if done.exit_code:
        assert isinstance(done.exception, SystemExit), done.exception
    outputs = [path for path, stamp in stamps(root).items() if before.get(path) != stamp]
    assert outputs or done.exit_code or {name, request.node.callspec.id} & READERS, f"{words}: {done.output}"
    if name != "try" or "--new" not in words:
        again = call(words)
        assert again.exit_code == done.exit_code, again.output
    rng = random.Random(0)
    chosen = outputs if long else rng.sample(outputs, min(len(outputs), SHARE))
    made = {path: (root / path).read_bytes() for path in chosen}  # a failing call may take others
    for path, own in made.items():
        for decoy in DECOYS if long or len(outputs) < SHARE else rng.sample(DECOYS, 3):
            put(decoy, root / path, own)
            there = {p: what for p, what in shot(root).items() if p.startswith(path) or "precious" in p}
            done = call(words)
            assert {p: shot(root).get(p) for p in there} == there, f"{decoy} {path}: {done.output}"
            told = done.exit_code and isinstance(done.exception, SystemExit)
            kept = any(f"/{part}/" in path for part in WHOLE)
            taken = kept and (decoy == "read-only" or name == "publish")  # published is not packed again
            assert told or taken, f"{decoy} {path}: {done.output}"
            clear(root / path)
            (root / path).write_bytes(own)


def test_a_trace_that_is_not_ours_is_left(place):
    mine = place / "fig1-left/fw.h5"
    mine.parent.mkdir()
    mine.write_text("mine")
    done = call(["evidence", "ncgs", "fig1-left", "--run", "taste", "--trace", str(mine)])
    assert done.exit_code and mine.read_text() == "mine", done.output
