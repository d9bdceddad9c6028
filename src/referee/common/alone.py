"""One process at a time makes a file, even if a killed Snakemake has left one at work."""

import fcntl
import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def alone(output):
    """Hold the lock of a file that is to be made, once no other process does; yields whether it had to wait.

    The lock dies with its process. On a file system without locks nothing is held.
    """
    path = Path(output).with_name(f".{Path(output).name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, waited = _locked(path, output)
    try:
        yield waited
    finally:
        # before it is free, so that who waits sees that it is gone; one with something in it is somebody's
        if not os.fstat(handle).st_size:
            path.unlink(missing_ok=True)
        os.close(handle)


def _locked(path, output):
    waited = False
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"another process makes {output}; waiting for it", file=sys.stderr, flush=True)
            waited = True
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:
            return handle, waited
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle, waited
        os.close(handle)
