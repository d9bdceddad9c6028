"""At which levels curves are compared: shares of the way from the start to the least value known."""

import numpy as np

SHARES = (0.5, 0.2, 0.1, 0.05, 0.01)
#: The common level has to lie so far below the start: else a run that diverged would set it.
COMMON = 0.9


def levels_of(race, level=None, shares=None, common=True) -> dict[str, float]:
    """Words → levels of a race.

    Parameters
    ----------
    level : number or list, optional
        Levels that the sentence names; they suffice alone.
    shares : list, optional
        Shares q of F(0) − F*: the levels F* + q (F(0) − F*).
    common : bool
        Also the worst of the values at the end, which all reach.

    Raises
    ------
    ValueError
        For a metric that is no objective, without ``level`` and ``lowest`` value.
    """
    if level is not None:
        return {f"{value:g}": float(value) for value in np.atleast_1d(level)}
    bottom = 0.0 if race.excess else race.bottom
    way = race.start - bottom
    found = {f"{share:.3g} of the start": bottom + share * way for share in shares or SHARES}
    worst = max(line.until(race.end).last for line in race.lines.values())
    if common and worst < bottom + COMMON * way:
        found["the worst end"] = worst
    return found
