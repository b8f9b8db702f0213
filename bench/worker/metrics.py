"""Quality, computed from what a model answers and never from what it says about itself.

Every library goes through the same formula on the same rows, so that a difference in quality is a
difference of the models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def r2(prediction: Any, data: Any) -> float:
    """Share of the variance of the test rows that is explained."""
    y = data.y_test
    residual = float(np.sum((y - np.asarray(prediction).reshape(y.shape)) ** 2))
    return 1 - residual / float(np.sum((y - y.mean()) ** 2))


def accuracy(prediction: Any, data: Any) -> float:
    """Share of the test rows whose class is right."""
    return float(np.mean(np.asarray(prediction).astype(data.y_test.dtype) == data.y_test))


def inertia(prediction: Any, data: Any) -> float:
    """Sum of squared distances of the rows to the mean of their cluster, in double precision."""
    labels = np.asarray(prediction).astype(np.int64).ravel()
    X = data.X
    count = np.bincount(labels)
    means = np.zeros((len(count), X.shape[1]))
    total = 0.0
    for k in np.flatnonzero(count):
        rows = X[labels == k].astype(np.float64)
        means[k] = rows.mean(axis=0)
        total += float(np.sum((rows - means[k]) ** 2))
    return total


def softmax_l1(model: Any, data: Any) -> float:
    """What l1-penalised softmax regression with C = 1 minimises, on the rows that taught: log-loss summed over
    the rows, and the sizes of all coefficients. Where one library stops early, accuracy compares how
    early; this compares how well the problem was solved."""
    p = np.asarray(model.predict_proba(data.X))
    place = np.searchsorted(np.asarray(model.classes_), data.y)
    return float(-np.log(p[np.arange(len(place)), place]).sum() + np.abs(np.asarray(model.coef_)).sum())


OBJECTIVES: dict[str, Callable[[Any, Any], float]] = {"softmax_l1": softmax_l1}

METRICS: dict[str, Callable[[Any, Any], float]] = {
    "r2": r2,
    "accuracy": accuracy,
    "inertia": inertia,
}
