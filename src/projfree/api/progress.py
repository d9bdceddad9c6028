"""What a run shows of itself while it works: the argument of a callback, and a table."""

from dataclasses import dataclass

#: A table has a row for a record at 1.5 times the iteration of the last row; all of them with `every`.
STRETCH = 1.5


@dataclass(frozen=True)
class Progress:
    """The argument of a callback at each record, like SciPy's intermediate result.

    Attributes
    ----------
    x : a copy of the iterate
    nit : int, iterations done
    value : float, the objective at x
    gap : float, the certificate's number at x
    counts : dict, oracle calls so far by name, as in `Result.counts`
    cpu_seconds : float, of the method: neither records nor callbacks are in it
    """

    x: object
    nit: int
    value: float
    gap: float
    counts: dict
    cpu_seconds: float = 0.0


class Table:
    """A printed line a record, as FrankWolfe.jl prints them: ``verbose=True`` of `minimize`.

    Columns are the iteration, the objective, a lower bound of it for convex functions (the objective less the
    gap, where the certificate is one), the certificate, CPU seconds, iterations a second, and oracle calls.
    """

    def __init__(self, certificate: str, every):
        self.certificate, self.every, self.last, self.due = certificate, every, None, 0
        self.bounds = certificate in ("fw_gap", "dual_gap")
        self.width = max(13, len(certificate) + 2)

    def head(self, title):
        """The title, and the names of the columns."""
        bound = f"{'lower bound':>13}" if self.bounds else ""
        names = f"{'iteration':>11}{'objective':>13}{bound}{self.certificate:>{self.width}}"
        print(f"{title}\n{names}{'CPU seconds':>13}{'per second':>12}  calls", flush=True)

    def row(self, nit, value, gap, seconds, counts, end=False):
        """A record, if its row is due, or the last one."""
        if nit == self.last or (nit < self.due and not end):
            return
        self.last, self.due = nit, nit + 1 if self.every else max(nit + 1, int(STRETCH * nit))
        bound = f"{value - gap:13.6g}" if self.bounds else ""
        rate = f"{nit / seconds:12.4g}" if nit and seconds else f"{'-':>12}"
        calls = " ".join(f"{name} {count}" for name, count in counts.items() if count and name != "IFO")
        numbers = f"{nit:11d}{value:13.6g}{bound}{gap:{self.width}.4g}{seconds:13.3f}"
        print(f"{numbers}{rate}  {calls}", flush=True)
