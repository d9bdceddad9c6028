"""``python -m referee.cli``: the command, where it is not on the path."""

# It gives the running module a second name, `__mp_main__`: before any job, that none seems to load it.
import multiprocessing  # noqa: F401

from . import main

if __name__ == "__main__":
    main(prog_name="projfree")
