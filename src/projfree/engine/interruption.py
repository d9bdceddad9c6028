"""A polite end: a run that gets SIGTERM finishes its step, saves its checkpoint, and stops.

Schedulers and cluster managers send it some seconds before SIGKILL. What is computed outside the loop of a
run has nothing to save, and SIGTERM ends it at once as ever.
"""

import contextlib
import signal
import threading


class Request:
    """Whether the run was asked to end."""

    received = False

    def note(self, number, _):
        """The signal handler; who presses ^C twice does not wait for the step."""
        if self.received and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.received = True


@contextlib.contextmanager
def noticed(number=signal.SIGTERM):
    """A `Request` that a signal fills in, in place of what the signal did before; main thread only."""
    request = Request()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    before = signal.signal(number, request.note)
    try:
        yield request
    finally:
        signal.signal(number, before)
