"""Forests and boosting against scikit-learn's, by quality: their random choices differ.

On held-out rows the loss must be within 10 % (and 0.02) of the reference; regression trees of one round
are exact and must agree to 1e-6.
"""

import numpy as np
import pytest
from sklearn.ensemble import (HistGradientBoostingClassifier, HistGradientBoostingRegressor,
                              RandomForestClassifier, RandomForestRegressor)
from sklearn.metrics import log_loss, mean_squared_error
from trees import TABLES, accuracies, halves, predictions, probabilities, read, train, waves, write


@pytest.mark.parametrize("name, target", TABLES)
@pytest.mark.parametrize("learner, cls", [("random_forest", RandomForestClassifier),
                                          ("gradient_boosting", HistGradientBoostingClassifier)])
def test_classes(learner, cls, name, target, tmp_path):
    ours, theirs = accuracies(learner, cls, read(name, target), tmp_path)
    assert ours >= theirs - 0.03


@pytest.mark.parametrize("learner, cls", [("random_forest", RandomForestRegressor),
                                          ("gradient_boosting", HistGradientBoostingRegressor)])
def test_numbers(learner, cls, tmp_path):
    x, y, names = waves(1)
    seen, unseen = halves(len(y))
    reference = cls(random_state=0).fit(x[seen], y[seen])
    path = write(tmp_path / "train.csv", names, x[seen], y[seen])
    test = write(tmp_path / "test.csv", names, x[unseen], y[unseen])
    _, model = train(learner, path, tmp_path)
    ours = [float(row["prediction"]) for row in predictions(model, test, tmp_path)]
    theirs = mean_squared_error(y[unseen], reference.predict(x[unseen]))
    assert mean_squared_error(y[unseen], ours) <= 1.1 * theirs + 0.02


def test_out_of_bag_error(tmp_path):
    x, y, names = waves(2, 600)
    reference = RandomForestRegressor(n_estimators=200, oob_score=True, random_state=0).fit(x, y)
    path = write(tmp_path / "t.csv", names, x, y)
    fitted, _ = train("random_forest", path, tmp_path, "--n_estimators", 200)
    theirs = mean_squared_error(y, reference.oob_prediction_)
    assert abs(fitted["oob_error"] - theirs) <= 0.1 * theirs


def test_one_boosting_round_is_one_exact_tree(tmp_path):
    rng = np.random.default_rng(3)
    x = np.round(rng.uniform(size=(900, 3)) * 100)  # at most 101 values: binning loses nothing
    y = x[:, 0] / 10 + (x[:, 1] > 40) * 5 + rng.normal(size=900)
    names = ["a", "b", "c"]
    reference = HistGradientBoostingRegressor(max_iter=1, learning_rate=1, l2_regularization=0,
                                              early_stopping=False).fit(x, y)
    path = write(tmp_path / "t.csv", names, x, y)
    _, model = train("gradient_boosting", path, tmp_path, "--n_estimators", 1, "--learning_rate", 1,
                     "--l2_regularization", 0, "--min_samples_leaf", 20, "--subsample", 1,
                     "--colsample_bytree", 1)
    ours = [float(row["prediction"]) for row in predictions(model, path, tmp_path)]
    np.testing.assert_allclose(ours, reference.predict(x), rtol=1e-5)


def test_boosted_two_classes_have_the_log_loss_of_the_reference(tmp_path):
    x, score, names = waves(4)
    y = np.where(score > 0, "yes", "no")
    seen, unseen = halves(len(y))
    reference = HistGradientBoostingClassifier(early_stopping=False).fit(x[seen], y[seen])
    path = write(tmp_path / "train.csv", names, x[seen], y[seen])
    test = write(tmp_path / "test.csv", names, x[unseen], y[unseen])
    _, model = train("gradient_boosting", path, tmp_path)
    ours = log_loss(y[unseen], probabilities(model, test, ["no", "yes"], tmp_path))
    theirs = log_loss(y[unseen], reference.predict_proba(x[unseen]))
    assert ours <= 1.1 * theirs + 0.02
