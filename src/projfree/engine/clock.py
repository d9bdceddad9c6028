"""A clock that runs only while the method works."""

from dataclasses import dataclass, field
from time import perf_counter, process_time


def timed(function, *args, **keywords):
    """What a call returns, and the CPU seconds of the process that it took: more than 0, to divide by."""
    began = process_time()
    result = function(*args, **keywords)
    return result, max(process_time() - began, 1e-9)


@dataclass
class Clock:
    """CPU and wall seconds of the method; stops outside ``with clock:``.

    CPU seconds are those of the process (BLAS and compiled kernels are pinned to one thread).
    """

    cpu: float = 0.0  # seconds accumulated in closed intervals
    wall: float = 0.0
    _began: tuple[float, float] | None = field(default=None, repr=False)

    def __enter__(self):
        self._began = process_time(), perf_counter()
        return self

    def __exit__(self, *_):
        began_cpu, began_wall = self._began
        self.cpu += process_time() - began_cpu
        self.wall += perf_counter() - began_wall
        self._began = None

    def read(self) -> tuple[float, float]:
        """CPU and wall seconds so far, the open interval included."""
        if self._began is None:
            return self.cpu, self.wall
        return self.now(), self.wall + perf_counter() - self._began[1]

    def now(self) -> float:
        """CPU seconds so far, the open interval included."""
        return self.cpu if self._began is None else self.cpu + process_time() - self._began[0]
