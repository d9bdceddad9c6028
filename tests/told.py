"""What lines for people say, in numbers again."""

import re


def in_seconds(line):
    """The length of time after “about”: ``351 s``, ``12 min`` or ``1 h 46 min``."""
    found = re.search(r"about (?:(?P<s>\d+) s|(?:(?P<h>\d+) h )?(?P<min>\d+) min)\b", line)
    return sum(int(found[unit] or 0) * size for unit, size in (("s", 1), ("min", 60), ("h", 3600)))
