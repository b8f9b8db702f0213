"""Tests of significance and intervals against R: t.test, wilcox.test, friedman.test, mcnemar.test, binom.test,
prop.test, p.adjust and ptukey, on the folds of a comparison and on small tables.

Tolerance: 1e-9 on statistics, p-values and intervals; 1e-6 where a quantile of the studentized range is in it.
"""

import json

import numpy as np
import pytest
from command import DATA, gradus
from peers import r

FOLDS = """
folds <- as.matrix(read.csv(arguments[1]))
d <- folds[, 1] - folds[, 2]
tell("paired_t", t.test(folds[, 1], folds[, 2], paired = TRUE)$p.value)
ties <- any(duplicated(abs(d[d != 0])))
tell("wilcoxon", suppressWarnings(wilcox.test(d[d != 0], exact = !ties, correct = FALSE))$p.value)
f <- friedman.test(folds)
tell("friedman", f$statistic)
tell("friedman_p", f$p.value)
k <- ncol(folds)
tell("critical", qtukey(0.95, k, Inf) / sqrt(2) * sqrt(k * (k + 1) / (6 * nrow(folds))))
"""


@pytest.fixture(scope="module")
def comparison():
    return json.loads(gradus("compare", "naive_bayes", "lda", "decision_tree", "--data", DATA / "breast_cancer.csv",
                             "--target", "diagnosis", "--metric", "log_loss", "--json"))


def test_learners_on_the_same_folds(comparison, tmp_path):
    names = [one["learner"] for one in comparison["learners"]]
    folds = {one["learner"]: [fold["score"] for fold in one["folds"]] for one in comparison["learners"]}
    pair = comparison["pairs"][0]
    order = [pair["better"], pair["worse"], *(n for n in names if n not in (pair["better"], pair["worse"]))]
    table = tmp_path / "folds.csv"
    rows = zip(*(folds[name] for name in order))
    table.write_text(",".join(order) + "\n" + "\n".join(",".join(map(repr, row)) for row in rows) + "\n")
    theirs = r(FOLDS, table)
    tests = {test["test"]: test for test in pair["others"]}
    np.testing.assert_allclose(tests["paired t test"]["p"], theirs["paired_t"][0], rtol=1e-9)
    np.testing.assert_allclose(tests["Wilcoxon's signed-rank test"]["p"], theirs["wilcoxon"][0], rtol=1e-9)
    np.testing.assert_allclose(comparison["friedman"]["statistic"], theirs["friedman"][0], rtol=1e-9)
    np.testing.assert_allclose(comparison["friedman"]["p"], theirs["friedman_p"][0], rtol=1e-9)
    np.testing.assert_allclose(comparison["critical_difference"], theirs["critical"][0], rtol=1e-6)


def test_holms_adjustment(comparison):
    raw = [pair["decisive"]["p"] for pair in comparison["pairs"]]
    ours = [pair["adjusted_p"] for pair in comparison["pairs"]]
    theirs = r("tell('holm', p.adjust(as.numeric(arguments), 'holm'))", *map(repr, raw))
    np.testing.assert_allclose(ours, theirs["holm"], rtol=1e-9)


SHARES = """
x <- as.integer(arguments[1])
n <- as.integer(arguments[2])
tell("exact", binom.test(x, n)$conf.int)
tell("wilson", prop.test(x, n, correct = FALSE)$conf.int)
"""


@pytest.mark.parametrize(("right", "rows"), [(17, 20), (3, 40), (20, 20), (55, 100)])
def test_intervals_of_shares(right, rows, tmp_path):
    table = tmp_path / "p.csv"
    answers = ["a,a"] * (right // 2) + ["b,b"] * (right - right // 2) + ["a,b"] * (rows - right)
    table.write_text("y,prediction\n" + "\n".join(answers) + "\n")
    theirs = r(SHARES, right, rows)
    for method in ("exact", "wilson"):
        scores = json.loads(gradus("score", table, "--target", "y", "--interval", method, "--json"))
        ours = scores["intervals"]["accuracy"]
        np.testing.assert_allclose([ours["low"], ours["high"]], theirs[method], rtol=1e-9, atol=1e-12)


def test_mcnemar(comparison):
    for pair in comparison["pairs"]:
        found = next(test for test in pair["others"] if test["test"] == "McNemar's test")
        if found["p"] is None:
            continue
        first, second = (int(word) for word in found["note"].replace(",", "").split() if word.isdigit())
        if first + second < 25:
            theirs = r("tell('p', binom.test(as.integer(arguments[1]), as.integer(arguments[2]))$p.value)",
                       first, first + second)
        else:
            theirs = r("n <- as.integer(arguments); tell('p', mcnemar.test(matrix(c(9, n[1], n[2], 9), 2))$p.value)",
                       first, second)
        np.testing.assert_allclose(found["p"], theirs["p"][0], rtol=1e-9)
