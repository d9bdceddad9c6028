"""The command `projfree`, whose parts are a package of their own: the harness."""

import sys
from importlib import import_module

MISSING = """\
projfree: the library is installed, but its command needs the harness, which is missing ({reason}).
Install it from a checkout of the project:
    make env                         # pinned, into .venv
    pip install . ./harness          # or into an environment of your own
The library itself works without it: python -c "import projfree; help(projfree.minimize)"
"""


def main():
    """Run the harness' command; without it, say on stderr what to install, and end with 1."""
    try:
        harness = import_module("referee.cli")  # by its name: the library depends on no harness
    except ModuleNotFoundError as error:
        sys.exit(MISSING.format(reason=f"no module {error.name!r}"))
    return harness.main()
