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


#: What is broken | the file below src | tests that tell; then the piece and what replaces it, ⏎ a new line.
TABLE = r"""
a resume forgets its generators | projfree/engine/checkpoint.py | engine/test_engine_killed.py
  rng.bit_generator.state = stored["rngs"][name]
  pass
a resume forgets its counts | projfree/engine/checkpoint.py | engine/test_engine_killed.py
  tables[name].update(stored[name])
  pass
a checkpoint of other parameters is continued | projfree/engine/checkpoint.py | engine/test_engine_checkpoint.py
  if handle.attrs["key"] != key:
  if False:
the checksum is not compared | projfree/ground/sealed.py | ground/test_sealed.py
  and head != _block(
  and not _block(
the checksum is of the first part only | projfree/ground/sealed.py | ground/test_sealed.py
      while chunk := stream.read(CHUNK):⏎        value
      if chunk := stream.read(64):⏎        stream.read()⏎        value
renamed before it is on disk | projfree/ground/sealed.py | ground/test_sealed.py
                  _finish(sink)⏎                os.replace(part, path)
                  os.replace(part, path)⏎                _finish(sink)
not put on disk | projfree/ground/sealed.py | ground/test_sealed.py
      os.fsync(sink.fileno())
      pass
the folder is not put on disk | projfree/ground/sealed.py | ground/test_sealed.py
                  _sync(path.parent)⏎
  
a failed write is not told | projfree/ground/sealed.py | ground/test_sealed.py
      if sink.failure:⏎        raise sink.failure
      pass
written in place, without a rename | projfree/ground/sealed.py | ground/test_sealed.py
  os.replace(part, path)
  path.write_bytes(part.read_bytes())
parts are named by process number, and opened where they stand | projfree/ground/sealed.py | ground/test_sealed.py -k in_the_way
  {secrets.token_hex(8)}.part")⏎        sink = _Sink(part, "x+")
  {os.getpid()}.part")⏎        sink = _Sink(part, "w+")
parts of the living are swept | projfree/ground/sealed.py | ground/test_sealed.py
                  fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)⏎                part
                  part
parts of the dead stay | projfree/ground/sealed.py | ground/test_sealed.py
                  part.unlink()⏎
  
links in HDF5 are followed | projfree/ground/hdf5.py | ground/test_outside.py
  if group.links.get_info(name).type != h5py.h5l.TYPE_HARD:
  if False:
external storage is read | projfree/ground/hdf5.py | ground/test_outside.py
   or made.get_external_count()
  
claims are believed | projfree/ground/hdf5.py | ground/test_outside.py
  if self.bytes > self.limit:
  if False:
fifos are opened | projfree/ground/outside.py | ground/test_outside.py -k opened
  if not stat.S_ISREG(status.st_mode):
  if False:
pieces of any size are unpacked | projfree/ground/hdf5.py | ground/test_outside.py
  if chunked and math.prod(made.get_chunk()) * kind.get_size() > self.limit:
  if False:
a part is not locked while it is made | projfree/ground/sealed.py | ground/test_sealed.py
  fcntl.flock(sink, fcntl.LOCK_EX)
  fcntl.flock(sink, fcntl.LOCK_EX | fcntl.LOCK_NB)
an instance may change while a job runs | referee/jobs/job.py | jobs/test_instance_replaced.py
  if instance.instance_attrs(instance_path)["sha256"] != about["sha256"]:
  if False:
seeds are not compared with the job's | projfree/trace/check.py | ground/test_trace_check.py
  if sorted(names) != wanted:
  if False:
lengths are not compared | projfree/trace/check.py | ground/test_trace_check.py
  if column.shape != shape or len(shape) != 1:
  if False:
attributes are not compared with the job | projfree/trace/check.py | ground/test_trace_check.py
  if found != wanted:
  if False:
two members of one name are taken | referee/data/unpack.py | data/test_unpack.py
  if name in seen and
  if False and
a mirror's file may be of any size | referee/data/store.py | data/test_fetch.py
  if path.stat().st_size > file.max_bytes:
  if False:
what is unpacked has no bound | referee/data/lines.py | ratings/test_complete_tables.py
  if left < 0:
  if False:
a lock follows a link | referee/data/store.py | data/test_fetch.py
   | os.O_NOFOLLOW
  
a last line without an end is lost | referee/data/lines.py | data/test_formats.py
      if rest:⏎
      if False:⏎
a number that is too large is read | referee/data/lines.py | data/test_formats.py
  return None if abs(float(field)) < LARGEST else
  return None if True else
records of any width are read | ratings/texts.py | ratings/test_complete_tables.py
  if len(row) != layout.width:
  if False:
"""  # noqa: E501 - a heading is one line


def _mutants():
    rows = TABLE.strip("\n").split("\n")
    for heads, *pieces in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        what, file, tests = heads.split(" | ")
        yield Mutant(what, file, *(piece[2:].replace("⏎", "\n") for piece in pieces), tests)


MUTANTS = list(_mutants())


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
