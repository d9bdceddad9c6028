"""Claims of the paper on generalised conditional gradient; a function is one sentence, or a part of one."""

from . import classes, completion, theory, views  # noqa: F401
