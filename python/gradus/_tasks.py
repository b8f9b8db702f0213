"""What an estimator offers for its task: classes, numbers, clusters, new coordinates."""

from __future__ import annotations

import functools

import numpy as np

from ._base import Estimator
from ._compat import ClassifierMixin, ClusterMixin, OutlierMixin, RegressorMixin, TransformerMixin
from ._problem import ClassColumn, NumberColumns
from ._validate import check_input_features, read_classes, read_numbers, target_names


def classes_from_texts(texts):
    """Classes of a loaded model: whole numbers or truths when all are, else texts."""
    if set(texts) <= {"False", "True"}:
        return np.array([text == "True" for text in texts])
    try:
        return np.array([int(text) for text in texts])
    except ValueError:
        return np.array(texts)


class Classifier(ClassifierMixin, Estimator):
    """A learner of classes."""

    _task = "classification"

    def _read_target(self, y, classes):
        known = None if classes is None else np.unique(classes)
        target = read_classes(y, type(self).__name__, known)
        return ClassColumn(target.codes, target.classes, target.texts, target_names(y))

    def _after_fit(self, target, features):
        self.classes_ = target.classes

    def _adopt(self, about):
        self.classes_ = classes_from_texts(about["classes"])

    def _answers(self, outputs):
        return self.classes_.take(outputs)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = "same_answer" in self._abilities()["gives"]
        return tags


class offered_when:
    """A method that only exists while `condition(estimator)` holds: hasattr tells the truth."""

    def __init__(self, condition):
        self.condition = condition

    def __call__(self, method):
        self.method = method
        functools.update_wrapper(self, method)
        return self

    def __get__(self, estimator, owner=None):
        if estimator is None:
            return self.method
        if not self.condition(estimator):
            raise AttributeError(
                f"{type(estimator).__name__!r} object has no attribute {self.method.__name__!r} with "
                "these parameters"
            )
        return self.method.__get__(estimator, owner)


def _gives_probabilities(estimator):
    return "probabilities" in estimator._abilities()["gives"]


class Probabilities:
    """For classifiers whose numbers are probabilities."""

    @offered_when(_gives_probabilities)
    def predict_proba(self, X):
        """The probability of every class, in the order of classes_, for every row of X."""
        return self._outputs(X)

    @offered_when(_gives_probabilities)
    def predict_log_proba(self, X):
        """The logarithm of predict_proba."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class Scores:
    """For classifiers whose numbers are scores."""

    @offered_when(lambda estimator: not _gives_probabilities(estimator))
    def decision_function(self, X):
        """The score of every class; for two classes, how much the second leads."""
        scores = self._outputs(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores


class Regressor(RegressorMixin, Estimator):
    """A learner of numbers."""

    _task = "regression"
    _method = "predict"

    def _read_target(self, y, classes):
        many = self._accepts("many_outputs")
        values = read_numbers(y, type(self).__name__, many_outputs=many)
        return NumberColumns(values, target_names(y))

    def _after_fit(self, target, features):
        self._flat = target.values.ndim == 1
        self.n_outputs_ = 1 if self._flat else target.values.shape[1]

    def _adopt(self, about):
        self.n_outputs_ = len(about["outputs"])
        self._flat = self.n_outputs_ == 1

    def _answers(self, outputs):
        return outputs[:, 0] if self._flat else outputs

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self._accepts("many_outputs")
        tags.regressor_tags.poor_score = "same_answer" in self._abilities()["gives"]
        return tags


class Clusterer(ClusterMixin, Estimator):
    """A learner of groups."""

    _task = "clustering"

    def _after_fit(self, target, features):
        self.labels_, _ = self._model.labels(self._known_table(features), self._threads())

    _after_update = _after_fit

    def _answers(self, outputs):
        return outputs


class OutlierDetector(OutlierMixin, Estimator):
    """A learner that says which rows stand apart: cluster 1, by a score above its threshold."""

    _task = "clustering"

    def _after_fit(self, target, features):
        self.offset_ = -self.threshold_

    def _adopt(self, about):
        self.offset_ = -self.threshold_

    def _answers(self, outputs):
        return np.where(outputs == 1, -1, 1)

    def score_samples(self, X):
        """How ordinary every row of X is: minus its anomaly score."""
        return -self._outputs(X, "transform")[:, 0]

    def decision_function(self, X):
        """score_samples less offset_: negative for the rows that stand apart."""
        return self.score_samples(X) - self.offset_


class Transformer(TransformerMixin):
    """For learners that give every row new coordinates."""

    def transform(self, X):
        """The new coordinates of every row of X, as get_feature_names_out() names them.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The rows to transform.

        Returns
        -------
        ndarray of shape (n_samples, n_coordinates)
        """
        return self._outputs(X, "transform")

    def get_feature_names_out(self, input_features=None):
        """The names of the new coordinates; `input_features` may repeat the names of the fit."""
        self._require_fitted()
        check_input_features(self, input_features)
        return np.asarray(self._model.coordinates(), dtype=object)
