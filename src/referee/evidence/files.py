"""JSON files beside published tables, each read with its model: an error names the file and the place."""

from pathlib import Path
from typing import Annotated, Any, NoReturn

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from projfree.common.names import unknown
from projfree.common.outside import DamagedFile

from ..common.bounded import read_json
from .words import VERDICTS


class _Part(BaseModel):
    """What is read of a part; other versions may have more in it."""

    model_config = ConfigDict(strict=True, extra="allow", defer_build=True)


def _verdict(word):
    if word not in VERDICTS:
        raise ValueError(unknown("verdict", word, VERDICTS))
    return word


Verdict = Annotated[str, AfterValidator(_verdict)]


class Entry(_Part):
    """An entry of claims.json."""

    id: str
    part: str
    quote: str
    where: str
    statement: str | None
    verdict: Verdict
    verdict_strong: Verdict | None
    headline: str
    measured: Any
    threshold: Any
    data: dict[str, Verdict]
    seeds: list
    panels: list[str]
    traces: list[str]
    note: str
    extra: bool
    readings: list
    robustness: str
    depends: bool
    provisional: str


class About(_Part):
    """The origin of a report, about.json."""

    run: str
    commit: str


class Costs(_Part):
    """What a run took, in costs.json: CPU seconds, peak MB and, of solvers, the seconds foreseen."""

    machine: str | None = None
    disk_mb: float
    jobs: dict[str, Annotated[list[float], Field(min_length=2, max_length=3)]]


def _unlike(entries):
    ids = [entry.id for entry in entries]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise ValueError(f"{twice} is there twice")
    return entries


MODELS = {
    "claims.json": Annotated[list[Entry], AfterValidator(_unlike)],
    "about.json": About,
    "costs.json": dict[str, Costs],
}


def read(path, kind: str | None = None):
    """The value of a JSON file as it is there, if it fits the model of its kind.

    Parameters
    ----------
    path : path
    kind : str, optional
        A key of `MODELS`; by default the file's name.

    Raises
    ------
    DamagedFile
        For what is no such file; the message names the first place that does not fit.
    """
    content = read_json(path)
    try:
        TypeAdapter(MODELS[kind or Path(path).name]).validate_python(content)
    except ValidationError as error:
        refuse(path, content, error)
    return content


def refuse(path, content, error: ValidationError) -> NoReturn:
    """Raise DamagedFile for what a file holds, naming the first place that does not fit its model."""
    first = error.errors()[0]
    place = first["loc"]
    if isinstance(content, list) and place and isinstance(content[place[0]], dict):
        place = (content[place[0]].get("id", place[0]), *place[1:])
    words = " ".join(map(str, place)) or "its value"
    raise DamagedFile(f"{path}: not as it should be, {words}: {first['msg']}") from None
