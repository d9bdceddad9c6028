"""Commands that turn what somebody has into a table that is read; a test runs each on its file."""

import json
import shlex

LINES = 'open("lines.jsonl", "x", encoding="utf-8").writelines(json.dumps({}) + "\\n" for r in {})'
MATRIX = (
    "t = pandas.read_csv({}, sep={}, dtype=str, keep_default_na=False, skipinitialspace=True{}); "
    's = t.set_index(t.columns[0]).stack(); s[s != ""].rename_axis({}).rename("rating")'
    '.to_csv("long.csv", mode="x"{})'
)


def utf_8(path) -> str:
    """UTF-8 from UTF-16."""
    if _opener(path) == "io":
        return f"turn it into UTF-8 by: iconv -f UTF-16 -t UTF-8 {shlex.quote(str(path))} > utf8.csv"
    code = f'io.open("utf8.csv", "x", encoding="utf-8").write({_opened(path, "utf-16")}.read())'
    return _way(path, "UTF-8", code)


def json_lines(path, encoding, literals=False) -> str:
    """An object a line, from an array of them, or from lines as Python writes dictionaries."""
    text = _opened(path, encoding)
    if literals:
        return _way(path, "JSON", LINES.format("ast.literal_eval(r)", f"{text} if r.strip()"), "ast, json")
    return _way(path, "one object a line", LINES.format("r", f"json.load({text})"), "json")


def long(path, encoding, separator, axes, header, numbered) -> str:
    """A rating a line, in the same encoding, from a matrix; `numbered` if the first column names no line."""
    text, same = _opened(path, encoding), "" if encoding == "utf-8" else f', encoding="{encoding}"'
    code = MATRIX.format(text, _quoted(separator), ", header=None" * (not header), json.dumps(axes), same)
    code = code.replace("; s", "; t[0] = t.index + 1; s", 1) if numbered else code
    return _way(path, "one rating a line", code, "pandas")


def csv_of_parquet(path) -> str:
    """CSV; whole numbers as such, also where some are missing."""
    code = "pandas.read_parquet({}).convert_dtypes().to_csv({}, index=False, mode={})"
    return _way(path, "CSV", code.format(*map(_quoted, (path, f"{path.stem}.csv", "x"))), "pandas")


def _way(path, what, code, modules="") -> str:
    if _opener(path) == "zip":
        return f"unpack it first with: python -m zipfile -e {shlex.quote(str(path))} unpacked"
    used = [*modules.split(", "), *(name for name in ("bz2", "gzip", "io") if f"{name}.open" in code)]
    whole = f"import {', '.join(filter(None, used))}; {code}"
    return f"turn it into {what} with: python -c {shlex.quote(whole)}"


def _opener(path) -> str:
    """The module whose `open` unpacks a file."""
    with open(path, "rb") as file:
        return {b"\x1f\x8b": "gzip", b"BZ": "bz2", b"PK": "zip"}.get(file.read(2), "io")


def _opened(path, encoding) -> str:
    encoding = "utf-8-sig" if encoding == "utf-8" else encoding  # whose mark would be a part of a name
    return f'{_opener(path)}.open({_quoted(path)}, "rt", encoding="{encoding}")'


def _quoted(text) -> str:
    """A literal of Python, all in ASCII and double quotes; names of files need not be UTF-8."""
    return json.dumps(str(text), ensure_ascii=False).encode("ascii", "backslashreplace").decode()
