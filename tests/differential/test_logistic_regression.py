"""Logistic regression against scikit-learn and statsmodels.

Tolerance: the objective within 1e-9 relative of scikit-learn's (never above it), coefficients and
Wald statistics within 1e-6.
"""

import csv
import json
import warnings

import numpy as np
import pytest
import statsmodels.api as api
from command import DATA as FOLDER
from command import gradus
from real_tables import TABLES as REAL
from real_tables import numbers
from scipy.special import logsumexp
from sklearn import linear_model

TOLERANCE = 1e-6
TABLES = [("breast_cancer.csv", "diagnosis"), ("wine.csv", "cultivar"), ("iris.csv", "species")]


def table(name, target):
    with open(FOLDER / name, newline="") as file:
        rows = list(csv.reader(file))
    at = rows[0].index(target)
    features = [column for column in rows[0] if column != target]
    labels = [row[at] for row in rows[1:]]
    numbers = np.array([[float(cell) for j, cell in enumerate(row) if j != at] for row in rows[1:]])
    return features, numbers, np.array(labels)


def train(path, target, *flags):
    out = gradus("train", "logistic_regression", "--data", path, "--target", target, "--json", *flags)
    return json.loads(out)["fitted"]


def written(path, features, x, y, weights=None):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*features, "y", *(["w"] if weights is not None else [])])
        for i, row in enumerate(x):
            extra = [repr(float(weights[i]))] if weights is not None else []
            writer.writerow([*map(repr, map(float, row)), y[i], *extra])
    return path


def functions(fitted, features, classes):
    """Coefficients and intercepts, one row per class of a softmax."""
    coefficients = fitted["coefficients"]
    if "intercept" in coefficients:
        line = np.array([coefficients[f] for f in features])
        return np.vstack([np.zeros_like(line), line]), np.array([0, coefficients["intercept"]])
    w = np.array([[coefficients[c][f] for f in features] for c in classes])
    return w, np.array([coefficients[c]["intercept"] for c in classes])


def objective(w, b, x, codes, C):
    scores = x @ w.T + b
    loss = np.sum(logsumexp(scores, axis=1) - scores[np.arange(len(codes)), codes])
    return loss + np.sum(w**2) / (2 * C)


@pytest.mark.parametrize("name,target", TABLES)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
def test_the_objective_is_at_most_that_of_scikit_learn(name, target, C, solver, tmp_path):
    features, x, y = table(name, target)
    x = (x - x.mean(axis=0)) / x.std(axis=0)  # lbfgs of the peer needs it
    classes, codes = np.unique(y, return_inverse=True)
    path = written(tmp_path / "t.csv", features, x, y)
    ours = train(path, "y", "--C", repr(C), "--solver", solver, "--max-iter", "5000", "--tol", "1e-9")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = linear_model.LogisticRegression(C=C, tol=1e-10, max_iter=20000).fit(x, y)
    w, b = functions(ours, features, classes)
    peer_w, peer_b = peer.coef_, peer.intercept_
    if len(classes) == 2:
        peer_w = np.vstack([np.zeros_like(peer_w), peer_w])
        peer_b = np.array([0, peer_b[0]])
    best = objective(peer_w, peer_b, x, codes, C)
    assert objective(w, b, x, codes, C) <= best * (1 + 1e-9)
    # The peer stops a little before the minimum, and where depends on the processor.
    np.testing.assert_allclose(w, peer_w, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name,target", TABLES)
@pytest.mark.parametrize("C", [0.01, 1.0, 10.0])
def test_the_dual_has_the_objective_of_liblinear(name, target, C, tmp_path):
    """Without an intercept, which LIBLINEAR would penalise, and for two classes, which it can do."""
    features, x, y = table(name, target)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    y = (y == y[0]).astype(int)
    path = written(tmp_path / "t.csv", features, x, y)
    ours = train(path, "y", "--C", repr(C), "--solver", "dual", "--fit-intercept", "false",
                 "--max-iter", "100000", "--tol", "1e-8")
    peer = linear_model.LogisticRegression(
        C=C, solver="liblinear", fit_intercept=False, tol=1e-10, max_iter=100000
    ).fit(x, y)
    line = np.array([ours["coefficients"][f] for f in features])
    both = [np.vstack([np.zeros_like(w), w]) for w in (line, peer.coef_[0])]
    mine, best = (objective(w, np.zeros(2), x, y, C) for w in both)
    assert ours["stop"] == "gradient_small"
    assert abs(mine / best - 1) <= TOLERANCE


@pytest.mark.parametrize("name,target", TABLES)
def test_the_dual_of_several_classes_has_the_objective_of_the_softmax(name, target, tmp_path):
    features, x, y = table(name, target)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    classes, codes = np.unique(y, return_inverse=True)
    path = written(tmp_path / "t.csv", features, x, y)
    ours = train(path, "y", "--solver", "dual", "--max-iter", "100000", "--tol", "1e-8")
    exact = train(path, "y", "--solver", "newton", "--tol", "1e-12")
    mine, best = (objective(*functions(f, features, classes), x, codes, 1.0) for f in (ours, exact))
    assert 0 <= mine / best - 1 + 1e-12 <= TOLERANCE


def test_raw_columns_of_very_different_size_converge_as_well():
    features, x, y = table("breast_cancer.csv", "diagnosis")
    classes, codes = np.unique(y, return_inverse=True)
    ours = train(FOLDER / "breast_cancer.csv", "diagnosis", "--tol", "1e-9")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = linear_model.LogisticRegression(solver="newton-cholesky", tol=1e-10, max_iter=1000).fit(x, y)
    w, b = functions(ours, features, classes)
    np.testing.assert_allclose(w[1], peer.coef_[0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(b[1], peer.intercept_[0], rtol=1e-5)
    assert ours["n_iter"] <= 20


def in_order(by_name, features):
    return np.array([by_name[name] for name in ["intercept", *features]], dtype=float)


def test_statistics_equal_statsmodels(tmp_path):
    features, x, y = table("breast_cancer.csv", "diagnosis")
    features, x = features[:4], x[:, :4]
    yes = (y == "malignant").astype(int)
    path = written(tmp_path / "t.csv", features, x, yes)
    ours = train(path, "y", "--penalty", "none", "--tol", "1e-11")
    peer = api.Logit(yes, api.add_constant(x)).fit(disp=0, method="newton", maxiter=100, tol=1e-12)
    for name, expected in [
        ("coefficients", peer.params),
        ("standard_errors", peer.bse),
        ("z_values", peer.tvalues),
        ("p_values", peer.pvalues),
        ("odds_ratios", np.exp(peer.params)),
    ]:
        np.testing.assert_allclose(in_order(ours[name], features), expected, rtol=TOLERANCE, err_msg=name)
    intervals = np.array([ours["confidence_intervals"][name] for name in ["intercept", *features]])
    np.testing.assert_allclose(intervals, peer.conf_int(), rtol=TOLERANCE)
    np.testing.assert_allclose(ours["log_likelihood"], peer.llf, rtol=1e-9)
    np.testing.assert_allclose(ours["null_log_likelihood"], peer.llnull, rtol=1e-9)
    np.testing.assert_allclose(ours["pseudo_r2"], peer.prsquared, rtol=1e-9)
    np.testing.assert_allclose(ours["aic"], peer.aic, rtol=1e-9)


def test_several_classes_equal_mnlogit_of_statsmodels(tmp_path):
    features, x, y = table("wine.csv", "cultivar")
    features, x = features[1:3], x[:, 1:3]
    classes, codes = np.unique(y, return_inverse=True)
    path = written(tmp_path / "t.csv", features, x, y)
    ours = train(path, "y", "--penalty", "none", "--tol", "1e-11")["against_first_class"]
    peer = api.MNLogit(codes, api.add_constant(x)).fit(disp=0, method="newton", maxiter=100, tol=1e-12)
    for k, name in enumerate(classes[1:]):
        np.testing.assert_allclose(in_order(ours[name]["coefficients"], features), peer.params[:, k], rtol=TOLERANCE)
        np.testing.assert_allclose(in_order(ours[name]["standard_errors"], features), peer.bse[:, k], rtol=TOLERANCE)
        np.testing.assert_allclose(in_order(ours[name]["p_values"], features), peer.pvalues[:, k], rtol=1e-5)


def test_weights_and_balanced_classes_equal_scikit_learn(tmp_path):
    features, x, y = table("wine.csv", "cultivar")
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    weights = np.random.default_rng(7).uniform(0.5, 3, len(y))
    path = written(tmp_path / "t.csv", features, x, y, weights)
    first = str(np.unique(y)[0])
    by_class = {str(c): 1.0 + k for k, c in enumerate(np.unique(y))}
    written_out = ",".join(f"{c}={w}" for c, w in by_class.items())
    choices = [(None, None), ("balanced", "balanced"), (written_out, by_class), (f"{first}=3", {first: 3})]
    for flag, class_weight in choices:
        peer = linear_model.LogisticRegression(tol=1e-10, max_iter=20000, class_weight=class_weight)
        peer.fit(x, y.astype(str), sample_weight=weights)
        flags = ["--class-weight", flag] if flag else []
        ours = train(path, "y", "--weights", "w", "--tol", "1e-9", *flags)
        w, b = functions(ours, features, np.unique(y))
        np.testing.assert_allclose(w, peer.coef_, atol=1e-5)
        np.testing.assert_allclose(b, peer.intercept_, atol=1e-5)


@pytest.mark.parametrize("solver", ["coordinate_descent", "owlqn", "proximal_gradient", "saga"])
@pytest.mark.parametrize("name,target", TABLES)
@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_l1_and_elastic_net_are_at_most_those_of_scikit_learn(name, target, ratio, solver, tmp_path):
    C = 0.1
    features, x, y = table(name, target)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    classes, codes = np.unique(y, return_inverse=True)
    path = written(tmp_path / "t.csv", features, x, y)
    flags = ["--penalty", "elastic_net", "--l1-ratio", repr(ratio), "--C", repr(C), "--solver", solver]
    w, b = functions(train(path, "y", *flags, "--max-iter", "20000", "--tol", "1e-8"), features, classes)
    peer = linear_model.LogisticRegression(
        l1_ratio=ratio, C=C, solver="saga", tol=1e-9, max_iter=100000, random_state=0
    ).fit(x, y)
    peer_w, peer_b = peer.coef_, peer.intercept_
    if len(classes) == 2:
        peer_w = np.vstack([np.zeros_like(peer_w), peer_w])
        peer_b = np.array([0, peer_b[0]])

    def value(w, b):
        smooth = objective(w, b, x, codes, C) - np.sum(w**2) / (2 * C)
        return smooth + (ratio * np.sum(np.abs(w)) + (1 - ratio) * np.sum(w**2) / 2) / C

    assert value(w, b) <= value(peer_w, peer_b) * (1 + 1e-8)


@pytest.mark.parametrize("name,target,ignored", REAL)
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_twelve_real_tables_have_the_objective_of_scikit_learn(name, target, ignored, C, tmp_path):
    """Whether the target of a table is above its median, from the other columns."""
    features, x, t = numbers(name, target, ignored)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    y = (t > np.median(t)).astype(int)
    ours = train(written(tmp_path / "t.csv", features, x, y), "y", "--C", repr(C), "--tol", "1e-9")
    w, b = functions(ours, features, ["0", "1"])
    peer = linear_model.LogisticRegression(C=C, solver="newton-cholesky", tol=1e-10, max_iter=1000).fit(x, y)
    best = objective(np.vstack([np.zeros(len(features)), peer.coef_[0]]), np.array([0, peer.intercept_[0]]), x, y, C)
    assert objective(w, b, x, y, C) <= best * (1 + 1e-9)
    np.testing.assert_allclose(w[1], peer.coef_[0], atol=1e-5)
