"""Jobs that read CSV files with a library of tables: one function per library, the rest is here."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

from outputs import sum_of_file
from protocol import Job


def reading_job(read: Callable[[str], Any], total: Callable[[Any], float], data: Any) -> Job:
    """The whole table in memory; `total` is the sum of its numeric columns, the proof of the work."""
    return Job(fit=lambda: read(data.files["csv"]), quality=lambda table, _: total(table))


def writing_job(
    read: Callable[[str], Any], writers: dict[str, Callable[[Any, str], Any]],
    data: Any, spec: dict[str, Any],
) -> Job:
    """From CSV to another format, both inside of the clock."""
    ending = spec["settings"]["to"]
    out = pathlib.Path(spec["scratch"]) / f"peer.{ending}"
    return Job(
        fit=lambda: writers[ending](read(data.files["csv"]), str(out)),
        quality=lambda done, _: sum_of_file(out),
    )
