"""What `bench/run` does after its arguments are understood."""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from . import arguments, page, publish, quality, quality_table, scaling, table
from .build import build
from .datasets import Unavailable
from .errors import BenchError
from .judge import Line, judge
from .measure import Effort, Setting, Team, peer_name, run_task
from .peers import Peer, all_peers, check_names, install
from .places import BENCH, ROOT, Places
from .record import Record
from .tasks import Task, load_tasks, select

RESULTS = BENCH / "results"
SCALING = RESULTS / "scaling.json"


def say(text: str) -> None:
    """Progress goes to standard error, so that the table can be redirected."""
    print(text, file=sys.stderr, flush=True)


def places_for(options: argparse.Namespace) -> Places:
    """What is measured, by which interpreter."""
    build_dir = options.build or ROOT / "build" / "bench"
    own = Places(build_dir, pathlib.Path(sys.executable)).own_python()
    python = options.python or (own if own.exists() or not options.no_install else ROOT / ".venv/bin/python")
    return Places(build_dir, python.absolute(), data_dir=options.data_dir)


def prepare(
    options: argparse.Namespace, places: Places, ours: Sequence[str], peers: Sequence[str]
) -> tuple[dict[str, Peer], dict[str, dict[str, str]]]:
    """Installs and builds unless told not to; the peers that can be measured, ours among them,
    and their versions."""
    known = all_peers()
    wanted = list(peers)
    if options.peers is not None:
        check_names(options.peers, known)
        wanted = [name for name in wanted if name in options.peers]
        for name in sorted(set(options.peers) - set(wanted)):
            say(f"{name}: no task that was chosen uses it")
    if not options.no_install:
        install([known[name] for name in wanted], places)
        if options.build is None:
            say("building the release that is measured")
            build(places)
    available, versions = {}, {}
    for name in [*ours, *wanted]:
        answer = known[name].versions(places)
        if answer.outcome is None:
            if name in ours:
                raise BenchError(
                    f"{name} cannot be measured: {answer.problem}; run without --no-install, or "
                    "give --build and --python"
                )
            say(f"{name}: skipped, not installed ({answer.problem})")
            continue
        available[name] = known[name]
        versions[name] = dict(answer.outcome)
        say(f"{name}: " + ", ".join(f"{k} {v}" for k, v in answer.outcome.items()))
    return available, versions


def measure_limits(places: Places, threads: Sequence[int]) -> dict[str, Any]:
    """Bandwidth and arithmetic for each number of threads, measured now."""
    try:
        done = subprocess.run(
            [str(places.limits), *map(str, threads)], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as problem:
        raise BenchError(f"cannot measure the machine's limits: {problem}") from None
    return json.loads(done.stdout)


def limits_text(limits: dict[str, Any]) -> str:
    """The limits as lines of text."""
    out = []
    for threads, of in limits.items():
        out.append(
            f"{threads} thread(s): read {of['read'] / 1e9:.1f} GB/s, copy {of['copy'] / 1e9:.1f} GB/s, "
            f"f64 {of['f64'] / 1e9:.0f} GFlop/s, f32 {of['f32'] / 1e9:.0f} GFlop/s"
        )
    return "\n".join(out) + "\n"


def measure(options: argparse.Namespace) -> int:
    """The main run: every task, then the table, the results file and the page."""
    tasks = select(load_tasks(BENCH / "tasks"), options.task)
    places = places_for(options)
    available, versions = prepare(
        options, places, sorted({peer_name(task.ours, True) for task in tasks}),
        sorted({call.peer for task in tasks for call in task.peers}),
    )
    if options.quick:
        tasks = [task.shrunk() for task in tasks]
    limits = measure_limits(places, options.threads)
    say(limits_text(limits).rstrip())
    effort = Effort(options.repeat, 0.0 if options.quick else 0.25, options.timeout, lasting=options.quick)
    about = {"limits": limits, "quick": options.quick, "repeat": options.repeat, "versions": versions}
    record = (Record.resume(options.resume, about) if options.resume else
              Record.begin(options.output, RESULTS, about))
    lines: list[Line] = []

    def one(work: tuple[Task, int]) -> tuple[Task, int, dict[str, Any] | str]:
        try:
            return *work, run_task(*work, setting)
        except Unavailable as why:
            return *work, str(why)

    # A smoke test measures nothing, so its processes may run side by side; else one at a time.
    workers = len(os.sched_getaffinity(0)) if options.quick else 1
    with Team(places, effort) as team, concurrent.futures.ThreadPoolExecutor(workers) as pool:
        setting = Setting(places, effort, available, team, say)
        work = [(task, threads) for task in tasks for threads in task.threads or options.threads
                if options.again or not record.has(task.name, threads)]
        for task, threads, outcome in pool.map(one, work):
            if isinstance(outcome, str):
                say(f"{task.name}: skipped, {outcome}")
                record.skip(task.name, outcome)
                continue
            record.add(outcome)
            new = judge(task, outcome, limits_for(limits, threads, places))
            lines += new
            say(table.render(new).split("\n", 1)[1].rstrip())
    record.write()
    write_page(record)
    print(table.render(lines), end="")
    failed = [line.task for line in lines if line.ours.problem or line.ours.seconds is None]
    if failed:
        say(f"error: ours failed in {', '.join(sorted(set(failed)))}")
    return 1 if failed else 0


def measure_quality(options: argparse.Namespace) -> int:
    """The study of defaults; the table of ranks goes to the terminal."""
    places = places_for(options)
    who = {c.peer for method in quality.chosen_methods(options) for c in method.competitors}
    ours = {"gradus_python"}
    available, versions = prepare(options, places, sorted(ours), sorted(who - ours))
    answers = quality.run(options, places, available, versions, say)
    sets = quality.load_sets()
    for method in quality.chosen_methods(options):
        labels = [who.label for who in method.competitors if who.peer in available]
        rows = quality_table.rows_of(method, answers.list(), sets, labels)
        print("\n".join([method.title, "", *quality_table.summary(method, rows, labels), ""]))
        verdicts = {
            part: quality.verdict(quality_table.scores_of(method, rows, labels, part), places)
            for part in quality_table.PARTS if len(quality_table.part_of(rows, part)) > 1 and len(labels) > 1
        }
        print("\n".join(f"{part}: {found['conclusion']}" for part, found in verdicts.items()))
        answers.verdicts[method.name] = verdicts
    answers.write()
    say(f"wrote {answers.path}")
    failed = sorted({a["set"] for a in answers.list() if a["label"] == quality.OURS and "problem" in a})
    if failed:
        say(f"error: ours failed on {', '.join(failed)}")
    return 1 if failed else 0


def limits_for(limits: dict[str, Any], threads: int, places: Places) -> dict[str, Any]:
    """The limits with those for `threads`, measured now if a task asks for another number."""
    if str(threads) not in limits:
        limits.update(measure_limits(places, [threads]))
    return limits


def write_page(record: Record) -> None:
    """The page beside the results file, with everything that the file has."""
    html = record.path.with_suffix(".html")
    html.write_text(page.render(record.result, lines_of(record.result)), encoding="utf-8")
    say(f"wrote {record.path} and {html.name}")


def lines_of(result: dict[str, Any]) -> list[Line]:
    """The lines of a results file, judged by the task files of today."""
    tasks = {task.name: task for task in load_tasks(BENCH / "tasks")}
    lines = []
    for one in result["results"]:
        if one["task"] in tasks:
            lines += judge(tasks[one["task"]], one, result["limits"])
    return lines


def quality_section() -> list[str]:
    """What the page says about quality: from the results of the last `bench/run quality`."""
    path = RESULTS / "quality.json"
    if not path.exists():
        return []
    result = json.loads(path.read_text(encoding="utf-8"))
    return quality_table.render(result, quality.load_methods(), quality.load_sets(), quality.MAX_ROWS)


def show_list() -> int:
    """The tasks, and the peers with what uses them."""
    tasks = load_tasks(BENCH / "tasks")
    for task in tasks:
        print(f"{task.name:28} {task.about}")
    print()
    for name, peer in all_peers().items():
        if name.startswith("gradus_"):
            continue
        uses = [task.name for task in tasks if any(call.peer == name for call in task.peers)]
        recipe = ", ".join(f"{how} {what}" for how, what in peer.recipe())
        print(f"{name:16} {recipe:44} {', '.join(uses) or 'no task uses it yet'}")
    return 0


def run(words_given: Sequence[str]) -> int:
    """`bench/run` with its arguments; the exit code."""
    options = arguments.parse(words_given)
    if options.verb == "list":
        return show_list()
    if options.verb == "publish":
        result = json.loads(options.result.read_text(encoding="utf-8"))
        publish.write(ROOT / "docs" / "benchmarks.md", result, lines_of(result),
                      scaling.section(SCALING) + quality_section())
        return 0
    if options.verb == "measure":
        return measure(options)
    if options.verb == "quality":
        return measure_quality(options)
    places = places_for(options)
    if not options.no_install and options.build is None:
        install([], places)
        build(places)
    if options.verb == "limits":
        print(limits_text(measure_limits(places, options.threads)), end="")
        return 0
    if options.verb == "kernels":
        return subprocess.run([str(places.native), "kernels"], check=False).returncode
    tasks = select(load_tasks(BENCH / "tasks"), options.task)
    return scaling.run(options, places, tasks, SCALING, say)


def main() -> int:
    """The entry of bench/run."""
    try:
        return run(sys.argv[1:])
    except BenchError as problem:
        say(f"error: {problem}")
        return 2
    except KeyboardInterrupt:
        say("stopped")
        return 130
