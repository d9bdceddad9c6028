"""Times against the median of several; values against the start."""

import numpy as np
import pytest
from frames import paper, run, sentences, write

from referee.evidence.judging.judge import judge
from referee.evidence.panel import Evidence


@pytest.fixture
def verdict(tmp_path):
    """Of a test on the runs of a panel."""

    def judged(runs, test):
        write(tmp_path, "e", *runs)
        made = Evidence(paper({"paper": "ncgs", "experiments": {"e": {}}}), tmp_path)
        (sentence,) = sentences({"all": ["e"], "over": "IFO", **test}, "ncgs")
        return judge(made, sentence).verdict

    return judged


def curves(**values):
    return [run(name, {"m": given}, IFO=np.arange(len(given))) for name, given in values.items()]


@pytest.mark.parametrize(("late", "found"), [(80, "holds"), (30, "fails")])
def test_the_last_is_compared_with_the_median(verdict, late, found):
    """Times of the three are about 10, 20 and 70: twice their median is 40."""
    test = {
        "less": {"a": ["a", "b", "c"], "than": "s", "factor": 2},
        "median_time": {"metric": "m", "lowest": 0, "of": ["a", "b", "c"]},
    }
    runs = {
        name: [1.0] * k + [0.001] * (120 - k) for name, k in {"a": 10, "b": 20, "c": 70, "s": late}.items()
    }
    assert verdict(curves(**runs), test) == found


def test_a_list_among_the_several_is_the_best_of_it(verdict):
    test = {
        "less": {"a": ["a", ["b", "c"]], "than": "s", "factor": 2},
        "median_time": {"metric": "m", "lowest": 0, "of": ["a", ["b", "c"]]},
    }
    runs = {name: [1.0] * k + [0.001] * (12 - k) for name, k in {"a": 2, "b": 11, "c": 2, "s": 8}.items()}
    assert verdict(curves(**runs), test) == "holds"


@pytest.mark.parametrize(("last", "found"), [(3.9, "holds"), (4.1, "fails")])
def test_values_against_the_start(verdict, last, found):
    test = {"at_most": {"bound": 1, "factor": 0.5, "methods": "a"}, "of_start": "m"}
    assert verdict(curves(a=[8, 100, last]), test) == found
