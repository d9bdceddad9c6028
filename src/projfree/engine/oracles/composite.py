"""The oracles of a smooth objective and a penalty."""

from . import base


class Oracles(base.Oracles):
    """Proximal points; iterates carry their image under the problem's linear map."""

    def prox(self, p, gamma, *, method=None, tol=0.0, warm=None, **options):
        """A proximal point of the penalty: one PO, exact or not, and its products with p as matvec.

        The tally has the ``inner`` steps, and how many certificates are ``unmet``, above `tol`.
        """
        self.counts["PO"] += 1
        options |= {"method": method or self.constraint.reference, "tol": tol, "warm": warm, "rng": self.rng}
        point = self._timed("project", self.constraint.prox, p, gamma, **options)
        self.counts["matvec"] += point.matvecs
        self.tally.add(inner=point.passes, unmet=point.gap > (tol(point.x) if callable(tol) else tol))
        return point

    def point(self, raw):
        """An iterate with its image under the problem's linear map: timed as a value."""
        return self._timed("value", self.problem.point, raw)

    def raw(self, point):
        """What the penalty sees of an iterate."""
        return self.problem.raw(point)
