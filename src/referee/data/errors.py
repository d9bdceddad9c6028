"""Exceptions for data; their text is meant for the user."""


class DataError(Exception):
    """Base of all errors about data."""


class CatalogError(DataError):
    """The catalog is invalid, or names something unknown."""


class Unavailable(DataError):
    """No source delivered the file; the text lists every source tried and the manual way.

    `brief` says it in one line that names no path of this machine, for attributes and reports.
    """

    def __init__(self, text: str, brief: str = ""):
        super().__init__(text)
        self.brief = brief or text


class IntegrityError(DataError):
    """A file is there, but it is not the one that the catalog means."""


class FormatError(DataError):
    """A file does not follow its official format; the text names file and line."""

    def __init__(self, path, line: int | None, reason: str):
        self.path, self.line, self.reason = path, line, reason
        super().__init__(f"{path}:{line}: {reason}" if line else f"{path}: {reason}")


class Interrupted(Exception):
    """The address may deliver at the next try."""

    def __init__(self, reason: str, wait: float = 0.0):
        super().__init__(reason)
        self.wait = wait


def short(value) -> str:
    """In words, cut if it is long."""
    text = str(value)
    return text if len(text) <= 120 else text[:117] + "…"
