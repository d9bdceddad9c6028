"""Where a result comes from: the code it ran, the commit, the machine."""

import hashlib
import json
import os
import platform
import re
import subprocess
from functools import cache
from importlib import metadata
from operator import attrgetter
from pathlib import Path

from .hashes import digest, file_sha256
from .root import MARK, project_root

PACKAGE = Path(__file__).parents[1]
#: The commit of what was made outside git.
UNKNOWN = "unknown"
#: Folders of which everything that is made is made.
SOURCES = ("src", "config", "workflow")
#: Libraries that can change a number of a trace; the others only what is made of traces.
NUMERICAL = ("numpy", "scipy", "numba", "llvmlite", "h5py")
LIBRARIES = (*NUMERICAL, "pandas", "matplotlib", "scikit-learn", "snakemake")
#: Variables that say how libraries compute: threads, kernels, precision. Where they cache says nothing.
SETTINGS = ("OMP_", "OPENBLAS_", "MKL_", "BLIS_", "NUMBA_", "NPY_")

_STATEMENT = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+)?import[ \t]+(?:\(([^)]*)\)|([\w., \t]+))", re.MULTILINE
)


def import_closure(*modules: str) -> list[Path]:
    """Files of the package that the modules import, directly or not, by reading their import statements.

    Modules that are loaded by name at run time (solvers, problems, sets) are not followed: name those that
    a job loads. So an edit of one solver changes the closure of that solver's jobs only.
    """
    files, waiting = set(), [_file_of(name) for name in modules]
    while waiting:
        path = waiting.pop()
        if path and path not in files:
            files.add(path)
            waiting += _imports(path, modified(path))
    return sorted(files, key=attrgetter("parts"))  # as paths compare, at a tenth of the work


def code_sha256(*modules: str) -> str:
    """One hash over the sources of the import closure of the modules."""
    digest = hashlib.sha256()
    for path in import_closure(*modules):
        digest.update(_name_and_digest(path, modified(path)))
    return digest.hexdigest()


def modified(path) -> int:
    """When a source was last written: what is known of it holds until then."""
    return path.stat().st_mtime_ns


@cache
def _name_and_digest(path, _mtime):
    return path.relative_to(PACKAGE).as_posix().encode() + hashlib.sha256(path.read_bytes()).digest()


@cache
def _imports(path, _mtime):
    """Files of the package that a file imports, and the door of the package it lives in."""
    parts = ["projfree", *path.relative_to(PACKAGE).with_suffix("").parts]
    package = parts[:-1]  # of `a/b.py` and of `a/__init__.py` alike: the package it lives in
    found = {".".join(parts[:-2] if parts[-1] == "__init__" else package)}
    for origin, names in import_statements(path.read_text()):
        if not origin:
            found |= set(names)
            continue
        module = origin.lstrip(".")
        level = len(origin) - len(module)
        base = package[: len(package) - level + 1] if level else []
        target = ".".join([*base, *filter(None, [module])])
        found |= {target, *(f"{target}.{name}" for name in names)}
    return {_file_of(name) for name in found} - {None}


def import_statements(text: str) -> list[tuple[str, list[str]]]:
    """What a source imports: (origin as after ``from``, or empty, names), a tenth of the work of a parser.

    Text that only looks like a statement, in a docstring, is found as well: one module more in a closure.
    """
    found = []
    for origin, inside, plain in _STATEMENT.findall(text):
        names = re.sub("#.*", "", inside or plain).split(",")
        found.append((origin, [name.split()[0] for name in names if name.strip()]))
    return found


def _file_of(name):
    """File of a module of the package; None where a name is none, or another library's."""
    first, *parts = name.split(".")
    if first != "projfree":
        return None
    base = os.path.join(PACKAGE, *parts)  # thousands of names: as a Path each takes five times as long
    return next((_path(file) for file in (f"{base}.py", f"{base}/__init__.py") if os.path.isfile(file)), None)


@cache
def _path(file):
    """One object for all paths of a file: sets of them compare none."""
    return Path(file)


@cache
def git_commit(root=None) -> str:
    """The commit checked out, with ``+changes`` where tracked files differ from it; ``unknown`` outside
    git.
    """
    try:
        root = root or project_root()
        commit = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", *SOURCES)
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN
    return commit + ("+changes" if changed else "")


def commit_day(root=None) -> str | None:
    """The day of the commit checked out, ``YYYY-MM-DD``; None outside git, also of a folder in a foreign
    checkout.
    """
    root = root or project_root()
    try:
        _git(root, "ls-files", "--error-unmatch", MARK)
        return _git(root, "log", "-1", "--format=%cs")
    except (OSError, subprocess.CalledProcessError):
        return None


def same_sources(first: str, second: str, root=None) -> bool:
    """Whether two commits have the same sources; False for a commit that is not here.

    Unit costs are left out: they are made of traces, so that they are committed after these.
    """
    calibrated = ":(exclude)config/papers/*/unit_costs/*"
    command = ["git", "diff", "--quiet", first, second, "--", *SOURCES, calibrated]
    done = subprocess.run(command, cwd=root or project_root(), capture_output=True)
    return first == second or done.returncode == 0


def _git(root, *arguments):
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@cache
def environment() -> dict:
    """Versions, BLAS, CPU and thread settings of this process."""
    import scipy.linalg  # noqa: F401 - NumPy's and SciPy's BLAS are seen only once they are loaded
    from threadpoolctl import threadpool_info

    versions = {}
    for name in LIBRARIES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "absent"
    pools = [
        {key: pool.get(key) for key in ("internal_api", "version", "num_threads", "architecture")}
        for pool in threadpool_info()
    ]
    return {
        "python": platform.python_version(),
        "versions": versions,
        "blas": pools,
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()),
        "threads": {k: v for k, v in os.environ.items() if k.endswith("_NUM_THREADS")},
        "settings": {k: v for k, v in os.environ.items() if k.startswith(SETTINGS) and "CACHE" not in k},
        "load": os.getloadavg()[0],
    }


def decisive(environment: dict) -> dict:
    """The part of an environment that a trace may depend on, its seconds included.

    Left out: the patch level of Python, libraries that only draw, the number of cores, the load.
    """
    blas = [pool for pool in environment["blas"] if pool["internal_api"] != "openmp"]
    return {
        **{key: environment[key] for key in ("cpu", "system", "libc", "settings")},
        "python": ".".join(environment["python"].split(".")[:2]),
        "versions": {name: environment["versions"][name] for name in NUMERICAL},
        "blas": sorted(blas, key=lambda pool: json.dumps(pool, sort_keys=True)),
    }


def cpu_model() -> str:
    """The processor's name, as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def folder_sha256(folder) -> str:
    """SHA-256 over the names and contents of the files in a folder of the package."""
    paths = [path for path in (PACKAGE / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return digest([[path.name, file_sha256(path)] for path in sorted(paths)])
