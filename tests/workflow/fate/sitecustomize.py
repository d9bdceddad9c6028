"""Each Python that finds this kills its process group at the moment when a file named FATAL is there."""

import os
import signal

replace = os.replace


def fatal(source, target, **keywords):
    replace(source, target, **keywords)
    if str(target).endswith(os.environ["FATAL"]):
        os.killpg(0, signal.SIGKILL)


os.replace = fatal
