"""JSON schemas of the configuration for editors, made from the models."""

import json
from pathlib import Path

from pydantic.json_schema import GenerateJsonSchema

from projfree.common.atomic_io import atomic_write
from projfree.common.owned import ANY

from ..common.project import project_root
from .models.dataset import Config, Datasets
from .models.paper import Paper

FOLDER = Path("workflow/schemas")
MODELS = {"config": Config, "paper": Paper, "datasets": Datasets}
#: What a template's `for` gives, or null, which removes a key.
GIVEN = {
    "description": "{name}: what `for` gives. null: removes what it stands over.",
    "type": ["string", "null"],
    "pattern": r"\{\w+\}",
}
MAY_BE_GIVEN = {"$ref": "#/$defs/given"}
FOR = {
    "description": "Makes a template of this entry, one entry for each combination of an item of every list, "
    "whose values stand for {name} in all its strings: [[{p: 1}, {p: 2}], [{q: 3}]].",
    "type": "array",
    "items": {"type": "array", "items": {"type": "object"}},
}


class _Untitled(GenerateJsonSchema):
    """Without titles, which would repeat each key."""

    def field_title_should_be_set(self, schema):
        return False


def schema(name: str) -> dict:
    """The schema of a kind of file.

    A paper's file is a part of a paper, as an override of its runs is: nothing is required there, null
    removes a key, an entry may be a template. Loading the paper finds missing keys.
    """
    made = _without_null_defaults(MODELS[name].model_json_schema(schema_generator=_Untitled))
    if name == "paper":
        for part in (made, *made["$defs"].values()):
            _loosen(part)
        del made["properties"]["for"]
        made["properties"]["runs"]["anyOf"][0]["additionalProperties"] = {"$ref": "#"}
        made["$defs"]["Alternative"]["properties"]["override"]["anyOf"][0] = {"$ref": "#"}
        made["$defs"] |= {"given": GIVEN, "for": FOR}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def text(name: str) -> str:
    """The schema as its file has it."""
    return json.dumps(schema(name), ensure_ascii=False, indent=1) + "\n"


def stale(root=None) -> dict[Path, str]:
    """Files with a schema that differs from the models, with their new content."""
    wanted = {Path(root or project_root()) / FOLDER / f"{name}.schema.json": text(name) for name in MODELS}
    return {p: t for p, t in wanted.items() if not p.exists() or p.read_text(encoding="utf-8") != t}


def _without_null_defaults(node):
    if isinstance(node, dict):
        return {
            key: _without_null_defaults(value)
            for key, value in node.items()
            if not (key == "default" and value is None)
        }
    return [_without_null_defaults(value) for value in node] if isinstance(node, list) else node


def _loosen(part):
    """An entry of a paper's file: nothing required, each value may be given, the entry may be a template."""
    part = part["anyOf"][0] if "anyOf" in part else part  # the long form of what may stand alone
    part.pop("required", None)
    for name, value in part["properties"].items():
        about = {key: value.pop(key) for key in ("description", "default") if key in value}
        choices = [_loosened(c) for c in value.get("anyOf", [value]) if c != {"type": "null"}]
        part["properties"][name] = {**about, "anyOf": [*choices, MAY_BE_GIVEN]}
    part["properties"]["for"] = {"$ref": "#/$defs/for"}


def _loosened(value):
    """A mapping of entries, of which each may be null."""
    entry = value.get("additionalProperties")
    if not isinstance(entry, dict):
        return value
    return {**value, "additionalProperties": {"anyOf": [*entry.get("anyOf", [entry]), MAY_BE_GIVEN]}}


def main() -> None:
    """Write the schemas that differ from the models."""
    for path, content in stale().items():
        atomic_write(path, content, ANY)
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
