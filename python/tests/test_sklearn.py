"""scikit-learn's own judgement of every estimator, and its tools around them."""

import inspect
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

from conftest import make_data, numeric
from sklearn.base import clone, is_classifier, is_outlier_detector, is_regressor
from sklearn.exceptions import SkipTestWarning
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import gradus

try:
    from sklearn.base import is_clusterer
except ImportError:  # before 1.6

    def is_clusterer(estimator):
        return estimator._estimator_type == "clusterer"


@parametrize_with_checks([cls() for cls in gradus.all_estimators()])
def test_a_check_of_scikit_learn_passes(estimator, check):
    check(estimator)


def test_no_check_is_skipped_or_expected_to_fail(cls):
    with warnings.catch_warnings():
        warnings.simplefilter("error", SkipTestWarning)
        if "on_skip" not in inspect.signature(check_estimator).parameters:  # before 1.6
            if "same_answer" in cls._about()["gives"]:
                pytest.skip("these versions expect that every classifier predicts every class")
            check_estimator(cls())
            return
        results = check_estimator(cls(), on_skip=None, on_fail=None)
    assert len(results) > 40
    assert {result["status"] for result in results} == {"passed"}


def test_the_kind_of_estimator_is_known(cls):
    kinds = {"classification": is_classifier, "regression": is_regressor, "clustering": is_clusterer,
             "outliers": is_outlier_detector}
    expected = "outliers" if "outliers" in cls._about()["gives"] else cls._task
    assert [task for task, is_kind in kinds.items() if is_kind(cls())] == [expected]


def test_a_pipeline_gives_what_the_steps_give(cls):
    X, y = make_data(cls)
    first = StandardScaler() if numeric(cls) else FunctionTransformer()
    pipeline = make_pipeline(first, cls()).fit(X, y)
    alone = cls().fit(first.fit_transform(X), y)
    np.testing.assert_array_equal(pipeline.predict(X), alone.predict(first.transform(X)))


def test_cross_validation_and_grid_search_run(cls):
    X, y = make_data(cls)
    scoring = None if hasattr(cls, "score") else "adjusted_rand_score"
    labels = y if y is not None else np.arange(len(X)) % 3
    scores = cross_val_score(cls(), X, labels, cv=3, scoring=scoring)
    assert scores.shape == (3,) and np.isfinite(scores).all()
    search = GridSearchCV(cls(), {"n_jobs": [1, 2]}, cv=3, scoring=scoring).fit(X, labels)
    results = search.cv_results_["mean_test_score"]
    assert results[0] == results[1]


def test_a_clone_has_the_parameters_and_nothing_learned(cls):
    X, y = make_data(cls)
    model = cls(n_jobs=2).fit(X, y)
    copy = clone(model)
    assert copy.n_jobs == 2 and not hasattr(copy, "n_features_in_")
    assert copy.fit(X, y).fingerprint_ == model.fingerprint_


TREES = ["DecisionTree", "RandomForest", "ExtraTrees", "GradientBoosting"]


@pytest.mark.parametrize("name", TREES)
def test_importances_choose_columns_as_arrays_do(name):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 4))
    y = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int)
    model = getattr(gradus, f"{name}Classifier")()
    assert model.fit(X, y).feature_importances_.shape == (4,)
    chosen = SelectFromModel(clone(model)).fit(X, y).get_support()
    assert list(chosen) == [True, True, False, False]
