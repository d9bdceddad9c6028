"""Which code a result depends on: the closure of imports, and its hash."""

import hashlib
import importlib
import json
import os
import shutil
import sys
from functools import cache

import pytest
from places import ROOT

from projfree.common import registry
from referee import study
from referee.common import closure

FILES = {
    "__init__.py": "",
    "cli.py": "from . import top",
    "top.py": "from .sub import leaf\nfrom .sub.deep.bottom import thing",
    "absolute.py": "import projfree.sub.leaf\nfrom projfree import other",
    "lazy.py": "def f():\n    from .sub import leaf\n    return leaf",
    "ring_a.py": "from . import ring_b",
    "ring_b.py": "from . import ring_a\nimport json, numpy as np",
    "other.py": "import os",
    "alone.py": "text = 'from . import other'",
    "sub/__init__.py": "",
    "sub/leaf.py": "X = 1",
    "sub/sibling.py": "from . import leaf",
    "sub/deep/__init__.py": "from .inside import Y",
    "sub/deep/inside.py": "Y = 1",
    "sub/deep/bottom.py": "from ...other import os\nthing = 1",
    "data/a.txt": "a",
    "data/inner/b.txt": "b",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of its own in the place of projfree."""
    for name, text in FILES.items():
        path = tmp_path / "projfree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(closure, "SOURCES", tmp_path)
    monkeypatch.setattr(closure, "ROOTS", {"projfree": tmp_path / "projfree"})
    return tmp_path / "projfree"


def files_of(*modules):
    found = closure.import_closure(*(f"projfree.{module}" for module in modules))
    return {path.relative_to(closure.ROOTS["projfree"]).as_posix() for path in found} - {"__init__.py"}


DEEP = "sub/deep/inside.py sub/deep/bottom.py"


@pytest.mark.parametrize(
    "module, files",
    [
        ("top", "top.py other.py sub/__init__.py sub/leaf.py sub/deep/__init__.py " + DEEP),
        ("absolute", "absolute.py sub/__init__.py sub/leaf.py other.py"),
        ("lazy", "lazy.py sub/__init__.py sub/leaf.py"),
        ("sub.sibling", "sub/__init__.py sub/sibling.py sub/leaf.py"),
        ("sub.deep", "sub/__init__.py sub/deep/__init__.py sub/deep/inside.py"),
        ("ring_a", "ring_a.py ring_b.py"),
        ("alone", "alone.py"),
        ("nowhere", ""),
    ],
)
def test_the_closure_follows_relative_absolute_and_lazy_imports(package, module, files):
    assert files_of(module) == set(files.split())


def edit(path, text):
    """Write a file at a time of its own, as an editor does."""
    path.write_text(text)
    later = path.stat().st_mtime_ns + 10**9
    os.utime(path, ns=(later, later))


@pytest.mark.parametrize(
    ("names", "changes"),
    [
        ("top.py sub/leaf.py sub/deep/inside.py other.py __init__.py", True),
        ("alone.py absolute.py cli.py sub/sibling.py data/a.txt", False),
    ],
)
def test_an_edit_of_an_imported_module_changes_the_hash_and_no_other_does(package, names, changes):
    before = closure.code_sha256("projfree.top")
    for name in names.split():
        edit(package / name, FILES[name] + "\nedited = 1\n")
        assert (closure.code_sha256("projfree.top") != before) is changes, name
        edit(package / name, FILES[name])
        assert closure.code_sha256("projfree.top") == before
    edit(package / "alone.py", "from . import lazy")
    assert files_of("alone") == {"alone.py", "lazy.py", "sub/__init__.py", "sub/leaf.py"}


WRITTEN = """# What X is.
from .deep import inside

X = 1


def f(a):
    return a + X  # both
"""


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ('"""Of X."""\n' + WRITTEN.replace("# What X is.", ""), True),
        (WRITTEN.replace("    return", '    """The sum."""\n    return').replace("  # both", ""), True),
        (WRITTEN.replace("X = 1", "X = (\n    1\n)"), True),
        (WRITTEN.replace("from .deep", "from projfree.sub.deep"), True),
        (WRITTEN.replace("from .deep import inside", "import os\nfrom .deep import inside"), False),
        (WRITTEN.replace("X = 1", "X = 1.0"), False),
        (WRITTEN.replace("a + X", "X + a"), False),
        (WRITTEN.replace("import inside", "import inside as other"), False),
        (WRITTEN.replace("import inside", "import bottom"), False),
        (WRITTEN.replace("X = 1", "X = 1\n'X'"), False),  # a string that documents nothing is code
    ],
)
def test_comments_docstrings_and_the_place_of_an_import_change_nothing(package, text, same):
    edit(package / "sub/leaf.py", WRITTEN)
    before = closure.code_sha256("projfree.sub.sibling")
    edit(package / "sub/leaf.py", text)
    assert (closure.code_sha256("projfree.sub.sibling") == before) is same


def test_a_module_that_moves_changes_nothing(package):
    edit(package / "alone.py", "from .sub import leaf")
    before = closure.code_sha256("projfree.alone")
    (package / "inner").mkdir()
    (package / "inner/__init__.py").write_text("")
    (package / "sub/leaf.py").rename(package / "inner/leaf.py")
    edit(package / "alone.py", "from .inner import leaf")
    assert closure.code_sha256("projfree.alone") == before


def test_the_same_name_from_another_file_is_other_code(package):
    (package / "a.py").write_text("def f():\n    return 1")
    (package / "b.py").write_text("def f():\n    return 2")
    edit(package / "alone.py", "from . import a, b\nfrom .a import f")
    before = closure.code_sha256("projfree.alone")
    edit(package / "alone.py", "from . import a, b\nfrom .b import f")
    assert closure.code_sha256("projfree.alone") != before


@pytest.mark.parametrize("text", ["{torn", "{}"])
def test_what_is_kept_of_a_source_is_kept_by_its_content(package, monkeypatch, tmp_path, text):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    edit(package / "alone.py", f"kept = {text!r}")
    found = closure.code_sha256("projfree.alone")
    (place,) = tmp_path.glob("sources-*.json")
    kept = json.loads(place.read_text())
    assert hashlib.sha256((package / "alone.py").read_bytes()).hexdigest() in kept
    place.write_text(text)
    for cached in (closure._known, closure._source, closure._linked):
        cached.cache_clear()
    assert closure.code_sha256("projfree.alone") == found


LOADS = [registry.load, lambda package, name: importlib.import_module(f"{package}.{name}")]


@pytest.mark.parametrize("load", LOADS, ids=["by name", "by import"])
def test_a_job_that_loads_what_its_hash_leaves_out_is_an_error(monkeypatch, load):
    monkeypatch.delitem(sys.modules, "projfree.solvers.pg", raising=False)
    with closure.covered("a job", ["projfree.solvers.gcg"]):
        load("projfree.solvers", "gcg")
    told = "a job loads projfree.solvers.pg, which its hash leaves out"
    with pytest.raises(closure.Uncovered, match=told), closure.covered("a job", ["projfree.solvers.gcg"]):
        load("projfree.solvers", "pg")
    load("projfree.solvers", "pg")  # outside of a job nothing is watched


def test_a_solver_depends_on_what_it_imports_and_on_no_other_solver():
    files = {path.name for path in closure.import_closure("projfree.solvers.ncgs_vr")}
    assert {"ncgs_vr.py", "svrg.py", "condg.py", "atoms.py", "lanczos.py", "registry.py"} <= files
    assert not files & {"estimator_frank_wolfe.py", "saga.py", "sncgs.py", "claims.py", "cli.py"}
    folders = {part for path in closure.import_closure("referee.jobs.job") for part in path.parts}
    assert not folders & {"report", "evidence"}


def test_the_hash_of_a_job_follows_its_parts(monkeypatch):
    monkeypatch.chdir(ROOT)
    loaded = study.load("ncgs", "quick")
    code = {method: loaded.job("fig2-left", method).code for method in ("fw", "fw-short", "svfw", "svrg")}
    assert code["fw"] == code["fw-short"]
    assert len(set(code.values())) == 3


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of projfree that can be edited, whose files are hashed in place of the real ones."""
    sources = closure.ROOTS["projfree"]
    shutil.copytree(sources, tmp_path / "projfree", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(closure, "ROOTS", {**closure.ROOTS, "projfree": tmp_path / "projfree"})
    monkeypatch.setattr(closure, "_imports", cache(closure._imports.__wrapped__))
    monkeypatch.chdir(ROOT)
    return tmp_path / "projfree"


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("engine/metrics/constrained.py", {"svrg"}),
        ("engine/oracles/constrained.py", {"svrg", "mpcgs"}),  # a pair's oracles are those of its blocks too
        ("engine/metrics/saddle.py", {"mpcgs"}),
        ("engine/oracles/saddle.py", {"mpcgs"}),
        ("engine/metrics/regularised.py", {"gcg"}),
        ("engine/oracles/composite.py", {"gcg", "pg"}),  # both have proximal points
        ("engine/metrics/__init__.py", {"svrg", "mpcgs", "gcg", "pg"}),
        ("engine/driver.py", {"svrg", "mpcgs", "gcg", "pg"}),
        ("solvers/gcg.py", {"gcg"}),
    ],
)
def test_oracles_and_metrics_of_its_family_are_code_of_a_job_and_of_no_instance(copied, edited, changed):
    jobs = [("ncgs", "fig2-left", "svrg"), ("mpcgs", "fig1-a", "mpcgs")]
    jobs += [("gcg", "fig10", "gcg"), ("ipg", "cardiac", "pg")]
    loaded = {paper: study.load(paper, "quick") for paper, *_ in jobs}

    def codes():
        found = {method: loaded[paper].job(e, method).code for paper, e, method in jobs}
        owner = {paper: loaded[paper].instance_of(e) for paper, e, _ in jobs}
        return found, {paper: loaded[paper].recipe(e).code for paper, e in owner.items()}

    before, instances = codes()
    edit(copied / edited, (copied / edited).read_text() + "\nedited = 1\n")
    after, same = codes()
    assert {method for method in after if after[method] != before[method]} == changed
    assert same == instances


def test_a_folders_hash_changes_with_content_and_names(package):
    before = closure.folder_sha256("projfree/data")
    edit(package / "data/inner/b.txt", "c")
    changed = closure.folder_sha256("projfree/data")
    (package / "data/inner/b.txt").rename(package / "data/inner/c.txt")
    assert len({before, changed, closure.folder_sha256("projfree/data")}) == 3


def test_a_folder_that_is_not_there_has_no_hash(package):
    assert closure.folder_sha256("projfree/other.py") != closure.folder_sha256("projfree/lazy.py")
    with pytest.raises(FileNotFoundError, match="losses: no such file"):
        closure.folder_sha256("projfree/losses")
