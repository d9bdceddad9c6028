"""The same sentences otherwise: under a reading, against strong baselines, as a control."""

from projfree.ground.names import require

from ...ground.quantifiers import on_panels, panels_of
from ..patterns import expand, swapped
from ..relations import RELATIONS
from ..statistics.base import lookup, parameters_of, statistics_of
from .cost_model import MODEL
from .grammar import READ, Sentence, known_view, read_of, sentences
from .operands import runs_of
from .race import SECONDS

#: What a view may say of any test, beside the parameters of its words.
ALWAYS = ("over", "quota")


def sentences_of(part: dict, spec: dict, view: dict | None = None) -> list[Sentence]:
    """Sentences of a part under a view, with their patterns expanded.

    Parameters
    ----------
    part : dict
        With ``tests``.
    spec : dict
        The paper's; of it ``experiments`` and ``paper``.
    view : dict, optional
        ``swap``: names to replace; ``args``: parameters, of any word, to replace where it has them;
        ``experiments``: a template as ``{}-r3``; ``statistic``: another statistic with its parameters.

    Raises
    ------
    ValueError
        For unknown words or names, and where no panel is left.
    """
    view = view or {}
    known_view(view)
    tests = [_under(test, spec, view) for test in part.get("tests", [])]
    found = [sentence for test in tests for sentence in sentences(test, spec["paper"]) if sentence.panels]
    if tests and not found:
        raise ValueError(f"no panel is left under {view or 'its tests'}")
    return found


def _under(test, spec, view):
    """A test with its patterns expanded and its names as the view wants them."""
    test = {key: value for key, value in test.items() if value is not None}
    test = on_panels(test, expand(panels_of(test), spec["experiments"]))
    test = swapped(test, view.get("swap", {}))
    if view.get("experiments"):
        renamed = [view["experiments"].format(name) for name in panels_of(test)]
        test = on_panels(test, [name for name in renamed if name in spec["experiments"]])
    return _clocked(_replaced(test, spec["paper"], view), spec)


def _clocked(test, spec):
    """The test over model seconds, where the study says that measured ones are not to be judged."""
    modelled = spec.get("clock") == "model" and test.get("over") in SECONDS
    return test | {"over": MODEL} if modelled else test


def _replaced(test, paper, view):
    """The test with the view's statistic, and its arguments where a word has such a parameter."""
    test = _with_statistic(test, paper, view["statistic"]) if "statistic" in view else test
    for key, value in view.get("args", {}).items():
        test = {word: _argued(word, given, paper, key, value) for word, given in test.items()}
        test |= {key: value} if key in ALWAYS else {}
    return test


def _with_statistic(test, paper, statistic):
    """The test with another statistic, of the same metric, read in the same way."""
    old = next(word for word in test if word in statistics_of(paper))
    given = test[old] if isinstance(test[old], dict) else {"metric": test[old]}
    kept = {key: value for key, value in given.items() if key in READ}
    ((name, options),) = statistic.items()
    return {word: value for word, value in test.items() if word != old} | {name: kept | (options or {})}


def _argued(word, given, paper, key, value):
    if key not in _parameters(word, paper):
        return given
    return (given if isinstance(given, dict) else {"metric": given}) | {key: value}


def _parameters(word, paper):
    """What a word of a test may be given by a view."""
    if word in RELATIONS:
        return list(RELATIONS[word].__dataclass_fields__)
    return [*parameters_of(lookup(word, paper)), *read_of(word)] if word in statistics_of(paper) else []


def views_of(part: dict) -> dict[str, dict]:
    """Name → view of all under which a part is judged, its controls among them."""
    named = {key: part.get(key) for key in ("strong", "both_strong")} | (part.get("readings") or {})
    controls = [test["control"] for test in part.get("tests", []) if test.get("control")]
    named |= {f"control {number}": view for number, view in enumerate(controls, 1)}
    return {name: view for name, view in named.items() if view}


def check_sentences(spec: dict, part: dict) -> None:
    """Raise `ValueError` for the first unknown word or name of a part, under any view."""
    for name, view in ({"": {}} | views_of(part)).items():
        for sentence in sentences_of(part, spec, view):
            _check_names(spec["experiments"], sentence)
        _check_args(part, spec["paper"], name, view)


def _check_args(part, paper, name, view):
    """An argument that no word of any test has would change nothing."""
    tests = [_replaced(test, paper, view) for test in part.get("tests", [])]
    known = {key for test in tests for word in test for key in _parameters(word, paper)}
    require(view.get("args", {}), sorted({*known, *ALWAYS}), "argument", name)


def _check_names(experiments, sentence):
    require(sentence.panels, experiments, "experiment")
    runs = runs_of(sentence.relation.operands)
    for panel in sentence.panels:
        for run in runs:
            require([run.panel or panel], experiments, "experiment")
            known = experiments[run.panel or panel].get("methods")
            if known:
                require([run.method], known, "method", run.panel or panel)
