"""A real SLURM on this machine: munge, one slurmctld, two slurmd, started and stopped by the tests.

By hand: ``python tests/cluster/slurm.py COMMAND…`` runs a command with it.
"""

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from child_processes import end_with_parent  # noqa: E402 - found by the line above

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
UP = {"idle", "mix", "alloc"}


def missing() -> list[str]:
    """Programs of SLURM that this machine lacks (Debian: slurm-wlm and munge)."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    return [name for name in NEEDED if shutil.which(name, path=path) is None]


class Cluster:
    """Two nodes that say they have eight cores each, with everything they write in one folder."""

    def __init__(self, folder: Path):
        self.folder, self.daemons = folder, []
        self.environment = {
            **os.environ,
            "SLURM_CONF": str(folder / "slurm.conf"),
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}:/usr/sbin:/sbin",
            "PYTHONPATH": f"{HERE / 'fastpoll'}",
            "PROJFREE_TEST_POLL": "1",
        }

    def start(self):
        """Start the daemons and wait until both nodes take jobs."""
        for part in ("state", "log", "bin", "spool/node1", "spool/node2"):
            (self.folder / part).mkdir(parents=True)
        self._configure()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        places = {"socket": "munge.socket", "key-file": "munge.key", "log-file": "log/munged.log"}
        places |= {"pid-file": "munged.pid", "seed-file": "munge.seed"}
        munge = [f"--{name}={self.folder / place}" for name, place in places.items()]
        self._daemon("munged", "--force", "--foreground", *munge)
        self._wait(lambda: (self.folder / "munge.socket").exists(), "munged")
        self._daemon("slurmctld", "-D", "-c")
        for node in ("node1", "node2"):
            self._daemon("slurmd", "-D", "-c", "-N", node)
        self._wait(lambda: [state in UP for state in self.states()] == [True, True], "the nodes")

    def stop(self):
        """Cancel what runs, stop the daemons, the last one first, and end what either left."""
        if self.daemons:
            self.call("scancel", "--full", f"--user={getpass.getuser()}")
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=5)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        while left := list(self.left()):
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def left(self):
        """Processes that know this cluster: jobs in sessions of their own, Snakemakes of failed tests."""
        mark = os.fsencode(f"SLURM_CONF={self.environment['SLURM_CONF']}\0")
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark in path.read_bytes():
                    yield int(path.parent.name)

    def call(self, *command) -> str:
        """What a command of SLURM prints."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return done.stdout.strip()

    def states(self) -> list[str]:
        """State of each node."""
        return self.call("sinfo", "--noheader", "--Node", "--format=%t").splitlines()

    def jobs(self, *states) -> dict[str, str]:
        """Node by identifier of the jobs in these states."""
        lines = self.call("squeue", "--noheader", f"--states={','.join(states)}", "--format=%i %N")
        return dict(line.split(maxsplit=1) for line in lines.splitlines() if " " in line)

    def _configure(self):
        ports = dict(zip(("CONTROL", "NODE1", "NODE2"), _free_ports(3), strict=True))
        values = {"HOST": socket.gethostname().split(".")[0], "RUN": self.folder, "USER": getpass.getuser()}
        text = (HERE / "slurm.conf.in").read_text()
        for name, value in {**values, **ports}.items():
            text = text.replace(f"@{name}@", str(value))
        (self.folder / "slurm.conf").write_text(text)
        # The plugin's job step hides SLURM_CONF from the srun it calls; on a cluster /etc/slurm tells it.
        shim = self.folder / "bin" / "srun"
        real = shutil.which("srun", path=self.environment["PATH"])
        shim.write_text(f'#!/bin/sh\nexec env SLURM_CONF={self.folder}/slurm.conf {real} "$@"\n')
        shim.chmod(0o755)

    def _daemon(self, *command):
        with open(self.folder / "log" / f"{command[0]}-{len(self.daemons)}.out", "w") as log:
            daemon = subprocess.Popen(
                command, env=self.environment, preexec_fn=end_with_parent, stdout=log, stderr=log
            )
            self.daemons.append(daemon)

    def _wait(self, done, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not done():
            if time.monotonic() > deadline:
                logs = [path.read_text()[-1000:] for path in sorted((self.folder / "log").iterdir())]
                raise TimeoutError(f"{what} did not come up in {seconds} s:\n" + "\n".join(logs))
            time.sleep(0.1)


def _free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def main(*command) -> int:
    """Run a command beside a cluster, with `sbatch` and the others on its path; its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder))
        try:
            cluster.start()
            return subprocess.run(command, env=cluster.environment).returncode
        finally:
            cluster.stop()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
