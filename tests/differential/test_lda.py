"""Linear discriminant analysis against scikit-learn.

Tolerance: probabilities within 1e-8, shares of the variance within 1e-9 relative.
"""

import csv
import json

import numpy as np
import pytest
from command import DATA as FOLDER
from command import gradus
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

TABLES = [("iris.csv", "species"), ("wine.csv", "cultivar"), ("breast_cancer.csv", "diagnosis")]


def table(name, target):
    with open(FOLDER / name, newline="") as file:
        rows = list(csv.reader(file))
    at = rows[0].index(target)
    features = [column for column in rows[0] if column != target]
    numbers = np.array([[float(cell) for j, cell in enumerate(row) if j != at] for row in rows[1:]])
    return features, numbers, np.array([row[at] for row in rows[1:]])


def probabilities(fitted, features, classes, x):
    w = np.array([[fitted["coefficients"][c][f] for f in features] for c in classes])
    b = np.array([fitted["coefficients"][c]["intercept"] for c in classes])
    scores = x @ w.T + b
    scores -= scores.max(axis=1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name,target", TABLES)
def test_probabilities_and_projection(name, target):
    features, x, y = table(name, target)
    out = gradus("train", "lda", "--data", FOLDER / name, "--target", target, "--json")
    ours = json.loads(out)["fitted"]
    peer = LinearDiscriminantAnalysis().fit(x, y)
    np.testing.assert_allclose(probabilities(ours, features, peer.classes_, x), peer.predict_proba(x), atol=1e-8)
    np.testing.assert_allclose(ours["explained_variance_ratio"], peer.explained_variance_ratio_, rtol=1e-9)
    means = np.array([[ours["means"][c][f] for f in features] for c in peer.classes_])
    np.testing.assert_allclose(means, peer.means_, rtol=1e-12)
    directions = np.array([ours["projection"][f] for f in features])
    for v in range(directions.shape[1]):
        a, b = directions[:, v], peer.scalings_[:, v]
        cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
        np.testing.assert_allclose(abs(cosine), 1, rtol=1e-9)


def test_priors():
    features, x, y = table("iris.csv", "species")
    out = gradus("train", "lda", "--data", FOLDER / "iris.csv", "--target", "species", "--json", "--priors", "0.2,0.5,0.3")
    peer = LinearDiscriminantAnalysis(priors=[0.2, 0.5, 0.3]).fit(x, y)
    ours = probabilities(json.loads(out)["fitted"], features, peer.classes_, x)
    np.testing.assert_allclose(ours, peer.predict_proba(x), atol=1e-6)
