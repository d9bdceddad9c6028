"""The promises are broken one at a time, in a copy of the sources; a test has to fail for each."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compiled_copy import bring

ROOT = Path(__file__).resolve().parents[2]
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
the checksum is not compared | projfree/common/atomic_io.py | common/test_atomic_io.py
  and head != _block(
  and not _block(
the checksum is of the first part only | projfree/common/atomic_io.py | common/test_atomic_io.py
      while chunk := stream.read(CHUNK):⏎        value
      if chunk := stream.read(64):⏎        stream.read()⏎        value
renamed before it is on disk | projfree/common/atomic_io.py | common/test_atomic_io.py
                  _finish(sink)⏎                os.replace(part, path)
                  os.replace(part, path)⏎                _finish(sink)
not put on disk | projfree/common/atomic_io.py | common/test_atomic_io.py
      os.fsync(sink.fileno())
      pass
the folder is not put on disk | projfree/common/atomic_io.py | common/test_atomic_io.py
                  _sync(path.parent)⏎
  
a failed write is not told | projfree/common/atomic_io.py | common/test_atomic_io.py
      if sink.failure:⏎        raise sink.failure
      pass
written in place, without a rename | projfree/common/atomic_io.py | common/test_atomic_io.py
  os.replace(part, path)
  path.write_bytes(part.read_bytes())
parts are named by process number, and opened where they stand | projfree/common/atomic_io.py | common/test_atomic_io.py -k in_the_way
  {secrets.token_hex(8)}.part")⏎        sink = _Sink(part, "x+")
  {os.getpid()}.part")⏎        sink = _Sink(part, "w+")
parts of the living are swept | projfree/common/atomic_io.py | common/test_atomic_io.py
                  fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)⏎                part
                  part
parts of the dead stay | projfree/common/atomic_io.py | common/test_atomic_io.py
                  part.unlink()⏎
  
links in HDF5 are followed | projfree/common/hdf5.py | common/test_outside.py
  if group.links.get_info(name).type != h5py.h5l.TYPE_HARD:
  if False:
external storage is read | projfree/common/hdf5.py | common/test_outside.py
   or made.get_external_count()
  
claims are believed | projfree/common/hdf5.py | common/test_outside.py
  if self.bytes > self.limit:
  if False:
fifos are opened | projfree/common/outside.py | common/test_outside.py -k opened
  if not stat.S_ISREG(status.st_mode):
  if False:
pieces of any size are unpacked | projfree/common/hdf5.py | common/test_outside.py
  if chunked and math.prod(made.get_chunk()) * kind.get_size() > self.limit:
  if False:
a part is not locked while it is made | projfree/common/atomic_io.py | common/test_atomic_io.py
  fcntl.flock(sink, fcntl.LOCK_EX)
  fcntl.flock(sink, fcntl.LOCK_EX | fcntl.LOCK_NB)
an instance may change while a job runs | referee/jobs/job.py | jobs/test_instance.py
  if instance.instance_attrs(instance_path)["sha256"] != about["sha256"]:
  if False:
seeds are not compared with the job's | projfree/trace/check.py | common/test_trace_check.py
  if sorted(names) != groups:
  if False:
lengths are not compared | projfree/trace/check.py | common/test_trace_check.py
  if column.shape != shape or len(shape) != 1:
  if False:
attributes are not compared with the job | projfree/trace/check.py | common/test_trace_check.py
  if result != expected:
  if False:
two members of one name are taken | referee/data/unpack.py | data/test_unpack.py
  if name in names and
  if False and
a mirror's file may be of any size | referee/data/store.py | data/test_fetch.py
  if path.stat().st_size > file.max_bytes:
  if False:
what is unpacked has no bound | referee/data/lines.py | ratings/test_complete_tables.py
  if left < 0:
  if False:
a lock follows a link | referee/common/alone.py | data/test_fetch.py
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
ROWS = TABLE.strip("\n").split("\n")
MUTANTS = [
    pytest.param(file, *(text[2:].replace("⏎", "\n") for text in pieces), tests, id=what)
    for heads, *pieces in zip(ROWS[::3], ROWS[1::3], ROWS[2::3], strict=True)
    for what, file, tests in [heads.split(" | ")]
]


@pytest.mark.parametrize(("file", "piece", "instead", "tests"), MUTANTS)
def test_a_mutant_breaks_one_piece_of_the_sources(file, piece, instead, tests):
    assert (ROOT / "src" / file).read_text().count(piece) == 1 and piece != instead
    assert (ROOT / "tests" / tests.split()[0]).is_file()


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mutants")
    bring(folder)
    return folder


def mutated(copy, file, piece, instead, tests):
    """The exit code of pytest with a copy of the sources in which a piece is replaced."""
    source = copy / "src"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "src" / file).read_text()
    (source / file).write_text(text.replace(piece, instead))
    others = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    first, *options = tests.split()
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"tests/{first}", *options],
        cwd=ROOT,
        env=others | {"PYTHONPATH": str(source), "PROJFREE_CACHE": str(copy / ".cache")},
        capture_output=True,
    ).returncode


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(("file", "piece", "instead", "tests"), MUTANTS)
def test_a_mutant_is_told(copy, file, piece, instead, tests):
    assert mutated(copy, file, piece, instead, tests) == 1


def test_sources_that_say_the_same_are_told_by_none(copy):
    file, piece, _, _ = next(m.values for m in MUTANTS if m.id == "not put on disk")
    test = "common/test_atomic_io.py::test_the_order_on_disk_is_content_then_name_then_folder"
    assert mutated(copy, file, piece, f"{piece}  # the same", test) == 0
    assert mutated(copy, file, piece, "pass", test) == 1
