"""`bench/compare OLD NEW`: two builds of ours, for regressions.

OLD and NEW are build folders or command binaries. The command starts, converts, trains and explains
on the same files, OLD and NEW by turns. A difference counts when the interval of the ratio lies on
one side of 1 and the change is larger than the threshold; it is then measured a second time, and
only what both runs say is reported: one run in sixteen of five rounds shows a change by luck alone,
two in a row hardly ever do.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

from . import words
from .arguments import Parser, default_threads, positive, threads_list
from .datasets import folder_of
from .errors import BenchError
from .intervals import Ratio, paired_ratio
from .places import ROOT, Places

_NUMBERS = {"make": "numeric_csv", "rows": 200_000, "columns": 20, "seed": 24}
_SMALL = {"rows": 3_000, "columns": 5}


@dataclasses.dataclass(frozen=True)
class Case:
    """One command line; `{csv}` and `{out}` are filled in."""

    name: str
    words: tuple[str, ...]


CASES = (
    Case("startup", ("--version",)),
    Case("convert csv to npy", ("convert", "{csv}", "{out}.npy", "--force", "--quiet")),
    Case("convert csv to jsonl", ("convert", "{csv}", "{out}.jsonl", "--force", "--quiet")),
    Case("train baseline", ("train", "baseline", "--data", "{csv}", "--target", "c0", "--quiet")),
    Case("train linear_regression",
         ("train", "linear_regression", "--data", "{csv}", "--target", "c0", "--quiet")),
    Case("train kmeans", ("train", "kmeans", "--data", "{csv}", "--k", "10", "--max_iter", "20",
                          "--quiet")),
    Case("train naive_bayes", ("train", "naive_bayes", "--data", "data/iris.csv", "--target",
                               "species", "--quiet")),
    Case("explain id3", ("explain", "id3", "--data", "data/play_tennis.csv", "--target",
                         "playtennis", "--ignore", "Day")),
)


def binary_of(text: str) -> pathlib.Path:
    """The command of a build folder, or the file itself."""
    path = pathlib.Path(text)
    found = path / "gradus" if path.is_dir() else path
    if not found.is_file() or not os.access(found, os.X_OK):
        raise BenchError(f"{text!r} is neither a build folder with the command nor an executable file")
    return found.absolute()


def _seconds(command: Sequence[str], calls: int) -> float:
    """The mean time of `calls` runs: short processes are repeated inside of a round."""
    start = time.perf_counter()
    for _ in range(calls):
        done = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
        )
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise BenchError(f"{command[0]} failed: {said[-1] if said else done.returncode}")
    return (time.perf_counter() - start) / calls


def compare(old: Sequence[str], new: Sequence[str], rounds: int) -> tuple[Ratio, float, float]:
    """old / new by turns, after one run of each to warm up; with the medians of both."""
    first = _seconds(old, 1)
    _seconds(new, 1)
    calls = max(1, min(50, int(0.1 / max(first, 1e-4))))
    a, b = [], []
    for _ in range(rounds):
        a.append(_seconds(new, calls))
        b.append(_seconds(old, calls))
    return paired_ratio(a, b), sorted(b)[rounds // 2], sorted(a)[rounds // 2]


def changed(ratio: Ratio, threshold: float) -> str:
    """faster, slower, or nothing when the signs or the size do not tell."""
    if ratio.low > 1 and ratio.median > 1 + threshold:
        return "faster"
    if ratio.high < 1 and ratio.median < 1 / (1 + threshold):
        return "slower"
    return ""


def verdict(first: str, second: str) -> str:
    """What two runs say together."""
    if not first:
        return "same"
    return first if first == second else "same (not confirmed)"


def _parser() -> Parser:
    out = Parser(prog="bench/compare", allow_abbrev=False, description=__doc__,
                 formatter_class=argparse.RawDescriptionHelpFormatter)
    out.add_argument("old", metavar="OLD")
    out.add_argument("new", metavar="NEW")
    out.add_argument("--repeat", type=positive, default=7, metavar="N", help="rounds (default 7)")
    out.add_argument("--threads", type=threads_list, default=default_threads(), metavar="N")
    out.add_argument("--threshold", type=float, default=0.03,
                     help="smallest change that counts (default 0.03)")
    out.add_argument("--quick", action="store_true", help="tiny data: a test of the harness")
    out.add_argument("--python", type=pathlib.Path, default=pathlib.Path(sys.executable),
                     help="interpreter with NumPy, for making the data")
    return out


def run(given: Sequence[str]) -> int:
    """The whole comparison; exit code 1 when something became slower."""
    options = _parser().parse_args(given)
    old, new = binary_of(options.old), binary_of(options.new)
    places = Places(new.parent, options.python)
    data = folder_of({**_NUMBERS, **(_SMALL if options.quick else {})}, places)
    slower = False
    print(f"{'case':26} {'old':>10} {'new':>10}  old/new")
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as scratch:
        for case in CASES:
            filled = [
                word.format(csv=data / "data.csv", out=f"{scratch}/out") for word in case.words
            ]
            if case.name != "startup":
                filled += ["--threads", str(options.threads[0])]
            pair = [str(old), *filled], [str(new), *filled]
            ratio, before, after = compare(*pair, options.repeat)
            said = changed(ratio, options.threshold)
            if said:
                second, _, _ = compare(*pair, options.repeat)
                said = verdict(said, changed(second, options.threshold))
            slower = slower or said == "slower"
            print(f"{case.name:26} {words.seconds(before):>10} {words.seconds(after):>10}  "
                  f"{words.interval(ratio)} {said or 'same'}", flush=True)
    return 1 if slower else 0


def main() -> int:
    """The entry of bench/compare."""
    try:
        return run(sys.argv[1:])
    except BenchError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
