"""Whose a trace is: signatures that travel with the file, and fit nothing but what was signed."""

import json
from pathlib import Path

import h5py
import pytest
from checkouts import TRACE, call, opened, results

from projfree.results import signing
from projfree.results.record import authors

pytest.importorskip("cryptography", reason="signatures need the extra `workflow`")

from cryptography.hazmat.primitives.asymmetric import ec, ed25519  # noqa: E402
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat  # noqa: E402


def key_file(path, secret=None):
    secret = secret or ed25519.Ed25519PrivateKey.generate()
    path.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    return path


@pytest.fixture
def trace(theirs):
    return theirs / "traces/ncgs/fig1-left/fw.h5"


@pytest.fixture
def ann(tmp_path, trace, other, monkeypatch):
    """Ann's public key, after she signed that trace."""
    return signing.sign(trace, key_file(tmp_path / "ann"))


def test_a_signed_trace_says_whose_it_is_and_nothing_else_changes(trace, made, ann, tmp_path):
    assert signing.whose(made / TRACE, {}) == signing.UNSIGNED
    assert signing.whose(trace, {ann: "ann"}) == "signed by ann"
    assert signing.whose(trace, {}).startswith("signed by unknown SHA256:")
    assert trace.stat().st_mtime_ns == (made / TRACE).stat().st_mtime_ns
    assert call("trace", "diff", trace, made / TRACE).startswith("the same")
    with opened(trace) as handle:
        handle.attrs["from_store"] = "0" * 64
    assert signing.whose(trace, {ann: "ann"}) == "signed by ann"


def renamed(handle):
    handle.move("seed-0/metrics/objective", "seed-0/metrics/best")


CHANGES = {
    "a number": lambda h: h["seed-1/metrics/objective"].__setitem__(3, 0.5),
    "a seed less": lambda h: h.pop("seed-1"),
    "an attribute": lambda h: h.attrs.__setitem__("git_commit", "0" * 40),
    "one more": lambda h: h.attrs.__setitem__("note", "better"),
    "of a seed": lambda h: h["seed-0"].attrs.__setitem__("message", "won"),
    "a name": renamed,
    "the kind": lambda h: h.__setitem__(
        "seed-0/metrics/b", h.pop("seed-0/metrics/objective")[()].astype("f4")
    ),
    "signature": lambda h: h.attrs.__setitem__("signature", h.attrs["signature"][:-8] + "AAAAAAA="),
    "no signature": lambda h: h.attrs.__setitem__("signature", "ssh-ed25519 AAAA"),
    "the key": lambda h: h.attrs.__setitem__("signature", "ssh-rsa " + h.attrs["signature"]),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_was_changed_after_it_was_signed_is_told_and_not_merged(theirs, trace, ann, change):
    with opened(trace) as handle:
        change(handle)
    assert signing.whose(trace, {ann: "ann"}) == signing.FORGED
    assert f"{trace}: {signing.FORGED}" in results("verify", theirs, code=1)
    said = results("merge", theirs)
    assert "0 taken" in said and "1 refused" in said and not TRACE.exists()


def test_merge_says_whose_what_it_takes_is(theirs, ann):
    Path("config/allowed_signers").write_text(f"# known\nann@there {ann} laptop\n")
    assert f"taken     {TRACE} (signed by ann@there)" in results("merge", theirs)
    assert f"{TRACE}: signed by ann@there" in results("verify")
    assert authors("results/quick/traces/ncgs") == "1 signed by ann@there"


def test_sign_and_verify_by_hand_also_tables_of_tried_values(other, tmp_path, monkeypatch):
    call("tune", "ncgs", "fig1-left", "ncgs-2-tuned")
    call("run", "ncgs", "fig1-left", "fw")
    assert authors("results/quick/traces/ncgs") == "1 not signed"
    key = key_file(tmp_path / "bob")
    assert "2 signed" in results("sign", "--key", key)
    assert "0 signed" in results("sign", "--key", key)
    assert results("verify").count("signed by unknown SHA256:") == 2
    table = Path("results/quick/tuning/ncgs/fig1-left/ncgs-2-tuned.json")
    table.write_text(json.dumps({**json.loads(table.read_text()), "chosen": {"max_lo": 2}}))
    assert f"{table}: {signing.FORGED}" in results("verify", code=1)


def test_keys_that_are_none_are_told(tmp_path, trace):
    (tmp_path / "text").write_text("no key")
    with pytest.raises(ValueError, match="text: not a private key of OpenSSH"):
        signing.sign(trace, tmp_path / "text")
    with pytest.raises(ValueError, match="ssh-keygen -t ed25519"):
        signing.sign(trace, key_file(tmp_path / "other", ec.generate_private_key(ec.SECP256R1())))


def test_parts_do_not_run_into_each_other(tmp_path):
    """Two files whose values are the same bytes in other places have other digests."""
    digests = set()
    for names in ({"a": "bc"}, {"ab": "c"}, {"a": "b", "c": ""}):
        with h5py.File(tmp_path / "x.h5", "w") as handle:
            handle.attrs.update(names)
        digests.add(signing._digest((tmp_path / "x.h5").read_bytes(), tmp_path / "x.h5"))
    assert len(digests) == 3
