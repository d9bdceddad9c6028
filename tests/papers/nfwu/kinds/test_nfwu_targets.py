"""Levels that methods reach, and at what cost."""

from functools import partial

import frames
import numpy as np
from frames import run, write

judge = partial(frames.judge, paper="nfwu")


def test_targets_that_both_reach(tmp_path):
    ifo = {"IFO": [0, 10, 20, 30], "SSO": [0, 0, 40, 0]}
    write(
        tmp_path,
        "e",
        run("a", {"m": [8, 4, 2, 1]}, **ifo),
        run("b", {"m": [8, 8, 4, 2]}, IFO=[0, 10, 20, 30]),
        run("quick", {"m": [8, 4, 4, 4]}, IFO=[0, 5, 20, 30]),
        run("never", {"m": [8, 8, 8, 7]}, IFO=[0, 10, 20, 30]),
    )
    levels = [{"of_initial": 0.5}, {"of_initial": 0.25}, 1]
    args = {"metric": "m", "levels": levels}
    found = judge(tmp_path, "targets", a="a", b="b", **args)
    assert found.truth and found.measured["IFO of a / b to 0.5 of the start"] == 0.5
    assert (found.measured["levels that a reaches"], found.measured["levels that b reaches"]) == (3, 2)
    assert np.isnan(found.measured["IFO of a / b to 1"])
    assert not judge(tmp_path, "targets", a="a", b="b", threshold=0.6, **args).truth, "20 against 30"
    assert not judge(tmp_path, "targets", a="a", b="b", axis="IFO+SSO", **args).truth, "60 against 30"
    assert not judge(tmp_path, "targets", a="b", b="a", threshold=3, **args).truth, "a reaches more"
    assert not judge(tmp_path, "targets", a="a", b=["b", "quick"], **args).truth, "each of b"
    assert judge(tmp_path, "targets", a=["a", "quick"], b=["b", "quick"], **args).truth
    assert judge(tmp_path, "targets", a="a", b="never", **args).truth
    nothing = judge(tmp_path, "targets", a="never", b="never", **args)
    assert not nothing.truth and nothing.remark == "never reaches none of the levels in e."
