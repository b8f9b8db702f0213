"""scikit-learn: the reference of the field.

install: pip scikit-learn>=1.6
install: pip scipy
install: pip pandas
"""

from __future__ import annotations

import importlib
import pathlib
import sys
from typing import Any

from estimators import estimator_job, one_row_job
from metrics import METRICS
from processes import run_process
from protocol import Job
from table_jobs import writing_job


def versions() -> dict[str, str]:
    """Also NumPy and SciPy, which do much of its work."""
    import numpy
    import scipy
    import sklearn

    return {
        "scikit-learn": sklearn.__version__,
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
    }


def _class(name: str) -> Any:
    module, _, cls = name.rpartition(".")
    return getattr(importlib.import_module(f"sklearn.{module}"), cls)


def estimator(call: str, settings: dict[str, Any], threads: int) -> Any:
    """Any estimator by its dotted name below `sklearn`; `threads` is among its settings, if at all."""
    return _class(call)(**settings)


def any_call(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Any estimator by its dotted name below `sklearn`."""
    cls = _class(spec["call"])
    settings = data.fill(spec["settings"], threads)
    return estimator_job(lambda: cls(**settings), data, spec["metric"])


def one_row(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A single prediction through `predict`."""
    settings = data.fill(spec["settings"], threads)
    cls = _class(settings.pop("estimator"))
    return one_row_job(lambda: cls(**settings), data, spec["metric"])


def over(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """An estimator over another one: `meta` by its name, `estimator` with the settings `base`."""
    settings = data.fill(spec["settings"], threads)
    cls, inner = _class(settings.pop("meta")), _class(settings.pop("estimator"))
    base = settings.pop("base", {})
    return estimator_job(lambda: cls(inner(**base), **settings), data, spec["metric"])


def scaled(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Standardised columns and the estimator behind them, as one."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    settings = data.fill(spec["settings"], threads)
    cls = _class(settings.pop("estimator"))
    return estimator_job(lambda: make_pipeline(StandardScaler(), cls(**settings)), data, spec["metric"])


def one_hot_tree(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A decision tree on nominal columns: scikit-learn's takes numbers, so the categories are
    encoded first, inside of the clock, as every user of it has to."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    settings = data.fill(spec["settings"], threads)
    return estimator_job(
        lambda: make_pipeline(
            OneHotEncoder(handle_unknown="ignore", sparse_output=False, dtype="float32"),
            DecisionTreeClassifier(**settings)
        ),
        data,
        spec["metric"],
    )


def load_svmlight(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Reading a LIBSVM file into a CSR matrix."""
    from sklearn.datasets import load_svmlight_file

    return Job(
        fit=lambda: load_svmlight_file(data.files["libsvm"]),
        quality=lambda pair, _: float(pair[0].sum()),
    )


def to_libsvm(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """CSV to LIBSVM: NumPy reads, since scikit-learn has no reader, and the first column is y."""
    import numpy as np
    from sklearn.datasets import dump_svmlight_file

    def read(path: str) -> Any:
        return np.loadtxt(path, delimiter=",", skiprows=1)

    def write(table: Any, path: str) -> None:
        dump_svmlight_file(table[:, 1:], table[:, 0], path, zero_based=False)

    return writing_job(read, {"svm": write}, data, spec)


def load_model(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A fitted estimator from a pickle, which checks nothing and runs what it finds."""
    import pickle

    settings = data.fill(spec["settings"], threads)
    cls = _class(settings.pop("estimator"))
    job = estimator_job(lambda: cls(**settings), data, spec["metric"])
    model = job.fit()
    path = pathlib.Path(spec["scratch"]) / "model.pickle"
    path.write_bytes(pickle.dumps(model))

    def load() -> Any:
        with path.open("rb") as file:
            return pickle.load(file)

    return Job(fit=load, quality=lambda loaded, _: job.quality(loaded, None))  # type: ignore[misc]


def measure(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """One measure of predictions that exist: roc_auc_score, log_loss or confusion_matrix."""
    import sklearn.metrics

    which = spec["settings"]["measure"]
    given = {"roc_auc_score": data.X[:, 1].copy() if which == "roc_auc_score" else None, "log_loss": data.X}
    second = given.get(which, data.calls)
    work = getattr(sklearn.metrics, which)
    return Job(
        fit=lambda: work(data.y, second),
        quality=lambda result, _: float(result if which != "confusion_matrix" else result[0, 0]),
    )


def ten_folds(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Ten-fold cross-validation: the folds side by side, one thread each."""
    from sklearn.model_selection import cross_val_score

    settings = dict(spec["settings"])
    cls = _class(settings.pop("estimator"))
    y = data.y.astype(int)
    return Job(
        fit=lambda: cross_val_score(cls(**settings, n_jobs=1), data.X, y, cv=10, n_jobs=threads),
        quality=lambda scores, _: float(scores.mean()),
    )


def partial_fit(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """An estimator that learns from a file in parts, which pandas reads: the last column is y."""
    import pandas

    settings = dict(spec["settings"])
    cls, rows = _class(settings.pop("estimator")), settings.pop("rows")

    def fit() -> Any:
        model = cls(**settings)
        for part in pandas.read_csv(data.files["csv"], chunksize=rows):
            table = part.to_numpy()
            model.partial_fit(table[:, :-1], table[:, -1].astype(int), classes=[0, 1])
        return model

    return Job(
        fit=fit,
        quality=lambda model, _: METRICS[spec["metric"]](model.predict(data.X_test), data),
    )


def startup(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A new interpreter that imports the package: what every script pays first."""
    command = [sys.executable, "-c", "import sklearn.linear_model; print('ready')"]
    return Job(
        fit=lambda: run_process(command),
        quality=lambda done, _: float(done.out.startswith("ready")),
        peak=lambda done: done.peak_bytes,
    )


CALLS = {
    "one_row": one_row,
    "over": over,
    "scaled": scaled,
    "one_hot_tree": one_hot_tree,
    "load_svmlight_file": load_svmlight,
    "to_libsvm": to_libsvm,
    "load_model": load_model,
    "measure": measure,
    "ten_folds": ten_folds,
    "partial_fit": partial_fit,
    "startup": startup,
}
