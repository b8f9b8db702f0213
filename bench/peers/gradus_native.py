"""Gradus through its C++ interface, timed by Google Benchmark in bench/native.

install: build
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

from estimators import estimator_job
from processes import run_process
from protocol import Job


def versions() -> dict[str, str]:
    """Asked of the package: both are built from one tree."""
    import gradus

    return {"gradus": gradus.__version__}


def _benchmark(spec: dict[str, Any], *words: str) -> dict[str, Any]:
    """One run of the programme; the programme repeats the call for long enough by itself."""
    done = run_process(
        [spec["native"], *words, "--benchmark_format=json",
         f"--benchmark_min_time={max(spec['min_seconds'], 0.001)}"]
    )
    return json.loads(done.out)["benchmarks"][0]


def _seconds(outcome: dict[str, Any]) -> float:
    return outcome["real_time"] * 1e-9


def read(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A table from a file, by the reader that belongs to the ending."""
    file = data.files[spec["settings"]["file"]]
    return Job(
        fit=lambda: _benchmark(spec, "read", file, str(threads)),
        seconds=_seconds,
        quality=lambda outcome, _: float(outcome["sum"]),
        peak=lambda outcome: float(outcome["peak_bytes"]),
        once=True,
    )


class _Saved:
    """A model fitted by the package and saved for the programme, with the rows to ask it about."""

    def __init__(self, data: Any, spec: dict[str, Any], threads: int) -> None:
        import gradus

        settings = data.fill(spec["settings"], threads)
        cls = getattr(gradus, settings.pop("estimator"))
        self.job = estimator_job(lambda: cls(**settings, n_jobs=threads), data, spec["metric"])
        self.model = self.job.fit()
        self.path = pathlib.Path(spec["scratch"]) / "model.gradus"
        self.model.save(self.path)
        self.rows = pathlib.Path(spec["scratch"]) / "rows.csv"
        rows = data.X_test[:1000] if "X_test" in data.arrays else data.X[:1000]
        names = [f"x{j}" for j in range(rows.shape[1])]
        lines = [",".join(names)] + [",".join(map(repr, row)) for row in rows.tolist()]
        self.rows.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def quality(self) -> float:
        """Of the same model, on the test rows."""
        assert self.job.quality is not None
        return self.job.quality(self.model, None)


def row(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """One answer to one prepared row."""
    saved = _Saved(data, spec, threads)
    return Job(
        fit=lambda: _benchmark(spec, "row", str(saved.path), str(saved.rows)),
        seconds=_seconds,
        quality=lambda outcome, _: saved.quality(),
        once=True,
    )


def load(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A model from its file, with every check."""
    saved = _Saved(data, spec, threads)
    return Job(
        fit=lambda: _benchmark(spec, "load", str(saved.path)),
        seconds=_seconds,
        quality=lambda outcome, _: saved.quality(),
        once=True,
    )


CALLS = {"read": read, "row": row, "load": load}
