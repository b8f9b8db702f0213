"""Gradus through its Python package: NumPy arrays are read in place.

install: build
"""

from __future__ import annotations

from typing import Any

from estimators import estimator_job, one_row_job
from frames import chosen_input
from protocol import Job
from task_data import Data


def versions() -> dict[str, str]:
    """The package and the NumPy that hands it the arrays."""
    import numpy

    import gradus

    return {"gradus": gradus.__version__, "numpy": numpy.__version__}


def estimator(call: str, settings: dict[str, Any], threads: int) -> Any:
    """Any estimator of the package by its name."""
    import gradus

    return getattr(gradus, call)(**settings, n_jobs=threads)


def _maker(data: Any, settings: dict[str, Any], name: str, threads: int) -> Any:
    values = data.fill(settings, threads)
    if "centers" in values:
        values["centers"] = tuple(values["centers"].ravel().tolist())
    return lambda: estimator(name, values, threads)


def _as_categories(data: Any) -> Data:
    """Small whole numbers as a data frame of categories: the type that nominal columns have in
    Python. It is made before the clock, like every other form of input."""
    import pandas

    def frame(X: Any) -> Any:
        return pandas.DataFrame(
            {f"c{j}": pandas.Categorical(X[:, j]) for j in range(X.shape[1])}, copy=False
        )

    arrays = dict(data.arrays)
    for name in ("X", "X_test"):
        arrays[name] = frame(arrays[name])
    return Data(arrays, data.files, data.sizes)


def any_call(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Any estimator of the package by its name; `input` says which form of data frame it gets: all
    columns as "categories", or "mixed"."""
    data, settings = chosen_input(data, spec["settings"])
    if settings.pop("input", "") == "categories":
        data = _as_categories(data)
    return estimator_job(_maker(data, settings, spec["call"], threads), data, spec["metric"])


def one_row(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A single prediction through `predict`."""
    settings = dict(spec["settings"])
    make = _maker(data, settings, settings.pop("estimator"), threads)
    return one_row_job(make, data, spec["metric"])


def measure(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """One measure of predictions that exist: auc, log_loss or confusion_matrix."""
    from gradus import evaluate

    which = spec["settings"]["measure"]
    given = {"auc": data.X[:, 1].copy() if which == "auc" else None, "log_loss": data.X}
    second = given.get(which, data.calls)
    work = getattr(evaluate, which)
    return Job(
        fit=lambda: work(data.y, second, threads=threads),
        quality=lambda result, _: float(result if which != "confusion_matrix" else result[0, 0]),
    )


def _forest_on_folds(data: Any, spec: dict[str, Any]) -> tuple[Any, Any]:
    """The estimator of the settings, and ten stratified folds of the rows."""
    from gradus import evaluate

    settings = dict(spec["settings"])
    name = settings.pop("estimator")
    return lambda jobs: estimator(name, settings, jobs), evaluate.folds(data.y.astype(int), n=10)


def ten_folds(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Ten-fold cross-validation: folds and the trees inside of them share the threads."""
    from gradus import evaluate

    make, folds = _forest_on_folds(data, spec)
    y = data.y.astype(int)
    return Job(
        fit=lambda: evaluate.cross_validate(make(threads), data.X, y, folds=folds),
        quality=lambda result, _: float(result["mean"]),
    )


def ten_fits(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """The same ten fits one after the other on one thread, divided by the threads: what ten folds
    cost when nothing is lost. What the fits have in common is not shared, and nothing is judged
    inside of the clock."""
    import time

    make, folds = _forest_on_folds(data, spec)
    y = data.y.astype(int)
    parts = [(data.X[train], y[train], data.X[test], y[test]) for train, test in folds]

    def fits() -> Any:
        start = time.perf_counter()
        models = [make(1).fit(X, target) for X, target, _, _ in parts]
        return models, (time.perf_counter() - start) / threads

    def accuracy(result: Any, _: Any) -> float:
        right = [(model.predict(X) == target).mean() for model, (_, _, X, target) in zip(result[0], parts)]
        return float(sum(right) / len(right))

    return Job(fit=fits, quality=accuracy, seconds=lambda result: float(result[1]))


CALLS = {"one_row": one_row, "measure": measure, "ten_folds": ten_folds, "ten_fits": ten_fits}
