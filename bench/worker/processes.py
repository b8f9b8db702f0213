"""Other programmes as jobs: run to the end, with their own peak of memory."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import tempfile
from collections.abc import Sequence


@dataclasses.dataclass(frozen=True)
class Finished:
    """What a programme printed, and the most memory it held."""

    out: str
    peak_bytes: float


def run_process(command: Sequence[str]) -> Finished:
    """Runs a programme; its failure is ours, with the last line that it said."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            list(command), stdin=subprocess.DEVNULL, stdout=out, stderr=errors
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip().splitlines()
            raise RuntimeError(f"{command[0]} ended with {process.returncode}: {said[-1:]}")
        out.seek(0)
        return Finished(out.read().decode("utf-8", "replace"), used.ru_maxrss * 1024.0)
