"""A cluster for the session; where SLURM cannot be had the tests are skipped, and say so."""

import sys
import warnings
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "workflow")]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A running `slurm.Cluster`."""
    import slurm

    lacking = slurm.missing()
    if lacking:
        told = f"NO CLUSTER TESTS: SLURM is not installed ({', '.join(lacking)} missing)"
        warnings.warn(told + "; on Debian: apt-get install slurm-wlm munge", stacklevel=1)
        pytest.skip(told)
    # Sockets have short paths.
    made = slurm.Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        made.start()
        yield made
    finally:
        made.stop()
