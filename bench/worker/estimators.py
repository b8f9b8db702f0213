"""Jobs for libraries with scikit-learn's interface, ours among them.

A task names the class (`linear_model.LinearRegression`) and its settings, so that a new learner
needs a task file and no code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from metrics import METRICS, OBJECTIVES
from protocol import Job


def facts_of(model: Any) -> dict[str, float]:
    """Quantities for cost models that only the fit knows."""
    names = {"n_iter_": "iterations", "depth_": "depth"}
    found = {word: getattr(model, name, None) for name, word in names.items()}
    return {word: longest(value) for word, value in found.items() if value is not None}


def longest(iterations: Any) -> float:
    """Where a library fits several problems (an array, or a dict by class), the longest counts."""
    several = list(iterations.values()) if isinstance(iterations, dict) else iterations
    return float(np.max(several))


def estimator_job(make: Callable[[], Any], data: Any, metric: str) -> Job:
    """fit on X (and y), predict on X_test, or on X itself for clustering."""
    target = (data.y,) if "y" in data.arrays else ()
    rows = data.X_test if "X_test" in data.arrays else data.X

    def quality(model: Any, prediction: Any) -> float:
        if metric in OBJECTIVES:
            return OBJECTIVES[metric](model, data)
        return METRICS[metric](model.predict(rows) if prediction is None else prediction, data)

    return Job(
        fit=lambda: make().fit(data.X, *target),
        predict=lambda model: model.predict(rows),
        facts=facts_of,
        quality=quality,
    )


def one_row_job(make: Callable[[], Any], data: Any, metric: str) -> Job:
    """The time of one answer: the model is fitted outside of the clock, quality is that of all
    test rows."""
    job = estimator_job(make, data, metric)
    model = job.fit()
    rows = data.X_test if "X_test" in data.arrays else data.X
    row = rows[:1]
    assert job.quality is not None
    quality = job.quality
    return Job(fit=lambda: model.predict(row), quality=lambda answer, _: quality(model, None))
