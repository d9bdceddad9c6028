"""Axes that are a sum of columns, or such a sum over n: ``IFO+SSO``, ``IFO/n``, ``(IFO+SSO)/n``."""

import re

COUNTS = ("FO", "IFO", "SSO", "LO", "PO", "PU", "matvec")
FORMS = re.compile(r"(\w+(?:\+\w+)*)|(\w+)/n|\((\w+(?:\+\w+)*)\)/n")


def terms(name):
    """Columns that an axis adds up, and whether it divides them by n; any other name is a column."""
    form = FORMS.fullmatch(name)
    if not form:
        return [name], False
    return (form[1] or form[2] or form[3]).split("+"), form[1] is None


def is_count(name):
    """Whether an axis counts oracle calls."""
    return all(column in COUNTS for column in terms(name)[0])


def evaluate(frame, name, components, source):
    """Values of a column or an expression of columns.

    Parameters
    ----------
    frame : DataFrame
    name : str
        A column, `A+B`, `A/n` or `(A+B)/n`.
    components : int or None
        The n of the expression.
    source : Path
        Where the frame came from, for the message.

    Raises
    ------
    ValueError
        For a column that is not there (the known ones are listed), or `/n` without n.
    """
    if name in frame:
        return frame[name]
    columns, per_component = terms(name)
    if not set(columns) <= set(frame.columns):
        raise ValueError(f"{source}: no column {name!r}; known: {', '.join(frame.columns)}")
    if per_component and not components:
        raise ValueError(f"{source}: no column {name!r}, and the panel does not state n as `components`")
    return frame[columns].sum(axis=1) / (components if per_component else 1)
