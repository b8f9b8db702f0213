"""CART against R's rpart: grown regression trees, and surrogates for missing values.

Numbers without ties, so that both must find the same questions; tolerance 1e-9 relative for answers and
agreements. (With classes rpart also drops splits that change no answer, and it draws its folds by chance.)
"""

import csv
import json

import numpy as np
import pytest
from command import gradus
from peers import r

RPART = """
library(rpart)
d <- read.csv(arguments[1])
control <- rpart.control(cp = 0, minsplit = 20, minbucket = 10, maxdepth = 4, xval = 0, maxcompete = 0,
                         maxsurrogate = 5, usesurrogate = 2)
m <- rpart(y ~ ., d, method = "anova", control = control)
tell("leaves", sum(m$frame$var == "<leaf>"))
tell("answers", predict(m, d))
tell("agreements", m$splits[1 + seq_len(m$frame$nsurrogate[1]), "improve"])
"""


def made(folder, holes):
    rng = np.random.default_rng(11)
    x = np.round(rng.normal(size=(400, 4)), 6)
    x[:, 1] = np.round(x[:, 0] + 0.3 * rng.normal(size=400), 6)
    y = np.where(x[:, 0] > 0.2, 3, 0) + x[:, 2] ** 2 + 0.3 * rng.normal(size=400)
    cells = [[repr(float(value)) for value in row] for row in x]
    for row in cells:
        for j in (0, 2):
            if rng.uniform() < holes:
                row[j] = "NA"
    path = folder / "made.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b", "c", "d", "y"])
        writer.writerows([*row, repr(float(value))] for row, value in zip(cells, y))
    return path


@pytest.mark.parametrize("holes", [0, 0.15])
def test_cart_grows_the_tree_of_rpart(holes, tmp_path):
    path = made(tmp_path, holes)
    peer = r(RPART, path)
    model = tmp_path / "m.gradus"
    out = gradus("train", "cart", "--data", path, "--target", "y", "--folds", 0, "--min_samples_split", 20,
                 "--min_samples_leaf", 10, "--max_depth", 4, "--model", model, "--json")
    ours = json.loads(out)["fitted"]
    assert ours["leaves"] == peer["leaves"][0]
    told = tmp_path / "p.csv"
    gradus("predict", model, "--data", path, "--output", told, "--extra", "ignore")
    with open(told, newline="", encoding="utf-8") as file:
        answers = [float(row["prediction"]) for row in csv.DictReader(file)]
    np.testing.assert_allclose(answers, peer["answers"], rtol=1e-9)
    agreements = [one["agreement"] for one in ours["tree"].get("surrogates", [])]
    assert len(peer["agreements"]) > 0
    # rpart holds the weaker ones against the larger side of all rows, not of those that know both values.
    np.testing.assert_allclose(agreements[: len(peer["agreements"])], peer["agreements"], rtol=1e-9)
