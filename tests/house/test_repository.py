"""What the repository promises as files: pins, no addresses, sizes, documents that agree."""

import ast
import contextlib
import json
import re
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import click
import pytest
import yaml
from packaging.specifiers import SpecifierSet
from places import BIN, ROOT

TEXT = {".py", ".md", ".yaml", ".yml", ".toml", ".in", ".lock", ".cff", ".smk", ".sh", ".html", ".json", ""}
# Written in two pieces so that this file does not find itself.
ADDRESSES = re.compile(r"--(?:extra-)?index" + r"-url|--find" + r"-links|--trusted" + r"-host|/sim" + r"ple/")
MACHINE = re.compile(r"(?<![\w.$/}])/(?:root|home|Users|work|farm|mnt)" + r"/\w")


# A path in the text or the code of a document that begins with a folder of the repository.
FOLDERS = "src|config|papers|workflow|tests|docs|benchmarks"
NAMED = re.compile(rf"(?<![\w./<*-])((?:{FOLDERS})/[\w./-]*\w)(?![\w/]*[<*{{])")


def tracked():
    """Files of the repository as they would be committed."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def texts():
    """(path, text) of the text files, without the big generated ones."""
    for path in tracked():
        if path.suffix in TEXT and path.stat().st_size < 2e6:
            yield path, path.read_text(errors="replace")


def hits(pattern, files):
    """Lines that match, as file:line: text."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path, text in files
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def blocks(lock):
    """Requirement → its hashes, from the text of a lock file."""
    found = {}
    for line in lock.replace("\\\n", " ").splitlines():
        if re.match(r"[A-Za-z0-9]", line):
            name, *options = line.split()
            found[name] = [word for word in options if word.startswith("--hash=")]
    return found


def test_the_lock_answers_what_is_asked_pinned_and_hashed_and_can_build_the_project():
    locked, about = blocks((ROOT / "requirements.lock").read_text()), project()["project"]
    for requirement, hashes in locked.items():
        assert re.fullmatch(r"[\w.-]+==[\w.!+]+", requirement), requirement
        assert hashes and all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", h) for h in hashes), requirement
    extras = about["optional-dependencies"].values()
    asked = [line for lines in (about["dependencies"], *extras) for line in lines]
    names = {re.split(r"[<>=\[;! ]", line)[0].lower() for line in asked} | {"setuptools"}
    assert names <= {requirement.split("==")[0].lower() for requirement in locked}


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_whatever_is_pinned_runs_on_the_lowest_python_that_is_promised():
    """By what the installed packages say of themselves; `make wheels` asks an index about the others."""
    pins = dict(pin.split("==") for pin in blocks((ROOT / "requirements.lock").read_text()))
    peers = {re.split("[<>=]", one)[0] for one in project()["project"]["optional-dependencies"]["peers"]}
    installed = {}
    for name in pins:
        with contextlib.suppress(PackageNotFoundError):
            installed[name] = distribution(name)
    assert pins.keys() - installed.keys() <= {*peers, "cython", "findblas", "mpmath", "powerlaw"}
    assert {name: one.version for name, one in installed.items()} == {name: pins[name] for name in installed}
    lowest = project()["project"]["requires-python"].removeprefix(">=") + ".0"
    asked = {name: SpecifierSet(one.metadata.get("Requires-Python") or "") for name, one in installed.items()}
    assert {name: str(each) for name, each in asked.items() if lowest not in each} == {}


def test_snakemakes_linter_finds_nothing_but_that_rules_have_no_environment_of_their_own():
    """The whole workflow runs in one, that of `make env`."""
    done = subprocess.run([BIN / "snakemake", "--lint"], cwd=ROOT, capture_output=True, text=True)
    found = set(re.findall(r"^    \* (.*)$", done.stderr, re.M))
    assert found == {"Specify a conda environment or container for each rule.:"}


def test_no_file_names_an_index_or_a_path_of_one_machine_or_is_big():
    allowed = re.compile(r"--no-emit-\S+")  # options of pip-compile that leave addresses out
    assert hits(ADDRESSES, ((path, allowed.sub("", text)) for path, text in texts())) == []
    assert MACHINE.search("cd /ho" + "me/someone") and not MACHINE.search("$ROOT/work" + "/x")
    assert hits(MACHINE, texts()) == []
    assert [path.name for path in tracked() if path.stat().st_size > 10e6] == []


def test_files_stay_small():
    sources = sorted((ROOT / "src").rglob("*.py"))
    assert [str(path) for path in sources if len(path.read_text().splitlines()) > 450] == []


def make_targets():
    return dict(re.findall(r"^([a-z-]+):(.*)$", (ROOT / "Makefile").read_text(), re.M))


def test_every_make_target_says_what_it_does():
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    silent = [name for name in make_targets() if not re.search(rf"^  {name} +\w", shown, re.M)]
    assert silent == [] and len(make_targets()) > 12


def test_what_describes_the_project_elsewhere_says_the_same():
    """Version and date are those of the last release: the first heading of the changelog that has a date."""
    release = re.search(r"^## (\S+) – (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.M).groups()
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    about, told = project()["project"], json.loads((ROOT / "codemeta.json").read_text())
    assert (citation["version"], str(citation["date-released"])) == release
    assert (told["version"], told["datePublished"]) == release and about["version"] == release[0]
    assert [told[name] for name in ("name", "description")] == [about["name"], about["description"]]
    assert told["license"].endswith(f"/{about['license']}") and told["keywords"] == citation["keywords"]
    assert told["runtimePlatform"] == f"Python {about['requires-python']}"
    assert all((ROOT / told[name]).exists() for name in ("softwareRequirements", "readme", "softwareHelp"))


def test_the_catalog_of_workflows_is_told_what_the_workflow_has():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    rules = (ROOT / "workflow/Snakefile").read_text()
    for software in ("conda", "apptainer"):
        words = rf"^ +({software}|{'container' if software == 'apptainer' else 'envmodules'}):"
        assert usage["software-stack-deployment"][software] == bool(re.search(words, rules, re.M))
    assert usage["report"] == bool(re.search(r"\breport\(", rules))
    assert (ROOT / "workflow/Snakefile").is_file() and (ROOT / "config/README.md").is_file()


def test_the_citation_names_every_published_paper_and_the_readme_lists_it():
    titles = [entry["title"] for entry in yaml.safe_load((ROOT / "CITATION.cff").read_text())["references"]]
    folders = [folder for folder in (ROOT / "papers").iterdir() if folder.is_dir()]
    published = [folder for folder in folders if (ROOT / "reports/reference" / folder.name).is_dir()]
    named = [yaml.safe_load((folder / "paper.yaml").read_text())["title"] for folder in published]
    assert sorted(titles) == sorted(named) and named
    readme = (ROOT / "README.md").read_text()
    assert [title for title in titles if title not in readme] == []


def documents():
    return {path: text for path, text in texts() if path.suffix == ".md"}


def test_links_of_documents_lead_to_files_of_the_repository_and_places_in_reports():
    """Pages that `make pages` makes are none: a reader of a code host has not made them."""
    files, told, reports = {path.resolve() for path in tracked()}, documents(), 0
    for path, text in told.items():
        for link, place in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)[^)]*\)", text):
            target = (path.parent / link).resolve() if link else path
            assert link.startswith("http") or target.is_dir() or target in files, (path, link)
            if place and target.name == "README.md" and target.is_relative_to(ROOT / "reports"):
                assert f'<a id="{place}"></a>' in told[target], (path, link, place)
                reports += 1
    assert reports > 100


def test_published_reports_are_tracked_without_what_is_made_from_them():
    folder = ROOT / "reports/reference"
    own = {path.relative_to(folder).as_posix() for path in tracked() if path.is_relative_to(folder)}
    names = r"README\.md|(about|claims|costs)\.json|verdicts\.csv|evidence/.+"
    kept = rf"\w+/({names}|figures/[\w-]+\.svg|tables/[\w-]+\.csv)"
    assert own and [name for name in sorted(own) if not re.fullmatch(kept, name)] == []


def test_documents_name_files_that_exist():
    """Files that a document has its reader write are not there yet."""
    named = {(path.name, name) for path, text in documents().items() for name in NAMED.findall(text)}
    blocks = [name for text in documents().values() for name in re.findall(r"^```\w+ (\S+/\S+)$", text, re.M)]
    written = {str(path) for name in blocks for path in (Path(name), *Path(name).parents)}
    missing = [pair for pair in sorted(named) if pair[1] not in written and not (ROOT / pair[1]).exists()]
    assert len(named) > 50 and missing == []


def code_in_documents():
    """Code blocks and code spans of all documents, one per line."""
    for path, text in documents().items():
        if path.name != "CHANGELOG.md":  # which tells of commands that are gone
            blocks = re.findall(r"^```.*?^```", text, re.M | re.S)
            yield from (line for block in blocks for line in block.splitlines())
            yield from re.findall(r"`([^`\n]+)`", text)


def test_documents_name_make_targets_commands_and_options_that_exist():
    from referee.cli import main

    code, named = list(dict.fromkeys(code_in_documents())), set()
    targets = {word for line in code for word in re.findall(r"^make ([a-z-]+)\b", line)}
    assert {"quick", "replicate"} <= targets <= set(make_targets()), targets
    for line in code:
        words = re.sub(r"^\$ |\s#.*$", "", line).split()
        if words[:1] != ["projfree"] or not re.fullmatch("[a-z][a-z-]*", (words[1:] or [""])[0]):
            continue
        command, words = main.get_command(None, words[1]), words[2:]
        assert command, line
        groups = getattr(command, "commands", {})
        if words and re.fullmatch("[a-z]+", words[0]) and groups:
            assert words[0] in groups, line
            command, words = groups[words[0]], words[1:]
        named.add(command.name)
        with contextlib.suppress(click.BadOptionUsage):  # a span may name an option without its value
            command.make_parser(click.Context(command, allow_extra_args=True)).parse_args(words)
    assert "fetch" in named


def test_documents_are_short_and_begin_with_their_purpose():
    documents = {path.name: path.read_text().splitlines() for path in (ROOT / "docs").glob("*.md")}
    assert {name: len(lines) for name, lines in documents.items() if len(lines) > 200} == {}
    assert [
        n for n, (title, _, first, *_) in documents.items() if title[:2] != "# " or not first[0].isalpha()
    ] == []


WORKFLOWS = {path.stem: path for path in (ROOT / ".github/workflows").iterdir()}


def steps(name):
    """Steps of all jobs of a GitHub workflow."""
    jobs = yaml.safe_load(WORKFLOWS[name].read_text())["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def test_ci_runs_what_people_run():
    assert ".ci/run" in [step.get("run") for step in steps("ci")]
    assert ".ci/run nightly" in [step.get("run") for step in steps("nightly")]
    script = ROOT / ".ci/run"
    assert script.stat().st_mode & 0o100, "not executable"
    subprocess.run(["bash", "-n", str(script)], check=True)
    stages = re.findall(r"^( *)stage \w+ make ([\w-]+)", script.read_text(), re.M)
    assert [target for indent, target in stages if not indent] == ["env", "lint"]
    assert [target for indent, target in stages if indent] == [
        *("test-all", "coverage", "torture", "site"),
        *("test", "quick"),
    ]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_may_only_read_and_take_actions_by_commit(name):
    assert yaml.safe_load(WORKFLOWS[name].read_text())["permissions"] == {"contents": "read"}
    used = [step["uses"] for step in steps(name) if "uses" in step]
    assert used and [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []


def _without_encoding(call):
    """Whether a call reads or writes text in whatever encoding the locale has."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    given = {word.arg: word.value for word in call.keywords}
    if "encoding" in given:
        return False
    if name == "open" and isinstance(call.func, ast.Name):
        mode = given.get("mode", call.args[1] if len(call.args) > 1 else None)
        return not (isinstance(mode, ast.Constant) and "b" in mode.value)
    return (
        "text" in given if name in ("run", "Popen", "check_output") else name in ("read_text", "write_text")
    )


def test_text_is_read_and_written_as_utf_8():
    """Also where the locale is ASCII; ruff (PLW1514) sees only what it can infer to be a path."""
    for path in (ROOT / "src").rglob("*.py"):
        calls = [n for n in ast.walk(ast.parse(path.read_bytes())) if isinstance(n, ast.Call)]
        wrong = [call.lineno for call in calls if _without_encoding(call)]
        assert not wrong, f"{path}: no encoding in lines {wrong}"
