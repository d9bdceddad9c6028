"""HDF5 files from outside: such that lead nowhere else and claim no more than they hold.

HDF5 can name other files (external links, virtual data sets, raw external storage) and read them in the place
of its own content; such files are refused before anything is read.
"""

import contextlib
import math
import os

import h5py

from .outside import DamagedFile, bound, brief, regular

#: Groups within groups, and objects, that a file may hold.
DEPTH, OBJECTS = 16, 1 << 18


@contextlib.contextmanager
def open_h5(path):
    """An HDF5 file open for reading, no checksum compared; see `guarded`."""
    with regular(path) as stream, guarded(stream, path) as handle:
        yield handle


@contextlib.contextmanager
def guarded(stream, path):
    """The HDF5 file of an open stream, once all of it is known to stand in that stream.

    Raises
    ------
    DamagedFile
        For links that are not hard ones, groups with two names, virtual data sets, external storage, more
        bytes of arrays than are stored (of packed ones `bound`, and of each of their pieces, which HDF5
        unpacks as a whole), more than `DEPTH` levels or `OBJECTS` objects; and for whatever the HDF5 library
        stumbles over while the file is open.
    """
    try:
        with h5py.File(stream, "r") as handle:
            try:
                _Guard(path, bound(stream.seek(0, os.SEEK_END))).group(handle.id, 0)
            except DamagedFile:
                raise
            except Exception as error:  # h5py raises whatever the HDF5 library stumbles over
                raise RuntimeError(brief(error)) from error
            yield handle
    except (OSError, RuntimeError, MemoryError) as error:  # RecursionError is a RuntimeError
        raise DamagedFile(f"{path}: damaged, or not an HDF5 file ({brief(error)})") from error


class _Guard:
    """A walk over all objects of a file, before any of their content is read.

    It goes by h5py's identifiers: objects of the high-level interface cost four times as much, and a page
    walks through every trace of its paper.
    """

    def __init__(self, path, limit):
        self.path, self.limit, self.seen = path, limit, set()
        self.count = self.bytes = 0

    def refuse(self, item, reason, link=b""):
        """The error about an object, or about a link in it."""
        name = b"/".join([h5py.h5i.get_name(item), link] if link else [h5py.h5i.get_name(item)])
        raise DamagedFile(f"{self.path}: refused, {name.decode(errors='replace')} {reason}")

    def group(self, group, depth):
        if depth > DEPTH:
            self.refuse(group, f"lies more than {DEPTH} groups deep")
        address = h5py.h5o.get_info(group).addr
        if address in self.seen:
            self.refuse(group, "stands in itself, or in two places")
        self.seen.add(address)
        self.object(group)
        for name in group:
            if group.links.get_info(name).type != h5py.h5l.TYPE_HARD:
                self.refuse(group, "is a link to another place", name)
            item = h5py.h5o.open(group, name)
            if isinstance(item, h5py.h5g.GroupID):
                self.group(item, depth + 1)
            else:
                self.object(item)

    def object(self, item):
        """One object with its attributes; an array under several names counts as often, as it is read."""
        self.count += 1
        if self.count > OBJECTS:
            self.refuse(item, f"is the one behind the {OBJECTS}th object")
        if isinstance(item, h5py.h5d.DatasetID):
            self.dataset(item)
        for number in range(h5py.h5a.get_num_attrs(item)):
            self.claim(item, h5py.h5a.open(item, index=number).get_storage_size())

    def dataset(self, item):
        made, space, kind = item.get_create_plist(), item.get_space(), item.get_type()
        if made.get_layout() == h5py.h5d.VIRTUAL or made.get_external_count():
            self.refuse(item, "has its content in another file")
        empty = space.get_simple_extent_type() == h5py.h5s.NULL
        size = 0 if empty else math.prod(space.get_simple_extent_dims()) * kind.get_size()
        stored, chunked = item.get_storage_size(), made.get_layout() == h5py.h5d.CHUNKED
        # values of a type of texts may stand elsewhere in the file than their array
        texts = kind.detect_class(h5py.h5t.VLEN) or kind.get_class() == h5py.h5t.STRING
        if not chunked and size != stored and not (size < stored and texts):
            self.refuse(item, f"claims {size} bytes and stores {stored}")
        if chunked and math.prod(made.get_chunk()) * kind.get_size() > self.limit:
            self.refuse(item, f"stands in pieces of more than {self.limit} bytes")
        self.claim(item, size)

    def claim(self, item, size):
        self.bytes += size
        if self.bytes > self.limit:
            self.refuse(item, f"claims more than the {self.limit} bytes that such a file can hold")
