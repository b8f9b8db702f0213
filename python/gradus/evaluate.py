"""Honest evaluation and model selection: folds, cross-validation, comparison, tuning, curves.

>>> import gradus
>>> from gradus import evaluate
>>> X, y = [[i, i % 3] for i in range(60)], ["low"] * 30 + ["high"] * 30
>>> result = evaluate.cross_validate(gradus.DecisionTreeClassifier(), X, y, folds=5)
>>> result["metric"], round(result["mean"], 2)
('accuracy', 0.97)

Every function takes estimators of this package that need not be fitted, fits copies of them on the
training rows alone, and gives what the command prints with --json, as a dict.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._base import python_name
from ._data import level_text
from ._measures import auc, codes_of, confusion_matrix, distinct_of, is_whole, log_loss
from ._problem import ClassColumn, Problem
from ._progress import Progress, check_callbacks, teller
from ._ranks import compare_scores
from ._validate import check_weights, read_classes, read_numbers

__all__ = [
    "Folds",
    "Tuned",
    "auc",
    "bias_variance",
    "compare",
    "compare_scores",
    "confusion_matrix",
    "cross_validate",
    "folds",
    "learning_curve",
    "log_loss",
    "score",
    "select_features",
    "tune",
    "validation_curve",
]

Pair = tuple[NDArray[np.int64], NDArray[np.int64]]
FoldsLike = Union[int, "Folds", Iterable[tuple[Any, Any]]]
Callback = Callable[[Progress], object]


class Folds(Sequence[Pair]):
    """Rows that teach and rows that examine; scikit-learn takes it as `cv`."""

    def __init__(self, core: Any):
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there are {len(self)} folds (asked for {index})")
        return self._core.train(place), self._core.test(place)

    def __iter__(self) -> Iterator[Pair]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} folds ({self.scheme}) of {self.rows} rows>"

    @property
    def rows(self) -> int:
        """How many rows the data has."""
        return int(self._core.rows)

    @property
    def scheme(self) -> str:
        """How the rows were split: kfold, stratified, ..."""
        return str(self._core.scheme)


def folds(
    y: Any = None,
    *,
    n: int = 10,
    scheme: str | None = None,
    rows: int | None = None,
    groups: Any = None,
    times: Any = None,
    repeats: int = 1,
    test: float = 0.25,
    seed: int = 0,
) -> Folds:
    """Rows shared out to folds.

    Parameters
    ----------
    y : array-like, optional
        The target; classes are stratified unless `scheme` says otherwise.
    n : int, default=10
        Number of folds, or of bootstrap samples.
    scheme : str, optional
        kfold, stratified, group, time, leave_one_out, five_by_two, bootstrap or holdout.
    rows : int, optional
        Number of rows, when there is no `y`.
    groups : array-like, optional
        Rows with the same value are never split.
    times : array-like, optional
        Later rows examine what earlier ones taught.
    repeats, test, seed : optional
        New random folds so many times; the share that examines in a holdout; the seed.

    Returns
    -------
    Folds
        A sequence of (training rows, examined rows).
    """
    if scheme is None:
        scheme = "group" if groups is not None else "time" if times is not None else None
    table = _core.Table()
    column = ""
    if scheme == "group" or (scheme is None and groups is not None):
        column = _add_classes(table, groups)
    elif scheme == "time":
        column = "times"
        table.add_numeric(column, read_numbers(times, "folds", many_outputs=False))
    elif y is not None:
        values = np.asarray(y)
        if scheme == "stratified" or (scheme is None and values.dtype.kind in "OUSbiu"):
            scheme = scheme or "stratified"
            column = _add_classes(table, values)
        elif scheme in ("five_by_two", "holdout") and values.dtype.kind in "OUSb":
            column = _add_classes(table, values)
        else:
            table.add_numeric("rows", np.zeros(len(values)))
    elif rows is not None:
        table.add_numeric("rows", np.zeros(rows))
    else:
        raise ValueError("folds need y, or the number of rows")
    options = {"scheme": scheme or "kfold", "folds": n, "repeats": repeats, "test": test, "seed": seed}
    return Folds(_core.make_folds(table, json.dumps({**options, "column": column})))


def _add_classes(table: Any, values: Any) -> str:
    target = read_classes(values, "folds", None)
    table.add_nominal("classes", target.codes, target.texts, False)
    return "classes"


class _Case:
    """Estimators, data and folds, ready for the library."""

    def __init__(
        self,
        estimators: Sequence[Any],
        X: Any,
        y: Any,
        split: FoldsLike,
        sample_weight: Any,
        callbacks: Sequence[Callback],
    ):
        for estimator in estimators:
            if not hasattr(estimator, "_learner"):
                raise TypeError(f"expected an estimator of gradus, got {type(estimator).__name__}")
        first = estimators[0]
        if any(one._task != first._task for one in estimators):
            raise ValueError("the estimators have different tasks")
        target = None if first._task == "clustering" else first._read_target(y, None)
        features = first._read(X)
        problem = Problem(features, target, check_weights(sample_weight, features.rows))
        self.table, self.job = problem.table_and_job(first, None)
        self.learners = [(one._learner, one._params()) for one in estimators]
        self.tell = teller(check_callbacks(tuple(callbacks)))
        self.folds = _folds_for(split, features.rows, target)
        if isinstance(target, ClassColumn) and self.folds.scheme in ("stratified", "five_by_two", "holdout"):
            self.folds = self.folds.renamed("y" if features.names is None else self._target_name(features))

    @staticmethod
    def _target_name(features: Any) -> str:
        name = "y"
        while name in features.names:
            name += "_"
        return name

    def run(self, work: Callable[..., Any], **options: Any) -> Any:
        prepared = _core.Work(self.table, self.job, self.folds, json.dumps(options))
        return work(self.learners, prepared, self.tell)


def _folds_for(split: FoldsLike, rows: int, target: Any) -> Any:
    if isinstance(split, Folds):
        return split._core
    if isinstance(split, int):
        if isinstance(target, ClassColumn):
            return folds(np.asarray(target.texts, dtype=object)[target.values], n=split)._core
        return folds(rows=rows, n=split)._core
    pairs = [
        (np.ascontiguousarray(train, dtype=np.int64), np.ascontiguousarray(test, dtype=np.int64))
        for train, test in split
    ]
    return _core.folds_from_pairs(rows, pairs)


def _decided(positive: Any, threshold: tuple[Any, float] | None) -> dict[str, Any]:
    """How classes are judged, for the library: names as it writes them."""
    out: dict[str, Any] = {} if positive is None else {"positive": level_text(positive)}
    if threshold is not None:
        name, probability = threshold
        if not 0 <= probability <= 1:
            raise ValueError(f"a threshold is a probability from 0 to 1 (got {probability!r})")
        out.update(threshold_class=level_text(name), threshold=float(probability))
    return out


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    folds: FoldsLike = 10,
    metric: str | None = None,
    sample_weight: Any = None,
    level: float = 0.95,
    positive: Any = None,
    threshold: tuple[Any, float] | None = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """What an estimator will do on new rows: `mean` of the metric with its `interval`, and every fold.

    `folds` is a number (classes are stratified), what folds() gives, or pairs of row numbers;
    `metric` a name such as "auc", "log_loss", "macro.f1" or "positive.recall" (default: accuracy, or
    rmse). Of two classes, `positive` is the one that such measures mean (default: the second);
    `threshold`, as ("ill", 0.2), calls a class from a probability on instead of the likeliest.
    """
    case = _Case([estimator], X, y, folds, sample_weight, callbacks)
    return dict(case.run(_core.cross_validate, metric=metric, level=level, **_decided(positive, threshold)))


def compare(
    estimators: Sequence[Any] | Mapping[str, Any],
    X: Any,
    y: Any = None,
    *,
    folds: FoldsLike = 10,
    metric: str | None = None,
    sample_weight: Any = None,
    level: float = 0.95,
    positive: Any = None,
    threshold: tuple[Any, float] | None = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """Which of several estimators is better, by how much, and how sure that is.

    All meet the same folds. `conclusion` says it in words, `pairs` has the tests, `learners` the
    scores. A mapping gives the estimators names of your own. `positive` and `threshold` are those of
    cross_validate().
    """
    named = isinstance(estimators, Mapping)
    everyone = list(estimators.values()) if isinstance(estimators, Mapping) else list(estimators)
    names = [str(name) for name in estimators] if named else [_name(one) for one in everyone]
    if len(everyone) < 2:
        raise ValueError(f"a comparison needs at least two estimators (got {len(everyone)})")
    case = _Case(everyone, X, y, folds, sample_weight, callbacks)
    return dict(case.run(_core.compare, metric=metric, level=level, names=names, **_decided(positive, threshold)))


def _name(estimator: Any) -> str:
    """The estimator with the parameters that are not the default."""
    usual = type(estimator)()
    changed = [
        f"{name}={value!r}"
        for name, value in estimator.get_params().items()
        if name != "n_jobs" and value != getattr(usual, name)
    ]
    return f"{type(estimator).__name__}({', '.join(changed)})"


class Tuned:
    """What a search found; `history` is all of it, as the command prints with --json."""

    def __init__(self, estimator: Any, history: dict[str, Any]):
        self.best_estimator = estimator
        self.history = history

    @property
    def best_params(self) -> dict[str, Any]:
        """The parameters that were searched, at their best."""
        return dict(self.history["best"]["settings"])

    @property
    def best_score(self) -> float:
        """The mean of the metric over the folds: too good, for it was chosen by this figure."""
        return float(self.history["best"]["mean"])

    @property
    def nested_score(self) -> float | None:
        """The honest figure, when `nested` asked for one."""
        nested = self.history.get("nested")
        return None if nested is None else float(nested["mean"])

    @property
    def conclusion(self) -> str:
        """What the search was worth, in words."""
        return str(self.history["conclusion"])

    def __repr__(self) -> str:
        return f"<Tuned: {self.conclusion}>"


def _searched(search: Any) -> list[str]:
    """Search spaces as the command writes them: alpha=1e-4..10:log, criterion=gini,entropy."""
    if search is None:
        return []
    if isinstance(search, str):
        return [search]
    if not isinstance(search, Mapping):
        return [str(one) for one in search]
    out = []
    for name, values in search.items():
        if isinstance(values, str):
            out.append(f"{name}={values}")
        else:
            listed = ",".join("none" if value is None else _written(value) for value in values)
            out.append(f"{name}={listed}")
    return out


def _written(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return repr(float(value)) if isinstance(value, (float, np.floating)) else level_text(value)


def tune(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    search: Any = None,
    method: str = "bayes",
    trials: int = 40,
    points: int = 5,
    rounds: int = 3,
    patience: int = 0,
    nested: int = 0,
    seed: int = 0,
    journal: str | os.PathLike[str] | None = None,
    folds: FoldsLike = 10,
    metric: str | None = None,
    sample_weight: Any = None,
    level: float = 0.95,
    positive: Any = None,
    threshold: tuple[Any, float] | None = None,
    refit: bool = True,
    callbacks: Sequence[Callback] = (),
) -> Tuned:
    """The parameters that serve an estimator best.

    Parameters
    ----------
    estimator : estimator of gradus
        Its own settings are tried first; parameters that are not searched keep them.
    search : mapping, list of str or None
        {"alpha": "1e-4..10:log", "criterion": ["gini", "entropy"]}, or texts as the command takes
        them. None: every parameter whose description has a range.
    method : {"bayes", "random", "grid", "telescopic", "halving"}
    trials, points, rounds, patience : int
        Settings tried; values per range of grid and telescopic; rounds of telescopic; stop after
        so many settings without a better one.
    nested : int
        Also an honest figure, from a search inside each of so many outer folds.
    journal : path, optional
        A file that keeps every finished fold: the same call goes on after an interruption.
    positive, threshold : optional
        How classes are judged, as in cross_validate().
    refit : bool
        Fit `best_estimator` on all rows.
    """
    case = _Case([estimator], X, y, folds, sample_weight, callbacks)
    if nested and case.folds.scheme in ("group", "time"):
        raise ValueError("nested searches make folds of their own, which groups and times cannot follow")
    history = case.run(
        _core.tune,
        metric=metric,
        level=level,
        search=_searched(search),
        method=method,
        trials=trials,
        points=points,
        rounds=rounds,
        patience=patience,
        nested=nested,
        seed=seed,
        journal=None if journal is None else os.fspath(journal),
        **_decided(positive, threshold),
    )
    best = type(estimator)(**estimator.get_params())
    names = {param["name"]: python_name(param) for param in estimator._about()["parameters"]}
    best.set_params(**{names[name]: value for name, value in history["best"]["settings"].items()})
    if refit:
        options = {} if sample_weight is None else {"sample_weight": sample_weight}
        best.fit(X, **options) if estimator._task == "clustering" else best.fit(X, y, **options)
    return Tuned(best, history)


def learning_curve(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    shares: Sequence[float] = (),
    goal: float | None = None,
    folds: FoldsLike = 10,
    metric: str | None = None,
    sample_weight: Any = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """Scores on the rows that taught and on new ones, from more and more rows, with a diagnosis."""
    case = _Case([estimator], X, y, folds, sample_weight, callbacks)
    return dict(case.run(_core.curve, metric=metric, shares=[float(one) for one in shares], goal=goal))


def validation_curve(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    search: Any = None,
    points: int = 10,
    goal: float | None = None,
    folds: FoldsLike = 10,
    metric: str | None = None,
    sample_weight: Any = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """The same along one parameter; without `search`, the one that makes models simple or rich."""
    case = _Case([estimator], X, y, folds, sample_weight, callbacks)
    along = _searched(search)
    if len(along) > 1:
        raise ValueError(f"a curve goes along one parameter (got {len(along)})")
    return dict(
        case.run(_core.curve, metric=metric, validation=True, search=along, points=points, goal=goal)
    )


def bias_variance(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    samples: int = 50,
    sample_rows: int = 0,
    test: float = 0.3,
    exact: bool = False,
    seed: int = 0,
    sample_weight: Any = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """Which part of the squared error is variance, bias and noise, from many training sets."""
    case = _Case([estimator], X, y, [([0], [0])], sample_weight, callbacks)
    options = {"samples": samples, "sample_rows": sample_rows, "test": test, "exact": exact, "seed": seed}
    return dict(case.run(_core.bias_variance, **options))


def select_features(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    method: str = "forward",
    keep: int = 0,
    tolerance: float = 0.0,
    seed: int = 0,
    nested: int = 0,
    folds: FoldsLike = 10,
    metric: str | None = None,
    sample_weight: Any = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """The columns that an estimator needs: `features`, and the `steps` that led to them. With `nested`,
    the columns are also chosen anew inside so many outer folds: what to expect on new rows."""
    case = _Case([estimator], X, y, folds, sample_weight, callbacks)
    return dict(
        case.run(
            _core.select_features,
            metric=metric,
            method=method,
            keep=keep,
            tolerance=tolerance,
            seed=seed,
            nested=nested,
        )
    )


def score(
    y_true: Any,
    y_pred: Any,
    *,
    probabilities: Any = None,
    task: str | None = None,
    labels: Sequence[Any] | None = None,
    sample_weight: Any = None,
    level: float = 0.95,
    bootstrap: bool = False,
    resamples: int = 1000,
    positive: Any = None,
    beta: float = 1.0,
    quantile: float = 0.5,
    curve_points: int = 0,
    threads: int = 0,
) -> dict[str, Any]:
    """Predictions of any tool against the truth: all measures, with intervals.

    `task` is "classification" or "regression" (default: numbers with a fraction are regression).
    `probabilities` has a column per class, in the order of `labels` (default: sorted).
    """
    actual, predicted = np.asarray(y_true), np.asarray(y_pred)
    if len(actual) != len(predicted):
        raise ValueError(f"y_true has {len(actual)} rows, y_pred {len(predicted)}")
    if task is None:
        task = "regression" if actual.dtype.kind == "f" and not is_whole(actual) else "classification"
    weights = check_weights(sample_weight, len(actual))
    weights = np.zeros(0) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    options: dict[str, Any] = {"level": level, "bootstrap": bootstrap, "resamples": resamples, "beta": beta}
    options.update(quantile=quantile, curve_points=curve_points, threads=threads)
    if task == "regression":
        numbers = [np.ascontiguousarray(read_numbers(one, "score", many_outputs=False), dtype=np.float64) for one in (actual, predicted)]
        return dict(_core.score_numbers(*numbers, weights, json.dumps(options)))
    if task != "classification":
        raise ValueError(f"task is classification or regression (got {task!r})")
    known = distinct_of(actual, predicted) if labels is None else np.asarray(labels)
    options["labels"] = [level_text(one) for one in known]
    if positive is not None:
        options["positive"] = level_text(positive)
    codes = [codes_of(one, known, name) for one, name in ((actual, "y_true"), (predicted, "y_pred"))]
    table = np.zeros(0)
    if probabilities is not None:
        table = np.ascontiguousarray(probabilities, dtype=np.float64)
        if table.shape != (len(actual), len(known)):
            raise ValueError(f"probabilities must have the shape {(len(actual), len(known))} (got {table.shape})")
        table = table.reshape(-1)
    return dict(_core.score_classes(*codes, table, weights, json.dumps(options)))
