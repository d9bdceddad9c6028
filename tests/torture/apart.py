"""Two writers of one file in process namespaces of their own: one host name and process number."""

import ctypes
import os

import numpy as np
from child import Child
from conditions import RIGHT, WRONG

from projfree.ground.sealed import atomic_h5, read_h5

NEWPID, NEWUSER = 0x20000000, 0x10000000
PIECES, SIZE = 20, 3000


def allowed() -> bool:
    """Whether this user may have a process namespace of its own."""
    return Child(lambda: _alone(lambda: None), os.devnull).wait().code == 0


def double_writers(bench) -> str:
    """Two at once: the file is that of one of them, whole, with a right seal, and nothing else is left."""
    folder = bench.place()
    both = [
        Child(lambda who=who: _alone(lambda: _write(folder / "x.h5", who)), bench.folder / f"log-{who}")
        for who in (1, 2)
    ]
    ended = [child.wait() for child in both]
    found = [f"a writer ended with {e.code}: {e.told}" for e in ended if e.code]
    found = found or _mixed(folder / "x.h5")
    found += [f"left {p.name}" for p in folder.iterdir() if p.name != "x.h5"]
    if found:
        bench.wrong.append(f"two writers: {'; '.join(found)}")
    return WRONG if found else RIGHT


def _alone(action):
    """Do something as process 1 of a namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEWPID if os.geteuid() == 0 else NEWPID | NEWUSER):
        raise OSError(ctypes.get_errno(), "no process namespace to be had")
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            if os.getpid() != 1:
                raise RuntimeError("not alone")
            action()
            code = 0
        finally:
            os._exit(code)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        raise OSError("the writer failed")


def _write(path, who):
    with atomic_h5(path) as handle:
        for piece in range(PIECES):
            handle[str(piece)] = np.full(SIZE, who)
            handle.flush()


def _mixed(path):
    """What is wrong with the file of one of them."""
    try:
        with read_h5(path) as handle:
            values = {int(v) for piece in range(PIECES) for v in np.unique(handle[str(piece)][()])}
    except (OSError, ValueError, KeyError) as error:
        return [str(error)]
    return [] if len(values) == 1 else [f"a mixture of {values}"]
