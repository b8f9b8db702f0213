"""Losses that are functions, and fits that survive a kill."""

import gc
import pickle
import weakref

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import gradus


def squared(y, score):
    return score - y, 1.0


class Logistic:
    """A loss that also tells its values."""

    def __call__(self, y, score):
        p = 1 / (1 + np.exp(-score))
        return p - y, p * (1 - p)

    def value(self, y, score):
        return np.logaddexp(0, score) - y * score


def softmax(y, score):
    p = np.exp(score - score.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    hot = np.eye(score.shape[1])[y.astype(int)]
    return p - hot, p * (1 - p)


def numbers(rows=300):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 4))
    return X, np.sin(3 * X[:, 0]) + X[:, 1] + rng.normal(size=rows) / 5


def test_half_the_squares_are_the_built_in_loss_bit_by_bit():
    X, y = numbers()
    own = gradus.GradientBoostingRegressor(loss=squared, init="zero", n_estimators=20).fit(X, y)
    built_in = gradus.GradientBoostingRegressor(init="zero", n_estimators=20).fit(X, y)
    assert np.array_equal(own.predict(X), built_in.predict(X))
    assert own.loss_ == "custom"


def test_a_function_of_two_and_of_three_classes():
    X, y = numbers()
    two = np.where(y > 0, "yes", "no")
    own = gradus.GradientBoostingClassifier(loss=Logistic(), n_estimators=10).fit(X, two)
    built_in = gradus.GradientBoostingClassifier(n_estimators=10).fit(X, two)
    np.testing.assert_allclose(own.predict_proba(X), built_in.predict_proba(X), atol=1e-6)
    three = np.digitize(y, [-0.5, 0.5])
    own = gradus.GradientBoostingClassifier(loss=softmax, init="zero", n_estimators=10).fit(X, three)
    built_in = gradus.GradientBoostingClassifier(init="zero", n_estimators=10).fit(X, three)
    np.testing.assert_allclose(own.predict_proba(X), built_in.predict_proba(X), atol=1e-6)


def test_it_is_a_parameter_like_others(tmp_path):
    X, y = numbers()
    model = gradus.GradientBoostingRegressor(loss=squared, n_estimators=5)
    assert clone(model).get_params()["loss"] is squared
    assert cross_val_score(model, X, y, cv=3).mean() > 0
    model.fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert np.array_equal(copy.predict(X), model.predict(X))
    model.save(tmp_path / "m.gradus")
    loaded = gradus.load(tmp_path / "m.gradus")
    assert np.array_equal(loaded.predict(X), model.predict(X))
    assert loaded.loss == "custom" and loaded.loss_ == "custom"
    with pytest.raises(gradus.Error, match="needs the function"):
        loaded.fit(X, y)


def test_the_model_does_not_keep_the_function():
    X, y = numbers(60)

    class Loss:
        def __call__(self, y, score):
            return score - y, 1.0

    function = Loss()
    gone = weakref.ref(function)
    model = gradus.GradientBoostingRegressor(loss=function, n_estimators=2).fit(X, y)
    model.set_params(loss="auto")
    del function
    gc.collect()
    assert gone() is None
    assert len(model.predict(X)) == 60


def test_it_is_explained():
    X, y = numbers(40)
    steps = gradus.GradientBoostingRegressor(loss=squared, n_estimators=2).fit(X, y).explain()
    assert any("residuals" in step["title"] for step in steps)


def test_early_stopping_needs_values():
    X, y = numbers()
    two = y > 0
    model = gradus.GradientBoostingClassifier(loss=Logistic(), early_stopping=True, n_estimators=30)
    assert len(model.fit(X, two).validation_loss_) >= 1
    with pytest.raises(gradus.Error, match="values"):
        gradus.GradientBoostingRegressor(loss=squared, early_stopping=True).fit(X, y)


@pytest.mark.parametrize(
    "function, error, words",
    [
        (lambda y, score: score - y, (TypeError, ValueError), "gradient, hessian"),
        (lambda y, score: ((score - y)[:3], 1.0), ValueError, "shape"),
        (lambda y, score: 1 / 0, ZeroDivisionError, "division"),
    ],
)
def test_what_a_function_does_wrong_is_told(function, error, words):
    X, y = numbers()
    with pytest.raises(error, match=words):
        gradus.GradientBoostingRegressor(loss=function).fit(X, y)


def test_only_learners_with_a_custom_loss_take_a_function():
    X, y = numbers()
    with pytest.raises((TypeError, ValueError)):
        gradus.SgdRegressor(loss=squared).fit(X, y)


class Stop(Exception):
    """What stops a fit of these tests."""


def test_a_stopped_fit_goes_on_to_the_same_bytes(tmp_path):
    X, y = numbers()
    path = tmp_path / "run.ckpt"

    def stop(progress):
        if progress.stage == "boosting round" and progress.done == 12:
            raise Stop

    model = gradus.GradientBoostingRegressor(n_estimators=20).set_checkpoint(path, every=5)
    with pytest.raises(Stop):
        model.set_callbacks(stop).fit(X, y)
    told = []
    model.set_callbacks(told.append).fit(X, y)
    assert min(p.done for p in told if p.stage == "boosting round") >= 10
    assert model.fingerprint_ == gradus.GradientBoostingRegressor(n_estimators=20).fit(X, y).fingerprint_


def test_more_rounds_are_a_warm_start(tmp_path):
    X, y = numbers()
    path = tmp_path / "run.ckpt"
    gradus.GradientBoostingRegressor(n_estimators=10).set_checkpoint(path).fit(X, y)
    told = []
    warm = gradus.GradientBoostingRegressor(n_estimators=15).set_checkpoint(path)
    warm.set_callbacks(told.append).fit(X, y)
    assert [p.done for p in told if p.stage == "boosting round"] == list(range(10, 15))
    cold = gradus.GradientBoostingRegressor(n_estimators=15).fit(X, y)
    assert warm.fingerprint_ == cold.fingerprint_
    with pytest.raises(gradus.Error):
        gradus.GradientBoostingRegressor(n_estimators=15, learning_rate=0.3).set_checkpoint(path).fit(X, y)
    other = gradus.GradientBoostingRegressor(n_estimators=15, learning_rate=0.3)
    other.set_checkpoint(path, if_kept="replace").fit(X, y)


def test_what_keeps_no_checkpoints_says_so(tmp_path):
    X, y = numbers()
    with pytest.raises(gradus.Error, match="keeps no checkpoints"):
        gradus.LinearRegression().set_checkpoint(tmp_path / "c").fit(X, y)
    with pytest.raises(ValueError, match="if_kept"):
        gradus.LinearRegression().set_checkpoint(tmp_path / "c", if_kept="maybe")
    with pytest.raises(ValueError, match="every"):
        gradus.LinearRegression().set_checkpoint(tmp_path / "c", every=0)


def test_a_negative_hessian_is_refused():
    X, y = numbers()

    def concave(y, score):
        return score - y, np.where(np.arange(len(y)) == 7, -1.0, 1.0)

    with pytest.raises(ValueError, match=r"at least 0 \(got -1 for row 8 \(index 7\)\)"):
        gradus.GradientBoostingRegressor(loss=concave, init="zero", n_estimators=2, subsample=1.0).fit(X, y)


def test_early_stopping_on_a_function_says_what_to_add():
    X, y = numbers()
    with pytest.raises(ValueError, match=r"value\(y, score\)"):
        gradus.GradientBoostingRegressor(loss=squared, early_stopping=True).fit(X, y)


def test_settings_without_an_effect_are_told():
    X, y = numbers()
    with pytest.warns(UserWarning, match="top_rate = 0.3 has no effect"):
        gradus.GradientBoostingRegressor(top_rate=0.3, n_estimators=2).fit(X, y)
