"""Task files: what is measured, on which data, against whom, and when two results are comparable.

A file holds one or more `[[task]]` tables (see bench/README.md for every key). Everything is
checked when the file is read, so that a wrong key is reported with its file and task and not as a
failure of a peer an hour later.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import tomllib

from . import expressions
from .errors import BenchError

DIRECTIONS = ("higher", "lower", "equal")
VIAS = ("python", "command", "native")
PHASES = ("fit", "predict")
_KEYS = {"name", "family", "learner", "about", "data", "quick", "timed", "threads", "quality",
         "cost", "goal", "ours", "peers", "scaling", "note"}


@dataclasses.dataclass(frozen=True)
class Quality:
    """When two results may be compared: `metric` may differ by `tolerance`, relatively."""

    metric: str
    better: str
    tolerance: float


@dataclasses.dataclass(frozen=True)
class Cost:
    """The work that no programme can avoid, as expressions of the data's sizes."""

    bytes: str = "0"
    flops: str = "0"
    precision: str = "f64"


@dataclasses.dataclass(frozen=True)
class Call:
    """One way to do the task: a peer (or ours), the name of its call, its settings.

    A peer may stand in a task several times (two engines, two algorithms): `label` tells them
    apart, `peer` is the file in bench/peers.
    """

    label: str
    peer: str
    call: str
    settings: Mapping[str, Any]
    via: str = "python"


@dataclasses.dataclass(frozen=True)
class Goal:
    """What we promise: a ratio against one peer, or (peer empty) a number of seconds."""

    phase: str
    peer: str = ""
    ratio: float | None = None
    seconds: float | None = None


@dataclasses.dataclass(frozen=True)
class Task:
    """One line of the table."""

    name: str
    family: str
    learner: str
    about: str
    data: Mapping[str, Any]
    quick: Mapping[str, Any]
    timed: tuple[str, ...]
    threads: tuple[int, ...]
    quality: Quality
    cost: Mapping[str, Cost]
    goals: tuple[Goal, ...]
    ours: Call
    peers: tuple[Call, ...]
    scaling: Mapping[str, Any]
    note: str

    def shrunk(self) -> Task:
        """The same task at the size of a smoke test."""
        return dataclasses.replace(self, data={**self.data, **self.quick})


def load_tasks(folder: pathlib.Path) -> list[Task]:
    """Every task of every file, in the order of file names; names must be unique."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise BenchError(f"no task files (*.toml) in {folder}")
    tasks = [task for file in files for task in read_task_file(file)]
    seen: set[str] = set()
    for task in tasks:
        if task.name in seen:
            raise BenchError(f"two tasks have the name {task.name!r}")
        seen.add(task.name)
    return tasks


def select(tasks: Sequence[Task], patterns: Sequence[str]) -> list[Task]:
    """The tasks whose name or family matches one of the patterns (`*` is anything)."""

    def matches(task: Task, pattern: str) -> bool:
        return any(fnmatch.fnmatch(word, pattern) for word in (task.name, task.family))

    idle = [pattern for pattern in patterns if not any(matches(task, pattern) for task in tasks)]
    if idle:
        raise BenchError(
            f"no task matches {' '.join(idle)!r}; tasks: {', '.join(t.name for t in tasks)}"
        )
    return [task for task in tasks if not patterns or any(matches(task, p) for p in patterns)]


def read_task_file(file: pathlib.Path) -> list[Task]:
    """The tasks of one file."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BenchError(f"{file.name}: {problem}") from None
    tables = content.get("task")
    if not isinstance(tables, list) or not tables or set(content) != {"task"}:
        raise BenchError(f"{file.name}: a task file holds [[task]] tables and nothing else")
    return [_task(table, file.name) for table in tables]


class _Table:
    """A TOML table that knows where it stands, for messages."""

    def __init__(self, values: Any, where: str, allowed: set[str]) -> None:
        if not isinstance(values, dict):
            raise BenchError(f"{where}: a table is expected (found {values!r})")
        self.values, self.where = values, where
        unknown = sorted(set(values) - allowed)
        if unknown:
            raise BenchError(
                f"{where}: unknown key {unknown[0]!r} (allowed: {', '.join(sorted(allowed))})"
            )

    def get(self, key: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        """The value of a key, checked; without a default the key must be there."""
        value = self.values.get(key, default)
        if value is None:
            raise BenchError(f"{self.where}: {key!r} is missing")
        if isinstance(value, bool) or not isinstance(value, kind):
            raise BenchError(f"{self.where}: {key!r} has the wrong type (found {value!r})")
        return value

    def choice(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        value = self.get(key, str, default)
        if value not in allowed:
            raise BenchError(
                f"{self.where}: {key!r} is {value!r} (allowed: {', '.join(allowed)})"
            )
        return value


def _task(values: Any, file: str) -> Task:
    name = values.get("name", "?") if isinstance(values, dict) else "?"
    where = f"{file}: task {name!r}"
    table = _Table(values, where, _KEYS)
    timed = tuple(table.get("timed", list, ["fit"]))
    if not timed or not set(timed) <= set(PHASES):
        raise BenchError(f"{where}: 'timed' is a list of {' and '.join(PHASES)} (found {timed!r})")
    data = table.get("data", dict)
    if sum(key in data for key in ("make", "bundled", "external")) != 1:
        raise BenchError(f"{where}: 'data' has one of make, bundled, external")
    return Task(
        name=table.get("name", str),
        family=table.get("family", str),
        learner=table.get("learner", str, ""),
        about=table.get("about", str),
        data=data,
        quick=table.get("quick", dict, {}),
        timed=timed,
        threads=tuple(table.get("threads", list, [])),
        quality=_quality(table.get("quality", dict), where),
        cost=_cost(table.get("cost", dict, {}), where, timed),
        goals=tuple(_goal(one, where, timed) for one in table.get("goal", list, [])),
        ours=_call("gradus", table.get("ours", dict), where),
        peers=tuple(_call(peer, one, where) for peer, one in table.get("peers", dict, {}).items()),
        scaling=table.get("scaling", dict, {}),
        note=table.get("note", str, ""),
    )


def _quality(values: Any, where: str) -> Quality:
    table = _Table(values, f"{where}, quality", {"metric", "better", "tolerance"})
    tolerance = float(table.get("tolerance", (int, float), 0.0))
    if tolerance < 0:
        raise BenchError(f"{table.where}: 'tolerance' is at least 0 (found {tolerance})")
    return Quality(table.get("metric", str), table.choice("better", DIRECTIONS), tolerance)


def _cost(values: Any, where: str, timed: Sequence[str]) -> dict[str, Cost]:
    out: dict[str, Cost] = {}
    for phase, one in _Table(values, f"{where}, cost", set(timed)).values.items():
        table = _Table(one, f"{where}, cost.{phase}", {"bytes", "flops", "precision"})
        cost = Cost(
            table.get("bytes", str, "0"),
            table.get("flops", str, "0"),
            table.choice("precision", ("f64", "f32"), "f64"),
        )
        for text in (cost.bytes, cost.flops):
            names = dict.fromkeys(expressions.names_in(text) if _parses(text) else (), 1.0)
            expressions.evaluate(text, names)
        out[phase] = cost
    return out


def _parses(text: str) -> bool:
    try:
        expressions.names_in(text)
    except SyntaxError:
        return False
    return True


def _goal(values: Any, where: str, timed: Sequence[str]) -> Goal:
    table = _Table(values, f"{where}, goal", {"phase", "peer", "ratio", "seconds"})
    phase = table.choice("phase", tuple(timed), timed[0])
    if "seconds" in table.values:
        return Goal(phase, seconds=float(table.get("seconds", (int, float))))
    return Goal(phase, table.get("peer", str, "best"), float(table.get("ratio", (int, float))))


def _call(peer: str, values: Any, where: str) -> Call:
    table = _Table(values, f"{where}, {peer}", {"peer", "call", "settings", "via"})
    return Call(
        peer,
        table.get("peer", str, peer),
        table.get("call", str),
        table.get("settings", dict, {}),
        table.choice("via", VIAS, "python"),
    )
