"""Each Python that finds this kills its process group as soon as a file like FATAL is there."""

import os
import signal
from fnmatch import fnmatch

replace = os.replace


def fatal(source, target, **keywords):
    replace(source, target, **keywords)
    if fnmatch(str(target), f"*{os.environ['FATAL']}"):
        os.killpg(0, signal.SIGKILL)


os.replace = fatal
