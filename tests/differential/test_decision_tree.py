"""Decision trees against scikit-learn's, node by node.

Both are exact, so on columns without ties the trees must be the same: column and threshold of every
question, rows and impurity of every node. Tolerance: 1e-7 relative. Ties are broken differently (ours:
the first column), and class counts tie often: there the number of leaves and the impurity that is left
are compared, and on real tables the training answers.
"""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from trees import TABLES, predictions, probabilities, read, train, write


def assert_same(ours, tree, names, node=0):
    np.testing.assert_allclose(ours["impurity"], tree.impurity[node], rtol=1e-7, atol=1e-9)
    assert ours["n"] == tree.n_node_samples[node]
    if tree.children_left[node] < 0:
        assert "question" not in ours
        return
    assert ours["question"].split(" <= ")[0] == names[tree.feature[node]]
    np.testing.assert_allclose(ours["threshold"], tree.threshold[node], rtol=1e-6, atol=1e-9)
    assert_same(ours["yes"], tree, names, tree.children_left[node])
    assert_same(ours["no"], tree, names, tree.children_right[node])


def written(value):
    return ",".join(f"{name}={number}" for name, number in value.items()) if isinstance(value, dict) else value


def made_table(seed):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(400, 5)), 5)
    return rng, x, [f"x{j}" for j in range(5)]


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("options", [{"max_depth": 4}, {"max_leaf_nodes": 9}, {"min_samples_leaf": 15},
                                     {"min_impurity_decrease": 0.01},
                                     {"max_depth": 4, "class_weight": {"a": 3, "c": 0.5}}])
def test_classes(criterion, options, tmp_path):
    rng, x, names = made_table(3)
    y = ["abc"[k] for k in np.digitize(x[:, 0] + x[:, 1] ** 2 + rng.normal(size=400), [0.3, 1.5])]
    reference = DecisionTreeClassifier(criterion=criterion, random_state=0, **options).fit(x, y)
    flags = [text for name, value in options.items() for text in (f"--{name}", written(value))]
    path = write(tmp_path / "t.csv", names, x, y)
    fitted, _ = train("decision_tree", path, tmp_path, "--criterion", criterion, *flags)
    assert fitted["leaves"] == reference.get_n_leaves()
    tree = reference.tree_
    leaves = tree.children_left < 0
    rest = np.sum((tree.impurity * tree.weighted_n_node_samples)[leaves]) / tree.weighted_n_node_samples[0]
    np.testing.assert_allclose(fitted["cost_complexity_path"][0]["impurity"], rest, rtol=1e-7)


@pytest.mark.parametrize("criterion", ["squared_error", "poisson", "absolute_error"])
def test_numbers(criterion, tmp_path):
    rng, x, names = made_table(4)
    y = np.round(np.exp(x[:, 0] / 2) + x[:, 1] ** 2 + rng.uniform(size=400), 6)
    options = {"max_depth": 4, "min_samples_leaf": 12}  # two rows would be parted alike by any column
    reference = DecisionTreeRegressor(criterion=criterion, random_state=0, **options).fit(x, y)
    path = write(tmp_path / "t.csv", names, x, y)
    fitted, model = train("decision_tree", path, tmp_path, "--criterion", criterion, "--max_depth", 4,
                          "--min_samples_leaf", 12)
    if criterion == "squared_error":
        assert_same(fitted["tree"], reference.tree_, names)
    ours = [float(row["prediction"]) for row in predictions(model, path, tmp_path)]
    np.testing.assert_allclose(ours, reference.predict(x), rtol=1e-8)


def test_cost_complexity_path(tmp_path):
    rng, x, names = made_table(5)
    y = np.round(x[:, 0] + rng.normal(size=400), 6)
    reference = DecisionTreeRegressor(max_depth=5, random_state=0)
    path = write(tmp_path / "t.csv", names, x, y)
    fitted, _ = train("decision_tree", path, tmp_path, "--max_depth", 5)
    theirs = reference.cost_complexity_pruning_path(x, y)
    ours = fitted["cost_complexity_path"]
    np.testing.assert_allclose([s["alpha"] for s in ours], theirs.ccp_alphas, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose([s["impurity"] for s in ours], theirs.impurities, rtol=1e-7)


@pytest.mark.parametrize("name, target", TABLES)
def test_real_tables_are_learned_by_heart(name, target, tmp_path):
    names, x, y = read(name, target)
    path = write(tmp_path / "t.csv", names, x, y)
    classes = sorted(set(y))
    _, model = train("decision_tree", path, tmp_path, "--task", "classification")
    said = probabilities(model, path, classes, tmp_path).argmax(axis=1)
    assert [classes[k] for k in said] == y
