"""The code that a result depends on: what modules import, one hash over it, a watch over what jobs load."""

import ast
import hashlib
import json
import os
import sys
from contextlib import contextmanager, suppress
from functools import cache
from operator import attrgetter
from pathlib import Path

from projfree.common import registry
from projfree.common.atomic_io import atomic_write
from projfree.common.hashes import digest, file_sha256
from projfree.common.owned import ANY
from projfree.common.root import cache_folder

from .project import project_root

SOURCES = Path(__file__).parents[2]
#: Dotted prefix → folder of our modules; a paper's room stands outside of the sources.
ROOTS = {
    "referee.papers": project_root().resolve() / "papers",
    "projfree": SOURCES / "projfree",
    "referee": SOURCES / "referee",
    "ratings": SOURCES / "ratings",
}
#: Files that this process has parsed, of which no other process knows yet.
_parsed: list[Path] = []
IMPORTS = (ast.Import, ast.ImportFrom)
#: What has a docstring.
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Uncovered(ValueError):
    """Code that a job loads and that its hash leaves out: an edit of it would rerun nothing."""


def import_closure(*modules: str) -> list[Path]:
    """Our files that the modules import, directly or not, by their import statements.

    Modules that are loaded by name at run time (solvers, problems, sets) are not followed: name those that
    a job loads. So an edit of one solver changes the closure of that solver's jobs only.
    """
    files, waiting = set(), [source_of(name) for name in modules]
    while waiting:
        path = waiting.pop()
        if path and path not in files:
            files.add(path)
            waiting += [file for _, imported in _imports(path, modified(path)) for file in imported]
    return sorted(files, key=attrgetter("parts"))  # as paths compare, at a tenth of the work


def code_sha256(*modules: str) -> str:
    """One hash over the syntax of the import closure of the modules.

    Comments, docstrings, formatting, the order of imports, the names of files and the places of our own
    modules are left out: a module that moves changes nothing. What is imported from ours is named by its
    content.
    """
    sha256 = digest(sorted({_linked(path, modified(path)) for path in import_closure(*modules)}))
    if _parsed:
        with suppress(OSError):  # a folder that cannot be written to costs time, nothing else
            atomic_write(_kept_at(), json.dumps(_known()), ANY)
        _parsed.clear()
    return sha256


@contextmanager
def covered(subject: str, modules):
    """While a job runs: `Uncovered` for code that it loads and that `code_sha256(*modules)` leaves out.

    A module that is loaded by name is seen when it is asked for, also where the process has it already; any
    other at the end.
    """
    known, before = set(import_closure(*modules)), set(sys.modules)

    def check(module):
        path = Path(getattr(module, "__file__", None) or "/")
        if module_of(path) and path not in known:
            raise Uncovered(
                f"{subject} loads {module.__name__}, which its hash leaves out: an edit of it would rerun "
                "nothing. Import it by a statement, or name it by a parameter that study/code.py reads"
            )

    registry.listeners.append(check)
    try:
        yield
    finally:
        registry.listeners.remove(check)
    for name in sys.modules.keys() - before:
        check(sys.modules[name])


def modified(path) -> int:
    """When a source was last written: knowledge of it holds until then."""
    return path.stat().st_mtime_ns


def folder_sha256(folder) -> str:
    """SHA-256 over the names and contents of a file of the sources, or of the files in a folder of them."""
    root = SOURCES / folder
    paths = [root] if root.is_file() else [p for p in root.rglob("*") if p.is_file() and p.suffix != ".pyc"]
    if not paths:
        raise FileNotFoundError(f"{root}: no such file, or a folder without files")
    return digest([[path.name, file_sha256(path)] for path in sorted(paths)])


def source_of(name: str) -> Path | None:
    """File of a module of ours; None for other names."""
    root = next((root for root in ROOTS if name.startswith(f"{root}.")), name)
    if root not in ROOTS:
        return None
    # Thousands of names: as a Path each takes five times as long.
    base = os.path.join(ROOTS[root], *filter(None, name[len(root) + 1 :].split(".")))
    return next((_path(file) for file in (f"{base}.py", f"{base}/__init__.py") if os.path.isfile(file)), None)


def module_of(path: Path) -> str:
    """Dotted name of a source, ``a.__init__`` for a package itself; empty for other files."""
    for prefix, root in ROOTS.items():
        if path.is_relative_to(root):
            return ".".join([prefix, *path.relative_to(root).with_suffix("").parts])
    return ""


def import_statements(path) -> list[tuple[str, list[str]]]:
    """The imports of a source: (origin as after ``from``, or empty, names)."""
    return _source(path, modified(path))[1]


@cache
def _linked(path, _mtime):
    """A file's own digest, and by each name that it imports those of the files that this leads to."""
    imported = [[name, [_own(file) for file in files]] for name, files in _imports(path, modified(path))]
    return digest([_own(path), sorted(imported)])


def _own(path):
    return _source(path, modified(path))[0]


@cache
def _imports(path, _mtime):
    """(name, our files that it loads) for all that a file imports; first of all the door of its package."""
    package, _, name = module_of(path).rpartition(".")  # of `a/__init__.py` too: the package it lives in
    pairs = [("", [package.rpartition(".")[0] if name == "__init__" else package])]
    package = package.split(".")
    for origin, names in import_statements(path):
        module = origin.lstrip(".")
        level = len(origin) - len(module)
        base = package[: len(package) - level + 1] if level else []
        target = ".".join([*base, *filter(None, [module])])
        pairs += [(name, [target, f"{target}.{name}"] if origin else [name]) for name in names]
    return [(name, [file for module in modules if (file := source_of(module))]) for name, modules in pairs]


@cache
def _source(path, _mtime):
    """(digest of a file's syntax, what it imports); kept by content, as parsing takes most of the time."""
    text = path.read_bytes()
    key = hashlib.sha256(text).hexdigest()
    if key not in _known():
        tree = ast.parse(text)
        _parsed.append(path)
        _known()[key] = [hashlib.sha256(repr(_plain(tree)).encode()).hexdigest(), list(_statements(tree))]
    return _known()[key]


def _kept_at():
    """Another place for another version of what stands here."""
    folder = cache_folder() or Path(os.devnull)  # where keeping is an OSError
    return folder / f"sources-{file_sha256(__file__)[:12]}.json"


@cache
def _known() -> dict:
    """Content of a file → what `_source` says of it, with what earlier processes kept."""
    try:
        return json.loads(_kept_at().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _statements(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield "", [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or ""), [alias.name for alias in node.names]


def _plain(node):
    """Nested lists of what a tree says, the same for all versions of Python that parse it alike."""
    if isinstance(node, list):
        imports = [name for item in node if isinstance(item, IMPORTS) for name in _imported(item)]
        return [*sorted(imports), *(_plain(item) for item in node if not isinstance(item, IMPORTS))]
    if not isinstance(node, ast.AST):
        return node
    fields = [(name, value) for name, value in ast.iter_fields(node) if value is not None and value != []]
    if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
        fields = [(name, value[1:] if name == "body" else value) for name, value in fields]
    return [type(node).__name__, *([name, _plain(value)] for name, value in fields)]


def _imported(node):
    """The names of an import, each with where it is from unless that is ours, and what it is called here."""
    for alias in node.names:
        called = alias.asname or ""
        if isinstance(node, ast.Import):
            yield ["", alias.name.rpartition(".")[2] if _is_ours(alias.name) else alias.name, called]
        else:
            ours = node.level or _is_ours(node.module)
            yield ["" if ours else node.module, alias.name, called]


def _is_ours(name):
    return name.split(".")[0] in ROOTS


@cache
def _path(file):
    """One object for all paths of a file: sets of them compare none."""
    return Path(file)
