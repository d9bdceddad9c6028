"""The transcript of tables as they come, in docs/completing-ratings.md, is what the command says."""

import sys

from click.testing import CliRunner
from places import ROOT

from ratings import work
from referee.cli import main

HEAD = "user,item,rating\n"
FEW = "anna,x,3\nbob,x,4\nbob,y,2\ncy,y,5\n"
#: File and options → (comment, content).
TABLES = {
    "latin.csv": (
        "Müller and Möller, in Latin-1",
        f"{HEAD}anna,x,3\nMüller,x,4\nMöller,y,5\n".encode("latin-1"),
    ),
    "latin.csv --encoding latin-1": ("", None),
    "utf16.csv": ("", (HEAD + FEW).encode("utf-16")),
    "bom.csv": ("UTF-8 as Excel writes it, with a mark at its start", (HEAD + FEW).encode("utf-8-sig")),
    "excel.csv": ("anna;x;3,5", "user;item;rating\nanna;x;3,5\n"),
    "comma.csv": ("anna,y,3,5 below user,item,rating", f"{HEAD}anna,x,3\nanna,y,3,5\n"),
    "quote.csv": ('anna,"x,3', f'{HEAD}anna,"x,3\nbob,y,4\n'),
    "empty.csv": (",x,3", f"{HEAD}anna,x,3\n,x,3\n"),
    "missing.csv": ("bob,x,NA", f"{HEAD}anna,x,3\nbob,x,NA\n{FEW.replace('x', 'z')}"),
    "missing.csv --drop-missing": ("", None),
    "matrix.csv": ("user,Alien,Brazil,Cube", "user,Alien,Brazil,Cube\nanna,3,,4\nbob,,5,1\n"),
    "words.csv": ("good", f"{HEAD}anna,x,good\n"),
    "shelves.csv": (
        "bob,y,0: in some tables 0 says that nothing was rated",
        f"{HEAD}{FEW}anna,y,0\n".replace("bob,y,2", "bob,y,0").replace("anna,y,0", "anna,y,2"),
    ),
    "shelves.csv --zeros missing": ("", None),
    "jester.csv": ("99 says that a joke was not rated", f"{HEAD}{FEW}anna,y,99\n"),
    "jester.csv --missing 99": ("", None),
    "plays.csv": ("how often songs were played", f"{HEAD}{FEW}cy,x,500\n"),
    "lines.json": ("an object a line, as Python writes it", "{'user': 1, 'item': 'x', 'rating': 3}\n"),
    "goodreads.csv": ("the export of one's own books", "Book Id,Title,My Rating\n1,a,4\n"),
    "page.csv": ("<html> where a table should be", "<html>\n<body>\n"),
    "mine.csv": ("ann,x again in line 7", f"{HEAD}ann,x,4\n{FEW}ann,x,5\n"),
    "mine.csv --duplicates mean": ("", None),
}


def said(call):
    """What is said of a table: the error, or what was read; of fits nothing."""
    done = CliRunner().invoke(main, ["complete", *call.split()])
    lines = done.output.strip().splitlines()
    assert done.exit_code == (1 if lines[-1].startswith("Error: ") else 0), done.output
    return lines


def test_the_transcript_is_what_the_command_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(work, "_fitted", lambda *_: sys.exit())  # only what is read is told of
    shown = []
    for call, (comment, content) in TABLES.items():
        if content is not None:
            (tmp_path / call).write_bytes(content if isinstance(content, bytes) else content.encode())
        prompt = f"$ projfree complete {call}"
        shown += [f"{prompt:<40}# {comment}" if comment else prompt, *said(call)]
    text = (ROOT / "docs/completing-ratings.md").read_text()
    blocks = [block.splitlines()[1:] for block in text.split("```")[1::2]]
    assert shown in blocks
