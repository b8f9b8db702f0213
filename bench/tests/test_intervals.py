"""Medians, sign intervals and paired ratios against numbers that can be checked by hand."""

import pytest
from harness.intervals import coverage, median_interval, paired_ratio, summary


def test_five_rounds_give_the_whole_range_at_93_75_percent():
    assert median_interval([3, 1, 2, 5, 4]) == (1, 5, 0.9375)


def test_eight_rounds_reach_95_percent_without_the_extremes_only_if_the_signs_allow():
    # P(X < 2) for Binomial(8, 1/2) is 9/256: twice that is 7 %, so the extremes stay.
    assert coverage(8, 2) == pytest.approx(1 - 18 / 256)
    assert median_interval(range(1, 9)) == (1, 8, pytest.approx(1 - 2 / 256))


def test_nine_rounds_leave_one_extreme_on_each_side():
    low, high, share = median_interval(range(1, 10))
    assert (low, high) == (2, 8)
    assert share == pytest.approx(1 - 20 / 512)


def test_one_round_is_its_own_interval_and_covers_nothing():
    assert median_interval([2.5]) == (2.5, 2.5, 0.0)


def test_ratios_are_taken_within_rounds():
    # The machine was twice as slow in the second round for both: the ratio does not move.
    ratio = paired_ratio([1, 2, 1], [3, 6, 3])
    assert (ratio.median, ratio.low, ratio.high) == (3, 3, 3)


def test_an_interval_with_one_inside_decides_nothing():
    assert not paired_ratio([1, 1, 1], [0.9, 1.1, 1.2]).decided
    assert paired_ratio([1, 1, 1], [1.3, 1.1, 1.2]).decided
    assert paired_ratio([2, 2, 2], [1, 1, 1]).decided


def test_two_rounds_decide_nothing():
    assert not paired_ratio([1, 1], [9, 9]).decided
    assert paired_ratio([9, 9, 9], [1, 1, 1]).lost
    assert not paired_ratio([1, 1, 1], [9, 9, 9]).lost


def test_pairs_of_different_length_are_refused():
    with pytest.raises(ValueError, match="pairs"):
        paired_ratio([1, 2], [1])


def test_the_spread_is_the_middle_half():
    one = summary([1, 2, 3, 4, 5])
    assert (one.median, one.low, one.high) == (3, 2, 4)
    assert one.spread == pytest.approx(2 / 3)
    assert summary([7]).spread == 0
