"""Who may open files for writing: `common.atomic_io`, and the few others named here, by their syntax."""

import ast
from pathlib import Path

from projfree.common import atomic_io

SOURCES = Path(atomic_io.__file__).parents[2]
ARRAYS = "np.savez", "np.savetxt"
#: File → the calls in it that open something for writing, and why they may.
DOORS = {
    "projfree/common/atomic_io.py": {"os.open", "h5py.File", "_Sink", "shutil.copyfileobj"},  # itself
    "projfree/engine/cpu_pinning.py": {"os.open"},  # locks of cores, empty
    "referee/common/alone.py": {"os.open"},  # locks, empty
    "referee/data/download.py": {"open"},  # parts, given their name by data.store.publish
    "referee/data/fetch.py": {"shutil.copyfile"},  # the same
    "referee/data/unpack.py": {"open"},  # the same
    "referee/data/faces.py": {"zipfile.ZipFile"},  # stand-ins, in a folder that is removed
    "referee/data/prepare.py": {"open", "h5py.File", *ARRAYS, "savemat", "dump_svmlight_file"},
    "referee/jobs/store.py": {"os.link"},  # a second name of a whole file
    "referee/report/figures.py": {".savefig"},  # into memory
    "referee/report/style.py": {".savefig"},  # the same
    "ratings/storage.py": {"open"},  # in a folder that is removed
    "projfree/completion/prepared.py": {"open"},  # blocks, before the index that needs them
    "referee/report/rebuild.py": {"shutil.copytree", "shutil.copy2"},  # in a folder that is named at the end
    "referee/jobs/probes/_peak_memory.py": {"np.save", ".write_text"},  # tasks of child processes
}
MODES = {"open": 1, "gzip.open": 1, "bz2.open": 1, "tarfile.open": 1, "zipfile.ZipFile": 1, "h5py.File": 1}
ALWAYS = {".write_text", ".write_bytes", ".touch", ".symlink_to", ".hardlink_to", ".tofile", ".savefig"}
ALWAYS |= {"_Sink", "savemat", "dump_svmlight_file", "np.save", "np.savez_compressed", *ARRAYS}
ALWAYS |= {"json.dump", "pickle.dump", "yaml.dump", "os.symlink", "os.link", "os.mkfifo", "tempfile.mkstemp"}
ALWAYS |= {f"shutil.{name}" for name in ("copy", "copy2", "copyfile", "copyfileobj", "copytree", "move")}
WITH_A_PATH = {"to_csv", "to_json", "to_parquet", "to_hdf", "to_pickle"}


def writes(text: str) -> set[str]:
    """The calls in a source that open something for writing, or may."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return {name for call in calls if (name := _writing(call))}


def _writing(call):
    full = ast.unparse(call.func)
    dot, short = (f".{call.func.attr}", call.func.attr) if isinstance(call.func, ast.Attribute) else ("", "")
    if full == "os.open":
        return full if any(flag in ast.unparse(call) for flag in ("O_CREAT", "O_RDWR", "O_WRONLY")) else ""
    if short in WITH_A_PATH:
        return dot if call.args else ""
    if full in MODES or short == "open":  # the second is a method, its mode the first argument
        at = MODES.get(full, 0)
        mode = next((word.value for word in call.keywords if word.arg == "mode"), None)
        mode = mode or (call.args[at] if len(call.args) > at else None)
        return (full if full in MODES else dot) if _is_writing(mode) else ""
    return full if full in ALWAYS else dot if dot in ALWAYS else ""


def _is_writing(mode) -> bool:
    """Whether a mode is, or can be, one of writing."""
    texts = [node.value for node in ast.walk(mode) if isinstance(node, ast.Constant)] if mode else []
    return any(set(t) <= set("rwaxbt+") and set(t) & set("wax+") for t in texts if isinstance(t, str))


def test_every_file_is_written_through_a_known_door():
    found = {p.relative_to(SOURCES).as_posix(): writes(p.read_text()) for p in SOURCES.rglob("*.py")}
    assert {name: calls for name, calls in found.items() if calls} == DOORS
