"""Runs one task: us and every peer by turns, each round in new processes.

The order is A B C A B C ...: what the machine does to one (a slow minute, a busy neighbour) it does
to all, and ratios are taken between neighbours in time.
"""

from __future__ import annotations

import dataclasses
import pathlib
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from . import machine
from .datasets import folder_of, sizes_of
from .peers import Peer
from .places import Places
from .tasks import Call, Task
from .workers import ask, with_spec

OURS = "gradus"


@dataclasses.dataclass(frozen=True)
class Effort:
    """How much is measured."""

    repeat: int = 5
    min_seconds: float = 0.25
    timeout: float = 300
    # A competitor whose first round took longer than this gets `slow_repeat` rounds only.
    slow_seconds: float = 8
    slow_repeat: int = 3


@dataclasses.dataclass
class Series:
    """The rounds of one competitor; None where a round failed."""

    call: Call
    rounds: list[dict[str, Any] | None] = dataclasses.field(default_factory=list)
    problem: str = ""

    def seconds(self, phase: str) -> list[float | None]:
        """The time of a phase, round by round."""
        return [one[phase]["seconds"] if one and phase in one else None for one in self.rounds]


def peer_name(call: Call, is_ours: bool) -> str:
    """The file of bench/peers that makes this call."""
    return f"gradus_{call.via}" if is_ours else call.peer


def run_task(
    task: Task, threads: int, places: Places, effort: Effort,
    available: dict[str, Peer], say: Callable[[str], None],
) -> dict[str, Any]:
    """Measures a task with a number of threads; the result is plain data for the results file."""
    folder = folder_of(task.data, places)
    contest = [Series(task.ours)]
    contest += [Series(call) for call in task.peers if call.peer in available]
    before = machine.load()
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as scratch:
        for turn in range(effort.repeat):
            for place, series in enumerate(contest):
                name = peer_name(series.call, place == 0)
                if series.problem or _is_slow(series, turn, effort):
                    series.rounds.append(None)
                    continue
                _one_round(series, available[name], _spec(task, series.call, threads, folder, scratch, places, effort), places, effort)
                if series.problem:
                    say(f"  {series.call.label}: {series.problem}")
            if contest[0].problem:
                break
    return {
        "task": task.name,
        "threads": threads,
        "sizes": sizes_of(folder),
        "load_before": before,
        "load_after": machine.load(),
        "competitors": {
            series.call.label: {"rounds": series.rounds, "problem": series.problem}
            for series in contest
        },
    }


def _is_slow(series: Series, turn: int, effort: Effort) -> bool:
    first = series.rounds[0] if series.rounds else None
    if first is None or turn < effort.slow_repeat:
        return False
    return first["fit"]["seconds"] > effort.slow_seconds


def _spec(
    task: Task, call: Call, threads: int, folder: pathlib.Path, scratch: str,
    places: Places, effort: Effort,
) -> dict[str, Any]:
    return {
        "call": call.call,
        "settings": dict(call.settings),
        "threads": threads,
        "data": str(folder),
        "metric": task.quality.metric,
        "predict": "predict" in task.timed,
        "min_seconds": effort.min_seconds,
        "scratch": scratch,
        "command": str(places.command),
        "native": str(places.native),
    }


def _one_round(series: Series, peer: Peer, spec: dict[str, Any], places: Places, effort: Effort) -> None:
    path = with_spec(spec, pathlib.Path(spec["scratch"]))
    answer = ask([*peer.command(places), "run", str(path)], spec["threads"], effort.timeout)
    if answer.outcome is None:
        series.problem = answer.problem
        series.rounds.append(None)
    elif "fit" not in answer.outcome:
        series.problem = str(answer.outcome.get("problem", "it measured nothing"))
        series.rounds.append(None)
    else:
        series.rounds.append(dict(answer.outcome))


def pairs(ours: Sequence[float | None], peer: Sequence[float | None]) -> tuple[list[float], list[float]]:
    """The rounds that both completed."""
    both = [(a, b) for a, b in zip(ours, peer) if a is not None and b is not None]
    return [a for a, _ in both], [b for _, b in both]
