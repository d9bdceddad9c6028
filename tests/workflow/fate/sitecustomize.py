"""Each Python that finds this sends its process group FATE, a signal, as soon as a file like FATAL is there.

Without FATE no file like FATAL can be written: the disk is full.
"""

import errno
import os
from fnmatch import fnmatch

replace, fate = os.replace, int(os.environ["FATE"])


def fatal(source, target, **keywords):
    hit = fnmatch(str(target), f"*{os.environ['FATAL']}")
    if hit and not fate:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
    replace(source, target, **keywords)
    if hit:
        os.killpg(0, fate)


os.replace = fatal
