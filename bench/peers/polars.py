"""polars: data frames in Rust.

install: pip polars
"""

from __future__ import annotations

from typing import Any

from protocol import Job
from table_jobs import reading_job, writing_job


def versions() -> dict[str, str]:
    """The package."""
    import polars

    return {"polars": polars.__version__}


def _total(table: Any) -> float:
    import polars.selectors as choose

    return float(sum(column.sum() for column in table.select(choose.numeric()).get_columns()))


def read_csv(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Threads come from POLARS_MAX_THREADS."""
    import polars

    return reading_job(polars.read_csv, _total, data)


def convert(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """CSV to NumPy or JSON Lines."""
    import numpy
    import polars

    writers = {
        "npy": lambda t, path: numpy.save(path, t.to_numpy()),
        "jsonl": lambda t, path: t.write_ndjson(path),
    }
    return writing_job(polars.read_csv, writers, data, spec)


CALLS = {"read_csv": read_csv, "convert": convert}
