"""Bagging split up by feature against the definition, and trees with missing cells and with validation rows
against scikit-learn.

The Shapley values are summed here over all coalitions of columns from the trees that the model shows: another
implementation, which shares nothing with the engine. Tolerance 1e-9: both add up the same shares in other orders.
"""

import itertools
import math

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import gradus

CLASSES = ["low", "mid", "top"]


def table(rows=90, columns=4, seed=3):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, columns))
    y = 2 * x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=rows) / 4
    return x, y


def answer(node, row, known, what):
    """The expected answer of a tree when only these columns are known."""
    if "question" not in node:
        return what(node)
    column = int(node["question"].split(" ")[0][1:])
    yes, no = node["yes"], node["no"]
    if column in known:
        return answer(yes if row[column] <= node["threshold"] else no, row, known, what)
    shares = [size_of(yes), size_of(no)]
    return (shares[0] * answer(yes, row, known, what) + shares[1] * answer(no, row, known, what)) / sum(shares)


def size_of(node):
    """The weight of the training rows in a node: rows that were drawn twice weigh two."""
    if "counts" in node:
        return sum(node["counts"].values())
    return node["n"]


def class_share(node, name):
    counts = node.get("counts", {node.get("leaf"): 1})
    return counts.get(name, 0) / sum(counts.values())


def shapley(trees, row, what):
    """By the definition: what column j adds, averaged over all orders."""
    m = len(row)
    value = {
        known: np.mean([answer(tree, row, known, what) for tree in trees])
        for size in range(m + 1)
        for known in map(frozenset, itertools.combinations(range(m), size))
    }
    out = []
    for j in range(m):
        weight = [math.factorial(s) * math.factorial(m - s - 1) / math.factorial(m) for s in range(m)]
        out.append(sum(weight[len(s)] * (value[s | {j}] - value[s]) for s in value if j not in s))
    return [*out, value[frozenset()]]


@pytest.mark.parametrize("twice", [False, True])
def test_bagged_classes_are_split_up_by_the_definition(twice):
    x, y = table()
    names = np.array(CLASSES)[np.digitize(y, [-1, 1])]
    model = gradus.BaggingClassifier(
        estimator="decision_tree(max_depth=4)", n_estimators=6, max_features=0.8, bootstrap_features=twice
    ).fit(x, names)
    trees = [model.tree(i) for i in range(6)]
    parts = model.contributions(x[:5])
    for row in range(5):
        for k, name in enumerate(CLASSES):
            expected = shapley(trees, x[row], lambda node, name=name: class_share(node, name))
            np.testing.assert_allclose(parts[row, :, k], expected, atol=1e-9)


def test_bagged_numbers_without_weights_are_split_up_by_the_definition():
    x, y = table(seed=4)
    model = gradus.BaggingRegressor(
        estimator="decision_tree(max_depth=4)", n_estimators=5, max_samples=0.7, bootstrap=False
    ).fit(x, y)
    trees = [model.tree(i) for i in range(5)]
    parts = model.contributions(x[:5])
    for row in range(5):
        np.testing.assert_allclose(parts[row], shapley(trees, x[row], lambda node: node["leaf"]), atol=1e-9)


@pytest.mark.parametrize("classes", [True, False])
def test_cells_filled_by_the_mean_are_those_of_an_imputer(classes):
    x, y = table(rows=200, seed=5)
    rng = np.random.default_rng(6)
    holed = np.where(rng.random(x.shape) < 0.15, np.nan, x)
    imputer = SimpleImputer().fit(holed)
    if classes:
        y = y > 0
        # Deeper, two columns part a node of a few rows equally well, and scikit-learn's choice is by chance.
        ours = gradus.DecisionTreeClassifier(missing="mean", max_depth=2).fit(holed, y)
        theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(imputer.transform(holed), y)
        np.testing.assert_allclose(ours.predict_proba(holed), theirs.predict_proba(imputer.transform(holed)))
    else:
        ours = gradus.DecisionTreeRegressor(missing="mean", max_depth=3).fit(holed, y)
        theirs = DecisionTreeRegressor(max_depth=3, random_state=0).fit(imputer.transform(holed), y)
        np.testing.assert_allclose(ours.predict(holed), theirs.predict(imputer.transform(holed)))


@pytest.mark.parametrize("classes", [True, False])
def test_deleted_rows_do_not_teach(classes):
    x, y = table(rows=200, seed=7)
    rng = np.random.default_rng(8)
    holed = np.where(rng.random(x.shape) < 0.1, np.nan, x)
    whole = ~np.isnan(holed).any(axis=1)
    ours = gradus.DecisionTreeRegressor(missing="delete", max_depth=3)
    theirs = DecisionTreeRegressor(max_depth=3, random_state=0)
    if classes:
        y = (y > 0).astype(int)
        ours = gradus.DecisionTreeClassifier(missing="delete", max_depth=3)
        theirs = DecisionTreeClassifier(max_depth=3, random_state=0)
    np.testing.assert_allclose(ours.fit(holed, y).predict(x), theirs.fit(x[whole], y[whole]).predict(x))


def test_cart_takes_the_size_that_errs_least_on_the_validation_rows():
    x, y = table(rows=400, seed=9)
    train, other = slice(0, 250), slice(250, 400)
    ours = gradus.CartRegressor(standard_errors=0).fit(x[train], y[train], eval_set=(x[other], y[other]))
    path = DecisionTreeRegressor(random_state=0).cost_complexity_pruning_path(x[train], y[train])
    errors = []
    for alpha in path.ccp_alphas:
        tree = DecisionTreeRegressor(random_state=0, ccp_alpha=max(0, alpha) * (1 + 1e-9)).fit(x[train], y[train])
        errors.append((np.mean((tree.predict(x[other]) - y[other]) ** 2), tree.get_n_leaves(), tree))
    error, leaves, tree = min(errors, key=lambda one: (one[0], one[1]))
    assert ours.leaves_ == leaves
    assert min(trial["error"] for trial in ours.cross_validation_) == pytest.approx(error, rel=1e-9)
    np.testing.assert_allclose(ours.predict(x[other]), tree.predict(x[other]))
