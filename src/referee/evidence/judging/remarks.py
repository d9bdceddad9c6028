"""What a reader of a verdict has to know beside its numbers: what is missing, stand-ins, failed runs."""

from ..aggregates import added
from ..words import STAMP, titles_of
from .operands import runs_of

#: A run stands still whose metric ends within this share of where it began.
STILL = 1e-3
VIEWS = {"strong": "Against the strong baselines", "both_strong": "With both sides strong"}


def titles(paper) -> dict[str, str]:
    """Panel → what it is called."""
    return titles_of({name: values.title for name, values in paper.experiments.items()})


def remarks_of(judged, main: list, entry: dict) -> list[str]:
    """Remarks on an entry.

    Parameters
    ----------
    judged : PartJudge
        The part of the claim on its evidence.
    main : list of Judgement
        Of its sentences as they stand.
    entry : dict
        Its fields.
    """
    part = judged.part
    remarks = [f"Not judged: {part.not_judged}"] if part.not_judged else []
    if entry["verdict"] == "not_testable" and entry["cells"]["reasons"]:
        remarks.append(f"Not testable: {_reasons(entry['cells'])}.")
    if entry["vacuous"]:
        remarks.append("Its control holds too: the test cannot see the difference.")
    remarks += [*_on_strong(judged, entry), *_narrower(judged), *_stand_ins(judged)]
    if untuned := judged.untuned():
        remarks.append(f"The criterion of their tuning does not see the parameter: {'; '.join(untuned)}.")
    if not part.not_judged and (still := _still(judged)):
        remarks.append(f"Ends where it began (within {STILL:.1%}): {'; '.join(still)}.")
    errors = dict.fromkeys(error for judgement in main for error in judgement.errors)
    remarks += [f"Runs that ended in an error: {'; '.join(errors)}."] if errors else []
    return remarks + ([part.note.strip()] if part.note else [])


def _reasons(cells):
    return "; ".join(f"{why} ({number})" for why, number in cells["reasons"].items())


def _on_strong(judged, entry):
    """Why a verdict beside the main one is not testable, where that one is."""
    for key, words in VIEWS.items():
        if entry[f"verdict_{key}"] == "not_testable" != entry["verdict"]:
            found = judged.against_tuned(judged.part.views[key])
            yield f"{words} not testable: {_reasons(added([j.counts for j in found]))}."


def _narrower(judged):
    """Which views are judged on fewer panels than the claim itself, and on how many."""
    views = {VIEWS[key]: view for key, view in judged.part.views.items() if key in VIEWS}
    views |= judged.part.readings or {}
    most = _panels(judged.sentences)
    for name, view in views.items():
        found = _panels(judged.sentences_under(view))
        if found < most:
            yield f"{name}: judged on {found} of {most} panels."


def _panels(sentences):
    return len({name for sentence in sentences for name in sentence.panels})


def _still(judged):
    """Words on methods compared, strong ones too, that stood still: tuning may choose no step at all."""
    runs = dict.fromkeys(
        (run.method, run.panel or name, sentence.read.get("metric"))
        for sentence in (*judged.sentences, *judged.strong_sentences())
        if sentence.function.along
        for name in sentence.panels
        for run in runs_of(sentence.relation.operands)
    )
    called = titles(judged.paper)
    names = dict.fromkeys((m, name) for m, name, metric in runs if _stood(judged.evidence, m, name, metric))
    return [f"{method} on “{called[name]}”" for method, name in names]


def _stood(evidence, method, name, metric):
    """Whether all seeds of a method did."""
    if not evidence.has(name) or metric not in (frame := evidence.panel(name).frame):
        return False
    ends = frame[frame["method"] == method].groupby("seed")[metric].agg(["first", "last", "count"])
    moved = (ends["last"] - ends["first"]).abs() > STILL * ends["first"].abs()
    return len(ends) > 0 and bool((~moved & (ends["first"] != 0) & (ends["count"] > 1)).all())


def _stand_ins(judged):
    panels = dict.fromkeys(name for sentence in judged.sentences for name in sentence.panels)
    called = titles(judged.paper)
    names = " and ".join(f"“{called[name]}”" for name in panels if judged.evidence.stand_in(name))
    return [f"{STAMP}{names} on generated data of the same shape, not on the paper's."] if names else []
