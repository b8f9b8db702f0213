"""A learner as the parameter of another one: texts, estimators, what the choice decides."""

import numpy as np
import pytest

import gradus


def rows(n=60):
    random = np.random.default_rng(1)
    y = np.arange(n) % 3
    return random.normal(size=(n, 3)) + 2 * y[:, None], y


def test_a_text_and_an_estimator_are_the_same_choice():
    X, y = rows()
    text = gradus.BaggingClassifier(estimator="decision_tree(max_depth=2)").fit(X, y)
    made = gradus.BaggingClassifier(estimator=gradus.DecisionTreeClassifier(max_depth=2)).fit(X, y)
    assert text.fingerprint_ == made.fingerprint_
    assert text.describe()["parameters"]["estimator"] == "decision_tree(max_depth=2)"
    assert made.describe()["parameters"]["estimator"] == "decision_tree(max_depth=2)"


def test_parameters_of_the_inner_estimator_are_set_from_outside():
    sklearn = pytest.importorskip("sklearn.base")
    X, y = rows()
    outer = gradus.BaggingClassifier(estimator=gradus.DecisionTreeClassifier())
    outer.set_params(estimator__max_depth=1)
    assert outer.estimator.max_depth == 1
    assert outer.get_params()["estimator__max_depth"] == 1
    copy = sklearn.clone(outer)
    assert copy.estimator is not outer.estimator and copy.estimator.max_depth == 1
    text = gradus.BaggingClassifier(estimator="decision_tree(max_depth=1)").fit(X, y)
    assert copy.fit(X, y).fingerprint_ == text.fingerprint_


def test_estimators_stand_inside_each_other():
    X, y = rows()
    tree = gradus.DecisionTreeClassifier(max_depth=2)
    inner = gradus.BaggingClassifier(estimator=tree, n_estimators=2)
    outer = gradus.BaggingClassifier(estimator=inner, n_estimators=3).fit(X, y)
    assert outer.describe()["parameters"]["estimator"] == (
        "bagging(estimator=decision_tree(max_depth=2), n_estimators=2)"
    )
    assert outer.predict_proba(X).shape == (60, 3)


def test_the_choice_decides_what_is_taken():
    X, y = rows()
    X[3, 1] = np.nan
    gradus.BaggingClassifier().fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        gradus.BaggingClassifier(estimator="lda").fit(X, y)


def test_a_wrong_choice_is_named():
    X, y = rows()
    with pytest.raises(gradus.Error, match="decision_tree: max_depth must be at least 1"):
        gradus.BaggingClassifier(estimator="decision_tree(max_depth=0)").fit(X, y)
    with pytest.raises(gradus.Error, match="decision_tree: max_depth must be at least 1"):
        gradus.BaggingClassifier(estimator=gradus.DecisionTreeClassifier(max_depth=0)).fit(X, y)
    with pytest.raises(ValueError, match="must be for classification"):
        gradus.BaggingClassifier(estimator=gradus.DecisionTreeRegressor()).fit(X, y)
    for wrong in (3, object(), ["lda"]):
        with pytest.raises((TypeError, ValueError), match="estimator must be|expected a text"):
            gradus.BaggingClassifier(estimator=wrong).fit(X, y)
    with pytest.raises(ValueError, match="estimator must be"):
        gradus.BaggingClassifier(estimator=None).fit(X, y)


def test_a_model_from_a_file_has_its_choice(tmp_path):
    X, y = rows()
    model = gradus.BaggingClassifier(estimator="naive_bayes", n_estimators=2).fit(X, y)
    model.save(tmp_path / "m.gradus")
    back = gradus.load(tmp_path / "m.gradus")
    assert back.estimator == "naive_bayes"
    np.testing.assert_array_equal(back.predict_proba(X), model.predict_proba(X))
