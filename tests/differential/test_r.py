"""Against R: lm, kmeans and e1071's naiveBayes on the bundled data.

Tolerances, relative:
    lm: coefficients, standard errors, t, R2, F, residuals    1e-9
        p-values and confidence intervals                     1e-8  (tails of t and F)
    kmeans(algorithm = "Lloyd") from the same centres         1e-9, sizes and labels exactly
    naiveBayes: priors, means, deviations, conditionals       1e-9
                predicted probabilities                       1e-9 (1e-12 absolute)
"""

import csv
import json

import numpy as np
import pytest
from command import DATA, gradus
from peers import r

LM = """
d <- read.csv(arguments[1], stringsAsFactors = TRUE, check.names = FALSE)
formula <- as.formula(paste0("`", arguments[2], "` ~ ", arguments[3]))
w <- if (arguments[4] == "") NULL else d[[arguments[4]]]
if (!is.null(w)) d[[arguments[4]]] <- NULL
m <- lm(formula, d, weights = w)
s <- summary(m)
tell("coefficients", s$coefficients[, 1])
tell("standard_errors", s$coefficients[, 2])
tell("t_values", s$coefficients[, 3])
tell("p_values", s$coefficients[, 4])
tell("low", confint(m)[, 1])
tell("high", confint(m)[, 2])
tell("r2", s$r.squared)
tell("adjusted_r2", s$adj.r.squared)
tell("f_statistic", s$fstatistic[1])
tell("f_p_value", pf(s$fstatistic[1], s$fstatistic[2], s$fstatistic[3], lower.tail = FALSE))
tell("residual_standard_error", s$sigma)
tell("degrees_of_freedom", s$df[2])
tell("residuals", quantile(s$residuals))
"""


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def complete_penguins(folder):
    """The penguins without a missing cell: lm leaves the others out, we would fill them."""
    rows = [row for row in rows_of(DATA / "penguins.csv") if all(v not in ("", "NA", "?") for v in row.values())]
    assert len(rows) > 300
    return write(folder / "penguins.csv", rows)


def weighted_diabetes(folder):
    rows = rows_of(DATA / "diabetes.csv")
    return write(folder / "weighted.csv", [row | {"w": 1 + k % 7 / 4} for k, row in enumerate(rows)])


def assert_lm(ours, peer):
    for name in ("coefficients", "standard_errors", "t_values", "p_values"):
        tolerance = 1e-8 if name == "p_values" else 1e-9
        np.testing.assert_allclose(list(ours[name].values()), peer[name], rtol=tolerance, err_msg=name)
    for name in ("r2", "adjusted_r2", "f_statistic", "residual_standard_error", "degrees_of_freedom"):
        np.testing.assert_allclose(ours[name], peer[name][0], rtol=1e-9, err_msg=name)
    np.testing.assert_allclose(ours["f_p_value"], peer["f_p_value"][0], rtol=1e-8, atol=1e-300)
    intervals = np.array(list(ours["confidence_intervals"].values()))
    np.testing.assert_allclose(intervals[:, 0], peer["low"], rtol=1e-8)
    np.testing.assert_allclose(intervals[:, 1], peer["high"], rtol=1e-8)
    if "residuals" in ours:
        scale = max(map(abs, peer["residuals"]))
        np.testing.assert_allclose(list(ours["residuals"].values()), peer["residuals"], atol=1e-9 * scale)


def lm(path, target, *flags, terms=".", weights=""):
    out = gradus("train", "linear_regression", "--data", path, "--target", target, "--json", *flags)
    return json.loads(out)["fitted"], r(LM, path, target, terms, weights)


def test_lm_on_numbers():
    assert_lm(*lm(DATA / "diabetes.csv", "progression"))


def test_lm_on_nearly_dependent_columns():
    assert_lm(*lm(DATA / "wine.csv", "alcohol", "--ignore", "cultivar", terms=". - cultivar"))


def test_lm_on_factors(tmp_path):
    assert_lm(*lm(complete_penguins(tmp_path), "body_mass_g"))


def test_lm_without_an_intercept():
    assert_lm(*lm(DATA / "diabetes.csv", "progression", "--fit_intercept", "false", terms=". - 1"))


def test_lm_with_weights(tmp_path):
    path = weighted_diabetes(tmp_path)
    assert_lm(*lm(path, "progression", "--weights", "w", weights="w"))


KMEANS = """
d <- as.matrix(read.csv(arguments[1])[, 1:4])
start <- matrix(as.numeric(strsplit(arguments[2], ",")[[1]]), ncol = 4, byrow = TRUE)
m <- kmeans(d, start, iter.max = 300, algorithm = "Lloyd")
tell("centers", t(m$centers))
tell("inertia", m$tot.withinss)
tell("sizes", m$size)
tell("labels", m$cluster - 1)
"""


@pytest.mark.parametrize("clusters", [2, 3, 5, 8])
def test_lloyd_from_the_same_rows(clusters, tmp_path):
    x = np.loadtxt(DATA / "iris.csv", delimiter=",", skiprows=1, usecols=range(4))
    start = ",".join(repr(float(v)) for v in x[3 :: 150 // clusters][:clusters].ravel())
    peer = r(KMEANS, DATA / "iris.csv", start)
    model = tmp_path / "m.gradus"
    out = gradus("train", "kmeans", "--data", DATA / "iris.csv", "--ignore", "species", "--n_clusters", clusters,
                 "--init", "given", f"--centers={start}", "--tol", 0, "--model", model, "--json")
    ours = json.loads(out)["fitted"]
    np.testing.assert_allclose(np.ravel(ours["centers"]), peer["centers"], rtol=1e-9)
    np.testing.assert_allclose(ours["inertia"], peer["inertia"][0], rtol=1e-9)
    assert ours["sizes"] == peer["sizes"]
    answers = gradus("predict", model, "--data", DATA / "iris.csv", "--extra", "ignore").split()[1:]
    assert list(map(float, answers)) == peer["labels"]


GAUSSIAN = """
library(e1071)
d <- read.csv(arguments[1], stringsAsFactors = TRUE, check.names = FALSE)
y <- d[[arguments[2]]]
d[[arguments[2]]] <- NULL
m <- naiveBayes(d, y)
tell("priors", m$apriori / sum(m$apriori))
tell("means", sapply(m$tables, function(t) t[, 1]))
tell("deviations", sapply(m$tables, function(t) t[, 2]))
tell("probabilities", t(predict(m, d, type = "raw", threshold = 0, eps = 0)))
"""

TABLES = """
library(e1071)
d <- read.csv(arguments[1], stringsAsFactors = TRUE)
y <- d[[arguments[2]]]
d[[arguments[2]]] <- NULL
m <- naiveBayes(d, y, laplace = as.numeric(arguments[3]))
tell("priors", m$apriori / sum(m$apriori))
for (name in names(m$tables)) tell(name, t(m$tables[[name]]))
tell("probabilities", t(predict(m, d, type = "raw", threshold = 0, eps = 0)))
"""


def naive_bayes(path, target, folder, *flags):
    model = folder / "m.gradus"
    out = gradus("train", "naive_bayes", "--data", path, "--target", target, "--model", model, "--json", *flags)
    answers = gradus("predict", model, "--data", path, "--extra", "ignore", "--probabilities").splitlines()[1:]
    probabilities = [[float(cell) for cell in line.split(",")[1:]] for line in answers]
    return json.loads(out)["fitted"], np.array(probabilities)


@pytest.mark.parametrize("name, target", [("iris.csv", "species"), ("wine.csv", "cultivar")])
def test_gaussian_with_n_minus_1(name, target, tmp_path):
    peer = r(GAUSSIAN, DATA / name, target)
    ours, probabilities = naive_bayes(DATA / name, target, tmp_path, "--ddof", 1, "--var_smoothing", 0)
    np.testing.assert_allclose(list(ours["priors"].values()), peer["priors"], rtol=1e-9)
    cells = [cell for column in ours["conditionals"].values() for cell in column.values()]
    np.testing.assert_allclose([cell["mean"] for cell in cells], peer["means"], rtol=1e-9)
    deviations = [np.sqrt(cell["variance"]) for cell in cells]
    np.testing.assert_allclose(deviations, peer["deviations"], rtol=1e-9)
    np.testing.assert_allclose(probabilities.ravel(), peer["probabilities"], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("alpha", [0.5, 1, 3])
def test_tables_with_laplace(alpha, tmp_path):
    rows = [{k: v for k, v in row.items() if k != "Day"} for row in rows_of(DATA / "play_tennis.csv")]
    path = write(tmp_path / "tennis.csv", rows)
    peer = r(TABLES, path, "playtennis", alpha)
    ours, probabilities = naive_bayes(path, "playtennis", tmp_path, "--alpha", alpha)
    np.testing.assert_allclose(list(ours["priors"].values()), peer["priors"], rtol=1e-9)
    for name, column in ours["conditionals"].items():
        cells = [column[label][level] for label in sorted(column) for level in sorted(column[label])]
        np.testing.assert_allclose(cells, peer[name], rtol=1e-9, err_msg=name)
    np.testing.assert_allclose(probabilities.ravel(), peer["probabilities"], rtol=1e-9, atol=1e-12)
