"""Where a result comes from: the commit, the libraries, the machine."""

import json
import os
import platform
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

from .root import MARK, project_root

#: The commit of what was made outside git.
UNKNOWN = "unknown"
#: Folders of which everything that is made is made.
SOURCES = ("src", "config", "workflow")
#: Libraries that can change a number of a trace; the others only what is made of traces.
NUMERICAL = ("numpy", "scipy", "numba", "llvmlite", "h5py")
LIBRARIES = (*NUMERICAL, "pandas", "matplotlib", "scikit-learn", "snakemake")
#: Variables that say how libraries compute: threads, kernels, precision. Where they cache says nothing.
SETTINGS = ("OMP_", "OPENBLAS_", "MKL_", "BLIS_", "NUMBA_", "NPY_")


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
    told = {"capture_output": True, "text": True, "encoding": "utf-8"}
    done = subprocess.run(["git", *arguments], cwd=root, check=True, **told)
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
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")
