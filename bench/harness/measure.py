"""Runs one task: us and every peer by turns, each round in new processes.

The order is A B C A B C ...: what the machine does to one (a slow minute, a busy neighbour) it does
to all, and ratios are taken between neighbours in time.
"""

from __future__ import annotations

import dataclasses
import pathlib
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from . import machine
from .datasets import folder_of, sizes_of
from .peers import Peer
from .places import Places
from .tasks import Call, Task
from .workers import Answer, Servant, ask, with_spec

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
    # A smoke test asks one lasting process per peer instead of a new one per round.
    lasting: bool = False


class Team:
    """The workers of a run: a new process for each question, or lasting ones for a smoke test."""

    def __init__(self, places: Places, effort: Effort) -> None:
        self._places, self._effort = places, effort
        self._servants: dict[str, Servant] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for servant in self._servants.values():
            servant.close()

    def ask(self, peer: Peer, spec: pathlib.Path, threads: int) -> Answer:
        """The answer of a peer to a specification."""
        command = peer.command(self._places)
        if not self._effort.lasting or peer.file.suffix != ".py":
            return ask([*command, "run", str(spec)], threads, self._effort.timeout)
        with self._lock:
            if peer.name not in self._servants:
                self._servants[peer.name] = Servant(command, threads)
        return self._servants[peer.name].ask(spec)


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


@dataclasses.dataclass(frozen=True)
class Setting:
    """What all tasks of a run share."""

    places: Places
    effort: Effort
    available: Mapping[str, Peer]
    team: Team
    say: Callable[[str], None]


def run_task(task: Task, threads: int, setting: Setting) -> dict[str, Any]:
    """Measures a task with a number of threads; the result is plain data for the results file."""
    places, effort, available = setting.places, setting.effort, setting.available
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
                spec = {
                    **_spec(task, series.call, setting),
                    "threads": threads, "data": str(folder), "scratch": scratch,
                }
                _one_round(series, available[name], spec, setting.team)
                if series.problem:
                    setting.say(f"  {series.call.label}: {series.problem}")
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


def _spec(task: Task, call: Call, setting: Setting) -> dict[str, Any]:
    return {
        "call": call.call,
        "settings": dict(call.settings),
        "metric": task.quality.metric,
        "predict": "predict" in task.timed,
        "min_seconds": setting.effort.min_seconds,
        "command": str(setting.places.command),
        "native": str(setting.places.native),
    }


def _one_round(series: Series, peer: Peer, spec: dict[str, Any], team: Team) -> None:
    path = with_spec(spec, pathlib.Path(spec["scratch"]))
    answer = team.ask(peer, path, spec["threads"])
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
