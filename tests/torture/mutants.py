"""`python tests/torture/mutants.py`: the promises are broken one at a time; a test must tell each.

Each mutant is a copy of the sources with one piece of one file replaced; of its tests one has to fail.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from compiled_copy import bring  # noqa: E402 - found by the line above

BEGIN, END = "<!-- mutants:begin -->", "<!-- mutants:end -->"


@dataclass(frozen=True)
class Mutant:
    """What is broken, in words; the file below src; the piece, what replaces it; tests that tell."""

    what: str
    file: str
    piece: str
    instead: str
    tests: str


SEALED = "projfree/ground/sealed.py"
MUTANTS = [
    Mutant(
        "a resume forgets its generators",
        "projfree/engine/checkpoint.py",
        'rng.bit_generator.state = stored["rngs"][name]',
        "pass",
        "engine/test_engine_killed.py",
    ),
    Mutant(
        "a resume forgets its counts",
        "projfree/engine/checkpoint.py",
        "tables[name].update(stored[name])",
        "pass",
        "engine/test_engine_killed.py",
    ),
    Mutant(
        "a checkpoint of other parameters is continued",
        "projfree/engine/checkpoint.py",
        'if handle.attrs["key"] != key:',
        "if False:",
        "engine/test_engine_checkpoint.py",
    ),
    Mutant(
        "the checksum is not compared",
        SEALED,
        "and head != _block(",
        "and not _block(",
        "ground/test_sealed.py",
    ),
    Mutant(
        "the checksum is of the first part only",
        SEALED,
        "    while chunk := stream.read(CHUNK):\n        value",
        "    if chunk := stream.read(64):\n        stream.read()\n        value",
        "ground/test_sealed.py",
    ),
    Mutant(
        "renamed before it is on disk",
        SEALED,
        "                _finish(sink)\n                os.replace(part, path)",
        "                os.replace(part, path)\n                _finish(sink)",
        "ground/test_sealed.py",
    ),
    Mutant("not put on disk", SEALED, "    os.fsync(sink.fileno())", "    pass", "ground/test_sealed.py"),
    Mutant(
        "the folder is not put on disk",
        SEALED,
        "                _sync(path.parent)\n",
        "",
        "ground/test_sealed.py",
    ),
    Mutant(
        "a failed write is not told",
        SEALED,
        "    if sink.failure:\n        raise sink.failure",
        "    pass",
        "ground/test_sealed.py",
    ),
    Mutant(
        "written in place, without a rename",
        SEALED,
        "os.replace(part, path)",
        "path.write_bytes(part.read_bytes())",
        "ground/test_sealed.py",
    ),
    Mutant(
        "parts are named by process number, and opened where they stand",
        SEALED,
        '{secrets.token_hex(8)}.part")\n        sink = _Sink(part, "x+")',
        '{os.getpid()}.part")\n        sink = _Sink(part, "w+")',
        "ground/test_sealed.py -k in_the_way",
    ),
    Mutant(
        "parts of the living are swept",
        SEALED,
        "                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)\n                part",
        "                part",
        "ground/test_sealed.py",
    ),
    Mutant("parts of the dead stay", SEALED, "                part.unlink()\n", "", "ground/test_sealed.py"),
    Mutant(
        "links in HDF5 are followed",
        "projfree/ground/hdf5.py",
        "if group.links.get_info(name).type != h5py.h5l.TYPE_HARD:",
        "if False:",
        "ground/test_outside.py",
    ),
    Mutant(
        "external storage is read",
        "projfree/ground/hdf5.py",
        " or made.get_external_count()",
        "",
        "ground/test_outside.py",
    ),
    Mutant(
        "claims are believed",
        "projfree/ground/hdf5.py",
        "if self.bytes > self.limit:",
        "if False:",
        "ground/test_outside.py",
    ),
    Mutant(
        "fifos are opened",
        "projfree/ground/outside.py",
        "if not stat.S_ISREG(status.st_mode):",
        "if False:",
        "ground/test_outside.py -k opened",
    ),
    Mutant(
        "pieces of any size are unpacked",
        "projfree/ground/hdf5.py",
        "if chunked and math.prod(made.get_chunk()) * kind.get_size() > self.limit:",
        "if False:",
        "ground/test_outside.py",
    ),
    Mutant(
        "a part is not locked while it is made",
        SEALED,
        "fcntl.flock(sink, fcntl.LOCK_EX)",
        "fcntl.flock(sink, fcntl.LOCK_EX | fcntl.LOCK_NB)",
        "ground/test_sealed.py",
    ),
    Mutant(
        "an instance may change while a job runs",
        "referee/jobs/job.py",
        'if instance.instance_attrs(instance_path)["sha256"] != about["sha256"]:',
        "if False:",
        "jobs/test_instance_replaced.py",
    ),
    Mutant(
        "seeds are not compared with the job's",
        "projfree/trace/check.py",
        "if sorted(names) != wanted:",
        "if False:",
        "ground/test_trace_check.py",
    ),
    Mutant(
        "lengths are not compared",
        "projfree/trace/check.py",
        "if column.shape != shape or len(shape) != 1:",
        "if False:",
        "ground/test_trace_check.py",
    ),
    Mutant(
        "attributes are not compared with the job",
        "projfree/trace/check.py",
        "if found != wanted:",
        "if False:",
        "ground/test_trace_check.py",
    ),
    Mutant(
        "two members of one name are taken",
        "referee/data/unpack.py",
        "if name in seen and",
        "if False and",
        "data/test_unpack.py",
    ),
    Mutant(
        "a mirror's file may be of any size",
        "referee/data/fetch.py",
        "if path.stat().st_size > file.max_bytes:",
        "if False:",
        "data/test_fetch.py",
    ),
    Mutant(
        "what is unpacked has no bound",
        "referee/data/lines.py",
        "if left < 0:",
        "if False:",
        "complete/test_complete_tables.py",
    ),
    Mutant(
        "a lock follows a link",
        "referee/data/store.py",
        " | os.O_NOFOLLOW",
        "",
        "data/test_fetch.py",
    ),
    Mutant(
        "a last line without an end is lost",
        "referee/data/lines.py",
        "    if rest:\n",
        "    if False:\n",
        "data/test_formats.py",
    ),
    Mutant(
        "a number that is too large is read",
        "referee/data/lines.py",
        "return None if abs(float(field)) < LARGEST else",
        "return None if True else",
        "data/test_formats.py",
    ),
    Mutant(
        "records of any width are read",
        "referee/cli/complete/texts.py",
        "if len(rows[k]) != layout.width), None)",
        "if False), None)",
        "complete/test_complete_tables.py",
    ),
]


def told(mutant, folder) -> str:
    """How the tests tell a mutant: the first that fails; empty if none does."""
    source = folder / "src"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    (source / mutant.file).write_text(broken(mutant))
    return _first_failure(mutant.tests, folder)


def broken(mutant) -> str:
    """The text of a mutant's file; ValueError where the piece does not stand in it once."""
    text = (ROOT / "src" / mutant.file).read_text()
    if text.count(mutant.piece) != 1:
        raise ValueError(
            f"{mutant.what}: {mutant.file} has {text.count(mutant.piece)} times {mutant.piece!r}"
        )
    return text.replace(mutant.piece, mutant.instead)


def _first_failure(tests, folder) -> str:
    words = [f"tests/{w}" if "/" in w or (ROOT / "tests" / w).is_dir() else w for w in tests.split()]
    others = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *words],
        cwd=ROOT,
        env=others | {"PYTHONPATH": str(folder / "src"), "PROJFREE_CACHE": str(folder / ".cache")},
        capture_output=True,
        text=True,
    )
    failed = [
        line.split()[1].partition("[")[0] for line in done.stdout.splitlines() if line.startswith("FAILED ")
    ]
    return failed[0].removeprefix("tests/") if done.returncode == 1 and failed else ""


def table(found) -> str:
    """A row a mutant, and the first test that tells it."""
    lines = ["| broken on purpose | file | told by |", "|---|---|---|"]
    for mutant, test in found:
        lines.append(f"| {mutant.what} | `{mutant.file}` | {f'`{test}`' if test else '**nobody**'} |")
    return "\n".join(lines)


def main(arguments=None) -> int:
    """Try all mutants; 1 if one is told by no test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default="", help="mutants whose words hold this")
    parser.add_argument("--document", type=Path, help="where the table goes, between its marks")
    options = parser.parse_args(arguments)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        bring(Path(folder))
        for mutant in [m for m in MUTANTS if options.only in m.what]:
            found.append((mutant, told(mutant, Path(folder))))
            print(json.dumps([mutant.what, found[-1][1]]), flush=True)
    if options.document:
        text = options.document.read_text()
        head, _, rest = text.partition(BEGIN)
        options.document.write_text(f"{head}{BEGIN}\n\n{table(found)}\n\n{END}{rest.partition(END)[2]}")
    return any(not test for _, test in found)


if __name__ == "__main__":
    sys.exit(main())
