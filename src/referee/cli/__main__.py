"""``python -m referee.cli``: the command, where it is not on the path."""

from . import main

main(prog_name="projfree")
