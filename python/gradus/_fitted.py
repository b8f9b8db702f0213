"""What a model learned, as attributes with the names that Python users expect.

Every key k of `fitted()` becomes the attribute k_; numbers become arrays. Some quantities also get
the name that is usual in scikit-learn. Nothing here knows a learner: only the keys decide.
"""

from __future__ import annotations

import functools

import numpy as np


def _numbers(value):
    """Lists, and dicts of numbers in their order, as arrays; None when it cannot be one."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        rows = [_numbers(item) for item in value]
        shapes = {np.shape(row) for row in rows}
        return None if any(r is None for r in rows) or len(shapes) > 1 else np.array(rows)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _plain(value):
    """A list of numbers as an array; everything else as it is."""
    if isinstance(value, list) and value:
        array = _numbers(value) if not isinstance(value[0], dict) else None
        return value if array is None else array
    return value


def _linear(coefficients):
    """coef_ and intercept_ from {intercept, <column>...}, or from one such dict per output."""
    if not isinstance(coefficients, dict):
        return {}
    if all(isinstance(value, dict) for value in coefficients.values()) and coefficients:
        parts = [_linear(value) for value in coefficients.values()]
        if not all(parts):
            return {}
        return {name: np.array([part[name] for part in parts]) for name in parts[0]}
    weights = [value for key, value in coefficients.items() if key != "intercept"]
    if not all(isinstance(value, (int, float)) for value in coefficients.values()):
        return {}
    return {"coef_": np.array(weights, dtype=float), "intercept_": coefficients.get("intercept", 0.0)}


_USUAL = {
    "centers": "cluster_centers_",
    "priors": "class_prior_",
    "feature_importances": "feature_importances_",
}

# What the names that are usual in scikit-learn hold.
USUAL_DOCS = {
    "cluster_centers_": "centers_ as an array of shape (n_clusters, n_features).",
    "class_prior_": "priors_ as an array, in the order of classes_.",
    "coef_": "The coefficient of each feature, of shape (n_features,) or (n_outputs, n_features).",
    "intercept_": "The constant term, one for each target when there are several.",
}


def _by_quantity(fitted):
    """{outputs: {name: {quantity: value}}} turned around: {quantity: {name: value}}."""
    outputs = fitted.get("outputs")
    if not isinstance(outputs, dict) or not all(isinstance(v, dict) for v in outputs.values()):
        return fitted
    quantities = {key for part in outputs.values() for key in part}
    turned = {
        key: {name: part[key] for name, part in outputs.items() if key in part}
        for key in sorted(quantities)
    }
    return {**turned, **fitted}


def attributes(fitted):
    """The attributes of a fitted estimator by name."""
    fitted = _by_quantity(fitted)
    out = {f"{key}_": _plain(value) for key, value in fitted.items()}
    for key, usual in _USUAL.items():
        array = _numbers(fitted.get(key))
        if array is not None:
            out[usual] = array
    for name, value in _linear(fitted.get("coefficients")).items():
        out.setdefault(name, value)
    return out


class Learned:
    """The attributes of one model, computed when the first is asked for."""

    def __init__(self, model):
        self._model = model

    @functools.cached_property
    def attributes(self):
        return {**attributes(self._model.fitted()), "fingerprint_": self._model.fingerprint}
