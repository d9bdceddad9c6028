"""The same sentences otherwise: under a reading, against strong baselines, as a control."""

from fnmatch import fnmatchcase

from projfree.ground.names import require

from ...ground.operands import parts
from ...study.models.claim import Test, View
from ...study.models.paper import Paper
from ..relations import RELATIONS
from ..statistics import STATISTICS, lookup
from ..statistics.base import parameters_of
from .cost_model import MODEL
from .grammar import READ, Sentence, read_of, sentences
from .race import SECONDS
from .ranges import runs_of

#: What a view may say of any test, beside the parameters of its words.
ALWAYS = ("over", "quota")


def sentences_of(part, paper: Paper, view: View | None = None) -> list[Sentence]:
    """Sentences of a part under a view, with their patterns expanded.

    Parameters
    ----------
    part : Part
    paper : Paper
    view : View, optional

    Raises
    ------
    ValueError
        For unknown words or names, and where no panel is left.
    """
    view = view or View()
    tests = [_under(test, paper, view) for test in part.tests]
    found = [sentence for test in tests for sentence in sentences(test) if sentence.panels]
    if tests and not found:
        raise ValueError(f"no panel is left under {view.plain() or 'its tests'}")
    return found


def _under(test, paper, view):
    """A test with its patterns expanded and its names as the view wants them."""
    test = test.on(expand(test.panels, paper.experiments))
    test = Test.model_validate(swapped(test.plain(), view.swap)) if view.swap else test
    if view.experiments:
        renamed = [view.experiments.format(name) for name in test.panels]
        test = test.on([name for name in renamed if name in paper.experiments])
    return _clocked(_replaced(test, view), paper)


def _clocked(test, paper):
    """The test over model seconds, where the study says that measured ones are not to be judged."""
    modelled = paper.clock == "model" and test.over in SECONDS
    return test.model_copy(update={"over": MODEL}) if modelled else test


def _replaced(test, view):
    """The test with the view's statistic, and its arguments where a word has such a parameter."""
    test = _with_statistic(test, view.statistic) if view.statistic else test
    for key, value in view.args.items():
        changed = {word: _argued(word, given, key, value) for word, given in test.words.items()}
        test = test.model_copy(update=changed | ({key: value} if key in ALWAYS else {}))
    return test


def _with_statistic(test, statistic):
    """The test with another statistic, of the same metric, read in the same way."""
    old = next(word for word in test.words if word in STATISTICS)
    given = test.words[old] if isinstance(test.words[old], dict) else {"metric": test.words[old]}
    kept = {key: value for key, value in given.items() if key in READ}
    ((name, options),) = statistic.items()
    return test.model_copy(update={old: None, name: kept | (options or {})})


def _argued(word, given, key, value):
    if key not in _parameters(word):
        return given
    return (given if isinstance(given, dict) else {"metric": given}) | {key: value}


def _parameters(word):
    """What a word of a test may be given by a view."""
    if word in RELATIONS:
        return list(RELATIONS[word].__dataclass_fields__)
    return [*parameters_of(lookup(word)), *read_of(word)] if word in STATISTICS else []


def views_of(part) -> dict[str, View]:
    """Name → view of all under which a part is judged, its controls among them."""
    controls = [test.control for test in part.tests if test.control]
    return part.views | {f"control {number}": view for number, view in enumerate(controls, 1)}


def check_sentences(paper: Paper, part) -> None:
    """Raise `ValueError` for the first unknown word or name of a part, under any view."""
    for name, view in ({"": View()} | views_of(part)).items():
        for sentence in sentences_of(part, paper, view):
            _check_names(paper.experiments, sentence)
        _check_args(part, name, view)


def _check_args(part, name, view):
    """An argument that no word of any test has would change nothing."""
    tests = [_replaced(test, view) for test in part.tests]
    known = {key for test in tests for word in test.words for key in _parameters(word)}
    require(view.args, sorted({*known, *ALWAYS}), "argument", name)


def _check_names(experiments, sentence):
    require(sentence.panels, experiments, "experiment")
    runs = runs_of(sentence.relation.operands)
    for panel in sentence.panels:
        for run in runs:
            require([run.panel or panel], experiments, "experiment")
            known = experiments[run.panel or panel].methods
            if known:
                require([run.method], known, "method", run.panel or panel)


def expand(names, experiments) -> list[str]:
    """Experiments of a test: names stay as they are, shell patterns become all that match them.

    Raises
    ------
    ValueError
        For a pattern that nothing matches.
    """
    found = []
    for name in names:
        pattern = name not in experiments and any(char in name for char in "*?[")
        matching = [e for e in experiments if fnmatchcase(e, name)] if pattern else [name]
        if not matching:
            raise ValueError(f"no experiment matches {name!r}; known: {', '.join(experiments)}")
        found += matching
    return list(dict.fromkeys(found))


def swapped(value, names):
    """The value with every string in it replaced by `names`, once; keys stay.

    Parts of an operand (``a / b``, ``a@panel``) are names of their own; only a whole one can become
    a list.
    """
    if isinstance(value, dict):
        return {key: swapped(inner, names) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [swapped(inner, names) for inner in value]
    return _renamed(value, names) if isinstance(value, str) else value


def _renamed(text, names):
    found = [names.get(part, part) for part in parts(text)]
    return found[0] if len(found) == 1 else "".join(_single(part, text) for part in found)


def _single(name, text):
    if isinstance(name, list):
        raise ValueError(f"{text!r}: a part of it cannot become a list: {', '.join(name)}")
    return name
