"""How time grows with rows, columns and threads: `bench/run scaling`.

A task with a `scaling` table is measured (ours alone) at sizes that double, and the exponent b of
time = a * size^b is fitted by least squares on the logarithms. A linear learner has 1 for rows; a 2
where 1 was expected is the quadratic surprise that this is for. For threads the figure is the
speed-up and not an exponent.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import statistics
from collections.abc import Callable, Sequence

from . import words
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
    options: argparse.Namespace, places: Places, tasks: Sequence[Task], say: Callable[[str], None]
) -> int:
    """Every task that says how it may be scaled."""
    chosen = [task for task in tasks if task.scaling]
    if not chosen:
        raise BenchError("none of these tasks has a scaling table")
    effort = Effort(min(options.repeat, 3), 0.0 if options.quick else 0.25, options.timeout,
                    lasting=options.quick)
    threads = max(options.threads)
    for task in chosen:
        say(task.name)
        for axis, (first, last) in task.scaling.items():
            sizes = doublings(first, last)
            if options.quick:
                sizes = [max(8, size // 500) for size in sizes[:2]]
            try:
                times = [_time(_sized(task, axis, size), threads, places, effort) for size in sizes]
            except Unavailable as why:
                say(f"  skipped: {why}")
                break
            shown = ", ".join(f"{size}: {words.seconds(t)}" for size, t in zip(sizes, times))
            print(f"{task.name:26} {axis:8} exponent {exponent(sizes, times):5.2f}   {shown}")
        _threads(task, options, places, effort)
    return 0


def _sized(task: Task, axis: str, size: int) -> Task:
    return dataclasses.replace(task, data={**task.data, axis: size})


def _threads(task: Task, options: argparse.Namespace, places: Places, effort: Effort) -> None:
    task = task.shrunk() if options.quick else task
    counts = doublings(1, max(options.threads))
    if len(counts) < 2:
        return
    times = [_time(task, count, places, effort) for count in counts]
    shown = ", ".join(f"{count}: {words.seconds(t)}" for count, t in zip(counts, times))
    print(f"{task.name:26} threads  speed-up {times[0] / times[-1]:5.2f}   {shown}")
