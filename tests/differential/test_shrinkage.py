"""Ridge, lasso and elastic net against scikit-learn.

Tolerance: the objective within 1e-9 relative of scikit-learn's (never above it), coefficients within
1e-6 of the largest one.
"""

import csv
import json
import warnings

import numpy as np
import pytest
from command import DATA as FOLDER
from command import gradus
from sklearn import linear_model

# Regression targets on bundled data: a number of each table is predicted from its other numbers.
TABLES = [
    ("diabetes.csv", "progression", []),
    ("iris.csv", "petal_width", ["species"]),
    ("wine.csv", "alcohol", ["cultivar"]),
    ("wine.csv", "proline", ["cultivar"]),
    ("breast_cancer.csv", "mean_area", ["diagnosis"]),
    ("breast_cancer.csv", "worst_symmetry", ["diagnosis"]),
]


def table(name, target, ignored):
    with open(FOLDER / name, newline="") as file:
        rows = list(csv.reader(file))
    features = [column for column in rows[0] if column != target and column not in ignored]
    at = {column: j for j, column in enumerate(rows[0])}
    x = np.array([[float(row[at[f]]) for f in features] for row in rows[1:]])
    return features, x, np.array([float(row[at[target]]) for row in rows[1:]])


def train(learner, name, target, ignored, *flags):
    skip = [part for column in ignored for part in ("--ignore", column)]
    out = gradus("train", learner, "--data", FOLDER / name, "--target", target, "--json", *skip, *flags)
    return json.loads(out)["fitted"]


def line(fitted, features):
    return np.array([fitted["coefficients"][f] for f in features]), fitted["coefficients"]["intercept"]


def mean_objective(w, b, x, y, alpha, l1_ratio):
    rest = y - x @ w - b
    return rest @ rest / (2 * len(y)) + alpha * l1_ratio * np.abs(w).sum() + alpha * (1 - l1_ratio) / 2 * w @ w


def expect_same(ours, peer):
    np.testing.assert_allclose(ours, peer, atol=1e-6 * max(1e-3, np.abs(peer).max()))


@pytest.mark.parametrize("name,target,ignored", TABLES)
@pytest.mark.parametrize("alpha", [1e-3, 1.0, 100.0])
def test_ridge(name, target, ignored, alpha):
    features, x, y = table(name, target, ignored)
    ours = train("ridge", name, target, ignored, "--alpha", repr(alpha))
    w, b = line(ours, features)
    peer = linear_model.Ridge(alpha=alpha, solver="svd").fit(x, y)
    expect_same(w, peer.coef_)
    rest = y - x @ w - b
    np.testing.assert_allclose(ours["objective"], rest @ rest + alpha * w @ w, rtol=1e-8)


@pytest.mark.parametrize("name,target,ignored", TABLES)
@pytest.mark.parametrize("share", [0.3, 0.01])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
def test_lasso_and_elastic_net(name, target, ignored, share, l1_ratio):
    features, x, y = table(name, target, ignored)
    centred = x - x.mean(axis=0)
    alpha = float(share * np.abs(centred.T @ (y - y.mean())).max() / len(y) / l1_ratio)
    learner, flags = ("lasso", []) if l1_ratio == 1 else ("elastic_net", ["--l1-ratio", repr(l1_ratio)])
    ours = train(learner, name, target, ignored, "--alpha", repr(alpha), "--max-iter", "200000", *flags)
    w, b = line(ours, features)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = linear_model.ElasticNet(alpha=alpha, l1_ratio=l1_ratio, tol=1e-12, max_iter=200000).fit(x, y)
    best = mean_objective(peer.coef_, peer.intercept_, x, y, alpha, l1_ratio)
    assert mean_objective(w, b, x, y, alpha, l1_ratio) <= best * (1 + 1e-9) + 1e-9 * y.var()
    np.testing.assert_allclose(ours["objective"], mean_objective(w, b, x, y, alpha, l1_ratio), rtol=1e-8)


def test_cross_validation_equals_lasso_cv():
    features, x, y = table("diabetes.csv", "progression", [])
    ours = train("lasso", "diabetes.csv", "progression", [], "--folds", "5", "--n-alphas", "40")
    peer = linear_model.LassoCV(cv=5, alphas=40, tol=1e-9, max_iter=100000).fit(x, y)
    np.testing.assert_allclose(ours["path"]["alphas"], peer.alphas_, rtol=1e-9)
    np.testing.assert_allclose(ours["path"]["mean_squared_error"], peer.mse_path_.mean(axis=1), rtol=1e-6)
    np.testing.assert_allclose(ours["alpha"], peer.alpha_, rtol=1e-9)
    w, b = line(ours, features)
    expect_same(w, peer.coef_)
    np.testing.assert_allclose(b, peer.intercept_, rtol=1e-6)
