"""The files of a paper, and every other YAML file of the configuration."""

from functools import cache
from pathlib import Path

import yaml

PAPERS = Path("config/papers")


class FileError(ValueError):
    """A file that cannot be read; the message names it."""


def papers(root=".") -> list[str]:
    """Papers that have a file."""
    return sorted(path.stem for path in (Path(root) / PAPERS).glob("*.yaml"))


def read_paper(folder) -> dict:
    """The whole of a paper as one mapping; what comes back is kept, so nobody changes it."""
    return read(Path(folder).with_suffix(".yaml"))


def read(path):
    """The value of a YAML file, kept until the file changes."""
    return _read(Path(path), Path(path).stat().st_mtime_ns)


@cache
def _read(path, _mtime):
    with open(path, encoding="utf-8") as handle:
        try:
            return yaml.load(handle, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except yaml.YAMLError as error:
            raise FileError(f"{path}: {error}") from None
