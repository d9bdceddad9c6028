"""CPU seconds of each oracle: cumulative, and exclusive, so that a second is booked once."""

from contextlib import contextmanager
from time import process_time

from ..trace.timers import within


class Timers:
    """Books seconds to the innermost that is open: an oracle's call, or a phase of the step around it.

    Within a phase a call's seconds are the oracle's in that phase, ``gradient_in_reduce``, and the phase
    keeps the rest: an oracle costs the sum over its names, a phase what ends in its name.

    Parameters
    ----------
    oracles, phases : sequences of str

    Attributes
    ----------
    seconds : dict of str to float
        By name; all names are there from the start. Their sum is at most the CPU seconds of the steps.
    """

    def __init__(self, oracles, phases=()):
        inside = [within(oracle, phase) for phase in phases for oracle in oracles]
        self.seconds = dict.fromkeys([*oracles, *phases, *inside], 0.0)
        self._phase, self._booked = None, 0.0  # seconds that calls inside the open one took for themselves

    def call(self, kind, function, *args, **keywords):
        """The result of a call; its seconds count for the oracle `kind`."""
        began, outside = process_time(), self._booked
        self._booked = 0.0
        try:
            return function(*args, **keywords)
        finally:
            self._book(within(kind, self._phase), began, outside)

    @contextmanager
    def phase(self, name):
        """A phase of the step; phases do not nest."""
        began, outside = process_time(), self._booked
        self._phase, self._booked = name, 0.0
        try:
            yield
        finally:
            self._phase = None
            self._book(name, began, outside)

    def _book(self, name, began, outside):
        spent = process_time() - began
        self.seconds[name] += spent - self._booked
        self._booked = outside + spent
