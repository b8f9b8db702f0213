"""How time grows with rows, columns and threads: `bench/run scaling`.

A task with a `scaling` table is measured (ours alone) at sizes that double, and the exponent b of
time = a * size^b is fitted by least squares on the logarithms. A linear learner has 1 for rows; a 2
where 1 was expected is the quadratic surprise that this is for. For threads the figure is the
speed-up and not an exponent.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import pathlib
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import machine, words
from .datasets import Unavailable
from .errors import BenchError
from .measure import OURS, Effort, Setting, Team, peer_name, run_task
from .peers import all_peers
from .places import Places
from .tasks import Task


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """The slope of log time over log size."""
    if len(sizes) < 2 or len(sizes) != len(times):
        raise ValueError("an exponent needs two sizes and a time for each")
    x, y = [math.log(s) for s in sizes], [math.log(t) for t in times]
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    spread = sum((a - mean_x) ** 2 for a in x)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / spread


def doublings(first: int, last: int) -> list[int]:
    """first, 2 first, 4 first, ... up to last."""
    if first < 1 or last < first:
        raise BenchError(f"scaling goes from a size of at least 1 upwards (found {first} to {last})")
    out = [first]
    while out[-1] * 2 <= last:
        out.append(out[-1] * 2)
    return out


def _time(task: Task, threads: int, places: Places, effort: Effort) -> float:
    alone = dataclasses.replace(task, peers=(), timed=("fit",))
    name = peer_name(task.ours, True)
    with Team(places, effort) as team:
        setting = Setting(places, effort, {name: all_peers()[name]}, team, print)
        result = run_task(alone, threads, setting)
    part = result["competitors"][OURS]
    if part["problem"]:
        raise BenchError(f"{task.name}: {part['problem']}")
    return statistics.median(one["fit"]["seconds"] for one in part["rounds"])


def run(
    options: argparse.Namespace, places: Places, tasks: Sequence[Task], path: pathlib.Path,
    say: Callable[[str], None],
) -> int:
    """Every task that says how it may be scaled; what was found is kept in the file `path`."""
    chosen = [task for task in tasks if task.scaling]
    if not chosen:
        raise BenchError("none of these tasks has a scaling table")
    effort = Effort(min(options.repeat, 3), 0.0 if options.quick else 0.25, options.timeout,
                    lasting=options.quick)
    for task in chosen:
        say(task.name)
        found = []
        try:
            for growth in _growths(task, options, places, effort):
                print(_line(task.name, growth))
                found.append(growth)
        except Unavailable as why:
            say(f"  skipped: {why}")
            continue
        if not options.quick:
            keep(path, task, found)
    return 0


def _growths(
    task: Task, options: argparse.Namespace, places: Places, effort: Effort
) -> Iterator[dict[str, Any]]:
    threads = max(options.threads)
    for axis, (first, last) in task.scaling.items():
        sizes = doublings(first, last)
        if options.quick:
            sizes = [max(8, size // 500) for size in sizes[:2]]
        times = [_time(_sized(task, axis, size), threads, places, effort) for size in sizes]
        yield {"axis": axis, "sizes": sizes, "seconds": times, "threads": threads}
    counts = doublings(1, threads)
    if len(counts) > 1:
        whole = task.shrunk() if options.quick else task
        times = [_time(whole, count, places, effort) for count in counts]
        yield {"axis": "threads", "sizes": counts, "seconds": times, "threads": threads}


def _sized(task: Task, axis: str, size: int) -> Task:
    return dataclasses.replace(task, data={**task.data, axis: size})


def _figure(growth: Mapping[str, Any]) -> str:
    """The exponent, or for threads how much faster the most of them are than one."""
    if growth["axis"] == "threads":
        return f"{growth['seconds'][0] / growth['seconds'][-1]:.2f}"
    return f"{exponent(growth['sizes'], growth['seconds']):.2f}"


def _shown(growth: Mapping[str, Any]) -> str:
    return ", ".join(f"{size}: {words.seconds(t)}" for size, t in zip(growth["sizes"], growth["seconds"]))


def _line(name: str, growth: Mapping[str, Any]) -> str:
    what = "speed-up" if growth["axis"] == "threads" else "exponent"
    return f"{name:26} {growth['axis']:8} {what} {_figure(growth):>5}   {_shown(growth)}"


def keep(path: pathlib.Path, task: Task, found: Sequence[Mapping[str, Any]]) -> None:
    """Adds what was found about a task to the file, in the place of what was there before."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known[task.name] = {"about": task.about, "revision": machine.revision(), "growths": list(found)}
    text = json.dumps(dict(sorted(known.items())), indent=1) + "\n"
    path.write_text(text, encoding="utf-8")


def section(path: pathlib.Path) -> list[str]:
    """The part of docs/benchmarks.md; empty when nothing was measured."""
    if not path.exists():
        return []
    known = json.loads(path.read_text(encoding="utf-8"))
    out = ["", "## How time grows", "",
           "`bench/run scaling`: our fit alone while one size doubles. The exponent b is that of time = a · size^b:",
           "1 is linear, and small sizes with a fixed cost stay below it. For threads the figure is the speed-up.", "",
           "| task | what doubles | exponent or speed-up | times |", "|---|---|---:|---|"]
    for one in known.values():
        for i, growth in enumerate(one["growths"]):
            name = one["about"] if i == 0 else ""
            out.append(f"| {name} | {growth['axis']} | {_figure(growth)} | {_shown(growth)} |")
    return out
