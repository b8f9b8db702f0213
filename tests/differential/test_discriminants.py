"""Quadratic and Fisher's discriminants and least squares on classes against scikit-learn and NumPy.

Tolerance: probabilities within 1e-7, directions within 1e-9 of a cosine of 1, coefficients 1e-8.
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


def probabilities(ours, features, classes, x):
    scores = []
    for c in classes:
        covariance = np.array([[ours["covariances"][c][f][g] for g in features] for f in features])
        gap = x - np.array([ours["means"][c][f] for f in features])
        distance = (gap * np.linalg.solve(covariance, gap.T).T).sum(axis=1)
        scores.append(np.log(ours["priors"][c]) - np.linalg.slogdet(covariance)[1] / 2 - distance / 2)
    scores = np.array(scores).T
    scores -= scores.max(axis=1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name,target", TABLES)
def test_quadratic(name, target, tmp_path):
    features, x, y = table(name, target)
    flags = ["--covariance_divisor", "unbiased"]
    ours = fitted("qda", name, target, *flags)
    peer = QuadraticDiscriminantAnalysis(store_covariance=True).fit(x, y)
    for c, covariance in zip(peer.classes_, peer.covariance_):
        mine = np.array([[ours["covariances"][c][f][g] for g in features] for f in features])
        np.testing.assert_allclose(mine, covariance, rtol=1e-8, atol=1e-10 * np.abs(covariance).max())
    np.testing.assert_allclose(probabilities(ours, features, peer.classes_, x), peer.predict_proba(x), atol=1e-5)
    model = tmp_path / "model.gradus"
    gradus("train", "qda", "--data", FOLDER / name, "--target", target, "--model", model, *flags)
    answers = tmp_path / "answers.csv"
    gradus("predict", "--model", model, "--data", FOLDER / name, "--output", answers)
    with open(answers, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    labels = np.array([list(row.values())[0] for row in rows])
    assert (labels == peer.predict(x)).mean() > 0.995


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
