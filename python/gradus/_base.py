"""The generic estimator: everything that the generated classes share.

A generated class adds its signature, its documentation and the name of its learner; what it can do
is read from the catalogue.
"""

from __future__ import annotations

import functools
import numbers
import os
import warnings

import numpy as np

from . import _core
from ._compat import (
    BaseEstimator,
    ClassifierMixin,
    ClusterMixin,
    NotFittedError,
    RegressorMixin,
)
from ._data import read_features
from ._errors import Error
from ._fitted import Learned
from ._problem import ClassColumn, NumberColumns, Problem
from ._steps import Steps
from ._validate import (
    check_features,
    check_names,
    check_weights,
    read_classes,
    read_numbers,
)

# explain() without data replays the fit on a copy of the training data, kept only up to this size.
_KEPT_CELLS = 20_000


@functools.lru_cache(maxsize=None)
def learners():
    """The catalogue by learner name."""
    return {learner["name"]: learner for learner in _core.catalogue()}


def python_name(param):
    """The name of a parameter in Python: a seed is scikit-learn's random_state."""
    return "random_state" if param["name"] == "seed" else param["name"]


def model_from_bytes(data):
    """A model from its container: what a pickle of ours calls."""
    return _core.Model.from_bytes(data)


def classes_from_texts(texts):
    """Classes of a loaded model: whole numbers when all are, else texts."""
    try:
        return np.array([int(text) for text in texts])
    except ValueError:
        return np.array(texts)


def seed_from(random_state):
    """A seed from None, a number, a RandomState or a Generator."""
    if random_state is None or random_state is np.random:
        return int(np.random.randint(2**31 - 1))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**62))
    return random_state


class Estimator(BaseEstimator):
    """A learner of the catalogue with scikit-learn's interface."""

    _learner = ""
    _task = ""

    @classmethod
    def _about(cls):
        return learners()[cls._learner]

    def _accepts(self, word):
        return word in self._about()["accepts"]

    def _params(self):
        """The parameters by the library's names."""
        out = {}
        for param in self._about()["parameters"]:
            value = getattr(self, python_name(param))
            out[param["name"]] = seed_from(value) if param["type"] == "seed" else value
        return out

    def _threads(self):
        if self.n_jobs is None:
            return 0
        if isinstance(self.n_jobs, bool) or not isinstance(self.n_jobs, numbers.Integral):
            raise TypeError(f"n_jobs must be an integer or None (got {self.n_jobs!r})")
        if self.n_jobs == 0:
            raise ValueError("n_jobs == 0 has no meaning; use None, -1 or a positive number")
        everything = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return int(self.n_jobs) if self.n_jobs > 0 else max(1, everything + 1 + int(self.n_jobs))

    def _read(self, X):
        owner = type(self).__name__
        features = read_features(X, accepts=self._about()["accepts"], owner=owner)
        check_features(features, allow_nan=self._accepts("missing"), owner=owner)
        if features.fractional:
            warnings.warn(
                f"{owner} takes categories: every distinct number of column(s) "
                f"{features.fractional[:5]} becomes one, also the fractional ones; "
                "make classes of them first",
                UserWarning,
                stacklevel=4,
            )
        return features

    def _read_known(self, X):
        """New rows for the fitted model, as a table under the names of the fit."""
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )
        features = read_features(
            X, accepts=self._about()["accepts"], owner=type(self).__name__
        )
        check_names(self, features.names)
        if features.cols != self.n_features_in_:
            raise ValueError(
                f"X has {features.cols} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        check_features(features, allow_nan=self._accepts("missing"), owner=type(self).__name__)
        if self._sparse and features.sparse is None:
            features = features.sparsified()
        elif not self._sparse and features.sparse is not None:
            features = features.densified()
        return features

    def _names(self, features):
        """The names of the fit: what its columns are called in the model."""
        return self.__dict__.get("feature_names_in_", _numbered(features.cols))

    def _known_table(self, features):
        return features.table(self._names(features))

    def _remember(self, model, features):
        """The state after a successful fit, and nothing before it."""
        self._model = model
        self._learned = Learned(model)
        self._sparse = features.sparse is not None
        self.n_features_in_ = features.cols
        if features.names is not None:
            self.feature_names_in_ = np.asarray(features.names, dtype=object)
        elif "feature_names_in_" in self.__dict__:
            del self.feature_names_in_

    def _fit(self, X, y, sample_weight=None, classes=None):
        target = self._read_target(y, classes)
        features = self._read(X)
        problem = Problem(features, target, check_weights(sample_weight, features.rows))
        problem = problem.without_weightless()
        table, job = problem.table_and_job(self, classes)
        model = _core.fit(self._learner, self._params(), table, job)
        self._remember(model, features)
        self._kept = problem.copied() if problem.cells() <= _KEPT_CELLS else None
        self._after_fit(target, features)
        return self

    def _partial_fit(self, X, y, sample_weight=None, classes=None):
        known = self.__dict__.get("classes_")
        if not self.__sklearn_is_fitted__():
            if classes is None and self._task == "classification":
                raise ValueError("classes must be passed on the first call to partial_fit.")
            return self._fit(X, y, sample_weight, classes)
        if classes is not None and not np.array_equal(np.unique(classes), known):
            raise ValueError(f"`classes={classes!r}` is not the same as on last call: {known!r}")
        features = self._read_known(X)
        target = self._read_target(y, known)
        problem = Problem(features, target, check_weights(sample_weight, features.rows))
        table, job = problem.table_and_job(self, classes, self._names(features))
        self._model = self._model.update(table, job)
        self._learned = Learned(self._model)
        self._kept = None
        self._after_update(target, features)
        return self

    @classmethod
    def _from_model(cls, model):
        """An estimator around a model that was read from a file."""
        about = model.describe()
        values = about["parameters"]
        params = {python_name(p): values[p["name"]] for p in cls._about()["parameters"]}
        self = cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in params.items()})
        self._model, self._learned, self._kept = model, Learned(model), None
        self._sparse = about["sparse"]
        self.n_features_in_ = len(about["columns"])
        if about["columns"] != _numbered(self.n_features_in_):
            self.feature_names_in_ = np.asarray(about["columns"], dtype=object)
        self._adopt(about)
        return self

    def _adopt(self, about):
        """What else a loaded model says about the estimator."""

    def _read_target(self, y, classes):
        return None

    def _after_fit(self, target, features):
        pass

    def _after_update(self, target, features):
        pass

    def _outputs(self, X):
        """The model's numbers for every row of X."""
        features = self._read_known(X)
        numbers_, unseen = self._model.predict(self._known_table(features), self._threads())
        if unseen:
            listed = [f"column {name!r}: {rows} row(s), such as {text!r}" for name, rows, text in unseen]
            more = f" and {len(listed) - 3} more columns" if len(listed) > 3 else ""
            warnings.warn(
                "categories that training never saw are treated as missing: "
                + "; ".join(listed[:3])
                + more,
                UserWarning,
                stacklevel=3,
            )
        return numbers_

    def explain(self, X=None, y=None, *, row=None, sample_weight=None):
        """The numbered steps of the fit, or of one prediction.

        Parameters
        ----------
        X, y : optional
            Without them, the steps of the last fit. With them, the steps of a fit to these data.
        row : int, optional
            The steps of the prediction for this row of X, counted from 0.
        sample_weight : array-like, optional
            Weights for the fit that is explained.

        Returns
        -------
        Steps
            A sequence of dicts that prints as text and shows as HTML in a notebook.
        """
        name = type(self).__name__
        if row is not None:
            features = self._read_known(X)
            steps = self._model.explain_row(self._known_table(features), _row_index(row, features))
            return Steps(steps, f"{name}: the prediction for row {row}")
        if X is not None:
            target = self._read_target(y, None)
            features = self._read(X)
            problem = Problem(features, target, check_weights(sample_weight, features.rows))
            problem = problem.without_weightless()
        else:
            problem = self.__dict__.get("_kept")
            if problem is None:
                raise self._nothing_kept()
        table, job = problem.table_and_job(self, None)
        params = self._model_params() if X is None else self._params()
        return Steps(_core.explain_fit(self._learner, params, table, job), f"{name}: the fit")

    def _model_params(self):
        return self._model.describe()["parameters"]

    def _nothing_kept(self):
        name = type(self).__name__
        if not self.__sklearn_is_fitted__():
            return NotFittedError(f"This {name} instance is not fitted yet. Call 'fit' first.")
        return Error(
            "usage", "", f"{name} keeps no copy of large or incremental training data",
            "give the data again: explain(X, y)",
        )

    def describe(self):
        """The fitted model as a dict: parameters, features, classes, fingerprint, provenance."""
        self._require_fitted()
        return self._model.describe()

    def save(self, path):
        """Writes the fitted model to a file that `gradus predict` and gradus.load can read."""
        self._require_fitted()
        self._model.save(os.fspath(path))

    def _require_fitted(self):
        if not self.__sklearn_is_fitted__():
            raise self._nothing_kept()

    def __sklearn_is_fitted__(self):
        return self.__dict__.get("_model") is not None

    def __getattr__(self, name):
        """Learned quantities, read from the model when they are asked for."""
        state = self.__dict__
        if name.endswith("_") and not name.startswith("_") and state.get("_model") is not None:
            learned = state["_learned"].attributes
            if name in learned:
                return learned[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self):
        learned = []
        if self.__sklearn_is_fitted__():
            learned = list(self._learned.attributes)
        return sorted({*super().__dir__(), *learned})

    def __getstate__(self):
        parent = getattr(super(), "__getstate__", None)
        state = dict(parent() if parent is not None else self.__dict__)
        # A copy carries the model's own bytes, and neither caches nor data.
        state.pop("_learned", None)
        state.pop("_kept", None)
        return state

    def __setstate__(self, state):
        parent = getattr(super(), "__setstate__", None)
        parent(state) if parent is not None else self.__dict__.update(state)
        if self.__sklearn_is_fitted__():
            self._learned = Learned(self._model)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._accepts("missing")
        tags.input_tags.sparse = self._accepts("sparse")
        tags.input_tags.string = True
        tags.input_tags.categorical = not self._accepts("numeric")
        tags.non_deterministic = False
        return tags

    def _more_tags(self):
        kinds = ["2darray", "string"]
        kinds += ["sparse"] if self._accepts("sparse") else []
        kinds += [] if self._accepts("numeric") else ["categorical"]
        return {
            "allow_nan": self._accepts("missing"),
            "X_types": kinds,
            "poor_score": "same_answer" in self._about()["gives"],
            "multioutput": self._task == "regression" and self._accepts("many_outputs"),
        }


def _numbered(count):
    return [f"x{j}" for j in range(count)]


def _row_index(row, features):
    index = int(row) + features.rows if row < 0 else int(row)
    if not 0 <= index < features.rows:
        raise IndexError(f"row {row} is outside of the {features.rows} row(s) of X")
    return index


class Classifier(ClassifierMixin, Estimator):
    """A learner of classes."""

    _task = "classification"

    def _read_target(self, y, classes):
        known = None if classes is None else np.unique(classes)
        target = read_classes(y, type(self).__name__, known)
        return ClassColumn(target.codes, target.classes, target.texts)

    def _after_fit(self, target, features):
        self.classes_ = target.classes

    def _adopt(self, about):
        self.classes_ = classes_from_texts(about["classes"])

    def predict(self, X):
        """The class of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows to predict.

        Returns
        -------
        ndarray of shape (n_samples,)
            The most probable class; ties go to the first.
        """
        best = np.argmax(self._outputs(X), axis=1)
        return self.classes_[best]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = "same_answer" in self._about()["gives"]
        return tags


class Probabilities:
    """For classifiers whose numbers are probabilities."""

    def predict_proba(self, X):
        """The probability of every class, in the order of classes_, for every row of X."""
        return self._outputs(X)

    def predict_log_proba(self, X):
        """The logarithm of predict_proba."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class Scores:
    """For classifiers whose numbers are scores."""

    def decision_function(self, X):
        """The score of every class; for two classes, how much the second leads."""
        scores = self._outputs(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores


class Regressor(RegressorMixin, Estimator):
    """A learner of numbers."""

    _task = "regression"

    def _read_target(self, y, classes):
        many = self._accepts("many_outputs")
        return NumberColumns(read_numbers(y, type(self).__name__, many_outputs=many))

    def _after_fit(self, target, features):
        self._flat = target.values.ndim == 1
        self.n_outputs_ = 1 if self._flat else target.values.shape[1]

    def _adopt(self, about):
        self.n_outputs_ = len(about["outputs"])
        self._flat = self.n_outputs_ == 1

    def predict(self, X):
        """The number predicted for every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows to predict.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        out = self._outputs(X)
        return out[:, 0] if self._flat else out

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self._accepts("many_outputs")
        tags.regressor_tags.poor_score = "same_answer" in self._about()["gives"]
        return tags


class Clusterer(ClusterMixin, Estimator):
    """A learner of groups."""

    _task = "clustering"

    def _after_fit(self, target, features):
        numbers_, _ = self._model.predict(self._known_table(features), self._threads())
        self.labels_ = numbers_[:, 0].astype(np.int32)

    _after_update = _after_fit

    def predict(self, X):
        """The cluster of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows to assign.

        Returns
        -------
        ndarray of int, shape (n_samples,)
        """
        return self._outputs(X)[:, 0].astype(np.int32)
