"""Extra trees, isolation forests and boosted stumps against scikit-learn's.

What chance decides is compared by quality; the score formula of the isolation forest, the rounds of
AdaBoost and the out-of-bag quantities are worked out here from their definitions.
"""

import json

import numpy as np
import pytest
from command import gradus
from sklearn.ensemble import (AdaBoostClassifier, ExtraTreesClassifier, ExtraTreesRegressor,
                              IsolationForest, RandomForestClassifier)
from sklearn.inspection import permutation_importance
from sklearn.metrics import mean_squared_error, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from trees import TABLES, accuracies, halves, predictions, read, train, waves, write


@pytest.mark.parametrize("name, target", TABLES)
@pytest.mark.parametrize("learner, cls", [("extra_trees", ExtraTreesClassifier),
                                          ("adaboost", AdaBoostClassifier),
                                          ("logitboost", RandomForestClassifier)])
def test_classes(learner, cls, name, target, tmp_path):
    ours, theirs = accuracies(learner, cls, read(name, target), tmp_path)
    assert ours >= theirs - 0.04


def test_numbers_by_extra_trees(tmp_path):
    x, y, names = waves(1)
    seen, unseen = halves(len(y))
    reference = ExtraTreesRegressor(random_state=0).fit(x[seen], y[seen])
    path = write(tmp_path / "train.csv", names, x[seen], y[seen])
    test = write(tmp_path / "test.csv", names, x[unseen], y[unseen])
    _, model = train("extra_trees", path, tmp_path)
    ours = [float(row["prediction"]) for row in predictions(model, test, tmp_path)]
    theirs = mean_squared_error(y[unseen], reference.predict(x[unseen]))
    assert mean_squared_error(y[unseen], ours) <= 1.1 * theirs + 0.02


def cloud(seed, rows=700, odd=30):
    rng = np.random.default_rng(seed)
    x = np.vstack([rng.normal(size=(rows, 4)), rng.uniform(-8, 8, size=(odd, 4))])
    return x, np.r_[np.zeros(rows), np.ones(odd)]


def unlabelled(path, x):
    np.savetxt(path, x, delimiter=",", header=",".join(f"x{j}" for j in range(x.shape[1])), comments="",
               fmt="%.17g")
    return path


def test_anomaly_scores_follow_the_formula_and_rank_as_the_reference(tmp_path):
    x, odd = cloud(0)
    path = unlabelled(tmp_path / "t.csv", x)
    model, out = tmp_path / "m.gradus", tmp_path / "scores.csv"
    about = json.loads(gradus("train", "isolation_forest", "--data", path, "--model", model, "--json"))
    gradus("predict", model, "--data", path, "--output", out, "--transform")
    scores = np.genfromtxt(out, delimiter=",", names=True)
    n = 256
    expected = 2 * (np.log(n - 1) + np.euler_gamma) - 2 * (n - 1) / n
    assert about["fitted"]["expected_cuts"] == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(scores["anomaly_score"], 2 ** (-scores["mean_cuts"] / expected), rtol=1e-12)
    reference = IsolationForest(random_state=0).fit(x)
    theirs = -reference.score_samples(x)
    assert roc_auc_score(odd, scores["anomaly_score"]) >= roc_auc_score(odd, theirs) - 0.01
    assert np.corrcoef(scores["anomaly_score"], theirs)[0, 1] > 0.97
    # Two forests of the same kind differ by chance alone: their means agree to a few per cent.
    assert scores["anomaly_score"].mean() == pytest.approx(theirs.mean(), rel=0.02)


def test_adaboost_is_the_algorithm_of_the_reference(tmp_path):
    """With Gini stumps every round must have the error and (twice) the say of scikit-learn's."""
    x, score, names = waves(5, 400)
    y = np.where(score > 0, "yes", "no")
    path = write(tmp_path / "t.csv", names, x, y)
    fitted, model = train("adaboost", path, tmp_path, "--criterion", "gini", "--n_estimators", 20)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    try:
        reference = AdaBoostClassifier(stump, n_estimators=20, algorithm="SAMME").fit(x, y)
    except TypeError:  # the only algorithm of later versions
        reference = AdaBoostClassifier(stump, n_estimators=20).fit(x, y)
    np.testing.assert_allclose(fitted["errors"], reference.estimator_errors_, rtol=1e-9)
    np.testing.assert_allclose(2 * np.array(fitted["steps"]), reference.estimator_weights_, rtol=1e-9)
    said = [row["prediction"] for row in predictions(model, path, tmp_path)]
    assert np.array_equal(said, reference.predict(x))


def test_three_classes_by_samme(tmp_path):
    names, x, y = read("iris.csv", "species")
    path = write(tmp_path / "t.csv", names, x, y)
    fitted, _ = train("adaboost", path, tmp_path, "--criterion", "gini", "--n_estimators", 10)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    try:
        reference = AdaBoostClassifier(stump, n_estimators=10, algorithm="SAMME").fit(x, y)
    except TypeError:
        reference = AdaBoostClassifier(stump, n_estimators=10).fit(x, y)
    # The first round is decided by the data alone; later ones may break ties between columns otherwise.
    assert fitted["errors"][0] == pytest.approx(reference.estimator_errors_[0], rel=1e-9)
    assert 2 * fitted["steps"][0] == pytest.approx(reference.estimator_weights_[0], rel=1e-9)


@pytest.mark.parametrize("estimator, reference_base", [
    ("decision_tree(max_depth=3)", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ("naive_bayes(var_smoothing=1e-9)", GaussianNB()),
])
def test_adaboost_of_any_weak_learner(estimator, reference_base, tmp_path):
    """Each round's error and (twice) the say are those of scikit-learn's with the same weak learner.

    Between questions that part the rows alike scikit-learn's trees choose by chance: one of its seeds chooses
    as we do, and from there on everything is the same.
    """
    x, score, names = waves(8, 400)
    y = np.where(score > 0, "yes", "no")
    path = write(tmp_path / "t.csv", names, x, y)
    fitted, model = train("adaboost", path, tmp_path, "--estimator", estimator, "--n_estimators", 8)
    rounds = fitted["rounds"]
    for seed in range(20):
        reference = samme(reference_base, seed).fit(x, y)
        if np.allclose(fitted["errors"], reference.estimator_errors_[:rounds], rtol=1e-6):
            break
    np.testing.assert_allclose(fitted["errors"], reference.estimator_errors_[:rounds], rtol=1e-6)
    np.testing.assert_allclose(2 * np.array(fitted["steps"]), reference.estimator_weights_[:rounds], rtol=1e-6)
    # A learner no better than chance ends the rounds of both; theirs are counted on without a say.
    assert not reference.estimator_weights_[rounds:].any()
    said = [row["prediction"] for row in predictions(model, path, tmp_path)]
    assert np.array_equal(said, reference.predict(x))


def samme(base, seed):
    settings = {"n_estimators": 8, "random_state": seed}
    try:
        return AdaBoostClassifier(base, algorithm="SAMME", **settings)
    except TypeError:  # the only algorithm, since 1.8
        return AdaBoostClassifier(base, **settings)


def test_permutation_importances_order_the_columns_as_the_reference(tmp_path):
    x, score, names = waves(6, 900)
    y = np.where(score > 0, "yes", "no")
    seen, unseen = halves(len(y))
    path = write(tmp_path / "t.csv", names, x, y)
    fitted, _ = train("random_forest", path, tmp_path, "--permutation_importance", "true")
    ours = np.array([fitted["permutation_importances"][name] for name in names])
    forest = RandomForestClassifier(random_state=0).fit(x[seen], y[seen])
    theirs = permutation_importance(forest, x[unseen], y[unseen], n_repeats=10, random_state=0).importances_mean
    assert set(np.argsort(ours)[-3:]) == set(np.argsort(theirs)[-3:]) == {0, 1, 2}


def test_proximities_are_common_leaves(tmp_path):
    """scikit-learn's own forest has other trees: compared are the means within and between classes."""
    names, x, y = read("iris.csv", "species")
    y = np.array(y)
    path = write(tmp_path / "t.csv", names, x, y)
    fitted, _ = train("random_forest", path, tmp_path, "--proximities", "true")
    ours = np.array(fitted["proximities"])
    leaves = RandomForestClassifier(random_state=0).fit(x, y).apply(x)
    theirs = np.mean(leaves[:, None, :] == leaves[None, :, :], axis=2)
    same = y[:, None] == y[None, :]
    assert ours[same].mean() == pytest.approx(theirs[same].mean(), rel=0.1)
    assert ours[~same].mean() == pytest.approx(theirs[~same].mean(), abs=0.02)
    assert np.corrcoef(ours.ravel(), theirs.ravel())[0, 1] > 0.95
