"""The library runs in an environment with its own dependencies and nothing else."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution

import compiled_copy
import pytest
from packaging.requirements import Requirement
from places import ROOT

pytestmark = pytest.mark.slow

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = ("estimators", "distributed")
LIBRARY = [
    f"projfree.{path.stem}"
    for path in sorted((ROOT / "src/projfree").glob("[a-z]*"))
    if path.stem not in EXTRAS and (path.is_dir() or path.suffix == ".py")
]
IMPORT = """
import importlib, pkgutil, sys

sys.path[:0], library = sys.argv[1:4], sys.argv[4:]
for name in library:
    package = importlib.import_module(name)
    for found in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{name}."):
        importlib.import_module(found.name)
"""
RUN = """
import instances, numpy as np
from projfree.completion.choice import fit_path
from projfree.completion.fitting import Setting, predict
from projfree.completion.ratings import Ratings

trace = instances.run(instances.completion(), "frank_wolfe", {"iterations": 20})
assert trace.metrics["objective"][-1] < trace.metrics["objective"][0]

rng = np.random.default_rng(0)
rows, cols = np.nonzero(rng.random((12, 9)) < 0.7)
values = np.outer(rng.random(12), rng.random(9))[rows, cols].astype("f4")
ratings = Ratings(rows.astype("i4"), cols.astype("i4"), values, np.arange(12), np.arange(9))
path = fit_path(ratings, Setting(folds=2, count=3, least=0.2, tol=1e-2))
predicted = predict(path.fit, rows, cols)
assert np.sqrt(np.mean((predicted - values) ** 2)) < path.baseline
"""
#: scikit-learn, where a metric asks for it, is an extra.
SCORE = """
from projfree.families import composite

problems = instances.small_problems(families=(composite.FAMILY,))
problem = next(p for name, p in problems.items() if "link" in name)
problem.auc_test(None)
"""


def needed(names):
    """Distributions of these names and what they need in turn."""
    found, left = {}, list(names)
    while left:
        asked = Requirement(left.pop())
        one, extras = distribution(asked.name), asked.extras or {""}
        if (one.name, *extras) not in found:
            found[one.name, *extras] = one
            wanted = map(Requirement, one.requires or ())
            left += [str(r).partition(";")[0] for r in wanted if allowed(r.marker, {"", *extras})]
    return found.values()


def allowed(marker, extras):
    """Whether a requirement is one under some of these extras."""
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras)


def packages(folder, *asked):
    """A folder of packages with what is asked for and what that needs, as an environment has them."""
    for one in needed(asked):
        for name in {file.parts[0] for file in one.files} - {"..", "__pycache__"}:
            if not (folder / name).exists():  # some share the folder of a namespace
                (folder / name).symlink_to(one.locate_file(name))
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder of packages with the dependencies of the project, which are those of the library."""
    return packages(tmp_path_factory.mktemp("site-packages"), *PROJECT["project"]["dependencies"])


def alone(site, program, sources=ROOT / "src", library=LIBRARY, **variables):
    """A program in a Python that sees the sources, that folder and the helpers of the tests."""
    paths = [sources, site, ROOT / "tests"]
    command = [sys.executable, "-I", "-S", "-c", program, *paths, *library]
    return subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True)


def test_every_module_imports_and_a_fit_runs(site):
    done = alone(site, IMPORT + RUN)
    assert done.returncode == 0, done.stderr


def test_the_extra_is_asked_for_where_it_is_called(site):
    done = alone(site, IMPORT + "import instances\n" + SCORE)
    assert "No module named 'sklearn'" in done.stderr


HARNESS = ("cli", "report", "evidence", "data", "jobs", "publish")
#: What each extra promises: modules to import, then a call, as some packages are asked for late.
PROMISES = {
    "workflow": (
        ["ratings.work", *(f"referee.{name}" for name in HARNESS)],
        "from snakemake.report.html_reporter.data.packages import get_packages\nget_packages()",
    ),
    "plot": (
        ["projfree.api"],
        "pf.minimize(lambda x: (x @ x, 2 * x), pf.sets.L1Ball(1), x0=np.ones(3) / 3).plot()",
    ),
    "estimators": (["projfree.estimators"], "pf.estimators.RobustLowRank()"),
    "distributed": (["projfree.distributed"], "import dask_jobqueue"),
}


@pytest.mark.parametrize("extra", PROMISES)
def test_an_extra_alone_brings_what_it_promises(site, extra, tmp_path):
    (modules, call), extras = PROMISES[extra], PROJECT["project"]["optional-dependencies"]
    program = f"{IMPORT}\nimport numpy as np, projfree as pf\n{call}"
    assert alone(site, program, library=modules).returncode != 0
    with_it = packages(tmp_path, *PROJECT["project"]["dependencies"], *extras[extra])
    done = alone(with_it, program, library=modules, MPLBACKEND="agg")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """The folder of what is uploaded: sources, and the wheel that is built of them."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    subprocess.run([sys.executable, "-m", "build", "--no-isolation", folder], check=True, capture_output=True)
    return folder / "dist"


@pytest.fixture(scope="module")
def wheel(dist, tmp_path_factory):
    """The wheel, installed, with compiled code."""
    (built,) = dist.glob("*.whl")
    assert built.name.endswith("-py3-none-any.whl"), "pure Python"
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile", "-q"]
    subprocess.run([*pip, "--target", target, built], check=True)
    for path in (ROOT / "src/projfree").rglob("*.py"):
        shutil.copystat(path, target / path.relative_to(ROOT / "src"))
    compiled_copy.bring(target, sources=".")
    return target


def test_an_index_of_packages_would_take_it(dist):
    files = sorted(dist.iterdir())
    assert [file.suffix for file in files] == [".whl", ".gz"]
    twine = [sys.executable, "-m", "twine", "check", "--strict"]
    done = subprocess.run([*twine, *files], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count("PASSED") == 2, done.stdout


def test_the_wheel_has_all_files_of_the_package(wheel):
    def files(folder):
        found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
        return {path for path in found if "__pycache__" not in path.parts and ".egg-info" not in str(path)}

    assert files(ROOT / "src/projfree") == files(wheel / "projfree")
    (about,) = wheel.glob("*.dist-info/METADATA")
    asked = re.findall(r"^Requires-Dist: ((?!.*extra).*)$", about.read_text(), re.M)
    assert asked == PROJECT["project"]["dependencies"]
    assert [path.name for path in wheel.iterdir() if (path / "__init__.py").exists()] == ["projfree"]


def test_the_command_says_what_to_install_where_the_harness_is_missing(site, wheel):
    (points,) = wheel.glob("*.dist-info/entry_points.txt")
    assert points.read_text() == "[console_scripts]\nprojfree = projfree.command:main\n"
    run = "import sys\nsys.path[:0] = sys.argv[1:3]\nfrom projfree.command import main\nmain()"
    done = alone(site, run, wheel, ["claims"])
    assert done.returncode == 1 and "no module 'referee'" in done.stderr
    assert "make env" in done.stderr and "pip install . ./harness" in done.stderr and not done.stdout


def test_the_harness_is_a_wheel_of_its_own(tmp_path):
    """All packages but the library, with their files; it asks for the library with the extra `workflow`."""
    for name in ("src", "harness"):
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "build")
        )
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-q"]
    subprocess.run([*pip, "-w", tmp_path / "dist", tmp_path / "harness"], check=True)
    (built,) = (tmp_path / "dist").glob("projfree_harness-*.whl")
    with zipfile.ZipFile(built) as opened:
        names = {name for name in opened.namelist() if ".dist-info/" not in name}
        (about,) = (opened.read(n).decode() for n in opened.namelist() if n.endswith("METADATA"))
    others = [path for path in (tmp_path / "src").iterdir() if path.is_dir() and path.name != "projfree"]
    sources = {path for folder in others for path in folder.rglob("*") if path.is_file()}
    sources = {p for p in sources if "egg-info" not in str(p) and "__pycache__" not in p.parts}
    assert names == {str(path.relative_to(tmp_path / "src")) for path in sources}
    version = PROJECT["project"]["version"]
    assert f"Requires-Dist: projfree[workflow]=={version}" in about and f"\nVersion: {version}\n" in about


@pytest.mark.parametrize(
    "document",
    ["README.md"]
    + [f"docs/{name}.md" for name in ("library", "own-parts", "minimize-runs", "frank-wolfe", "moving")],
)
def test_a_documents_examples_run_from_the_wheel(site, wheel, document):
    examples = re.findall(r"^```python.*?\n(.*?)^```", (ROOT / document).read_text(), re.M | re.S)
    show = "import sys\nsys.path[:0] = sys.argv[1:3]\nimport projfree\nprint(projfree.__file__)\n"
    for example in examples:
        done = alone(site, show + example, wheel, PROJFREE_CACHE=str(wheel / ".cache"))
        assert done.returncode == 0 and str(wheel) in done.stdout, done.stderr
        assert "converged" in done.stdout or "print" not in example
    assert examples
