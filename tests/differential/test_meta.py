"""Learners over any learner against scikit-learn's, with the same base on both sides.

The base is Gaussian naive Bayes: a closed form with probabilities and without a decision function, so
that both libraries combine the same numbers. One against the rest agrees to 1e-8 in every probability.
One against one and output codes agree in every class but those of rows that are a tie to 1e-9.
Bagging draws differently, so it is compared by quality, and exactly where nothing is drawn.
"""

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier, BaggingRegressor
from sklearn.metrics import mean_squared_error
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from trees import predictions, probabilities, read, train, write

BAYES = ("--estimator", "naive_bayes")


def clouds(classes=7, rows=420):
    """Classes around a circle that overlap a little."""
    rng = np.random.default_rng(5)
    y = np.arange(rows) % classes
    angle = 2 * np.pi * y / classes
    x = 4 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.normal(size=(rows, 2))
    return ["a", "b"], x, y


TABLES = {
    "iris": lambda: read("iris.csv", "species"),
    "wine": lambda: read("wine.csv", "cultivar"),
    "clouds": clouds,
}


@pytest.fixture(params=TABLES)
def table(request, tmp_path):
    names, x, y = TABLES[request.param]()
    y = np.array([f"k{value}" for value in y])
    return x, y, write(tmp_path / "t.csv", names, x, y), tmp_path


def classes_of(model, path, folder):
    return np.array([row["prediction"] for row in predictions(model, path, folder)])


def test_one_against_the_rest(table):
    x, y, path, folder = table
    reference = OneVsRestClassifier(GaussianNB()).fit(x, y)
    _, model = train("one_vs_rest", path, folder, *BAYES)
    ours = probabilities(model, path, reference.classes_, folder)
    np.testing.assert_allclose(ours, reference.predict_proba(x), rtol=1e-8, atol=1e-10)


def test_one_against_one(table):
    x, y, path, folder = table
    reference = OneVsOneClassifier(GaussianNB()).fit(x, y)
    fitted, model = train("one_vs_one", path, folder, *BAYES)
    assert fitted["problems"] == len(reference.estimators_)
    # Votes alone: scikit-learn settles ties with P(second) where we take 2P - 1.
    votes = np.zeros((len(y), len(reference.classes_)))
    k = 0
    for i in range(len(reference.classes_)):
        for j in range(i + 1, len(reference.classes_)):
            second = reference.estimators_[k].predict(x) == 1
            votes[second, j] += 1
            votes[~second, i] += 1
            k += 1
    ranked = np.sort(votes, axis=1)
    clear = ranked[:, -1] > ranked[:, -2]
    assert clear.mean() > 0.9
    ours = classes_of(model, path, folder)
    assert (ours[clear] == reference.predict(x)[clear]).all()
    assert (ours[clear] == reference.classes_[votes.argmax(axis=1)][clear]).all()


def test_output_codes(table):
    x, y, path, folder = table
    reference = OutputCodeClassifier(GaussianNB(), code_size=2.5, random_state=1).fit(x, y)
    words = ["".join("1" if bit > 0.5 else "0" for bit in word) for word in reference.code_book_]
    columns = [column for column in zip(*words)]
    if any(len(set(column)) < 2 for column in columns):
        pytest.skip("a column of scikit-learn's random code has one side only")
    _, model = train("ecoc", path, folder, *BAYES, "--code", "given", "--codewords", ",".join(words),
                     "--decoding", "loss", "--loss", "squared")
    answers = np.array([one.predict_proba(x)[:, 1] for one in reference.estimators_]).T
    distances = ((answers[:, None, :] - reference.code_book_[None]) ** 2).sum(axis=2)
    nearest = np.sort(distances, axis=1)
    clear = nearest[:, 1] - nearest[:, 0] > 1e-9
    assert clear.mean() > 0.9
    assert (classes_of(model, path, folder)[clear] == reference.predict(x)[clear]).all()


def test_bagging_without_a_draw_is_the_mean_of_equal_trees(table):
    x, y, path, folder = table
    reference = BaggingClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=3, bootstrap=False,
                                  random_state=0).fit(x, y)
    _, model = train("bagging", path, folder, "--estimator", "decision_tree(max_depth=2)",
                     "--n_estimators", 3, "--bootstrap", "false")
    ours = probabilities(model, path, reference.classes_, folder)
    right = [np.mean(reference.classes_[p.argmax(axis=1)] == y) for p in (ours, reference.predict_proba(x))]
    assert abs(right[0] - right[1]) < 0.02


def rings(seed, rows=1200):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 5))
    y = np.where(x[:, 0] ** 2 + x[:, 1] + 0.4 * rng.normal(size=rows) > 0.8, "in", "out")
    return x, y, [f"x{j}" for j in range(5)]


def test_bagged_trees_are_as_good(tmp_path):
    x, y, names = rings(1)
    new_x, new_y, _ = rings(2)
    reference = BaggingClassifier(DecisionTreeClassifier(), n_estimators=50, oob_score=True,
                                  random_state=0).fit(x, y)
    path = write(tmp_path / "t.csv", names, x, y)
    test = write(tmp_path / "new.csv", names, new_x, new_y)
    fitted, model = train("bagging", path, tmp_path, "--n_estimators", 50)
    theirs = reference.score(new_x, new_y)
    assert abs(np.mean(classes_of(model, test, tmp_path) == new_y) - theirs) < 0.025
    assert abs(fitted["oob_score"] - reference.oob_score_) < 0.025


def test_bagged_regression_trees_are_as_good(tmp_path):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(1200, 4))
    y = np.sin(2 * x[:, 0]) + x[:, 1] + 0.3 * rng.normal(size=1200)
    names = ["a", "b", "c", "d"]
    seen, unseen = np.arange(800), np.arange(800, 1200)
    reference = BaggingRegressor(DecisionTreeRegressor(), n_estimators=50, max_samples=0.7,
                                 oob_score=True, random_state=0).fit(x[seen], y[seen])
    path = write(tmp_path / "t.csv", names, x[seen], y[seen])
    test = write(tmp_path / "new.csv", names, x[unseen], y[unseen])
    fitted, model = train("bagging", path, tmp_path, "--n_estimators", 50, "--max_samples", 0.7)
    ours = [float(row["prediction"]) for row in predictions(model, test, tmp_path)]
    theirs = mean_squared_error(y[unseen], reference.predict(x[unseen]))
    assert mean_squared_error(y[unseen], ours) <= 1.1 * theirs
    assert abs(fitted["oob_score"] - reference.oob_score_) < 0.03
