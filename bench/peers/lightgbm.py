"""LightGBM: boosted trees on histograms.

install: pip lightgbm
install: pip scikit-learn>=1.6
"""

from __future__ import annotations

from typing import Any

from estimators import estimator_job
from frames import chosen_input
from protocol import Job


def versions() -> dict[str, str]:
    """The package."""
    import lightgbm

    return {"lightgbm": lightgbm.__version__}


def estimator(call: str, settings: dict[str, Any], threads: int) -> Any:
    """Any of its estimators with scikit-learn's interface, by name."""
    import lightgbm

    return getattr(lightgbm, call)(n_jobs=threads, verbose=-1, **settings)


def any_call(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """An estimator on the data of a task; `input = "mixed"` gives it a data frame with categories."""
    data, rest = chosen_input(data, spec["settings"])
    settings = data.fill(rest, threads)
    return estimator_job(lambda: estimator(spec["call"], settings, threads), data, spec["metric"])


CALLS: dict[str, Any] = {}
