"""Linear models on twelve real tables: the objective of statsmodels, scikit-learn, glmnet and LIBLINEAR.

Tolerance: 1e-6 of the objective, never the peer's word for it: both lines are put into one formula here. glmnet and
LIBLINEAR are asked for more digits than their defaults give.
"""

import csv
import json
import warnings

import numpy as np
import pytest
import statsmodels.api as api
from command import gradus
from peers import r
from real_tables import TABLES, numbers
from sklearn import linear_model, svm

TOLERANCE = 1e-6
ALPHAS = [0.01, 0.2]
RATIOS = [1.0, 0.5]
# glmnet follows a path of falling lambdas; one of them is our alpha, for a target of deviation 1.
GLMNET = """
suppressMessages(library(glmnet))
d <- read.csv(arguments[1])
x <- as.matrix(d[, setdiff(names(d), "target"), drop = FALSE])
for (ratio in c(1, 0.5)) for (alpha in c(0.01, 0.2)) {
  g <- glmnet(x, d$target, lambda = alpha * c(100, 30, 10, 3, 1), alpha = ratio, standardize = FALSE, thresh = 1e-20,
              maxit = 1e7)
  tell(paste0("b", ratio, "/", alpha), g$a0[5])
  tell(paste0("w", ratio, "/", alpha), g$beta[, 5])
}
"""


@pytest.fixture(params=TABLES, ids=[name for name, _, _ in TABLES])
def table(request, tmp_path):
    """A standardised table as a file, and as X and y."""
    _, x, y = numbers(*request.param)
    x, y = (x - x.mean(axis=0)) / x.std(axis=0), (y - y.mean()) / y.std()
    path = tmp_path / "t.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{j}" for j in range(x.shape[1])), "target"])
        for row, target in zip(x, y):
            writer.writerow(map(repr, map(float, [*row, target])))
    return path, x, y


def train(learner, path, *flags):
    out = gradus("train", learner, "--data", path, "--target", "target", "--json", *flags)
    return json.loads(out)["fitted"]


def line(fitted, x):
    coefficients = fitted["coefficients"]
    return np.array([coefficients[f"x{j}"] for j in range(x.shape[1])]), coefficients["intercept"]


def penalised(w, b, x, y, alpha, l1_ratio):
    rest = y - x @ w - b
    return rest @ rest / (2 * len(y)) + alpha * (l1_ratio * np.abs(w).sum() + (1 - l1_ratio) / 2 * w @ w)


def expect_no_worse(ours, peer):
    assert ours <= peer + TOLERANCE * abs(peer)


def test_least_squares_has_the_residuals_and_the_errors_of_statsmodels(table):
    path, x, y = table
    ours = train("linear_regression", path)
    peer = api.OLS(y, api.add_constant(x)).fit()
    np.testing.assert_allclose(ours["residual_sum_of_squares"], peer.ssr, rtol=TOLERANCE)
    errors = [ours["standard_errors"][name] for name in ["intercept", *(f"x{j}" for j in range(x.shape[1]))]]
    np.testing.assert_allclose(errors, peer.bse, rtol=TOLERANCE)


@pytest.mark.parametrize("alpha", [0.01, 10.0])
def test_ridge_has_the_objective_of_scikit_learn(table, alpha):
    path, x, y = table

    def value(w, b):
        rest = y - x @ w - b
        return rest @ rest + alpha * w @ w

    peer = linear_model.Ridge(alpha=alpha, solver="svd").fit(x, y)
    expect_no_worse(value(*line(train("ridge", path, "--alpha", repr(alpha)), x)), value(peer.coef_, peer.intercept_))


def test_lasso_and_elastic_net_have_the_objective_of_scikit_learn_and_glmnet(table):
    path, x, y = table
    glmnet = r(GLMNET, path)
    for alpha in ALPHAS:
        for l1_ratio in RATIOS:
            ratio = [] if l1_ratio == 1 else ["--l1-ratio", repr(l1_ratio)]
            learner = "lasso" if l1_ratio == 1 else "elastic_net"
            fitted = train(learner, path, "--alpha", repr(alpha), "--max-iter", "200000", *ratio)
            ours = penalised(*line(fitted, x), x, y, alpha, l1_ratio)
            np.testing.assert_allclose(fitted["objective"], ours, rtol=1e-9)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                peer = linear_model.ElasticNet(alpha=alpha, l1_ratio=l1_ratio, tol=1e-12, max_iter=200000).fit(x, y)
            theirs = penalised(peer.coef_, peer.intercept_, x, y, alpha, l1_ratio)
            np.testing.assert_allclose(ours, theirs, rtol=TOLERANCE)
            w, b = (np.array(glmnet[f"{letter}{l1_ratio:g}/{alpha:g}"]) for letter in "wb")
            np.testing.assert_allclose(ours, penalised(w, b[0], x, y, alpha, l1_ratio), rtol=TOLERANCE)


@pytest.mark.parametrize("C", [0.1, 100.0])
def test_the_dual_of_logistic_regression_has_the_objective_of_liblinear(table, C, tmp_path):
    """Above the median or not. LIBLINEAR penalises its intercept, so there is none here."""
    _, x, y = table
    classes = (y > np.median(y)).astype(int)
    path = tmp_path / "classes.csv"
    rows = ["{},{}".format(",".join(map(repr, map(float, row))), "yes" if c else "no") for row, c in zip(x, classes)]
    header = ",".join([*(f"x{j}" for j in range(x.shape[1])), "target"])
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")

    def value(w):
        return w @ w / 2 + C * np.logaddexp(0, -(2 * classes - 1) * (x @ w)).sum()

    flags = ["--C", repr(C), "--fit-intercept", "false", "--solver", "dual", "--tol", "1e-9", "--max-iter", "100000"]
    coefficients = train("logistic_regression", path, *flags)["coefficients"]
    ours = value(np.array([coefficients[f"x{j}"] for j in range(x.shape[1])]))
    peer = linear_model.LogisticRegression(
        C=C, solver="liblinear", fit_intercept=False, tol=1e-10, max_iter=100000
    ).fit(x, classes)
    expect_no_worse(ours, value(peer.coef_[0]))


def test_support_vector_regression_has_the_objective_of_liblinear(table):
    path, x, y = table
    C, epsilon = 1.0, 0.1

    def value(w):
        return w @ w / 2 + C * (np.maximum(0, np.abs(y - x @ w) - epsilon) ** 2).sum()

    flags = ["--C", repr(C), "--epsilon", repr(epsilon), "--loss", "squared_epsilon_insensitive",
             "--fit-intercept", "false", "--tol", "1e-10", "--max-iter", "1000000"]
    coefficients = train("linear_svm", path, *flags)["coefficients"]
    ours = value(np.array([coefficients[f"x{j}"] for j in range(x.shape[1])]))
    peer = svm.LinearSVR(
        C=C, epsilon=epsilon, loss="squared_epsilon_insensitive", fit_intercept=False, dual=False, tol=1e-12,
        max_iter=1000000,
    ).fit(x, y)
    expect_no_worse(ours, value(peer.coef_))
