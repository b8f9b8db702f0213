"""The command line of `bench/run`, checked: every mistake is a sentence and exit code 2."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys
from collections.abc import Sequence
from typing import NoReturn

from .places import ROOT

_ABOUT = """Measures Gradus beside its peers and says how far the machine's limit is.

  bench/run                     every task, every peer that is there or can be installed
  bench/run limits              memory bandwidth and arithmetic of this machine
  bench/run scaling             time against rows, columns and threads, with exponents
  bench/run kernels             the vector kernels of the library
  bench/run quality             defaults of boosting and forests on many real data sets
  bench/run publish RESULT      docs/benchmarks.md from a results file
  bench/run list                the tasks and the peers
"""
VERBS = ("measure", "limits", "scaling", "kernels", "quality", "publish", "list")


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        print(f"error: {message} ({self.prog} --help shows what is allowed)", file=sys.stderr)
        raise SystemExit(2)


def positive(text: str) -> int:
    """A whole number of at least 1."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"a whole number of at least 1 is expected, found {text!r}")
    return value


def threads_list(text: str) -> list[int]:
    """Numbers of threads, separated by commas."""
    values = [positive(part) for part in text.split(",")]
    if len(set(values)) != len(values):
        raise argparse.ArgumentTypeError(f"a number of threads stands twice in {text!r}")
    return values


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError("a list of names is expected")
    return names


def settings(text: str) -> dict[str, object]:
    """`name=value,name=value` with numbers and words as values."""
    out: dict[str, object] = {}
    for part in _names(text):
        name, equals, value = part.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise argparse.ArgumentTypeError(f"name=value is expected, found {part!r}")
        try:
            out[name.strip()] = json.loads(value)
        except json.JSONDecodeError:
            out[name.strip()] = value.strip()
    return out


def _folder(text: str) -> pathlib.Path:
    path = pathlib.Path(text).expanduser().resolve()
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text!r}")
    return path


def default_threads() -> list[int]:
    """Two threads where the machine has them: what the goals are stated for."""
    return [min(2, len(os.sched_getaffinity(0)))]


def parser() -> argparse.ArgumentParser:
    """Every option of `bench/run`."""
    out = Parser(prog="bench/run", description=_ABOUT, allow_abbrev=False,
                  formatter_class=argparse.RawDescriptionHelpFormatter)
    out.add_argument("verb", nargs="?", default="measure", choices=VERBS, metavar="VERB")
    out.add_argument("result", nargs="?", type=pathlib.Path, help="for publish: a results file")
    out.add_argument("--task", action="extend", type=_names, default=[], metavar="PATTERN[,...]",
                     help="tasks or families to measure, with * (repeatable)")
    out.add_argument("--peers", type=_names, metavar="A,B", help="peers to measure (default: all)")
    out.add_argument("--threads", type=threads_list, metavar="1,2", help="threads of everybody (default: 2; quality and --quick: 1)")
    out.add_argument("--repeat", type=positive, metavar="N", help="rounds (default 5)")
    out.add_argument("--quick", action="store_true",
                     help="tiny data and one round: a test of the harness, not of speed")
    out.add_argument("--no-install", action="store_true",
                     help="build and install nothing: measure what is there")
    out.add_argument("--timeout", type=positive, default=300, metavar="SECONDS",
                     help="longest time of one process (default 300)")
    out.add_argument("--data-dir", type=_folder, metavar="DIR",
                     help="folder with external data (default: $GRADUS_BENCH_DATA)")
    out.add_argument("--build", type=_folder, metavar="DIR",
                     help="build to measure (default: build/bench)")
    out.add_argument("--python", type=pathlib.Path, metavar="PATH",
                     help="interpreter that has the package and the peers")
    out.add_argument("--set", action="append", default=[], metavar="PATTERN",
                     help="quality: data sets to use, with * (repeatable)")
    out.add_argument("--method", action="append", default=[], metavar="NAME",
                     help="quality: methods to compare (repeatable)")
    out.add_argument("--try", action="append", default=[], type=settings, dest="trial",
                     metavar="NAME=VALUE,...", help="quality: also measure ours with these settings (repeatable)")
    out.add_argument("--output", type=pathlib.Path, metavar="FILE",
                     help="results file (default: bench/results/DATE-CPU.json)")
    out.add_argument("--resume", type=pathlib.Path, metavar="FILE",
                     help="go on with a results file: only tasks that it lacks are measured")
    out.add_argument("--again", action="store_true",
                     help="with --resume: measure the tasks anew; each takes the place of the one in the file")
    return out


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The options, with the defaults that depend on others."""
    made = parser()
    options = made.parse_args(words)
    if (options.verb == "publish") != (options.result is not None):
        made.error("publish needs a results file" if options.verb == "publish"
                   else f"unexpected argument {str(options.result)!r}")
    if options.result is not None and not options.result.is_file():
        made.error(f"there is no file {str(options.result)!r}")
    if options.resume is not None and (options.verb != "measure" or options.output is not None):
        made.error("--resume is for measuring, and takes the place of --output")
    if options.again and options.resume is None:
        made.error("--again goes with --resume: it says which file")
    if options.resume is not None and not options.resume.is_file():
        made.error(f"there is no file {str(options.resume)!r}")
    if options.data_dir is None and os.environ.get("GRADUS_BENCH_DATA"):
        try:
            options.data_dir = _folder(os.environ["GRADUS_BENCH_DATA"])
        except argparse.ArgumentTypeError as problem:
            made.error(f"GRADUS_BENCH_DATA: {problem}")
    if options.threads is None:
        # A smoke test runs its processes side by side: threads of their own would only wait for each other.
        single = options.verb == "quality" or options.quick
        options.threads = [1] if single else default_threads()
    if options.repeat is None:
        options.repeat = 1 if options.quick else 5
    if options.output is None and options.quick:
        name = "quick-quality.json" if options.verb == "quality" else "quick.json"
        options.output = ROOT / "build" / "bench-cache" / name
    return options
