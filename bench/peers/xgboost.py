"""XGBoost: boosted trees on histograms.

install: pip xgboost
install: pip scikit-learn>=1.6
"""

from __future__ import annotations

from typing import Any

from estimators import estimator_job
from frames import chosen_input
from protocol import Job


def versions() -> dict[str, str]:
    """The package."""
    import xgboost

    return {"xgboost": xgboost.__version__}


def estimator(call: str, settings: dict[str, Any], threads: int) -> Any:
    """Any of its estimators with scikit-learn's interface, by name."""
    import xgboost

    return getattr(xgboost, call)(n_jobs=threads, tree_method="hist", **settings)


def any_call(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """An estimator on the data of a task; `input = "mixed"` gives it a data frame with categories."""
    data, rest = chosen_input(data, spec["settings"])
    settings = data.fill(rest, threads)
    return estimator_job(lambda: estimator(spec["call"], settings, threads), data, spec["metric"])


CALLS: dict[str, Any] = {}
