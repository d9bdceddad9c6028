"""The files of a paper: every ``*.yaml`` in its folder is a part of one mapping."""

from functools import cache
from pathlib import Path

import yaml

from ..common.project import project_root

PAPERS = Path("papers")
CATALOG = Path("config/datasets.yaml")
#: The file that makes a folder a paper.
FIRST = "paper.yaml"


#: Below the published evidence of a paper: panels that are finished of the publication to come.
NEXT = "next"


class FileError(ValueError):
    """A file that cannot be read, or does not fit the others; the message names file and line."""


def papers(root=None) -> list[str]:
    """Names of the folders of ``papers`` that have a ``paper.yaml``."""
    return sorted(path.parent.name for path in (Path(root or project_root()) / PAPERS).glob(f"*/{FIRST}"))


def stores(root, paper: str, run: str = "") -> list[Path]:
    """Where panels of a paper are kept: for the publication to come, and as published.

    Those of a run under an alternative are kept until the verdicts under alternatives are published.
    """
    published = Path(root) / "reports" / "reference" / paper / "evidence"
    alternative = run.partition("@")[2]
    return [published / NEXT / alternative] if alternative else [published / NEXT, published]


def read_paper(folder) -> dict:
    """All files of a paper's folder as one mapping, in the order of their names.

    Where two files have a key, their mappings are joined and their lists follow each other. Parts of the
    result are kept for the next call: copy before changing them.

    Raises
    ------
    FileError
        For a folder without ``paper.yaml``, a file that is not a mapping, a key or an entry that two give.
    """
    folder, whole = Path(folder), {}
    if not (folder / FIRST).is_file():
        raise FileError(f"{folder}: no {FIRST}, which every paper has: its name, title, methods")
    files = _files(folder)
    for path in files:
        for key, value in _mapping(path).items():
            try:
                whole[key] = _joined(whole[key], value) if key in whole else value
            except _Twice as twice:
                raise FileError(_given_twice(files, path, key, *twice.args)) from None
    return whole


def stamp(folder) -> tuple:
    """A stamp that changes with the files of a paper's folder: their paths and times."""
    return tuple((path, path.stat().st_mtime_ns) for path in _files(Path(folder).absolute()))


def read(path):
    """The value of a YAML file, kept until the file changes.

    Raises
    ------
    FileError
        For a file that is not YAML, and for a key that is twice in a mapping, of which YAML would take the
        last.
    """
    return _read(Path(path), Path(path).stat().st_mtime_ns)


@cache
def _read(path, _mtime):
    with open(path, encoding="utf-8") as handle:
        try:
            return yaml.load(handle, Loader=_Loader)
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            mark = getattr(error, "problem_mark", None)
            line = f":{mark.line + 1}" if mark else ""
            raise FileError(f"{path}{line}: {getattr(error, 'problem', None) or error}") from None


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Refuses a key that stands twice. Keys that ``<<`` brings may be given anew."""

    def flatten_mapping(self, node):
        if not hasattr(node, "checked"):  # afterwards the node has what `<<` brings among its own
            node.checked = True
            _refuse_twins(node)
        super().flatten_mapping(node)


def _refuse_twins(node):
    found = {}
    for key, _ in node.value:
        first = found.setdefault((key.tag, str(key.value)), key)
        if first is not key:
            problem = f"the key {key.value!r} stands twice, first in line {first.start_mark.line + 1}"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)


def _files(folder):
    return [path for path in sorted(folder.rglob("*.yaml")) if not _hidden(path.relative_to(folder))]


def _hidden(path):
    """Whether it is no part of the paper: what belongs to its tests, and locks and backups of editors."""
    return path.parts[0] == "tests" or any(part.startswith(".") for part in path.parts)


def _mapping(path):
    value = read(path)
    if not isinstance(value, dict):
        what = "empty" if value is None else f"a {type(value).__name__}"
        raise FileError(f"{path}:1: a mapping of sections is wanted (claims: …), the file is {what}")
    return value


class _Twice(Exception):
    """Two files give the same; its argument is the entry, if it is one of a mapping."""


def _joined(old, new):
    if isinstance(old, list) and isinstance(new, list):
        return old + new
    if not (isinstance(old, dict) and isinstance(new, dict)):
        raise _Twice
    if both := [entry for entry in new if entry in old]:
        raise _Twice(both[0])
    return {**old, **new}


def _given_twice(files, second, *keys):
    """The message about keys that `second` and a file before it give."""
    first = next(path for path in files if _line(path, *keys))
    places = " and ".join(f"{path}:{_line(path, *keys)}" for path in (first, second))
    return f"{places}: both give {'.'.join(map(str, keys))!r}"


def _line(path, *keys):
    """Line of a key, or of a key below it; None where the file has it not."""
    node, line = yaml.compose(path.read_text(encoding="utf-8"), Loader=_Loader), None
    for wanted in keys:
        found = [(k, v) for k, v in getattr(node, "value", []) if k.value == str(wanted)]
        if not found:
            return None
        line, node = found[0][0].start_mark.line + 1, found[0][1]
    return line
