"""Which tests a change can have touched, read from import statements: `pytest --changed COMMIT`.

Modules that are loaded by name (solvers, sets, a paper's probes) are imported by no statement: tests that
have their name in their text or in their own name are touched. So are tests that name the folder of a changed
file that is not Python. Slow tests, which run copies of the project, are touched by their own files only.
"""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

from places import ROOT

from referee.common import closure

TESTS = ROOT / "tests"


def touched(items, base) -> list:
    """The tests among `items` that changes since a commit can have touched."""
    since = changed(base)
    names = by_name(since)
    return [item for item in items if is_touched(item, since, names)]


def changed(base) -> set[Path]:
    """Files that differ from a commit, and new ones."""
    differ = _git("diff", "--name-only", base), _git("ls-files", "--others", "--exclude-standard")
    return {ROOT / name for names in differ for name in names}


def _git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def by_name(since) -> re.Pattern:
    """What names a module that changed or imports what did, or the first folder of a file of another kind."""
    sources = (path for root in closure.ROOTS.values() for path in root.rglob("*.py"))
    modules = {closure.module_of(path): path.stem for path in sources if path.stem != "__init__"}
    words = {stem for name, stem in modules.items() if since & _closure(name)}
    words |= {path.relative_to(ROOT).parts[0] for path in since if path.suffix != ".py"}
    either = "|".join(re.escape(word).replace("_", "[_-]") for word in sorted(words)) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def _closure(*modules) -> set[Path]:
    return {path.resolve() for path in closure.import_closure(*modules)}


def is_touched(item, since, names) -> bool:
    """Whether a test's file imports or names what changed, or the test's own name does."""
    if since & helpers(item.path) or item.get_closest_marker("slow"):
        return bool(since & helpers(item.path))
    return bool(since & sources(item.path) or names.search(item.name) or names.search(_text(item.path)))


@cache
def _text(path):
    return path.read_text()


@cache
def helpers(path) -> set[Path]:
    """A file of the tests with the helpers that it imports, directly or not, and their settings."""
    found = {path, *(folder / "conftest.py" for folder in path.parents if folder.is_relative_to(ROOT))}
    waiting = [file for file in found if file.exists()]
    while waiting:
        new = {KNOWN[name] for name in _imported(waiting.pop()) if name in KNOWN} - found
        found |= new
        waiting += new
    return found


KNOWN = {path.stem: path for path in [*TESTS.rglob("*.py"), *ROOT.glob("papers/*/tests/**/*.py")]}


@cache
def sources(path) -> set[Path]:
    """Files of the package that a test file and its helpers import, directly or not."""
    files = (file for file in helpers(path) if file.exists())
    names = {name for file in files for name in _imported(file) if name.split(".")[0] in closure.ROOTS}
    return _closure(*names)


@cache
def _imported(path):
    """Dotted names of all that a file imports, of modules and perhaps of what is in them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found
