"""Shapley values against LightGBM's and XGBoost's, on trees that all three grow alike.

The table has fewer rows than a column has bins, and no two splits gain the same, so that every library finds
the same ones; that the predictions agree is checked first. The values themselves are compared with their definition, over
all coalitions, by the unit tests.
"""

import json

import numpy as np
import pytest
from command import gradus

NAMES = ["a", "b", "c", "d"]


def table():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(120, 4)).round(4)
    y = 3.1 * x[:, 0] - 1.7 * x[:, 1] * x[:, 2] + 0.9 * x[:, 3] * x[:, 0] + rng.normal(size=120) / 4
    return x, y


def ours(x, y, folder, rounds, leaves):
    path = folder / "table.csv"
    lines = [",".join(NAMES + ["y"])] + [",".join(map(repr, [*map(float, row), float(t)])) for row, t in zip(x, y)]
    path.write_text("\n".join(lines) + "\n")
    model = folder / "m.gradus"
    gradus("train", "gradient_boosting", "--data", path, "--target", "y", "--model", model, "--quiet",
           "--n_estimators", rounds, "--max_leaf_nodes", leaves, "--min_samples_leaf", 8,
           "--l2_regularization", 0, "--min_child_weight", 0, "--learning_rate", 0.1, "--subsample", 1,
           "--colsample_bytree", 1)
    out = []
    for row in range(1, len(x) + 1, 7):
        steps = json.loads(gradus("explain", model, "--data", path, "--row", row, "--json"))["steps"]
        values = next(step["values"] for step in steps if step["path"] == "contributions")
        out.append([values["contributions"]["y"][name] for name in NAMES] + [values["mean"]["y"]])
    return np.array(out)


def test_lightgbm(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    x, y = table()
    mine = ours(x, y, tmp_path, 5, 6)
    booster = lightgbm.train(
        {"objective": "regression", "num_leaves": 6, "min_data_in_leaf": 8, "min_sum_hessian_in_leaf": 0,
         "lambda_l2": 0, "learning_rate": 0.1, "verbose": -1, "min_data_in_bin": 1},
        lightgbm.Dataset(x, y), 5)
    theirs = booster.predict(x, pred_contrib=True)[::7]
    np.testing.assert_allclose(mine.sum(axis=1), booster.predict(x)[::7], rtol=1e-6)
    np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def test_xgboost(tmp_path):
    xgboost = pytest.importorskip("xgboost")
    x, y = table()
    mine = ours(x, y, tmp_path, 5, 6)
    booster = xgboost.train(
        {"objective": "reg:squarederror", "max_leaves": 6, "max_depth": 0, "grow_policy": "lossguide",
         "tree_method": "hist", "min_child_weight": 8, "lambda": 0, "eta": 0.1, "base_score": float(y.mean())},
        xgboost.DMatrix(x, y), 5)
    data = xgboost.DMatrix(x)
    theirs = booster.predict(data, pred_contribs=True)[::7]
    np.testing.assert_allclose(mine.sum(axis=1), booster.predict(data)[::7], rtol=1e-5)
    np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-5)
