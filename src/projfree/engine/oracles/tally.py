"""What methods do besides oracle calls: numbers that nothing but metrics reads."""

import math


class Tally(dict):
    """Numbers by name, of the steps of a run and not of its start; a part of every checkpoint."""

    def add(self, **numbers):
        """Sums of numbers (a truth is 0 or 1)."""
        for name, number in numbers.items():
            self[name] = self.get(name, 0) + int(number)

    def most(self, **numbers):
        """The largest so far."""
        for name, number in numbers.items():
            self[name] = float(max(self.get(name, -math.inf), number))

    def last(self, **numbers):
        """The last value."""
        for name, number in numbers.items():
            self[name] = float(number)
