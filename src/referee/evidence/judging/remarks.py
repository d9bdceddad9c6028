"""What a reader of a verdict has to know as well as its numbers: what is missing, stand-ins, failed runs."""

from ..aggregates import added
from ..words import STAMP, reason_words, titles_of

CELLS = {
    "tuned_described": "With the paper's methods tuned",
    "stated_strong": "Against strong competitors",
    "tuned_strong": "In the fair comparison",
}


def titles(paper) -> dict[str, str]:
    """Panel → its name."""
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
        remarks.append(f"Undecided: {_reasons(entry['cells'])}.")
    if entry["vacuous"]:
        remarks.append("Its control holds too: the test cannot see the difference.")
    remarks += [*_on_strong(judged, entry), *_narrower(judged), *_stand_ins(judged)]
    if untuned := judged.untuned():
        remarks.append(f"The criterion of their tuning does not see the parameter: {'; '.join(untuned)}.")
    if not part.not_judged and (still := _still(judged, main)):
        remarks.append(f"Made no progress (99 % of the way left at the end): {'; '.join(still)}.")
    if entry["loosely"]:
        remarks.append("The bound holds loosely: with another order it would too.")
    errors = dict.fromkeys(error for judgement in main for error in judgement.errors)
    remarks += [f"Runs that ended in an error: {'; '.join(errors)}."] if errors else []
    return remarks + ([part.note.strip()] if part.note else [])


def _reasons(cells):
    return "; ".join(f"{reason_words(why)} ({number})" for why, number in cells["reasons"].items())


def _on_strong(judged, entry):
    """Why a verdict beside the main one is not testable, where that one is."""
    for key, cell in entry["race"].items():
        if key in CELLS and isinstance(cell, dict) and cell["verdict"] == "not_testable" != entry["verdict"]:
            found = judged.against_tuned(judged.part.race.cells[key])
            yield f"{CELLS[key]} undecided: {_reasons(added([j.counts for j in found]))}."


def _narrower(judged):
    """Which views are judged on fewer panels than the claim itself, and on how many."""
    cells = judged.part.race.cells if judged.part.race else {}
    views = {CELLS[key]: view for key, view in cells.items()} | (judged.part.readings or {})
    most = _panels(judged.sentences)
    for name, view in views.items():
        found = _panels(judged.sentences_under(view))
        if found < most:
            yield f"{name}: judged on {found} of {most} panels."


def _panels(sentences):
    return len({name for sentence in sentences for name in sentence.panels})


def _still(judged, main):
    """Words on methods compared, in other forms too, that stood still: tuning may choose no step at all."""
    cells = judged.part.race.cells.values() if judged.part.race else ()
    found = [*main, *(judgement for view in cells for judgement in judged.against_tuned(view))]
    called = titles(judged.paper)
    runs = dict.fromkeys(run for j in found for panel in j.panels for run in panel.still)
    return [f"{run.method} on “{called[run.panel]}”" for run in runs]


def _stand_ins(judged):
    panels = dict.fromkeys(name for sentence in judged.sentences for name in sentence.panels)
    called = titles(judged.paper)
    names = " and ".join(f"“{called[name]}”" for name in panels if judged.evidence.stand_in(name))
    return [f"{STAMP}{names} on generated data of the same shape, not on the paper's."] if names else []
