"""The origin of a result: the libraries and the machine."""

import json
import os
import platform
from functools import cache
from importlib import metadata
from pathlib import Path

#: Libraries that can change a number of a trace; the others only what is made of traces.
NUMERICAL = ("numpy", "scipy", "numba", "llvmlite", "h5py")
LIBRARIES = (*NUMERICAL, "pandas", "matplotlib", "scikit-learn", "snakemake")
#: Variables that say how libraries compute: threads, kernels, precision. Where they cache says nothing.
SETTINGS = ("OMP_", "OPENBLAS_", "MKL_", "BLIS_", "NUMBA_", "NPY_")


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
    """The processor's name, from the system."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")
