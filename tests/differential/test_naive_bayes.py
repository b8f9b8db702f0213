"""Naive Bayes against scikit-learn's four: Gaussian, categorical, multinomial and Bernoulli.

Tolerance: 1e-9 relative on every learned quantity and on every predicted probability (closed forms).
"""

import csv
import json

import numpy as np
import pytest
from command import DATA, gradus
from sklearn import naive_bayes as bayes

CLOSE = {"rtol": 1e-9, "atol": 1e-12}


def train(path, target, folder, *options):
    model = folder / "model.gradus"
    out = gradus("train", "naive_bayes", "--data", path, "--target", target, "--model", model,
                 "--json", *options)
    return json.loads(out)["fitted"], model


def predicted(model, path, classes, folder):
    out = folder / "predictions.csv"
    gradus("predict", model, "--data", path, "--output", out, "--probabilities")
    with open(out, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return np.array([[float(row[f"p({name})"]) for name in classes] for row in rows])


def read(path, target):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name != target]
    return names, [[row[name] for name in names] for row in rows], [row[target] for row in rows]


def write(path, names, table, labels):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "class"])
        writer.writerows([*row, label] for row, label in zip(table, labels))


@pytest.mark.parametrize("name, target", [("iris.csv", "species"), ("wine.csv", "cultivar"),
                                          ("breast_cancer.csv", "diagnosis")])
def test_gaussian(name, target, tmp_path):
    names, table, labels = read(DATA / name, target)
    x = np.array(table, dtype=float)
    reference = bayes.GaussianNB().fit(x, labels)
    classes = [str(c) for c in reference.classes_]
    fitted, model = train(DATA / name, target, tmp_path)
    for j, column in enumerate(names):
        for k, label in enumerate(classes):
            ours = fitted["conditionals"][column][label]
            np.testing.assert_allclose(ours["mean"], reference.theta_[k, j], **CLOSE)
            np.testing.assert_allclose(ours["variance"], reference.var_[k, j], **CLOSE)
    np.testing.assert_allclose([fitted["priors"][c] for c in classes], reference.class_prior_,
                               **CLOSE)
    np.testing.assert_allclose(predicted(model, DATA / name, classes, tmp_path),
                               reference.predict_proba(x), **CLOSE)


@pytest.mark.parametrize("alpha", [0.1, 1, 3])
def test_categorical(alpha, tmp_path):
    names, table, labels = read(DATA / "play_tennis.csv", "playtennis")
    levels = [sorted({row[j] for row in table}) for j in range(len(names))]
    codes = np.array([[levels[j].index(cell) for j, cell in enumerate(row)] for row in table])
    reference = bayes.CategoricalNB(alpha=alpha).fit(codes, labels)
    classes = list(reference.classes_)
    fitted, model = train(DATA / "play_tennis.csv", "playtennis", tmp_path, "--alpha", alpha)
    for j, column in enumerate(names):
        for k, label in enumerate(classes):
            ours = [fitted["conditionals"][column][label][level] for level in levels[j]]
            np.testing.assert_allclose(ours, np.exp(reference.feature_log_prob_[j][k]), **CLOSE)
    np.testing.assert_allclose(predicted(model, DATA / "play_tennis.csv", classes, tmp_path),
                               reference.predict_proba(codes), **CLOSE)


@pytest.mark.parametrize("kind, cls", [("multinomial", "MultinomialNB"),
                                       ("bernoulli", "BernoulliNB")])
@pytest.mark.parametrize("alpha", [0.01, 1])
def test_word_counts(kind, cls, alpha, tmp_path):
    rng = np.random.default_rng(5)
    labels = [str(c) for c in rng.choice(["a", "b", "c"], 300)]
    rates = {c: rng.gamma(0.5, 1.0, 30) for c in "abc"}
    counts = np.array([rng.poisson(rates[c]) for c in labels])
    names = [f"w{j}" for j in range(counts.shape[1])]
    path = tmp_path / "words.csv"
    write(path, names, counts.tolist(), labels)
    reference = getattr(bayes, cls)(alpha=alpha).fit(counts, labels)
    fitted, model = train(path, "class", tmp_path, "--numeric_model", kind, "--alpha", alpha)
    for j, column in enumerate(names):
        for k, label in enumerate(reference.classes_):
            ours = fitted["conditionals"][column][label]
            ours = ours["present"] if kind == "bernoulli" else ours
            np.testing.assert_allclose(ours, np.exp(reference.feature_log_prob_[k, j]), **CLOSE)
    np.testing.assert_allclose(predicted(model, path, reference.classes_, tmp_path),
                               reference.predict_proba(counts), **CLOSE)
