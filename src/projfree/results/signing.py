"""Whose a trace or a tuning table is: an Ed25519 signature within it, of all it holds but marks of transport.

Keys are those of OpenSSH (``ssh-keygen -t ed25519``). A list of known signers has the form of its
``allowed_signers``: a line ``name ssh-ed25519 AAAA…`` each.
"""

import base64
import hashlib
import io
import json
import os
from collections import Counter
from pathlib import Path

import h5py
import numpy as np

from ..ground.outside import read_bytes
from ..ground.root import project_root
from ..ground.sealed import atomic_write, read_stream, sealed
from .origin import UNREADABLE, Unusable

PURPOSE = b"projfree result 1\n"  # a signature for anything else is none here
#: Marks that are put on a finished file, and are no part of what was found.
MARKS = ("from_store", "signature")
UNSIGNED, FORGED = "not signed", "its signature is NOT of what it holds"


def sign(path: Path, key: Path) -> str:
    """Put a signature on a finished file, in one rename, its time kept; the public key in words.

    Raises
    ------
    ValueError
        For a key that is no Ed25519 key of OpenSSH without a passphrase.
    """
    secret, content, times = _secret(key), read_bytes(path), os.stat(path)
    public = _public(secret.public_key())
    signature = base64.b64encode(secret.sign(PURPOSE + _digest(content, path))).decode()
    atomic_write(path, marked(content, path.suffix, "signature", f"{public} {signature}"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # it is not made anew: nothing depends on this
    return public


def whose(path: Path, signers: dict) -> str:
    """``signed by <name>``, ``signed by unknown <key>``, `UNSIGNED` or `FORGED`."""
    try:
        return author(read_bytes(path), path, signers)
    except OSError as error:
        raise Unusable(f"{path}: cannot be verified ({error})") from error


def author(content: bytes, path: Path, signers: dict) -> str:
    """As `whose`, of a file's content; `path` names it, its ending tells the kind."""
    try:
        mark = _mark(content, path)
        return UNSIGNED if mark is None else _verified(mark, _digest(content, path), signers)
    except UNREADABLE as error:
        raise Unusable(f"{path}: cannot be verified ({error})") from error


def known_signers(path=None) -> dict:
    """Public key → name, of a file like ``allowed_signers``; by default that of ``config``."""
    path = Path(path or project_root() / "config" / "allowed_signers")
    if not path.exists():
        return {}
    lines = [
        line.split() for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]
    places = [(words, words.index("ssh-ed25519")) for words in lines if "ssh-ed25519" in words]
    return {" ".join(words[at : at + 2]): words[0] for words, at in places if at}


def told(paths, signers: dict) -> str:
    """Whose some files are, counted, in words; empty without any. Only a file that has the word is opened."""
    signed = (b"signature" in read_bytes(path) for path in paths)
    counts = Counter(whose(p, signers) if has else UNSIGNED for p, has in zip(paths, signed, strict=True))
    return ", ".join(f"{count} {words}" for words, count in sorted(counts.items()))


def marked(content: bytes, suffix: str, name: str, value: str) -> bytes:
    """The content of a trace or a tuning table with a mark on it, sealed as before."""
    if suffix != ".h5":
        return json.dumps({**json.loads(content), name: value}, indent=1).encode()
    stream = io.BytesIO(content)
    with h5py.File(stream, "r+") as handle:
        handle.attrs[name] = value
    return sealed(stream.getvalue())


def _mark(content, path):
    if path.suffix != ".h5":
        return json.loads(content).get("signature")
    with read_stream(io.BytesIO(content), path) as handle:
        return handle.attrs.get("signature")


def _digest(content, path) -> bytes:
    """SHA-256 of what a file holds, whatever way it is laid out, without `MARKS`."""
    if path.suffix != ".h5":
        table = {key: value for key, value in json.loads(content).items() if key not in MARKS}
        return hashlib.sha256(json.dumps(table, sort_keys=True).encode()).digest()
    total = hashlib.sha256()
    with read_stream(io.BytesIO(content), path) as handle:
        for part in _parts(handle):
            total.update(hashlib.sha256(part).digest())  # of one length each: no part can pass for two
    return total.digest()


def _parts(item):
    """Names, kinds and values of all that a group holds, in order of the names."""
    for name in sorted(set(item.attrs) - set(MARKS)):
        yield from (f"@{name}".encode(), *_value(item.attrs[name]))
    for name in sorted(item) if isinstance(item, h5py.Group) else ():
        yield f"/{name}".encode()
        yield from _parts(item[name])
        yield b"." if isinstance(item[name], h5py.Group) else b"".join(_value(item[name][()]))


def _value(value):
    if isinstance(value, str):
        return b"text ", value.encode()
    array = np.asarray(value)
    if array.dtype.hasobject:
        raise ValueError("texts stand in attributes, never in arrays")
    return f"{array.dtype.str} {array.shape} ".encode(), array.tobytes()


def _verified(mark, digest, signers) -> str:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.serialization import load_ssh_public_key
    except ImportError as error:
        raise Unusable(f"a signature needs the extra `workflow` ({error})") from error
    public, _, signature = mark.rpartition(" ")
    try:
        if not public.startswith("ssh-ed25519 "):
            return FORGED
        load_ssh_public_key(public.encode()).verify(base64.b64decode(signature), PURPOSE + digest)
    except (InvalidSignature, ValueError, TypeError):
        return FORGED
    fingerprint = base64.b64encode(hashlib.sha256(base64.b64decode(public.split()[1])).digest()).decode()
    return f"signed by {signers.get(public, 'unknown SHA256:' + fingerprint.rstrip('='))}"


def _secret(key):
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        secret = load_ssh_private_key(read_bytes(key), password=None)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{key}: not a private key of OpenSSH without a passphrase ({error})") from error
    if not isinstance(secret, Ed25519PrivateKey):
        raise ValueError(f"{key}: not an Ed25519 key; make one with: ssh-keygen -t ed25519 -f {key}")
    return secret


def _public(public) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
