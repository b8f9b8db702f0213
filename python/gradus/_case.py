"""Estimators, data and folds, as the library evaluates them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from . import _core
from ._folds import FoldsLike, folds_for
from ._judging import Report, name_of, paged
from ._problem import ClassColumn, Problem
from ._progress import Progress, check_callbacks, teller
from ._validate import check_weights

Callback = Callable[[Progress], object]


class Case:
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
        self.names = [name_of(one) for one in estimators]
        self.tell = teller(check_callbacks(tuple(callbacks)))
        self.folds = folds_for(split, features.rows, target)
        if isinstance(target, ClassColumn) and self.folds.scheme in ("stratified", "five_by_two", "holdout"):
            self.folds = self.folds.renamed(target.free_names(set(features.names or ()))[0])

    def run(self, function: str, work: Callable[..., Any], report: Report, **options: Any) -> Any:
        options.update(paged(report, function, [*self.names, "X", "y"], options))
        prepared = _core.Work(self.table, self.job, self.folds, json.dumps(options))
        return work(self.learners, prepared, self.tell)
