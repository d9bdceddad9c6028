import numpy as np
import pytest

from projfree.evidence.curves import Curve


def test_running_best_is_a_step_function():
    curve = Curve(np.array([0.0, 1.0, 2.0, 4.0]), np.array([8.0, 2.0, 5.0, 1.0]))
    assert curve.best.tolist() == [8, 2, 2, 1]
    assert (curve.at(0.5), curve.at(1.0), curve.at(3.9), curve.at(4.0)) == (8, 2, 2, 1)
    assert (curve.initial, curve.final) == (8, 1)


def test_last_record_counts_at_the_end_if_it_overran_a_little():
    curve = Curve(np.array([0.0, 5.04]), np.array([1.0, 0.5]))
    assert curve.at(5.0) == 0.5
    assert Curve(np.array([0.0, 5.4]), curve.value).at(5.0) == 1.0


def test_first_time_at_a_level():
    curve = Curve(np.array([0.0, 1.0, 2.0]), np.array([4.0, 1.0, 3.0]))
    assert curve.first(4) == 0
    assert curve.first(3) == 1
    assert curve.first(0.5) == np.inf


def test_area_of_a_step_function():
    curve = Curve(np.array([0.0, 1.0, 3.0, 9.0]), np.array([100.0, 10.0, 1.0, 1e-9]))
    assert curve.area(4.0) == pytest.approx(1 * 2 + 2 * 1 + 1 * 0)
    assert curve.area(0.5) == pytest.approx(0.5 * 2)
    late = Curve(np.array([2.0, 3.0]), np.array([10.0, 0.0]))
    assert late.area(3.0) == pytest.approx(3.0)


def test_curve_needs_records():
    with pytest.raises(ValueError, match="at least one"):
        Curve(np.array([]), np.array([]))
