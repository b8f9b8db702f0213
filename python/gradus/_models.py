"""Answers against the truth: those of any tool, and those of fitted models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._data import level_text, read_features
from ._judging import Costs, Report, Threshold, decided, name_of, paged
from ._measures import codes_of, distinct_of, is_whole
from ._problem import ClassColumn, NumberColumns, free_name
from ._validate import check_lengths, check_weights, read_classes, read_numbers, target_names


class _Asked:
    """A fitted estimator and rows to ask it about, ready for the library."""

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any, *, needs_rows: bool = True):
        if not hasattr(estimator, "_learner"):
            raise TypeError(f"expected an estimator of gradus, got {type(estimator).__name__}")
        self.estimator = estimator
        if X is None:
            if needs_rows:
                raise ValueError("X is needed: the rows to ask the estimator about")
            estimator._require_fitted()
            self.table, self.names, self.truth = _core.Table(), None, ""
            return
        features = estimator._read_known(X)
        self.names = estimator._names(features)
        self.table = estimator._known_table(features)
        weights = check_weights(sample_weight, features.rows)
        if weights is not None:
            self.table.set_weights(weights)
        self.truth = ""
        if y is not None:
            self._add_truth(y, features.rows)

    @property
    def model(self) -> Any:
        return self.estimator._model

    def _add_truth(self, y: Any, rows: int) -> None:
        """The target under the name that the model knows it by; clusters have none of their own."""
        owner = type(self.estimator).__name__
        if self.estimator._task == "regression":
            target = self.estimator._read_target(y, None)
            check_lengths(rows, target.values)
            outputs = self.model.outputs
            if target.values.ndim == 1:
                self.table.add_numeric(outputs[0], target.values)
            else:
                self.table.add_matrix(outputs, target.values)
            return
        classes = read_classes(y, owner, None)
        check_lengths(rows, classes.codes)
        if self.estimator._task == "classification":
            name = self.model.outputs[0]
        else:
            name = self.truth = self.free_name("truth")
        self.table.add_nominal(name, classes.codes, classes.texts, False)

    def free_name(self, name: str) -> str:
        return str(free_name(name, () if self.names is None else list(self.names)))

    def options(self, function: str, report: Report, threads: int, options: dict[str, Any]) -> str:
        subject = name_of(self.estimator)
        page = paged(report, function, [subject, "X", "y"], options)
        return json.dumps({**options, **page, "subject": subject, "threads": threads})


def evaluate_model(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    positive: Any = None,
    threshold: Threshold = None,
    costs: Costs = None,
    by_costs: bool = False,
    beta: float = 1.0,
    quantile: float = 0.5,
    query: str | None = None,
    queries: Any = None,
    top: int = 0,
    interval: str = "auto",
    level: float = 0.95,
    resamples: int = 1000,
    curve_points: int = 0,
    report: Report = None,
    threads: int = 0,
) -> dict[str, Any]:
    """How good a fitted estimator is on rows with known answers: every measure, with intervals.

    Parameters
    ----------
    estimator : fitted estimator of gradus
    X, y : rows and their answers
        Classes that training never saw count as mistakes. For clusters `y` may name known groups
        to compare them with.
    positive, threshold, costs, by_costs : optional
        How classes are decided and judged, as in cross_validate().
    beta, quantile : float
        Of F-beta, and of the quantile loss of numbers.
    query, queries, top : optional
        Numbers: rank the rows within each value of the column `query` of X, or within each of the
        values `queries` (NDCG), looking at the first `top`. A model that ranks knows its column.
    interval : {"auto", "normal", "wilson", "exact", "bootstrap"}
        How confidence intervals are made; `resamples` are those of the bootstrap.
    curve_points : int
        Most points of the ROC, precision-recall and gain curves; 0: none.
    report : path, optional
        Also write one self-contained HTML page.
    """
    asked = _Asked(estimator, X, y, sample_weight)
    options: dict[str, Any] = {"beta": beta, "quantile": quantile, "interval": interval, "level": level}
    options.update(resamples=resamples, curve_points=curve_points, truth=asked.truth, top=top)
    options.update(decided(positive, threshold, costs, by_costs))
    if query is not None:
        if queries is not None:
            raise ValueError("query names a column of X and queries are values: give one")
        if asked.names is None or query not in list(asked.names):
            raise ValueError(f"query must name a column of X (got {query!r})")
        options["query"] = query
    if queries is not None:
        groups = read_classes(queries, "evaluate_model", None)
        options["query"] = asked.free_name("query")
        asked.table.add_nominal(options["query"], groups.codes, groups.texts, False)
    text = asked.options("evaluate_model", report, threads, options)
    return dict(_core.evaluate_model(asked.model, asked.table, text))


def compare_models(
    first: Any,
    second: Any,
    X: Any,
    y: Any,
    *,
    other: tuple[Any, Any] | None = None,
    threshold: Threshold = None,
    costs: Costs = None,
    by_costs: bool = False,
    level: float = 0.95,
    threads: int = 0,
) -> dict[str, Any]:
    """Whether one of two fitted classifiers is better: `conclusion` says it in words.

    Both answer the same rows, and McNemar's test looks at those where only one is right. With
    `other`, rows and answers that were drawn independently, the second answers these instead, and the
    errors are compared by a z test. `threshold`, `costs` and `by_costs` are those of cross_validate().
    """
    rows, other_rows = (X, y), (X, y) if other is None else other
    asked = [_Asked(one, *data, None) for one, data in ((first, rows), (second, other_rows))]
    options: dict[str, Any] = {"level": level, "independent": other is not None, "threads": threads}
    options.update(decided(None, threshold, costs, by_costs))
    one, two = asked
    return dict(_core.compare_models(one.model, one.table, two.model, two.table, json.dumps(options)))


def calibrate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    method: str = "sigmoid",
    sample_weight: Any = None,
    report: Report = None,
    threads: int = 0,
) -> Any:
    """A fitted classifier whose probabilities mean what they say, as a CalibratedClassifier.

    The map from scores to probabilities is learned from rows that the estimator did not learn from;
    the estimator inside stays as it is. `method` is "sigmoid" (Platt's), "isotonic" or "temperature".
    To calibrate while training, use CalibratedClassifier itself.
    """
    from ._generated import CalibratedClassifier

    asked = _Asked(estimator, X, y, sample_weight)
    text = asked.options("calibrate", report, threads, {"method": method})
    out = CalibratedClassifier._from_model(_core.calibrate(asked.model, asked.table, text))
    out.classes_ = estimator.classes_
    out._fills = estimator.__dict__.get("_fills", False)
    return out


def importance(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    method: str = "permutation",
    metric: str | None = None,
    repeats: int = 5,
    seed: int = 0,
    sample_weight: Any = None,
    report: Report = None,
    threads: int = 0,
) -> dict[str, Any]:
    """Which columns a fitted estimator lives on: `columns`, the most important first.

    `method` "permutation" shuffles each column `repeats` times and measures what the `metric` loses;
    "contributions" is the mean size of the Shapley values, for tree models, and needs no `y`;
    "gain" and "split" are what the splits of the trees gained and how many they are, and need no `X`.
    """
    asked = _Asked(estimator, X, y, sample_weight, needs_rows=method not in ("gain", "split"))
    options = {"method": method, "metric": metric, "repeats": repeats, "seed": seed}
    text = asked.options("importance", report, threads, options)
    return dict(_core.importance(asked.model, asked.table, text))


def dependence(
    estimator: Any,
    X: Any,
    *,
    columns: Sequence[Any] | None = None,
    points: int = 40,
    rows: int = 5000,
    curves: int = 0,
    seed: int = 0,
    report: Report = None,
    threads: int = 0,
) -> list[dict[str, Any]]:
    """How the answer depends on each column, all else being as it is.

    The `mean` over the rows is the partial dependence; `curves` keeps those of so many single rows.
    `columns` are names, or numbers where X has no names (default: all).
    """
    asked = _Asked(estimator, X, None, None)
    known = asked.model.describe()["columns"]
    if isinstance(columns, (str, int)):
        columns = [columns]
    chosen = known if columns is None else [known[c] if isinstance(c, int) else str(c) for c in columns]
    options = {"columns": chosen, "points": points, "rows": rows, "curves": curves, "seed": seed}
    text = asked.options("dependence", report, threads, options)
    return list(_core.dependence(asked.model, asked.table, text))


def check_data(X: Any, y: Any = None, *, other: Any = None, threads: int = 0) -> list[dict[str, Any]]:
    """What would disturb learning from these data: one finding per dict, with its `severity`.

    `other` is a second table, usually the test rows, whose differences are told too.
    """
    everything = ("numeric", "nominal", "missing", "sparse")
    features = read_features(X, accepts=everything, owner="check_data")
    table = features.table()
    target = ""
    if y is not None:
        values = np.asarray(y)
        column: Any
        if values.dtype.kind == "f" and not is_whole(values):
            column = NumberColumns(read_numbers(values, "check_data", many_outputs=False), target_names(y))
        else:
            classes = read_classes(values, "check_data", None)
            column = ClassColumn(classes.codes, classes.classes, classes.texts, target_names(y))
        target = column.add_to(table, set(features.names or ()))[0]
    second = _core.Table() if other is None else read_features(other, accepts=everything, owner="check_data").table()
    return list(_core.check_table(table, second, json.dumps({"target": target, "threads": threads})))


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
    costs: Costs = None,
    beta: float = 1.0,
    quantile: float = 0.5,
    curve_points: int = 0,
    threads: int = 0,
) -> dict[str, Any]:
    """Predictions of any tool against the truth: all measures, with intervals.

    `task` is "classification" or "regression" (default: numbers with a fraction are regression).
    `probabilities` has a column per class, in the order of `labels` (default: sorted). `costs`, as
    {("ill", "well"): 20}, is what it costs to say the second where the first is true.
    """
    actual, predicted = np.asarray(y_true), np.asarray(y_pred)
    if len(actual) != len(predicted):
        raise ValueError(f"y_true has {len(actual)} rows, y_pred {len(predicted)}")
    if task is None:
        task = "regression" if actual.dtype.kind == "f" and not is_whole(actual) else "classification"
    weights = check_weights(sample_weight, len(actual))
    weights = np.zeros(0) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    options: dict[str, Any] = {"level": level, "resamples": resamples, "beta": beta}
    options["interval"] = "bootstrap" if bootstrap else "auto"
    options.update(quantile=quantile, curve_points=curve_points, threads=threads)
    if task == "regression":
        numbers = [
            np.ascontiguousarray(read_numbers(one, "score", many_outputs=False), dtype=np.float64)
            for one in (actual, predicted)
        ]
        return dict(_core.score_numbers(*numbers, weights, json.dumps(options)))
    if task != "classification":
        raise ValueError(f"task is classification or regression (got {task!r})")
    known = distinct_of(actual, predicted) if labels is None else np.asarray(labels)
    options["labels"] = [level_text(one) for one in known]
    options.update(decided(positive, costs=costs))
    codes = [codes_of(one, known, name) for one, name in ((actual, "y_true"), (predicted, "y_pred"))]
    table = np.zeros(0)
    if probabilities is not None:
        table = np.ascontiguousarray(probabilities, dtype=np.float64)
        if table.shape != (len(actual), len(known)):
            raise ValueError(f"probabilities must have the shape {(len(actual), len(known))} (got {table.shape})")
        table = table.reshape(-1)
    return dict(_core.score_classes(*codes, table, weights, json.dumps(options)))
