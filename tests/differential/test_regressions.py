"""Least squares and its relatives against NumPy, scikit-learn, statsmodels and R on twelve real tables.

Tolerances, relative: coefficients of closed forms 1e-7 (longley is nearly singular), objectives of iterative fits
1e-6, never above the peer's by more.
"""

import json
import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from command import gradus
from peers import r
from real_tables import TABLES, file_of, numbers
from sklearn import linear_model
from sklearn.cross_decomposition import PLSRegression
from sklearn.preprocessing import PolynomialFeatures

every_table = pytest.mark.parametrize("name,target,ignored", TABLES)


def train(learner, name, target, ignored, *flags):
    skip = ["--ignore", ",".join(ignored)] if ignored else []
    out = gradus("train", learner, "--data", file_of(name), "--target", target, "--json", *skip, *flags)
    return json.loads(out)["fitted"]


def line(fitted, features):
    c = fitted["coefficients"]
    return np.array([c[f] for f in features]), c["intercept"]


def close(ours, peer, rtol=1e-7):
    np.testing.assert_allclose(ours, peer, rtol=rtol, atol=rtol * np.abs(peer).max())


@every_table
def test_ordinary_least_squares(name, target, ignored):
    features, x, y = numbers(name, target, ignored)
    ours = train("linear_regression", name, target, ignored)
    peer = sm.OLS(y, sm.add_constant(x)).fit()
    w, b = line(ours, features)
    close(np.append(b, w), peer.params, 1e-6)
    np.testing.assert_allclose(ours["residual_sum_of_squares"], peer.ssr, rtol=1e-8)
    np.testing.assert_allclose([ours["standard_errors"][f] for f in features], peer.bse[1:], rtol=1e-5)


@every_table
@pytest.mark.parametrize("rho", [0.0, 0.4, -0.7])
def test_generalised_least_squares(name, target, ignored, rho):
    features, x, y = numbers(name, target, ignored)
    ours = train("generalised_least_squares", name, target, ignored, "--structure", "ar1", "--rho", repr(rho))
    n = len(y)
    v = rho ** np.abs(np.subtract.outer(np.arange(n), np.arange(n))) if rho else np.eye(n)
    peer = sm.GLS(y, sm.add_constant(x), sigma=v).fit()
    w, b = line(ours, features)
    close(np.append(b, w), peer.params, 1e-5)
    np.testing.assert_allclose(ours["residual_standard_error"] ** 2, peer.scale, rtol=1e-7)
    np.testing.assert_allclose([ours["standard_errors"][f] for f in features], peer.bse[1:], rtol=1e-4)


@every_table
def test_total_least_squares(name, target, ignored):
    features, x, y = numbers(name, target, ignored)
    w, b = line(train("total_least_squares", name, target, ignored), features)
    table = np.column_stack([x, y])
    _, s, vt = np.linalg.svd(table - table.mean(axis=0))
    peer = -vt[-1, :-1] / vt[-1, -1]
    close(w, peer, 1e-6)
    np.testing.assert_allclose(b, y.mean() - x.mean(axis=0) @ peer, rtol=1e-6, atol=1e-6 * np.abs(y).max())


@every_table
@pytest.mark.parametrize("components", [1, 2, 3])
def test_partial_least_squares(name, target, ignored, components):
    features, x, y = numbers(name, target, ignored)
    components = min(components, len(features))
    ours = train("partial_least_squares", name, target, ignored, "--n_components", components)
    w, b = line(ours, features)
    peer = PLSRegression(n_components=components).fit(x, y)
    close(x @ w + b, peer.predict(x).ravel(), 1e-7)


@every_table
def test_bayesian(name, target, ignored):
    features, x, y = numbers(name, target, ignored)
    ours = train("bayesian_linear_regression", name, target, ignored)
    flat = {"alpha_1": 0, "alpha_2": 0, "lambda_1": 0, "lambda_2": 0}
    peer = linear_model.BayesianRidge(max_iter=100_000, tol=1e-13, compute_score=True, **flat).fit(x, y)
    # The evidence may have several hills: where the peer climbed a lower one, only that can be said.
    assert ours["log_evidence"] >= peer.scores_[-1] - 1e-5 * abs(peer.scores_[-1])
    if ours["log_evidence"] > peer.scores_[-1] + 1e-3:
        return
    w, b = line(ours, features)
    close(x @ w + b, peer.predict(x), 1e-5)
    np.testing.assert_allclose(ours["noise_variance"], 1 / peer.alpha_, rtol=1e-4)


def huber_objective(w, b, s, x, y, epsilon, alpha):
    z = np.abs(y - x @ w - b) / s
    loss = np.where(z <= epsilon, z**2, 2 * epsilon * z - epsilon**2)
    return (s + loss * s).sum() + alpha * w @ w


@every_table
def test_huber(name, target, ignored):
    features, x, y = numbers(name, target, ignored)
    ours = train("robust_regression", name, target, ignored, "--alpha", "0.01")
    w, b = line(ours, features)
    mine = huber_objective(w, b, ours["scale"], x, y, 1.35, 0.01)
    np.testing.assert_allclose(ours["objective"], mine, rtol=1e-8)
    # The peer works in the units of the data and needs columns of one size.
    centre, size = x.mean(axis=0), x.std(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = linear_model.HuberRegressor(alpha=0.0, max_iter=100_000, tol=1e-10).fit((x - centre) / size, y)
    plain = train("robust_regression", name, target, ignored)
    v, c = line(plain, features)
    best = huber_objective(peer.coef_ / size, peer.intercept_ - centre @ (peer.coef_ / size), peer.scale_, x, y, 1.35, 0)
    assert plain["objective"] <= best * (1 + 1e-6)
    np.testing.assert_allclose(huber_objective(v, c, plain["scale"], x, y, 1.35, 0), plain["objective"], rtol=1e-8)


@every_table
@pytest.mark.parametrize("q", [0.1, 0.5, 0.8])
def test_quantile(name, target, ignored, q):
    features, x, y = numbers(name, target, ignored)
    ours = train("robust_regression", name, target, ignored, "--loss", "quantile", "--quantile", repr(q))

    def objective(w, b):
        rest = y - x @ w - b
        return np.where(rest >= 0, q * rest, (q - 1) * rest).sum()

    centre, size = x.mean(axis=0), x.std(axis=0)
    peer = linear_model.QuantileRegressor(quantile=q, alpha=0, solver="highs").fit((x - centre) / size, y)
    best = objective(peer.coef_ / size, peer.intercept_ - centre @ (peer.coef_ / size))
    np.testing.assert_allclose(objective(*line(ours, features)), best, rtol=1e-6)
    np.testing.assert_allclose(ours["objective"], best, rtol=1e-6)


STEP = """
d <- read.csv(arguments[1], check.names = FALSE)
names(d)[names(d) == arguments[2]] <- "target_"
m <- if (arguments[3] == "backward") step(lm(target_ ~ ., d), trace = 0) else
  step(lm(target_ ~ 1, d), scope = formula(lm(target_ ~ ., d)), direction = "forward", trace = 0)
tell("aic", extractAIC(m)[2])
tell("columns", sort(match(setdiff(names(coef(m)), "(Intercept)"), setdiff(names(d), "target_"))))
"""


@pytest.mark.parametrize("name,target,ignored", [t for t in TABLES if not t[2]])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_stepwise(name, target, ignored, direction):
    features, _, _ = numbers(name, target, ignored)
    ours = train("stepwise_regression", name, target, ignored, "--direction", direction)
    peer = r(STEP, file_of(name), target, direction)
    assert sorted(features.index(f) + 1 for f in ours["selected"]) == [int(j) for j in peer["columns"]]
    last = ours["steps"][-1]["criterion"] if ours["steps"] else ours["start"]
    np.testing.assert_allclose(last, peer["aic"][0], rtol=1e-6, atol=1e-6)


@every_table
def test_polynomial(name, target, ignored):
    features, x, y = numbers(name, target, ignored)
    keep = features[:2]
    others = [f for f in features if f not in keep] + list(ignored)
    ours = train("polynomial_regression", name, target, others)
    at = [features.index(f) for f in keep]
    wide = PolynomialFeatures(2).fit_transform(x[:, at])
    if any(set(np.unique(x[:, j])) <= {0, 1} for j in at):
        pytest.skip("a column of zeros and ones has no square here")
    wide = wide / np.linalg.norm(wide, axis=0)
    rest = y - wide @ np.linalg.lstsq(wide, y, rcond=None)[0]
    np.testing.assert_allclose(ours["residual_sum_of_squares"], rest @ rest, rtol=1e-6)


@every_table
@pytest.mark.parametrize("alpha", [0.01, 1.0])
@pytest.mark.parametrize("l1_ratio", [0.0, 0.5, 1.0])
def test_penalised(name, target, ignored, alpha, l1_ratio):
    features, x, y = numbers(name, target, ignored)
    ours = train("elastic_net", name, target, ignored, "--alpha", repr(alpha), "--l1_ratio", repr(l1_ratio))
    w, b = line(ours, features)

    def objective(w, b):
        rest = y - x @ w - b
        return rest @ rest / (2 * len(y)) + alpha * l1_ratio * np.abs(w).sum() + alpha * (1 - l1_ratio) / 2 * w @ w

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if l1_ratio == 0:
            peer = linear_model.Ridge(alpha=alpha * len(y)).fit(x, y)
        else:
            peer = linear_model.ElasticNet(alpha=alpha, l1_ratio=l1_ratio, max_iter=200_000, tol=1e-10).fit(x, y)
    best = objective(peer.coef_, peer.intercept_)
    assert objective(w, b) <= best * (1 + 1e-6)
    np.testing.assert_allclose(ours["objective"], objective(w, b), rtol=1e-6)
