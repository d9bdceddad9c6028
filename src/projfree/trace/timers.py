"""Names of timers: an oracle's, a phase's, or an oracle's within a phase, ``gradient_in_reduce``.

Timers are exclusive: an oracle costs the sum of what it names, a phase the sum of what happened in it.
"""

#: Oracles that have timers, in some family of problems, and phases of a step that have one.
TIMED = ("gradient", "linesearch", "lmo", "polar", "project", "reduce", "value")
_IN = "_in_"


def within(oracle: str, phase: str | None) -> str:
    """Name of an oracle's timer within a phase, or outside of all."""
    return f"{oracle}{_IN}{phase}" if phase else oracle


def oracle_of(name: str) -> str:
    """The oracle (or phase, for what no oracle took of it) whose work a timer measures."""
    return name.partition(_IN)[0]


def belongs(name: str, whole: str) -> bool:
    """Whether a timer's seconds are part of those of an oracle, or of a phase with all that it called."""
    return whole in (name, oracle_of(name), name.partition(_IN)[2])
