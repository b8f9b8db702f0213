"""Starts measured processes and reads their one line. A peer that fails is a fact, not an end."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from typing import Any

# Every pool that a library might start is told the same number.
THREAD_VARIABLES = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS", "POLARS_MAX_THREADS", "ARROW_NUM_THREADS", "TBB_NUM_THREADS",
)


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a process said, or why it said nothing."""

    outcome: Mapping[str, Any] | None
    problem: str = ""


def environment(threads: int, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a worker: fixed threads, fixed hashing, no user settings of Python."""
    fixed = dict.fromkeys(THREAD_VARIABLES, str(threads))
    return {**os.environ, **fixed, "PYTHONHASHSEED": "0", "PYTHONNOUSERSITE": "1", **(more or {})}


def ask(command: Sequence[str], threads: int, timeout: float, more: Mapping[str, str] | None = None) -> Answer:
    """Runs one worker in a process group of its own, so that a timeout ends its children too."""
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                list(command), stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL,
                env=environment(threads, more), start_new_session=True,
            )
        except OSError as problem:
            return Answer(None, f"cannot start: {problem.strerror or problem}")
        try:
            out, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            _end(process)
            return Answer(None, f"no answer within {timeout:g} s")
        except BaseException:
            _end(process)
            raise
        errors.seek(0)
        return _read(process.returncode, out.decode("utf-8", "replace"),
                     errors.read().decode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()


def _read(code: int, out: str, errors: str) -> Answer:
    if code != 0:
        said = [line for line in errors.strip().splitlines() if line.strip()]
        how = f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return Answer(None, f"{how}: {said[-1][:300]}" if said else how)
    lines = out.strip().splitlines()
    try:
        outcome = json.loads(lines[-1])
    except (IndexError, json.JSONDecodeError):
        return Answer(None, "its answer is not a line of JSON")
    if not isinstance(outcome, dict):
        return Answer(None, "its answer is not a JSON object")
    return Answer(outcome)


class Servant:
    """A Python worker that stays and answers many specifications: for smoke tests, where loading
    the libraries anew for every answer would take most of the time."""

    def __init__(self, command: Sequence[str], threads: int) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [*command, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=environment(threads), text=True, start_new_session=True,
        )

    def ask(self, spec: pathlib.Path) -> Answer:
        """The answer to one specification; a worker that died answers nothing any more."""
        with self._lock:
            process = self._process
            assert process.stdin is not None and process.stdout is not None
            try:
                process.stdin.write(f"{spec}\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except BrokenPipeError:
                line = ""
        return _read(0, line, "") if line else Answer(None, "the worker ended")

    def close(self) -> None:
        """Ends the worker."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def with_spec(spec: Mapping[str, Any], folder: pathlib.Path) -> pathlib.Path:
    """The specification as a file: settings hold quotes and lists that no command line should."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "spec.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path
