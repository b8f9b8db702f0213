"""The quality gate, ratios, limits and goals, on rounds written by hand."""

import dataclasses

import pytest
from harness.judge import good_enough, judge, limit_seconds
from harness.table import render
from harness.tasks import Call, Cost, Goal, Quality, Task

HIGHER, LOWER = Quality("r2", "higher", 0.01), Quality("inertia", "lower", 0.01)
EQUAL = Quality("sum", "equal", 0.01)
TASK = Task(
    name="t", family="f", learner="x", about="A task", data={}, quick={}, timed=("fit",),
    threads=(), quality=HIGHER, cost={"fit": Cost(bytes="8*n", flops="n*iterations")},
    goals=(Goal("fit", "peer", 2.0),), ours=Call("gradus", "gradus", "X", {}),
    peers=(Call("peer", "peer", "Y", {}),), scaling={}, note="",
)
LIMITS = {"2": {"read": 8.0, "copy": 4.0, "f64": 2.0, "f32": 4.0}}


def rounds(seconds, quality, **facts):
    return {
        "problem": "",
        "rounds": [
            {"fit": {"seconds": s, "peak_bytes": 10.0, "cpu_seconds": s}, "quality": quality, "facts": facts}
            for s in seconds
        ],
    }


def lines(ours, peer, task=TASK):
    result = {"threads": 2, "sizes": {"n": 4.0}, "competitors": {"gradus": ours, "peer": peer}}
    return judge(task, result, LIMITS)


@pytest.mark.parametrize(
    ("ours", "peer", "quality", "good"),
    [
        (0.90, 0.90, HIGHER, True), (0.892, 0.90, HIGHER, True), (0.88, 0.90, HIGHER, False),
        (0.99, 0.90, HIGHER, True), (100, 100, LOWER, True), (100.9, 100, LOWER, True),
        (102, 100, LOWER, False), (50, 100, LOWER, True), (100, 100.9, EQUAL, True),
        (100, 102, EQUAL, False), (102, 100, EQUAL, False), (-5, -5, HIGHER, True),
        (float("nan"), 0.9, HIGHER, False),
    ],
)
def test_the_gate_lets_the_same_or_better_through(ours, peer, quality, good):
    assert good_enough(ours, peer, quality) is good


def test_a_ratio_needs_comparable_quality():
    (line,) = lines(rounds([1, 1, 1], 0.9, iterations=3), rounds([3, 3, 3], 0.9))
    assert line.peers[0].ratio.median == 3
    (worse,) = lines(rounds([1, 1, 1], 0.5, iterations=3), rounds([3, 3, 3], 0.9))
    assert worse.peers[0].ratio is None
    assert not worse.peers[0].comparable
    assert worse.best_peer is None


def test_the_limit_is_the_slower_of_memory_and_arithmetic():
    # 32 bytes at 8 bytes/s are 4 s; 12 operations at 2 per second are 6 s.
    (line,) = lines(rounds([12], 1.0, iterations=3), rounds([12], 1.0))
    assert line.limit_seconds == 6
    assert line.limit_share == 0.5
    assert limit_seconds(Cost(bytes="8*n"), {"n": 4}, LIMITS["2"]) == 4
    assert limit_seconds(None, {}, LIMITS["2"]) is None


@pytest.mark.parametrize(("theirs", "state"), [(1.9, "missed"), (2.1, "met")])
def test_a_goal_is_a_ratio(theirs, state):
    (line,) = lines(rounds([1], 1.0, iterations=1), rounds([theirs], 1.0))
    assert [found for _, found in line.goals] == [state]


def test_a_goal_in_seconds_needs_no_peer():
    task = dataclasses.replace(TASK, goals=(Goal("fit", seconds=0.5),), peers=())
    (line,) = lines(rounds([1], 1.0, iterations=1), rounds([1], 1.0), task)
    assert line.goals[0][1] == "missed"


def test_a_rival_with_better_quality_is_a_goal_missed():
    (line,) = lines(rounds([1], 0.1, iterations=1), rounds([9], 1.0))
    assert line.goals[0][1] == "missed"


def test_a_peer_that_failed_is_reported_and_leaves_the_goal_open():
    broken = {"problem": "exit code 1: no memory", "rounds": [None, None]}
    (line,) = lines(rounds([1, 1], 1.0, iterations=1), broken)
    assert line.goals[0][1] == "open"
    assert "failed: exit code 1: no memory" in render([line])


def test_only_rounds_that_both_finished_are_paired():
    peer = rounds([4, 4, 4], 1.0)
    peer["rounds"][1] = None
    (line,) = lines(rounds([1, 100, 1], 1.0, iterations=1), peer)
    assert line.peers[0].ratio.median == 4


def test_the_table_says_who_wins_and_what_is_undecided():
    (line,) = lines(rounds([2, 2, 2], 1.0, iterations=1), rounds([1, 1, 1], 1.0))
    assert "0.5x [0.5, 0.5]  PEER WINS" in render([line])
    (even,) = lines(rounds([1, 1, 1], 1.0, iterations=1), rounds([0.9, 1, 1.1], 1.0))
    assert "1.00x [0.9, 1.10] ~" in render([even])
    assert "goal missed: 2.00 times as fast as peer" in render([line])
