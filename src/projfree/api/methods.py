"""The list of methods with their families, and the default method for a problem."""

from dataclasses import dataclass

from .. import solvers
from ..common.names import nearest

#: What papers and other packages call our methods.
ELSEWHERE = {
    "fw": "frank-wolfe",
    "cg": "frank-wolfe",
    "afw": "away-fw",
    "pfw": "pairwise-fw",
    "bpfw": "blended-pairwise-fw",
    "bpcg": "blended-pairwise-fw",
    "bcg": "blended-cg",
    "bcfw": "block-coordinate-fw",
    "fcfw": "fully-corrective-fw",
    "sfw": "estimator-frank-wolfe",
    "stochastic-fw": "estimator-frank-wolfe",
    "lcg": "lazy",
    "lazified-fw": "lazy",
    "pgd": "pg",
    "fista": "apg",
}


@dataclass(frozen=True)
class Method:
    """One row of the list that `methods` returns.

    Attributes
    ----------
    name : str
        The value of ``method`` in `minimize`.
    families : tuple of str
        Kinds of problems that it solves.
    says : str
        A description in one sentence.
    parameters : dict
        Name → default value of each of its ``options``.
    """

    name: str
    families: tuple[str, ...]
    says: str
    parameters: dict

    def __str__(self):
        options = ", ".join(self.parameters)
        return f"{self.name:24}{'/'.join(self.families):28}{self.says}\n{'':24}options: {options}"


class Methods(tuple):
    """Methods that print themselves as a table."""

    def __repr__(self):
        return "\n".join(map(str, self))


def methods(problem=None, constraint=None) -> Methods:
    """All methods, or those for a problem (an object with ``family``) and its set or penalty.

    Examples
    --------
    >>> import projfree as pf
    >>> [m.name for m in pf.methods() if "saddle" in m.families][:2]
    ['mpcgs', 'mpscgs']
    """
    if problem is not None and not hasattr(problem, "family"):
        raise ValueError(f"the problem must be one of projfree.problems, or a Function, not {problem!r}")
    rows = []
    for name in solvers.available():
        cls = solvers.load(name)
        serves = problem is None or problem.family in cls.families
        if serves and not (problem is not None and constraint and solvers.lacking(cls, constraint)):
            says = " ".join(cls.__doc__.split("\n\n")[0].split())
            defaults = {field: each.default for field, each in cls.__dataclass_fields__.items()}
            families = tuple(family.name for family in cls.families)
            rows.append(Method(name.replace("_", "-"), families, says, defaults))
    return Methods(rows)


def suited(problem, constraint) -> tuple[str, dict]:
    """The default method of `minimize`, and its options.

    On polytopes: blended pairwise steps, which converge linearly if the objective is strongly convex, and
    quadratic corrections as long as it is measured as quadratic. On other sets: Frank-Wolfe. Both step by the
    secant method. On sums of atoms: Frank-Wolfe with the short step
    if ``L_full`` is known, else with line search.
    """
    if problem.family.constraint == "set" and problem.family.name != "saddle":
        if not hasattr(problem, "pattern"):
            if getattr(constraint, "is_polytope", False):
                return "quadratic_corrective_fw", {"step_rule": "secant", "corrections": "measured"}
            return "adaptive_fw", {"step_rule": "secant"}
        return "frank_wolfe", {"step_rule": "short" if "L_full" in problem.constants else "line_search"}
    return {"composite": "nmapg", "regularised": "gcg", "saddle": "mpcgs"}[problem.family.name], {}


def chosen(method, problem, constraint, options):
    """The solver of that name with its options; ValueError if it cannot solve such problems."""
    name, params = suited(problem, constraint) if method is None else (method, {})
    if str(name).replace("-", "_") not in solvers.available():
        short = str(name).lower().replace("_", "-").replace("conditional-gradient", "fw")
        short = short.replace("frank-wolfe", "fw")
        names = [known.replace("_", "-") for known in solvers.available()]
        near = nearest(ELSEWHERE.get(short, short), names)
        raise ValueError(f"unknown method {name!r}.{near} List them with: projfree.methods()")
    cls = solvers.load(name)
    if problem.family not in cls.families:
        known = ", ".join(m.name for m in methods(problem, constraint))
        raise ValueError(f"method {name!r} does not solve {problem.family.name} problems; these do: {known}")
    plain = "L_full" not in problem.constants and "step_rule" in cls.__dataclass_fields__
    if plain and "line_search" in str(cls.__annotations__.get("step_rule", "")):
        params = {"step_rule": "line_search", **params}
    if name == "gcg" and not hasattr(constraint, "factor_penalty"):  # a norm of the user's own
        params = {"reduce": {"name": "null"}, **params}
    solver = solvers.make(name, {**params, **(options or {})})
    solvers.check_needs(solver, constraint)
    return solver
