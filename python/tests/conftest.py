"""What the tests share: every estimator, and small data that it can learn from."""

import os

# Without it scikit-learn skips its check with the array API; SciPy reads it when imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import pytest

import gradus


def numeric(estimator):
    return "numeric" in estimator._about()["accepts"]


def make_data(cls, rows=60, seed=0):
    """X and y that suit an estimator class; y is None for clusterers."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 3)) + 4 * (np.arange(rows) % 3)[:, None]
    if not numeric(cls):
        X = np.round(X)
    y = {"classification": np.arange(rows) % 3, "regression": X @ [1.0, 2.0, -1.0]}.get(cls._task)
    return X, y


@pytest.fixture(params=gradus.all_estimators(), ids=lambda cls: cls.__name__)
def cls(request):
    return request.param


def of_task(task):
    return [cls for cls in gradus.all_estimators() if cls._task == task]


# Parameters with which a clusterer runs far longer than any test waits.
LONG_FIT = {"n_clusters": 200, "max_iter": 100_000, "tol": 0, "n_init": 50}


def long_fit_params(cls):
    """LONG_FIT for a class that has all of it; else nothing."""
    return LONG_FIT if LONG_FIT.keys() <= cls().get_params().keys() else {}
