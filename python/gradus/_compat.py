"""scikit-learn's base classes when it is installed, small ones of our own when it is not."""

from __future__ import annotations

import inspect

try:
    from sklearn.base import (
        BaseEstimator,
        ClassifierMixin,
        ClusterMixin,
        OutlierMixin,
        RegressorMixin,
        TransformerMixin,
    )
    from sklearn.exceptions import DataConversionWarning, NotFittedError

    HAS_SKLEARN = True
except ImportError:
    HAS_SKLEARN = False

    class NotFittedError(ValueError, AttributeError):
        """The estimator was used before it was fitted."""

    class DataConversionWarning(UserWarning):
        """The data had to be brought into another form."""

    class BaseEstimator:
        """Parameters by name, as scikit-learn's tools expect them."""

        @classmethod
        def _get_param_names(cls):
            names = list(inspect.signature(cls.__init__).parameters)
            return sorted(name for name in names if name != "self")

        def get_params(self, deep=True):
            """The parameters of this estimator as a dict."""
            return {name: getattr(self, name) for name in self._get_param_names()}

        def set_params(self, **params):
            """Sets parameters by name and returns the estimator."""
            known = self._get_param_names()
            for name, value in params.items():
                if name not in known:
                    raise ValueError(
                        f"Invalid parameter {name!r} for estimator {type(self).__name__}. "
                        f"Valid parameters are: {known}."
                    )
                setattr(self, name, value)
            return self

        def __repr__(self):
            defaults = inspect.signature(type(self).__init__).parameters
            changed = [
                f"{name}={value!r}"
                for name, value in self.get_params().items()
                if repr(value) != repr(defaults[name].default)
            ]
            return f"{type(self).__name__}({', '.join(changed)})"

        def _repr_html_(self):
            from html import escape

            return f"<pre>{escape(repr(self))}</pre>"

    class ClassifierMixin:
        """Accuracy as the score."""

        _estimator_type = "classifier"

        def score(self, X, y, sample_weight=None):
            """The share of rows whose class is predicted rightly."""
            import numpy as np

            right = np.asarray(self.predict(X)) == np.asarray(y)
            return float(np.average(right, weights=sample_weight))

    class RegressorMixin:
        """The coefficient of determination as the score."""

        _estimator_type = "regressor"

        def score(self, X, y, sample_weight=None):
            """R squared: 1 minus the squared error over that of the mean."""
            import numpy as np

            actual = np.asarray(y, dtype=float)
            error = (actual - self.predict(X)) ** 2
            mean = np.average(actual, axis=0, weights=sample_weight)
            spread = (actual - mean) ** 2
            left, right = (np.average(part, axis=0, weights=sample_weight) for part in (error, spread))
            shares = np.where(right > 0, left / np.where(right > 0, right, 1.0), left > 0)
            return float(np.mean(1 - shares))

    class ClusterMixin:
        """Fitting and labelling in one call."""

        _estimator_type = "clusterer"

        def fit_predict(self, X, y=None, **options):
            """Fits to X and returns the cluster of each row."""
            return self.fit(X, y, **options).labels_

    class OutlierMixin:
        """Fitting and answering in one call."""

        _estimator_type = "outlier_detector"

        def fit_predict(self, X, y=None, **options):
            """Fits to X and returns -1 for the rows that stand apart, 1 for all others."""
            return self.fit(X, y, **options).predict(X)

    class TransformerMixin:
        """Fitting and transforming in one call."""

        def fit_transform(self, X, y=None, **options):
            """Fits to X and returns its new coordinates."""
            return self.fit(X, y, **options).transform(X)
