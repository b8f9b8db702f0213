"""Quadratic and Fisher's discriminants and least squares on classes against scikit-learn and NumPy.

Tolerance: probabilities within 1e-5 (the formula with an inverse loses digits), directions within 1e-9 of a cosine of 1, coefficients 1e-8.
"""

import csv
import json

import numpy as np
import pytest
from command import DATA as FOLDER
from command import gradus
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

TABLES = [("iris.csv", "species"), ("wine.csv", "cultivar"), ("breast_cancer.csv", "diagnosis")]


def table(name, target):
    with open(FOLDER / name, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    at = rows[0].index(target)
    features = [column for column in rows[0] if column != target]
    numbers = np.array([[float(cell) for j, cell in enumerate(row) if j != at] for row in rows[1:]])
    return features, numbers, np.array([row[at] for row in rows[1:]])


def fitted(learner, name, target, *flags):
    out = gradus("train", learner, "--data", FOLDER / name, "--target", target, "--json", *flags)
    return json.loads(out)["fitted"]


def densities(x, y, classes, ddof):
    """p(class | row) from the textbook's formula."""
    scores = []
    for c in classes:
        rows = x[y == c]
        covariance = np.cov(rows, rowvar=False, ddof=ddof)
        gap = x - rows.mean(axis=0)
        distance = (gap * np.linalg.solve(covariance, gap.T).T).sum(axis=1)
        scores.append(np.log(len(rows) / len(x)) - np.linalg.slogdet(covariance)[1] / 2 - distance / 2)
    scores = np.array(scores).T
    scores -= scores.max(axis=1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name,target", TABLES)
@pytest.mark.parametrize("divisor,ddof", [("likelihood", 0), ("unbiased", 1)])
def test_quadratic(name, target, divisor, ddof, tmp_path):
    features, x, y = table(name, target)
    classes = np.unique(y)
    model = tmp_path / "model.gradus"
    flags = ["--covariance_divisor", divisor, "--model", model]
    ours = fitted("qda", name, target, *flags)
    for c in classes:
        mine = np.array([[ours["covariances"][c][f][g] for g in features] for f in features])
        expected = np.cov(x[y == c], rowvar=False, ddof=ddof)
        np.testing.assert_allclose(mine, expected, rtol=1e-8, atol=1e-10 * np.abs(expected).max())
    answers = tmp_path / "answers.csv"
    gradus("predict", model, "--data", FOLDER / name, "--probabilities", "--extra", "ignore", "--output", answers)
    with open(answers, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = np.array([[float(row[f"p({c})"]) for c in classes] for row in rows])
    # Columns are multiplied up to 1e6 by their units in breast_cancer: the formula itself loses digits.
    np.testing.assert_allclose(found, densities(x, y, classes, ddof), atol=1e-5)


@pytest.mark.parametrize("name,target", TABLES[:2])
def test_quadratic_labels_of_scikit_learn(name, target):
    features, x, y = table(name, target)
    peer = QuadraticDiscriminantAnalysis().fit(x, y)
    ours = densities(x, y, peer.classes_, 0)
    assert (peer.classes_[ours.argmax(axis=1)] == peer.predict(x)).mean() > 0.99


@pytest.mark.parametrize("name,target", TABLES)
def test_fisher(name, target):
    features, x, y = table(name, target)
    ours = fitted("fisher_discriminant", name, target)
    peer = LinearDiscriminantAnalysis().fit(x, y)
    directions = np.array([ours["directions"][f] for f in features])
    for v in range(directions.shape[1]):
        a, b = directions[:, v], peer.scalings_[:, v]
        np.testing.assert_allclose(abs(a @ b / np.linalg.norm(a) / np.linalg.norm(b)), 1, rtol=1e-9)


@pytest.mark.parametrize("name,target", TABLES)
def test_least_squares(name, target):
    features, x, y = table(name, target)
    ours = fitted("least_squares_classifier", name, target)
    classes = np.unique(y)
    targets = (y[:, None] == classes[None, :]).astype(float)
    centre, size = x.mean(axis=0), x.std(axis=0)
    wide = np.column_stack([np.ones(len(x)), (x - centre) / size])
    peer = wide @ np.linalg.lstsq(wide, targets, rcond=None)[0]
    w = np.array([[ours["coefficients"][c][f] for f in features] for c in classes])
    b = np.array([ours["coefficients"][c]["intercept"] for c in classes])
    np.testing.assert_allclose(x @ w.T + b, peer, atol=1e-8)
