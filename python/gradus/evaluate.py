"""Honest evaluation and model selection: folds, cross-validation, comparison, tuning, curves.

>>> import gradus
>>> from gradus import evaluate
>>> X, y = [[i, i % 3] for i in range(60)], ["low"] * 30 + ["high"] * 30
>>> result = evaluate.cross_validate(gradus.DecisionTreeClassifier(), X, y, folds=5)
>>> result["metric"], round(result["mean"], 2)
('accuracy', 0.97)

cross_validate, compare, tune, the curves and select_features take estimators that need not be fitted,
and fit copies of them on the training rows alone; evaluate_model, compare_models, calibrate, importance
and dependence ask a fitted one. All give what the command prints with --json, as a dict, and write the
same page as the command where `report` names a file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _core
from ._case import Callback, Case
from ._folds import Folds, FoldsLike, folds, load_folds
from ._judging import Costs, Report, Threshold, decided
from ._measures import auc, confusion_matrix, log_loss
from ._models import calibrate, check_data, compare_models, dependence, evaluate_model, importance, score
from ._ranks import compare_scores
from ._search import Tuned, searched, with_best

__all__ = [
    "Folds",
    "Tuned",
    "auc",
    "bias_variance",
    "calibrate",
    "check_data",
    "compare",
    "compare_models",
    "compare_scores",
    "confusion_matrix",
    "cross_validate",
    "dependence",
    "evaluate_model",
    "folds",
    "importance",
    "learning_curve",
    "load_folds",
    "log_loss",
    "score",
    "select_features",
    "tune",
    "validation_curve",
]


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
    threshold: Threshold = None,
    costs: Costs = None,
    by_costs: bool = False,
    search: Any = None,
    inner: int = 5,
    method: str = "bayes",
    trials: int = 40,
    seed: int = 0,
    report: Report = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """What an estimator will do on new rows: `mean` of the metric with its `interval`, and every fold.

    Parameters
    ----------
    estimator : estimator of gradus
        It need not be fitted; each fold fits a copy.
    folds : int, Folds or pairs of row numbers
        A number (classes are stratified), what folds() gives, or (training rows, examined rows).
    metric : str, optional
        A name such as "auc", "log_loss", "macro.f1" or "positive.recall" (default: accuracy, or rmse).
    positive : optional
        Of two classes, the one that such measures mean (default: the second).
    threshold : (class, probability), optional
        As ("ill", 0.2): calls a class from a probability on instead of the likeliest.
    costs : mapping, optional
        {("ill", "well"): 20}: what it costs to say the second where the first is true; other
        mistakes cost 1. With `by_costs` the answer of least expected cost is judged.
    search : mapping, list of str or True, optional
        Nested cross-validation: these parameters (True: all with a described range) are searched
        anew inside every fold, on `inner` folds of its training rows, by `method` with `trials`
        and `seed` as in tune().
    report : path, optional
        Also write one self-contained HTML page.
    """
    case = Case([estimator], X, y, folds, sample_weight, callbacks)
    options: dict[str, Any] = {"metric": metric, "level": level}
    options.update(decided(positive, threshold, costs, by_costs))
    if search is not None and search is not False:
        options.update(searched=True, search=searched(None if search is True else search))
        options.update(inner=inner, method=method, trials=trials, seed=seed)
    return dict(case.run("cross_validate", _core.cross_validate, report, **options))


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
    threshold: Threshold = None,
    costs: Costs = None,
    by_costs: bool = False,
    report: Report = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """Which of several estimators is better, by how much, and how sure that is.

    All meet the same folds. `conclusion` says it in words, `pairs` has the tests, `learners` the
    scores. A mapping gives the estimators names of your own. `positive`, `threshold`, `costs` and
    `by_costs` are those of cross_validate(), `report` names a page to write.
    """
    named = isinstance(estimators, Mapping)
    everyone = list(estimators.values()) if isinstance(estimators, Mapping) else list(estimators)
    if len(everyone) < 2:
        raise ValueError(f"a comparison needs at least two estimators (got {len(everyone)})")
    case = Case(everyone, X, y, folds, sample_weight, callbacks)
    names = [str(name) for name in estimators] if named else case.names
    options = {"metric": metric, "level": level, "names": names}
    options.update(decided(positive, threshold, costs, by_costs))
    return dict(case.run("compare", _core.compare, report, **options))


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
    threshold: Threshold = None,
    costs: Costs = None,
    by_costs: bool = False,
    refit: bool = True,
    report: Report = None,
    callbacks: Sequence[Callback] = (),
) -> Tuned:
    """The parameters that serve an estimator best.

    Parameters
    ----------
    estimator : estimator of gradus
        Its own settings are tried first; parameters that are not searched keep them.
    search : mapping, list of str or None
        {"alpha": "1e-4..10:log", "criterion": ["gini", "entropy"]}, or texts as the command takes
        them; "estimator.alpha" is a parameter of the learner inside. None: every parameter whose
        description has a range.
    method : {"bayes", "random", "grid", "telescopic", "halving"}
    trials, points, rounds, patience : int
        Settings tried; values per range of grid and telescopic; rounds of telescopic; stop after
        so many settings without a better one.
    nested : int
        Also an honest figure, from a search inside each of so many outer folds.
    journal : path, optional
        A file that keeps every finished fold: the same call goes on after an interruption.
    positive, threshold, costs, by_costs : optional
        How classes are judged, as in cross_validate().
    report : path, optional
        Also write one self-contained HTML page.
    refit : bool
        Fit `best_estimator` on all rows.
    """
    case = Case([estimator], X, y, folds, sample_weight, callbacks)
    if nested and case.folds.scheme in ("group", "time"):
        raise ValueError("nested searches make folds of their own, which groups and times cannot follow")
    history = case.run(
        "tune",
        _core.tune,
        report,
        metric=metric,
        level=level,
        search=searched(search),
        method=method,
        trials=trials,
        points=points,
        rounds=rounds,
        patience=patience,
        nested=nested,
        seed=seed,
        journal=None if journal is None else os.fspath(journal),
        **decided(positive, threshold, costs, by_costs),
    )
    best = with_best(estimator, history)
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
    report: Report = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """Scores on the rows that taught and on new ones, from more and more rows, with a diagnosis."""
    case = Case([estimator], X, y, folds, sample_weight, callbacks)
    options = {"metric": metric, "shares": [float(one) for one in shares], "goal": goal}
    return dict(case.run("learning_curve", _core.curve, report, **options))


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
    report: Report = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """The same along one parameter; without `search`, the one that makes models simple or rich."""
    case = Case([estimator], X, y, folds, sample_weight, callbacks)
    along = searched(search)
    if len(along) > 1:
        raise ValueError(f"a curve goes along one parameter (got {len(along)})")
    options = {"metric": metric, "search": along, "points": points, "goal": goal}
    return dict(case.run("validation_curve", _core.curve, report, validation=True, **options))


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
    report: Report = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """Which part of the squared error is variance, bias and noise, from many training sets."""
    case = Case([estimator], X, y, [([0], [0])], sample_weight, callbacks)
    options = {"samples": samples, "sample_rows": sample_rows, "test": test, "exact": exact, "seed": seed}
    return dict(case.run("bias_variance", _core.bias_variance, report, **options))


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
    report: Report = None,
    callbacks: Sequence[Callback] = (),
) -> dict[str, Any]:
    """The columns that an estimator needs: `features`, and the `steps` that led to them. With `nested`,
    the columns are also chosen anew inside so many outer folds: what to expect on new rows."""
    case = Case([estimator], X, y, folds, sample_weight, callbacks)
    options = {"metric": metric, "method": method, "keep": keep, "tolerance": tolerance, "seed": seed}
    return dict(case.run("select_features", _core.select_features, report, nested=nested, **options))
