"""What every measured process does, whoever it measures.

A peer file offers `CALLS`, a dict from names to functions `(data, settings, threads) -> Job`. The
worker loads the data, builds the job, warms up on a few rows, and then times `fit` and `predict`
with nothing else inside the clock. The outcome is one JSON line on standard output; whatever a
library prints goes to standard error.

Short calls are repeated inside of the process until `min_seconds` have passed, and the process
counts as one round with the median of its calls. Memory is the high-water mark of the resident set
during the first call, above what was resident before it: the data are not counted.
"""

from __future__ import annotations

import dataclasses
import pathlib
import resource
import statistics
import time
from collections.abc import Callable
from typing import Any

MOST_CALLS = 1000


@dataclasses.dataclass
class Job:
    """One task in the hands of one library.

    Where another process keeps the clock, `seconds` and `peak` read its figures from a result, and
    `once` says that it has already repeated the call often enough.
    """

    fit: Callable[[], Any]
    predict: Callable[[Any], Any] | None = None
    facts: Callable[[Any], dict[str, float]] | None = None
    quality: Callable[[Any, Any], float] | None = None
    seconds: Callable[[Any], float] | None = None
    peak: Callable[[Any], float] | None = None
    once: bool = False


def _status(key: str) -> int:
    for line in pathlib.Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(key):
            return int(line.split()[1]) * 1024
    raise OSError(f"no {key} in /proc/self/status")


class PeakMemory:
    """The high-water mark of this process from now on, in bytes above what it holds now."""

    def __init__(self) -> None:
        try:
            # 5 sets the kernel's high-water mark back to the present size.
            pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
            self._base = _status("VmRSS:")
            self._exact = True
        except OSError:
            self._base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            self._exact = False

    def bytes(self) -> int:
        """Bytes above the start."""
        now = _status("VmHWM:") if self._exact else (
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        )
        return max(0, now - self._base)


def measure(call: Callable[[], Any], job: Job, min_seconds: float) -> tuple[Any, dict[str, Any]]:
    """The last result of `call`, and its seconds, CPU seconds, memory and number of calls."""
    seconds: list[float] = []
    peak: float = 0
    cpu = time.process_time()
    result = None
    most = 1 if job.once else MOST_CALLS
    while not seconds or (sum(seconds) < min_seconds and len(seconds) < most):
        result = None  # the memory of the last result is not part of the next call
        memory = PeakMemory() if not seconds else None
        start = time.perf_counter()
        result = call()
        took = time.perf_counter() - start
        seconds.append(job.seconds(result) if job.seconds else took)
        if memory is not None:
            peak = job.peak(result) if job.peak else memory.bytes()
    cpu = (time.process_time() - cpu) / len(seconds)
    return result, {
        "seconds": statistics.median(seconds),
        "cpu_seconds": cpu,
        "peak_bytes": peak,
        "calls": len(seconds),
    }


def run(build: Callable[[Any], Job], data: Any, spec: dict[str, Any]) -> dict[str, Any]:
    """Warm-up, fit, predict, quality: the whole life of a worker after loading."""
    warm = build(data.head())
    warm_result = warm.fit()
    if warm.predict is not None:
        warm.predict(warm_result)
    del warm, warm_result
    job = build(data)
    outcome: dict[str, Any] = {}
    model, outcome["fit"] = measure(job.fit, job, spec["min_seconds"])
    prediction = None
    if job.predict is not None and spec["predict"]:
        predict = job.predict
        prediction, outcome["predict"] = measure(lambda: predict(model), job, spec["min_seconds"])
    if job.quality is not None:
        outcome["quality"] = float(job.quality(model, prediction))
    outcome["facts"] = job.facts(model) if job.facts else {}
    return outcome
