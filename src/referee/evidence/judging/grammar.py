"""A sentence of the YAML → quantifier, relation, statistic with parameters; unknown words are errors.

all: ["fig[1-4]-p[1-5]0"]                  in all these panels
less: {a: casvrg, than: svrg, factor: 2}   CASVRG is less than SVRG by a factor of 2
time: {metric: fw_gap, lowest: 0}          in the time to settle at levels of the gap
over: iteration                            counted in iterations

covers: outperform by a large amount       the words of the paper's sentence that this stands for
"""

from dataclasses import dataclass, fields
from inspect import Parameter
from itertools import product

from projfree.ground.names import require

from ...ground.operands import QUANTIFIERS
from ...study.models.claim import Test, View
from .. import statistics
from ..axes import columns
from ..relations import RELATIONS
from ..relations.base import Relation
from ..statistics.base import parameters_of

#: Parameters of a statistic that say how its metric is read.
READ = ("metric", "excess", "lowest", "upper", "signed", "best", "where")


@dataclass(frozen=True)
class Sentence:
    """One machine statement: quantifier(relation(statistic(curves))).

    Attributes
    ----------
    panels : tuple of str
        Experiments, without patterns.
    statistic, options, read : str and dicts
        Its name, its parameters, and how the metric is read (`READ`).
    over : str
        The axis.
    covers : str
        The words of the paper's sentence that this part stands for.
    quota : float
        Share of a panel's seeds in which it has to be true.
    pool : bool
        Records are averaged over the seeds first: for statements about expectations.
    control : View, optional
        A view under which it has to be refused.
    """

    quantifier: str
    panels: tuple[str, ...]
    relation: Relation
    statistic: str
    options: dict
    read: dict
    over: str
    covers: str
    label: str
    quota: float
    pool: bool
    control: View | None

    @property
    def function(self):
        """Its statistic."""
        return statistics.lookup(self.statistic)

    @property
    def given(self) -> dict:
        """The parameters of its statistic, with defaults."""
        return parameters_of(self.function) | self.options

    @property
    def along(self) -> bool:
        """Whether it reads curves along an axis."""
        return bool(self.function.along(self.given))

    @property
    def said(self):
        """How its statistic is said."""
        return self.function.said(self.given)

    @property
    def columns(self) -> set[str]:
        """Columns of the tidy table that it reads."""
        names = [self.read.get("metric"), self.relation.options().get("bound"), self.over]
        names += [self.options.get(key) for key in ("by", "oracle", "against", "until", "per")]
        timer = self.options.get("timer")
        timers = {f"seconds_{timer}", "cpu_seconds"} if timer else set()
        words = [name for name in names if isinstance(name, str) and name not in ("", "start")]
        named = [name.removeprefix("1/") for name in words]
        return {c for name in named for c in columns(name)} | timers | set(self.read.get("where", ()))


def words_of() -> dict[str, tuple[str, ...]]:
    """The vocabulary: 3 quantifiers, 7 relations, 12 statistics."""
    return {
        "quantifier": QUANTIFIERS,
        "relation": tuple(RELATIONS),
        "statistic": tuple(statistics.STATISTICS),
    }


def sentences(test: Test) -> list[Sentence]:
    """The sentences of one test, one for each combination of its ``each``.

    Raises
    ------
    ValueError
        For unknown words or parameters, and unless there is exactly one word of each of the three classes.
    """
    words, said = words_of(), [*test.quantifiers, *test.words]
    known = [*words["relation"], *words["statistic"], *Test.model_fields]
    require(said, known, "word", "a test")
    chosen = {kind: _only(kind, names, said) for kind, names in words.items()}
    combinations = [dict(zip(test.each, values, strict=True)) for values in product(*test.each.values())]
    return [_sentence(test, chosen, given) for given in combinations]


def _only(kind, names, said):
    found = [name for name in names if name in said]
    if len(found) != 1:
        given = ", ".join(found) or ", ".join(said) or "nothing"
        raise ValueError(f"a test has exactly one {kind}: {', '.join(names)}; given: {given}")
    return found[0]


def _sentence(test, chosen, given):
    relation, function = RELATIONS[chosen["relation"]], statistics.lookup(chosen["statistic"])
    known = {f.name for f in fields(relation)}
    options = _mapping(test.words[chosen["statistic"]])
    require(given, [*known, *parameters_of(function), *READ], "parameter", "each")
    arguments = _mapping(test.words[chosen["relation"]]) | {k: v for k, v in given.items() if k in known}
    options |= {k: v for k, v in given.items() if k not in known}
    if function.along(parameters_of(function) | options) and not test.over:
        raise ValueError(f"{chosen['statistic']} needs an axis: over: iteration, IFO, cpu_seconds, …")
    if chosen["statistic"] in NO_METRIC and isinstance(arguments.get("bound"), str):
        raise ValueError(
            f"{chosen['statistic']}: the bound {arguments['bound']!r} is a column, which no count has"
        )
    return Sentence(
        chosen["quantifier"],
        tuple(test.panels),
        _relation(chosen["relation"], relation, arguments),
        chosen["statistic"],
        _checked(chosen["statistic"], function, options),
        {key: value for key, value in options.items() if key in READ},
        over=test.over or "",
        covers=test.covers or "",
        label=" · ".join(filter(None, [test.label, *(_words(value) for value in given.values())])),
        quota=test.quota,
        pool=test.pool,
        control=test.control,
    )


def _mapping(value):
    """Parameters of a word; of a statistic that has no other, its metric alone."""
    return dict(value) if isinstance(value, dict) else {"metric": value}


def _words(value):
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _relation(name, relation, arguments):
    known = [f.name for f in fields(relation)]
    if "metric" in arguments and "metric" not in known:
        raise ValueError(f"{name} needs a mapping of parameters: {', '.join(known)}")
    require(arguments, known, "parameter", name)
    try:
        return relation(**arguments)
    except TypeError as error:
        raise ValueError(f"{name}: {str(error).partition(') ')[2] or error}") from error


def _checked(name, function, options):
    """A statistic's own parameters; unknown and missing ones are errors."""
    own = parameters_of(function)
    require(options, [*own, *read_of(name)], "parameter", name)
    needed = [key for key, default in own.items() if default is Parameter.empty]
    needed += [] if name in NO_METRIC else ["metric"]
    lacking = [key for key in needed if key not in options]
    if lacking:
        raise ValueError(f"{name}: missing parameter {', '.join(lacking)}")
    return {key: value for key, value in options.items() if key in own}


#: Statistics that read counts or timers.
NO_METRIC = ("count", "share")


def read_of(statistic: str) -> tuple[str, ...]:
    """Those of `READ` that change a statistic: of counts and timers only which records are meant."""
    return ("where",) if statistic in NO_METRIC else READ
