"""A value against a model; an error names the place, the known names and the nearest."""

import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from projfree.common.names import unknown

from . import files

SHOWN = 5


class StudyError(ValueError):
    """A configuration that does not fit; the message names the place and the known alternatives."""


def validate(model: type[BaseModel], value, source, ignore=lambda place: False):
    """The value as a model.

    Parameters
    ----------
    model : type
    value : plain data
    source : path
        Where it comes from: a file, or the folder of a paper.
    ignore : callable, optional
        Whether something may be missing at a place (tuple of keys).

    Raises
    ------
    StudyError
        Naming the first places where the value breaks the model.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        found = [e for e in error.errors() if not (e["type"].startswith("missing") and ignore(e["loc"]))]
        if found:
            schema, first = model.model_json_schema(), {}
            for one in found:
                first.setdefault(_mistake(*one["loc"]), one)
            told = [_error_line(schema, one, source) for one in list(first.values())[:SHOWN]]
            raise StudyError("\n".join(told)) from None


def lookup(table: dict, name: str, kind: str, where, lists: str = ""):
    """An entry of a table; an unknown name is an error that lists the known, or says what `lists` them."""
    if name not in table:
        raise StudyError(unknown(kind, name, table, where, lists))
    return table[name]


@dataclass(frozen=True)
class Place:
    """A place in a paper's files, in words; which file it is is looked up only when it is told."""

    source: object
    keys: tuple
    words: str

    def __str__(self):
        return f"{file_of(self.source, *self.keys)}: {self.words}"


def file_of(source, *keys) -> Path:
    """The file of a paper that gives a key, and the key below it; its folder if none or several do."""
    source = Path(source)
    if source.suffix:
        return source
    parts = sorted(source.rglob("*.yaml")) or [source.with_suffix(".yaml")]
    for depth in (2, 1):
        found = [path for path in parts if _gives(files.read(path), *keys[:depth])]
        if len(found) == 1:
            return found[0]
    return source


def _gives(value, *keys):
    return not keys or (isinstance(value, dict) and keys[0] in value and _gives(value[keys[0]], *keys[1:]))


def _mistake(section=None, name=None, *below):
    """What is told once: a template, or `like`, repeats a mistake in many experiments."""
    return (section, *below) if section == "experiments" and below else (section, name, *below)


def _error_line(schema, error, source):
    """One line about an error of pydantic."""
    place, kind = error["loc"], error["type"]
    inside = place[:-1] if kind in ("extra_forbidden", "missing") else place
    at = f"{file_of(source, *place)}: {'.'.join(map(str, inside)) or 'top level'}"
    about = _at(schema, inside)
    if kind == "extra_forbidden":
        return unknown("key", place[-1], about.get("properties", {}), at)
    if kind == "missing":
        return f"{at}: {place[-1]!r} is a required property"
    said = re.sub(r"^(Input|String|List|Dictionary)\b", lambda _: _short(error["input"]), error["msg"])
    return f"{at}: {said}" + (f" ({about['description']})" if "description" in about else "")


def _short(value):
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _at(schema, place):
    """The part of a JSON schema that describes a place."""
    node = schema
    for step in place:
        every = [node.get("additionalProperties"), *node.get("patternProperties", {}).values()]
        below = node.get("items") if isinstance(step, int) else node.get("properties", {}).get(step)
        node = _plain(schema, next(filter(None, [below, *every]), {}))
    return node


def _plain(schema, node):
    """A part of a schema without the choice with null, and the reference, that it stands behind."""
    if not isinstance(node, dict):
        return {}
    choices = [choice for choice in node.get("anyOf", []) if choice.get("type") not in ("null", "string")]
    node = {**(choices[0] if choices else {}), **{key: node[key] for key in node if key != "anyOf"}}
    if "$ref" in node:
        named = schema["$defs"][node.pop("$ref").rpartition("/")[2]]
        return _plain(schema, {**named, **node})
    return node
