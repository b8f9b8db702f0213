"""CatBoost: boosted trees for categories.

install: pip catboost
install: pip scikit-learn>=1.6
"""

from __future__ import annotations

from typing import Any

from estimators import estimator_job
from frames import chosen_input
from protocol import Job


def versions() -> dict[str, str]:
    """The package."""
    import catboost

    return {"catboost": catboost.__version__}


def estimator(call: str, settings: dict[str, Any], threads: int) -> Any:
    """Any of its estimators with scikit-learn's interface, by name."""
    import catboost

    quiet = {"verbose": False, "allow_writing_files": False}
    return getattr(catboost, call)(thread_count=threads, **quiet, **settings)


def any_call(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """An estimator on the data of a task; `input = "mixed"` gives it strings for nominal columns."""
    columns = [f"c{j}" for j in data.arrays.get("nominal", ())]
    data, rest = chosen_input(data, spec["settings"], words=True)
    settings = data.fill(rest, threads)
    if rest != spec["settings"]:
        settings["cat_features"] = columns
    return estimator_job(lambda: estimator(spec["call"], settings, threads), data, spec["metric"])


CALLS: dict[str, Any] = {}
