"""Snakemake in a fork of a process that has loaded it: of a short call, most CPU seconds are imports."""

import multiprocessing
import os
import subprocess
import sys
import tempfile

from child_processes import end_with_parent

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["snakemake.cli", "numpy", "pydantic", "yaml"])  # nothing of the project


def snakemake(*arguments, cwd, env) -> subprocess.CompletedProcess:
    """What the command `snakemake` does with these arguments; all that it and its jobs say as `stdout`."""
    with tempfile.NamedTemporaryFile("r") as told:
        fork = FORKS.Process(target=_run, args=(arguments, cwd, env, told.name))
        fork.start()
        fork.join()
        return subprocess.CompletedProcess(arguments, fork.exitcode, told.read())


def _run(arguments, folder, environment, told):
    """In the fork: words, folder, variables and path as a process of its own would have them."""
    end_with_parent()
    for stream in (1, 2):
        os.dup2(os.open(told, os.O_WRONLY | os.O_APPEND), stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
    sys.argv = ["snakemake", *arguments]
    from snakemake.cli import main

    main()
