"""Which code a result depends on: the closure of imports, and its hash."""

import ast
import os
import shutil

import pytest
from places import ROOT

from projfree import study
from projfree.ground import provenance

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
    monkeypatch.setattr(provenance, "PACKAGE", tmp_path / "projfree")
    return tmp_path / "projfree"


def closure(*modules):
    found = provenance.import_closure(*(f"projfree.{module}" for module in modules))
    return {path.relative_to(provenance.PACKAGE).as_posix() for path in found} - {"__init__.py"}


@pytest.mark.parametrize(
    "module, files",
    [
        (
            "top",
            "top.py other.py sub/__init__.py sub/leaf.py"
            " sub/deep/__init__.py sub/deep/inside.py sub/deep/bottom.py",
        ),
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
    assert closure(module) == set(files.split())


def edit(path, text):
    """Write a file at a time of its own, as an editor does."""
    path.write_text(text)
    later = path.stat().st_mtime_ns + 10**9
    os.utime(path, ns=(later, later))


@pytest.mark.parametrize("name", ["top.py", "sub/leaf.py", "sub/deep/inside.py", "other.py", "__init__.py"])
def test_an_edit_of_an_imported_module_changes_the_hash(package, name):
    before = provenance.code_sha256("projfree.top")
    edit(package / name, FILES[name] + "\n# edited\n")
    assert provenance.code_sha256("projfree.top") != before
    edit(package / name, FILES[name])
    assert provenance.code_sha256("projfree.top") == before


@pytest.mark.parametrize("name", ["alone.py", "absolute.py", "cli.py", "sub/sibling.py", "data/a.txt"])
def test_an_edit_of_another_module_does_not(package, name):
    before = provenance.code_sha256("projfree.top")
    edit(package / name, FILES[name] + "\n# edited\n")
    assert provenance.code_sha256("projfree.top") == before


def test_a_new_import_joins_the_closure(package):
    edit(package / "alone.py", "from . import lazy")
    assert closure("alone") == {"alone.py", "lazy.py", "sub/__init__.py", "sub/leaf.py"}


def test_moving_code_to_another_file_changes_the_hash(package):
    edit(package / "alone.py", "from .sub import sibling")
    before = provenance.code_sha256("projfree.alone")
    (package / "sub/sibling.py").rename(package / "sub/moved.py")
    edit(package / "alone.py", "from .sub import moved  ")
    assert provenance.code_sha256("projfree.alone") != before


def test_statements_are_found_as_a_parser_finds_them():
    for path in provenance.PACKAGE.rglob("*.py"):
        text = path.read_text()
        nodes = list(ast.walk(ast.parse(text)))
        wanted = [("", [a.name for a in n.names]) for n in nodes if isinstance(n, ast.Import)]
        for node in [node for node in nodes if isinstance(node, ast.ImportFrom)]:
            wanted.append(("." * node.level + (node.module or ""), [a.name for a in node.names]))
        assert sorted(provenance.import_statements(text)) == sorted(wanted), path


def test_a_solver_depends_on_what_it_imports_and_on_no_other_solver():
    files = {path.name for path in provenance.import_closure("projfree.solvers.ncgs_vr")}
    assert {"ncgs_vr.py", "svrg.py", "condg.py", "atoms.py", "lanczos.py", "registry.py"} <= files
    assert not files & {
        "estimator_frank_wolfe.py",
        "saga.py",
        "sncgs.py",
        "figures.py",
        "claims.py",
        "cli.py",
    }
    assert not any(
        "report" in path.parts or "evidence" in path.parts
        for path in provenance.import_closure("projfree.jobs.job")
    )


def test_the_hash_of_a_job_follows_its_parts(monkeypatch):
    monkeypatch.chdir(ROOT)
    loaded = study.load("ncgs", "quick")
    code = {method: loaded.job("fig2-left", method).code for method in ("fw", "fw-short", "svfw", "svrg")}
    assert code["fw"] == code["fw-short"]
    assert len(set(code.values())) == 3


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of projfree that can be edited, whose files are hashed in place of the real ones."""
    shutil.copytree(provenance.PACKAGE, tmp_path / "projfree", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(provenance, "PACKAGE", tmp_path / "projfree")
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
    edit(copied / edited, (copied / edited).read_text() + "\n# edited\n")
    after, same = codes()
    assert {method for method in after if after[method] != before[method]} == changed
    assert same == instances


def test_digests_do_not_depend_on_the_order_of_keys():
    assert provenance.digest({"a": 1, "b": [2, 3]}) == provenance.digest({"b": [2, 3], "a": 1})
    assert provenance.digest({"a": 1}) != provenance.digest({"a": 2})


def test_a_folders_hash_changes_with_content_and_names(package):
    before = provenance.folder_sha256("data")
    edit(package / "data/inner/b.txt", "c")
    changed = provenance.folder_sha256("data")
    (package / "data/inner/b.txt").rename(package / "data/inner/c.txt")
    assert len({before, changed, provenance.folder_sha256("data")}) == 3


def test_the_commit_is_unknown_outside_git(tmp_path):
    assert provenance.git_commit(tmp_path) == "unknown"


def test_the_environment_names_versions_and_threads(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    provenance.environment.cache_clear()
    found = provenance.environment()
    provenance.environment.cache_clear()
    assert found["threads"]["OMP_NUM_THREADS"] == "1"
    assert set(provenance.LIBRARIES) == set(found["versions"]) and "absent" not in found["versions"].values()
