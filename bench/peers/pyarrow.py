"""Apache Arrow through pyarrow.

install: pip pyarrow
"""

from __future__ import annotations

from typing import Any

from protocol import Job
from table_jobs import reading_job


def versions() -> dict[str, str]:
    """The package."""
    import pyarrow

    return {"pyarrow": pyarrow.__version__}


def _total(table: Any) -> float:
    from pyarrow import compute, types

    numeric = [
        column for column, kind in zip(table.columns, table.schema.types)
        if types.is_integer(kind) or types.is_floating(kind)
    ]
    return float(sum(compute.sum(column).as_py() for column in numeric))


def read_csv(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """The reader of Arrow with its own pool of threads."""
    import pyarrow
    import pyarrow.csv

    pyarrow.set_cpu_count(threads)
    return reading_job(pyarrow.csv.read_csv, _total, data)


CALLS = {"read_csv": read_csv}
