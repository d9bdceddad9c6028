"""What is left of a claim where experiments or methods are left out."""

from projfree.study.views import claims_on

TEST = {"kind": "beats", "experiments": ["fig*"], "a": "fast", "b": "slow"}


def test_a_claim_without_parts_is_kept():
    claim = {"id": "C1", "tests": [TEST], "strong": {"swap": {}}}
    found = claims_on(claim, {"fig1": {}, "other": {}}, set())
    assert found["tests"][0]["experiments"] == ["fig1"] and found["strong"] is None
    assert claims_on(claim, {"other": {}}, set()) is None


def test_tests_that_name_what_is_left_out_are_dropped():
    other = {**TEST, "b": "third"}
    claim = {"id": "C1", "parts": {"a": {"tests": [TEST, other]}, "b": {"tests": [other]}}}
    found = claims_on(claim, {"fig1": {}}, {"third"})
    assert list(found["parts"]) == ["a"] and [t["b"] for t in found["parts"]["a"]["tests"]] == ["slow"]
