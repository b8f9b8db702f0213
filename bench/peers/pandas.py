"""pandas, with its C reader and with the one of pyarrow.

install: pip pandas
install: pip pyarrow
"""

from __future__ import annotations

import functools
from typing import Any

from protocol import Job
from table_jobs import reading_job, writing_job


def versions() -> dict[str, str]:
    """pandas alone: its pyarrow engine is asked for in its own task label."""
    import pandas

    return {"pandas": pandas.__version__}


def read_csv(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """`engine` is a setting: c or pyarrow."""
    import pandas

    if spec["settings"]["engine"] == "pyarrow":
        import pyarrow

        pyarrow.set_cpu_count(threads)
    read = functools.partial(pandas.read_csv, engine=spec["settings"]["engine"])
    return reading_job(read, lambda t: float(t.select_dtypes("number").sum().sum()), data)


def convert(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """CSV to NumPy or JSON Lines with the C reader."""
    import numpy
    import pandas

    writers = {
        "npy": lambda t, path: numpy.save(path, t.to_numpy()),
        "jsonl": lambda t, path: t.to_json(path, orient="records", lines=True, double_precision=15),
    }
    return writing_job(pandas.read_csv, writers, data, spec)


CALLS = {"read_csv": read_csv, "convert": convert}
