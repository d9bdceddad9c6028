"""What a cluster leaves is ended with it, also without SLURM; what is not its own is let alone."""

import subprocess
import sys
from contextlib import contextmanager

from slurm import Cluster

#: A process that leaves another in a session of its own, which lives as long as its standard input.
ORPHAN = """
import os, sys
if os.fork():
    sys.exit()
os.setsid()
os.write(1, b"here")
os.read(0, 1)
"""


@contextmanager
def orphan(environment):
    """The end of a pipe that stays open as long as an orphan lives."""
    asked = [sys.executable, "-c", ORPHAN]
    with subprocess.Popen(asked, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.read(4) == b"here" and process.wait() == 0
        yield process.stdout


def test_orphans_end_with_their_cluster(tmp_path):
    cluster, other = Cluster(tmp_path / "slurm"), Cluster(tmp_path / "slurm2")
    with orphan(cluster.environment) as pipe, orphan(other.environment):
        theirs = list(other.left())
        cluster.stop()
        assert list(cluster.left()) == [] and pipe.read() == b""
        assert list(other.left()) == theirs != []
