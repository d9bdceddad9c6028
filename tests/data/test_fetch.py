"""Mirror, packed sources, files placed by hand or added, shipped files."""

import bz2
import gzip
import json
import os
import stat
from pathlib import Path

import pytest
from local_site import digest, get, quick, row
from packs import zipped

from referee.common.alone import alone
from referee.data import fetch
from referee.data.errors import CatalogError, DataError, IntegrityError, Unavailable

TEXT = b"1 1:0.5 3:2\n2 2:-1\n"
PRINT = {"shape": [2, 3], "nnz": 3, "labels": {1: 1, 2: 1}, "column_sums": None}
ZIPPED = zipped({"in/a": TEXT, "other": b"x"})
LIBSVM = {"reader": "libsvm", "reader_params": {"features": 3}, "fingerprint": PRINT}


def target(root, name="a.txt"):
    return root / "data" / "raw" / "thing" / name


def thing(**file):
    return row([{"name": "a.txt"} | file], **LIBSVM)


def folder(tmp_path, **files):
    for name, body in files.items():
        path = tmp_path / "mirror" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return str(tmp_path / "mirror")


def fetched(root, **others):
    return fetch.fetch(get(root), quick(root, **others))["a.txt"].read_bytes()


def test_mirror_folder_first(site, project, tmp_path):
    site.files["/a.txt"] = b"other"
    root = project(thing=thing(addresses=[site.url("/a.txt")]))
    mirror = folder(tmp_path, **{"thing/a.txt": TEXT})
    assert fetched(root, mirror=mirror) == TEXT
    assert site.requests == []
    assert stat.S_IMODE(target(root).stat().st_mode) == 0o444
    recorded = json.loads((root / "data" / "downloads.lock.json").read_text())
    assert recorded["thing/a.txt"] == {"mirror": digest(TEXT)}


def test_mirror_over_http_and_its_own_path_and_hash(site, project):
    site.files["/m/elsewhere/b.gz"] = packed = gzip.compress(TEXT)
    mirror = {"address": "elsewhere/b.gz", "unpack": "gzip", "sha256": digest(packed)}
    root = project(thing=thing(mirror=mirror))
    assert fetched(root, mirror=site.url("/m/")) == TEXT


@pytest.mark.parametrize("unpack", [None, "gzip"])
def test_a_source_with_its_own_hash(site, project, unpack):
    site.files["/pack"] = gzip.compress(TEXT) if unpack else TEXT
    source = {"address": site.url("/pack"), "unpack": unpack}
    with pytest.raises(Unavailable, match="for this address"):
        fetched(project(thing=thing(addresses=[source | {"sha256": "0" * 64}])))
    right = source | {"sha256": digest(site.files["/pack"])}
    assert fetched(project(thing=thing(addresses=[right]))) == TEXT


def test_bad_mirror_copy_falls_back_to_the_address(site, project, tmp_path):
    site.files["/a.txt"] = TEXT
    root = project(thing=thing(addresses=[site.url("/a.txt")], sha256=digest(TEXT)))
    assert fetched(root, mirror=folder(tmp_path, **{"thing/a.txt": TEXT[:-3]})) == TEXT
    assert not list(target(root).parent.glob("*.part*"))


def test_a_mirror_folder_obeys_the_limit_before_it_copies(project, tmp_path):
    root = project(thing=thing(max_bytes=len(TEXT)))
    mirror = folder(tmp_path, **{"thing/a.txt": TEXT})
    assert fetched(root, mirror=mirror) == TEXT
    target(root).unlink()
    os.truncate(tmp_path / "mirror" / "thing" / "a.txt", 1 << 30)  # holes
    with pytest.raises(Unavailable, match=f"{1 << 30} bytes, more than the limit of {len(TEXT)}"):
        fetched(root, mirror=mirror, offline=True)


PACKED = {"junk": b"junk", "other": gzip.compress(b"1 9:1\n"), "long": gzip.compress(bytes(1 << 20))}


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED)
def test_nothing_of_a_refused_archive_is_left(project, tmp_path, packed):
    mirror = {"address": "thing/a.gz", "unpack": "gzip"}
    root = project(thing=thing(mirror=mirror, max_bytes=1 << 19))
    with pytest.raises(Unavailable):
        fetched(root, mirror=folder(tmp_path, **{"thing/a.gz": packed}), offline=True)
    assert [path.name for path in target(root).parent.iterdir()] == []


def test_pinned_copies_are_both_accepted(project, tmp_path):
    first, second = gzip.compress(TEXT, mtime=0), gzip.compress(TEXT, mtime=7)
    mirror = {"address": "thing/a.txt", "sha256": digest(second)}
    root = project(thing=thing(sha256=digest(first), mirror=mirror))
    for body in (first, second):
        target(root).parent.mkdir(parents=True, exist_ok=True)
        target(root).unlink(missing_ok=True)
        target(root).write_bytes(body)
        assert fetched(root) == body


@pytest.mark.parametrize(
    ("how", "packed"),
    [("gzip", gzip.compress(TEXT)), ("bz2", bz2.compress(TEXT)), ("zip", ZIPPED)],
    ids=["gzip", "bz2", "zip"],
)
def test_packed_source(site, project, how, packed):
    site.files["/pack"] = packed
    source = {"address": site.url("/pack"), "unpack": how} | ({"member": "in/a"} if how == "zip" else {})
    root = project(thing=thing(addresses=[source], sha256=digest(TEXT)))
    assert fetched(root) == TEXT
    assert [p.name for p in target(root).parent.iterdir() if p.name[0] != "."] == ["a.txt"]


def test_content_is_checked_when_the_hash_is_unknown(site, project):
    site.files["/a.txt"] = TEXT + b"2 3:1\n"
    root = project(thing=thing(addresses=[site.url("/a.txt")]))
    with pytest.raises(Unavailable, match=r"shape is \[3, 3\], expected \[2, 3\]"):
        fetched(root)
    site.files["/a.txt"] = TEXT + b"2 x\n"
    with pytest.raises(Unavailable, match="line 3"):
        fetched(root)
    assert not target(root).exists() and not (root / "data" / "downloads.lock.json").exists()


def test_hand_placed_file_is_verified_recorded_and_wins(site, project):
    site.files["/a.txt"] = b"never asked"
    root = project(thing=thing(addresses=[site.url("/a.txt")]))
    target(root).parent.mkdir(parents=True)
    target(root).write_bytes(TEXT)
    assert fetched(root) == TEXT and site.requests == []
    assert stat.S_IMODE(target(root).stat().st_mode) == 0o444
    target(root).chmod(0o644)
    target(root).write_bytes(TEXT.replace(b"0.5", b"0.6"))
    with pytest.raises(IntegrityError, match="first seen"):
        fetched(root)


def test_wrong_hand_placed_file_is_refused_and_kept(project):
    root = project(thing=thing())
    target(root).parent.mkdir(parents=True)
    target(root).write_bytes(b"1 1:1\n")
    with pytest.raises(IntegrityError, match="shape"):
        fetched(root)
    assert target(root).read_bytes() == b"1 1:1\n"
    target(root).write_bytes(b"1 1:nan\n2 2:1\n")
    with pytest.raises(IntegrityError, match="line 1: '1:nan'"):
        fetched(root)


def test_add(project, tmp_path):
    root = project(thing=thing())
    mine = tmp_path / "mine"
    mine.write_bytes(TEXT)
    assert fetch.add(get(root), mine, quick(root)).read_bytes() == TEXT
    mine.write_bytes(TEXT.replace(b"0.5", b"0.7"))
    with pytest.raises(IntegrityError):
        fetch.add(get(root), mine, quick(root))
    assert fetched(root) == TEXT
    assert fetch.verify(get(root), quick(root)) == {"a.txt": "verified"}


def test_only_regular_files_within_the_limit_are_added(project, tmp_path):
    root = project(thing=thing(max_bytes=len(TEXT) - 1))
    mine = tmp_path / "mine"
    mine.write_bytes(TEXT)
    with pytest.raises(IntegrityError, match=f"mine: {len(TEXT)} bytes, more than the limit"):
        fetch.add(get(root), mine, quick(root))
    with pytest.raises(IntegrityError, match="not a regular file"):
        fetch.add(get(root), Path(os.devnull), quick(root))
    assert not target(root).exists() and not list(target(root).parent.glob("*.part"))


def test_a_link_in_the_place_of_a_lock_is_not_followed(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / ".a.lock").symlink_to("precious")
    with pytest.raises(OSError, match="symbolic links"), alone(tmp_path / "a"):
        pass
    (tmp_path / ".b.lock").write_text("kept")
    with alone(tmp_path / "b"):
        pass
    assert (tmp_path / "precious").read_text() == "precious"
    assert (tmp_path / ".b.lock").read_text() == "kept"


def test_add_to_a_dataset_of_several_files_needs_the_name(project, tmp_path):
    root = project(thing=row([{"name": "a"}, {"name": "b"}]))
    mine = tmp_path / "c"
    mine.write_bytes(b"1")
    with pytest.raises(CatalogError, match="Known are: a, b"):
        fetch.add(get(root), mine, quick(root))
    assert fetch.add(get(root), mine, quick(root), "b").name == "b"


def test_shipped_file(project):
    root = project(thing=thing(shipped="data/samples/a.txt", sha256=digest(TEXT)))
    with pytest.raises(IntegrityError, match="missing"):
        fetched(root)
    (root / "data" / "samples").mkdir(parents=True)
    path = root / "data" / "samples" / "a.txt"
    path.write_bytes(TEXT)
    mode = path.stat().st_mode
    assert fetched(root) == TEXT and path.stat().st_mode == mode
    path.write_bytes(b"no")
    with pytest.raises(IntegrityError):
        fetched(root)
    with pytest.raises(DataError, match="shipped"):
        fetch.add(get(root), path, quick(root))


def test_login_addresses_are_never_asked_but_shown(site, project):
    source = {"address": site.url("/a.txt"), "login": True, "note": "ask for set R1"}
    root = project(thing=thing(addresses=[source]))
    with pytest.raises(Unavailable, match="needs a login: .* ask for set R1"):
        fetched(root)
    assert site.requests == []


def test_brief_reason_names_no_path(project, tmp_path):
    root = project(thing=thing())
    with pytest.raises(Unavailable) as error:
        fetched(root, mirror=str(tmp_path / "mirror"), offline=True)
    assert str(tmp_path) not in error.value.brief and "mirror" in error.value.brief
