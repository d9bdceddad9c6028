"""The page of all keys of the configuration, from the schemas, which are made from the types."""

import json
from pathlib import Path

TITLES = {"config": "config.yaml", "datasets": "datasets.yaml", "paper": "The files of a paper"}
HEAD = "| key | type | default | meaning |\n|---|---|---|---|\n"


def page(schemas: Path) -> str:
    """Markdown: a section a file, a table an object."""
    sections = ["# Every key of the configuration\n\nMade from the types that check them."]
    for name, title in TITLES.items():
        schema = json.loads((schemas / f"{name}.schema.json").read_text())
        sections += [f"## {title}\n\n{schema['description']}", table(name, schema)]
        for kind, entry in sorted(schema.get("$defs", {}).items()):
            label = f"({name}-{kind.lower()})=\n### {kind}\n\n{entry.get('description', '')}"
            sections += [label, table(name, entry) if "properties" in entry else ""]
    return "\n\n".join(filter(None, sections)) + "\n"


def table(name: str, schema: dict) -> str:
    """A row a key of an object; what its further keys hold, below."""
    needed = schema.get("required", ())
    rows = [
        f"| `{key}` | {kind(name, entry)} | {default(entry, key in needed)} | {cell(entry)} |"
        for key, entry in schema.get("properties", {}).items()
    ]
    further = list(schema.get("patternProperties", {}).values())
    told = f"\n\nFurther keys, names of your own: {kind(name, further[0])}." if further else ""
    return (HEAD + "\n".join(rows) if rows else "") + told


def default(entry: dict, needed: bool) -> str:
    """What stands where a key is left out."""
    return f"`{json.dumps(entry['default'])}`" if "default" in entry else "needed" * needed


def cell(entry: dict) -> str:
    """A description as a cell of a table."""
    return entry.get("description", "").replace("|", "\\|").replace("\n", " ")


def kind(name: str, entry: dict) -> str:
    """The type of a key in words, with links to the objects that it is made of."""
    if entry.get("$ref") == "#":
        return "any of these keys"
    if "$ref" in entry:
        what = entry["$ref"].rpartition("/")[2]
        return "a template's value" if what == "given" else f"[{what}](#{name}-{what.lower()})"
    if "anyOf" in entry:
        kinds = (kind(name, one) for one in entry["anyOf"])
        return " or ".join(word for word in dict.fromkeys(kinds) if word != "a template's value")
    if "enum" in entry or "const" in entry:
        return ", ".join(f"`{value}`" for value in entry.get("enum", [entry.get("const")]))
    if entry.get("type") == "array":
        return f"list of {kind(name, entry['items'])}" if "items" in entry else "list"
    if entry.get("type") == "object":
        more = entry.get("additionalProperties") or next(
            iter(entry.get("patternProperties", {}).values()), None
        )
        return f"mapping to {kind(name, more)}" if isinstance(more, dict) else "mapping"
    return entry.get("type", "any value")
