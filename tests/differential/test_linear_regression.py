"""Linear regression against scikit-learn and statsmodels (which gives the numbers of R's lm).

Tolerance: 1e-9 relative, 1e-8 for intervals and quantiles of residuals.
"""

import csv
import json

import numpy as np
import pytest
import statsmodels.api as api
from command import DATA as FOLDER
from command import gradus
from sklearn import linear_model

DATA = FOLDER / "diabetes.csv"
TARGET = "progression"
TOLERANCE = 1e-9


def train(*flags, data=DATA):
    out = gradus("train", "linear_regression", "--data", data, "--target", TARGET, "--json", *flags)
    return json.loads(out)["fitted"]


@pytest.fixture(scope="module")
def table():
    with open(DATA, newline="") as file:
        rows = list(csv.reader(file))
    names, numbers = rows[0], np.array(rows[1:], dtype=float)
    at = names.index(TARGET)
    features = [name for name in names if name != TARGET]
    return features, np.delete(numbers, at, axis=1), numbers[:, at]


def in_order(by_name, features):
    return np.array([by_name[name] for name in ["intercept", *features]], dtype=float)


@pytest.mark.parametrize("solver", ["auto", "cholesky", "qr", "svd"])
def test_coefficients_equal_scikit_learn(table, solver):
    features, x, y = table
    peer = linear_model.LinearRegression().fit(x, y)
    ours = in_order(train("--solver", solver)["coefficients"], features)
    np.testing.assert_allclose(ours, [peer.intercept_, *peer.coef_], rtol=TOLERANCE)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 100.0])
def test_ridge_equals_scikit_learn(table, alpha):
    features, x, y = table
    peer = linear_model.Ridge(alpha=alpha, solver="svd").fit(x, y)
    ours = in_order(train("--alpha", str(alpha))["coefficients"], features)
    np.testing.assert_allclose(ours, [peer.intercept_, *peer.coef_], rtol=TOLERANCE)


def test_statistics_equal_statsmodels(table):
    features, x, y = table
    peer = api.OLS(y, api.add_constant(x)).fit()
    ours = train()
    for name, expected in [
        ("coefficients", peer.params),
        ("standard_errors", peer.bse),
        ("t_values", peer.tvalues),
        ("p_values", peer.pvalues),
    ]:
        np.testing.assert_allclose(in_order(ours[name], features), expected, rtol=TOLERANCE, err_msg=name)
    for name, expected in [
        ("r2", peer.rsquared),
        ("adjusted_r2", peer.rsquared_adj),
        ("f_statistic", peer.fvalue),
        ("f_p_value", peer.f_pvalue),
        ("residual_standard_error", np.sqrt(peer.mse_resid)),
        ("degrees_of_freedom", peer.df_resid),
    ]:
        np.testing.assert_allclose(ours[name], expected, rtol=TOLERANCE, err_msg=name)
    intervals = np.array([ours["confidence_intervals"][name] for name in ["intercept", *features]])
    np.testing.assert_allclose(intervals, peer.conf_int(), rtol=1e-8)
    quantiles = [ours["residuals"][name] for name in ("min", "q1", "median", "q3", "max")]
    np.testing.assert_allclose(quantiles, np.percentile(peer.resid, [0, 25, 50, 75, 100]), rtol=1e-8)


def test_without_an_intercept_it_equals_statsmodels(table):
    features, x, y = table
    peer = api.OLS(y, x).fit()
    ours = train("--fit-intercept", "false")
    np.testing.assert_allclose([ours["coefficients"][f] for f in features], peer.params, rtol=TOLERANCE)
    np.testing.assert_allclose(ours["r2"], peer.rsquared, rtol=TOLERANCE)
    np.testing.assert_allclose([ours["standard_errors"][f] for f in features], peer.bse, rtol=TOLERANCE)


def test_weights_equal_statsmodels(table, tmp_path):
    features, x, y = table
    weights = np.random.default_rng(7).uniform(0.5, 3, len(y))
    path = tmp_path / "weighted.csv"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*features, TARGET, "w"])
        writer.writerows([[*map(repr, map(float, row)), repr(float(t)), repr(float(w))] for row, t, w in zip(x, y, weights)])
    peer = api.WLS(y, api.add_constant(x), weights=weights).fit()
    ours = train("--weights", "w", data=path)
    np.testing.assert_allclose(in_order(ours["coefficients"], features), peer.params, rtol=TOLERANCE)
    np.testing.assert_allclose(in_order(ours["standard_errors"], features), peer.bse, rtol=TOLERANCE)
    np.testing.assert_allclose(ours["r2"], peer.rsquared, rtol=TOLERANCE)
