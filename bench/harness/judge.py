"""From rounds to figures: ratios, the quality gate, the physical limit, the goals.

A ratio of times means something only between equal results. So it exists only where our quality is
the peer's or better, within the tolerance that the task states; otherwise the table shows the two
qualities instead of a ratio.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from . import expressions
from .intervals import Ratio, Summary, paired_ratio, summary
from .measure import OURS, pairs
from .tasks import Cost, Goal, Quality, Task


@dataclasses.dataclass(frozen=True)
class Figure:
    """One competitor in one phase of one task."""

    label: str
    seconds: Summary | None
    cpu_seconds: float | None
    peak_bytes: float | None
    quality: float | None
    ratio: Ratio | None
    memory_ratio: float | None
    comparable: bool
    problem: str


@dataclasses.dataclass(frozen=True)
class Line:
    """One phase of one task with a number of threads: a line of the table."""

    task: str
    family: str
    about: str
    phase: str
    threads: int
    ours: Figure
    peers: tuple[Figure, ...]
    limit_seconds: float | None
    goals: tuple[tuple[Goal, str], ...]  # with "met", "missed" or "open"
    note: str

    @property
    def limit_share(self) -> float | None:
        """The share of the physical limit that we reach: 1 is the machine itself."""
        if self.limit_seconds is None or self.ours.seconds is None:
            return None
        return self.limit_seconds / self.ours.seconds.median

    @property
    def best_peer(self) -> Figure | None:
        """The fastest peer of comparable quality."""
        good = [one for one in self.peers if one.ratio is not None]
        return min(good, key=lambda one: one.ratio.median) if good else None  # type: ignore[union-attr]


def good_enough(ours: float, peer: float, quality: Quality) -> bool:
    """Whether our quality is the peer's or better, within the relative tolerance."""
    allowed = quality.tolerance * max(abs(ours), abs(peer))
    if quality.better == "higher":
        return ours >= peer - allowed
    if quality.better == "lower":
        return ours <= peer + allowed
    return abs(ours - peer) <= allowed


def limit_seconds(
    cost: Cost | None, sizes: Mapping[str, float], limits: Mapping[str, float] | None
) -> float | None:
    """The time that memory and arithmetic allow: the larger of the two, since they overlap."""
    if cost is None or limits is None:
        return None
    moved = expressions.evaluate(cost.bytes, sizes) / max(limits["read"], limits["copy"])
    worked = expressions.evaluate(cost.flops, sizes) / limits[cost.precision]
    return max(moved, worked) or None


def _rounds(part: Mapping[str, Any], phase: str, key: str) -> list[float | None]:
    return [one[phase][key] if one and phase in one else None for one in part["rounds"]]


def _known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _quality_of(part: Mapping[str, Any]) -> float | None:
    known = [one["quality"] for one in part["rounds"] if one and "quality" in one]
    return statistics.median(known) if known else None


def _figure(label: str, part: Mapping[str, Any], ours: Mapping[str, Any], phase: str, quality: Quality) -> Figure:
    mine = _rounds(part, phase, "seconds")
    seconds, peak = _known(mine), _known(_rounds(part, phase, "peak_bytes"))
    found, our_quality = _quality_of(part), _quality_of(ours)
    comparable = (
        found is None or our_quality is None or good_enough(our_quality, found, quality)
    )
    ratio = memory_ratio = None
    if label != OURS and comparable:
        a, b = pairs(_rounds(ours, phase, "seconds"), mine)
        ratio = paired_ratio(a, b) if a else None
        our_peak = _known(_rounds(ours, phase, "peak_bytes"))
        if our_peak and peak and statistics.median(our_peak) > 0:
            memory_ratio = statistics.median(peak) / statistics.median(our_peak)
    cpu = _known(_rounds(part, phase, "cpu_seconds"))
    return Figure(
        label, summary(seconds) if seconds else None, statistics.median(cpu) if cpu else None,
        statistics.median(peak) if peak else None, found, ratio, memory_ratio, comparable,
        part["problem"],
    )


def _met(goal: Goal, ours: Figure, peers: Sequence[Figure]) -> str:
    if goal.seconds is not None:
        if ours.seconds is None:
            return "open"
        return "met" if ours.seconds.median <= goal.seconds else "missed"
    rivals = [one for one in peers if goal.peer in ("best", one.label)]
    ratios = [one.ratio.median for one in rivals if one.ratio is not None]
    if not ratios:
        # A rival that answered, but better than we do, is a goal missed and not an open one.
        return "missed" if any(not one.comparable for one in rivals) else "open"
    return "met" if min(ratios) >= (goal.ratio or 0) else "missed"


def judge(task: Task, result: Mapping[str, Any], limits: Mapping[str, Any]) -> list[Line]:
    """The lines of one measured task, one per timed phase."""
    ours = result["competitors"][OURS]
    facts: dict[str, float] = {}
    for one in ours["rounds"]:
        facts.update(one["facts"] if one else {})
    lines = []
    for phase in task.timed:
        figures = {
            label: _figure(label, part, ours, phase, task.quality)
            for label, part in result["competitors"].items()
        }
        mine = figures.pop(OURS)
        peers = tuple(figures.values())
        cost = task.cost.get(phase)
        bound = None
        if mine.seconds is not None:
            bound = limit_seconds(
                cost, {**result["sizes"], **facts}, limits.get(str(result["threads"]))
            )
        goals = tuple((g, _met(g, mine, peers)) for g in task.goals if g.phase == phase)
        lines.append(
            Line(task.name, task.family, task.about, phase, result["threads"], mine, peers, bound,
                 goals, task.note)
        )
    return lines
