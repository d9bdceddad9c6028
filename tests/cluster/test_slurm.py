"""What a cluster leaves is ended with it, also without SLURM; what is not its own is let alone."""

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from places import ROOT
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


#: A process that lives until its input ends, or it is told to end; it says which.
CHILD = """
import os, signal
signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b"ended"), os._exit(0)))
os.write(1, b"here")
os.read(0, 1)
os.write(1, b"lived")
"""
#: One that starts it, and is killed: it ends nothing.
KILLED = """
import os, signal, subprocess, sys
from child_processes import end_with_parent
go = int(sys.argv[1])
subprocess.Popen([sys.executable, "-c", sys.argv[2]], preexec_fn=end_with_parent)
os.read(go, 1)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="children are not told that their parent died")
def test_what_a_killed_test_started_ends_with_it():
    go, told = os.pipe()
    asked = [sys.executable, "-c", KILLED, str(go), CHILD]
    options = {"env": {**os.environ, "PYTHONPATH": str(ROOT / "tests")}, "pass_fds": [go]}
    with subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options) as process:
        assert process.stdout.read(4) == b"here"
        os.write(told, b".")
        process.wait()
        process.stdin.close()
        assert process.stdout.read() == b"ended"
