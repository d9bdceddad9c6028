"""What content is named by."""

from projfree.ground.hashes import digest


def test_digests_do_not_depend_on_the_order_of_keys():
    assert digest({"a": 1, "b": [2, 3]}) == digest({"b": [2, 3], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
