"""warm_start: a fit that begins where the last one ended finds the same minimum in fewer iterations."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

import gradus

NUMBERS = load_diabetes(return_X_y=True)
CLASSES = load_iris(return_X_y=True)


@pytest.mark.parametrize(
    "estimator, data",
    [
        (gradus.LassoRegressor(alpha=0.01), NUMBERS),
        (gradus.ElasticNetRegressor(alpha=0.01), NUMBERS),
        (gradus.LogisticRegression(solver="lbfgs"), CLASSES),
    ],
)
def test_the_second_fit_is_short_and_equal(estimator, data):
    cold = estimator.set_params(warm_start=True).fit(*data)
    first, answer = cold.n_iter_, cold.predict(data[0])
    warm = cold.fit(*data)
    assert warm.n_iter_ < first
    assert np.mean(warm.predict(data[0]) == answer) == 1 or np.allclose(warm.predict(data[0]), answer, rtol=1e-5)


def test_single_steps_go_on_only_when_asked():
    X, y = CLASSES
    sgd = gradus.SgdClassifier(max_iter=1, warm_start=False).fit(X, y)
    once = sgd.fingerprint_
    assert sgd.fit(X, y).fingerprint_ == once
    assert sgd.set_params(warm_start=True).fit(X, y).fingerprint_ != once


def test_other_columns_are_refused():
    X, y = NUMBERS
    lasso = gradus.LassoRegressor(alpha=0.1, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="finite numbers"):
        lasso.fit(X[:, :5], y)
