"""Linear support vector machines against LIBLINEAR (inside of scikit-learn) on real data sets.

Tolerance: the objective at most 1e-6 relative above that of LIBLINEAR, each function computed by the
same formula here.
"""

import csv
import json
import warnings

import numpy as np
import pytest
import statsmodels.api as api
from command import gradus
from sklearn import datasets, svm

TOLERANCE = 1e-6


def statsmodels_table(name, target):
    table = getattr(api.datasets, name).load_pandas().data.dropna()
    y = table[target]
    return table.drop(columns=[target]).select_dtypes("number").to_numpy(float), y.to_numpy()


def affairs():
    x, y = statsmodels_table("fair", "affairs")
    return x, (y > 0).astype(int)


CLASSES = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "breast_cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "digits": lambda: datasets.load_digits(return_X_y=True),
    "anes96": lambda: statsmodels_table("anes96", "vote"),
    "fair": affairs,
    "spector": lambda: statsmodels_table("spector", "GRADE"),
}
NUMBERS = {
    "diabetes": lambda: datasets.load_diabetes(return_X_y=True),
    "longley": lambda: statsmodels_table("longley", "TOTEMP"),
    "statecrime": lambda: statsmodels_table("statecrime", "murder"),
    "engel": lambda: statsmodels_table("engel", "foodexp"),
}


def standardised(x):
    x = x[:, x.std(axis=0) > 0]
    return (x - x.mean(axis=0)) / x.std(axis=0)


def written(path, x, y):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{j}" for j in range(x.shape[1])), "y"])
        for row, target in zip(x, y):
            writer.writerow([*map(repr, map(float, row)), target])
    return path


def train(path, *flags):
    out = gradus("train", "linear_svm", "--data", path, "--target", "y", "--json", "--seed", "0", *flags)
    return json.loads(out)["fitted"]


def functions(fitted, names, classes):
    coefficients = fitted["coefficients"]
    rows = [coefficients] if "intercept" in coefficients else [coefficients[str(c)] for c in classes]
    return np.array([[row[n] for n in names] for row in rows]), np.array([row["intercept"] for row in rows])


def values(w, b, x, y, C, loss, epsilon=0.0):
    """The objective of every function, with the intercept penalised as LIBLINEAR has it."""
    outside = np.abs(x @ w.T + b - y) - epsilon if "epsilon" in loss else 1 - y * (x @ w.T + b)
    outside = np.maximum(outside, 0)
    cost = outside**2 if loss.startswith("squared") else outside
    return (np.sum(w**2, axis=1) + b**2) / 2 + C * cost.sum(axis=0)


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_the_objective_is_that_of_liblinear(name, loss, C, tmp_path):
    x, y = CLASSES[name]()
    x = standardised(np.asarray(x))
    y = np.asarray(y).astype(int)
    classes = np.unique(y)
    path = written(tmp_path / "t.csv", x, [f"c{label}" for label in y])
    signs = np.where(y[:, None] == classes[None, :], 1.0, -1.0)
    signs = signs[:, 1:] if len(classes) == 2 else signs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = svm.LinearSVC(C=C, loss=loss, dual=loss == "hinge", tol=1e-8, max_iter=200000).fit(x, y)
    best = values(peer.coef_, peer.intercept_, x, signs, C, loss)
    names = [f"x{j}" for j in range(x.shape[1])]
    for solver in ["dual"] if loss == "hinge" else ["dual", "primal"]:
        fitted = train(
            path, "--C", repr(C), "--loss", loss, "--solver", solver, "--tol", "1e-6", "--max-iter", "100000"
        )
        w, b = functions(fitted, names, [f"c{label}" for label in classes])
        ours = values(w, b, x, signs, C, loss)
        assert np.all(ours <= best * (1 + TOLERANCE)), (solver, ours / best)
        reported = fitted["objective"]
        reported = [reported] if isinstance(reported, float) else list(reported.values())
        np.testing.assert_allclose(reported, ours, rtol=1e-9)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
def test_the_objective_of_regression_is_that_of_liblinear(name, loss, tmp_path):
    x, y = NUMBERS[name]()
    x = standardised(np.asarray(x))
    y = (y - y.mean()) / y.std()
    path = written(tmp_path / "t.csv", x, map(repr, map(float, y)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = svm.LinearSVR(C=1.0, epsilon=0.1, loss=loss, tol=1e-8, max_iter=1000000).fit(x, y)
    best = values(peer.coef_[None, :], peer.intercept_, x, y[:, None], 1.0, loss, 0.1)
    fitted = train(path, "--loss", loss, "--epsilon", "0.1", "--tol", "1e-8", "--max-iter", "1000000")
    w, b = functions(fitted, [f"x{j}" for j in range(x.shape[1])], [])
    ours = values(w, b, x, y[:, None], 1.0, loss, 0.1)
    assert np.all(ours <= best * (1 + TOLERANCE)), ours / best


def test_a_free_intercept_is_that_of_libsvm(tmp_path):
    x, y = datasets.load_breast_cancer(return_X_y=True)
    x = standardised(x)
    path = written(tmp_path / "t.csv", x, [f"c{label}" for label in y])
    peer = svm.SVC(kernel="linear", C=1.0, tol=1e-8).fit(x, y)
    fitted = train(path, "--loss", "hinge", "--penalize-intercept", "false", "--tol", "1e-8")
    w, b = functions(fitted, [f"x{j}" for j in range(x.shape[1])], [])
    np.testing.assert_allclose(w, peer.coef_, atol=1e-5)
    np.testing.assert_allclose(b, peer.intercept_, atol=1e-5)
    assert fitted["support_vectors"] == len(peer.support_)
