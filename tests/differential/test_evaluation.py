"""Measures against scikit-learn, tests of significance against SciPy and statsmodels.

Tolerance: 1e-12 relative on every measure (sums of up to 500 rows), 1e-9 on p-values. Where scikit-learn
puts 0 for what is undefined, Gradus says null: those cases are asked for with zero_division=nan.
"""

import csv
import json
import warnings

import numpy as np
import pytest
import scipy.stats as stats
import sklearn.metrics as sk
from command import DATA, gradus
from statsmodels.stats.contingency_tables import mcnemar

CLOSE = {"rtol": 1e-12, "atol": 1e-13}


def write(path, **columns):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([repr(float(x)) if isinstance(x, float) else x for x in row]
                         for row in zip(*columns.values()))
    return path


def scores(path, *options):
    return json.loads(gradus("score", path, "--target", "y", "--json", *options))


def sample(seed, classes, rows=400, ties=False):
    rng = np.random.default_rng(seed)
    names = np.array(["a", "b", "c", "d"][:classes])
    truth = rng.choice(names, rows, p=np.arange(1, classes + 1) / sum(range(1, classes + 1)))
    raw = rng.random((rows, classes)) + 0.8 * (truth[:, None] == names)
    if ties:
        raw = np.round(raw * 4) / 4 + 0.25
    p = raw / raw.sum(axis=1, keepdims=True)
    weights = rng.integers(1, 5, rows).astype(float)
    return names, truth, p, weights


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_class_measures(classes, weighted, ties, tmp_path):
    names, truth, p, weights = sample(classes, classes, ties=ties)
    w = weights if weighted else np.ones(len(truth))
    predicted = names[p.argmax(axis=1)]
    table = {"y": truth, "prediction": predicted, "w": w.tolist()}
    table |= {f"p({name})": p[:, k].tolist() for k, name in enumerate(names)}
    ours = scores(write(tmp_path / "p.csv", **table), "--weights", "w", "--beta", 2)
    options = {"sample_weight": w}
    assert np.array_equal(ours["confusion"]["counts"], sk.confusion_matrix(truth, predicted, **options))
    expected = {
        "accuracy": sk.accuracy_score(truth, predicted, **options),
        "balanced_accuracy": sk.balanced_accuracy_score(truth, predicted, **options),
        "kappa": sk.cohen_kappa_score(truth, predicted, **options),
        "mcc": sk.matthews_corrcoef(truth, predicted, **options),
        "log_loss": sk.log_loss(truth, p, labels=names, **options),
    }
    onehot = (truth[:, None] == names).astype(int)
    if classes == 2:
        expected["auc"] = sk.roc_auc_score(onehot[:, 1], p[:, 1], **options)
        expected["average_precision"] = sk.average_precision_score(onehot[:, 1], p[:, 1], **options)
        expected["brier"] = sk.brier_score_loss(onehot[:, 1], p[:, 1], **options)
    else:
        expected["auc"] = sk.roc_auc_score(truth, p, multi_class="ovr", **options)
        expected["average_precision"] = sk.average_precision_score(onehot, p, **options)
        expected["brier"] = np.average(((p - onehot) ** 2).sum(axis=1), weights=w)
        if not weighted:  # scikit-learn has no weights for pairs of classes
            expected["auc_hand_till"] = sk.roc_auc_score(truth, p, multi_class="ovo")
    for name, value in expected.items():
        np.testing.assert_allclose(ours[name], value, err_msg=name, **CLOSE)
    for average in ["macro", "weighted"]:
        reference = sk.precision_recall_fscore_support(truth, predicted, average=average, zero_division=np.nan,
                                                       **options)
        for name, value in zip(["precision", "recall", "f1"], reference):
            np.testing.assert_allclose(ours[average][name], value, err_msg=average + name, **CLOSE)
    beta = sk.fbeta_score(truth, predicted, beta=2, average=None, zero_division=np.nan, **options)
    np.testing.assert_allclose([ours["per_class"][n]["f_beta"] for n in names], beta, **CLOSE)


def test_an_absent_class_is_left_out_as_with_nan(tmp_path):
    truth = np.array(["a", "a", "b", "b"])
    predicted = np.array(["a", "c", "a", "b"])
    ours = scores(write(tmp_path / "p.csv", y=truth, prediction=predicted))
    reference = sk.precision_recall_fscore_support(truth, predicted, average="macro", zero_division=np.nan)
    np.testing.assert_allclose([ours["macro"][k] for k in ["precision", "recall", "f1"]], reference[:3], **CLOSE)
    assert ours["per_class"]["c"]["recall"] is None


@pytest.mark.parametrize("ties", [False, True])
def test_curves(ties, tmp_path):
    _, truth, p, weights = sample(9, 2, ties=ties)
    table = {"y": truth, "w": weights.tolist(), "p(a)": p[:, 0].tolist(), "p(b)": p[:, 1].tolist()}
    ours = scores(write(tmp_path / "p.csv", **table), "--weights", "w", "--curves")["curves"]
    fpr, tpr, _ = sk.roc_curve(truth == "b", p[:, 1], sample_weight=weights, drop_intermediate=False)
    roc = ours["roc"]["b"]
    np.testing.assert_allclose(np.interp(fpr, roc["fpr"], roc["tpr"], left=0)[tpr == 1], 1, rtol=1e-9)
    known = set(zip(np.round(fpr, 12), np.round(tpr, 12)))
    assert set(zip(np.round(roc["fpr"], 12), np.round(roc["tpr"], 12))) <= known
    np.testing.assert_allclose(np.trapezoid(roc["tpr"], roc["fpr"]), np.trapezoid(tpr, fpr), rtol=1e-12)
    precision, recall, _ = sk.precision_recall_curve(truth == "b", p[:, 1], sample_weight=weights)
    pr = ours["precision_recall"]["b"]
    known = set(zip(np.round(precision, 12), np.round(recall, 12)))
    assert set(zip(np.round(pr["precision"], 12), np.round(pr["recall"], 12))) <= known


@pytest.mark.parametrize("weighted", [False, True])
def test_number_measures(weighted, tmp_path):
    rng = np.random.default_rng(4)
    actual = rng.normal(5, 2, 300)
    predicted = actual + rng.normal(0.2, 1, 300)
    w = rng.integers(1, 5, 300).astype(float) if weighted else np.ones(300)
    ours = scores(write(tmp_path / "p.csv", y=actual.tolist(), prediction=predicted.tolist(), w=w.tolist()),
                  "--weights", "w", "--quantile", 0.8)
    for name, function in {"mae": sk.mean_absolute_error, "mse": sk.mean_squared_error,
                           "rmse": sk.root_mean_squared_error, "r2": sk.r2_score,
                           "explained_variance": sk.explained_variance_score,
                           "mape": sk.mean_absolute_percentage_error}.items():
        np.testing.assert_allclose(ours[name], function(actual, predicted, sample_weight=w), err_msg=name, **CLOSE)
    pinball = sk.mean_pinball_loss(actual, predicted, alpha=0.8, sample_weight=w)
    np.testing.assert_allclose(ours["quantile_loss"], pinball, **CLOSE)
    assert ours["max_error"] == sk.max_error(actual, predicted)
    if not weighted:
        np.testing.assert_allclose(ours["median_ae"], sk.median_absolute_error(actual, predicted), **CLOSE)


def test_cluster_measures(tmp_path):
    x = np.loadtxt(DATA / "iris.csv", delimiter=",", skiprows=1, usecols=range(4))
    species = [line.rsplit(",", 1)[1] for line in (DATA / "iris.csv").read_text().split()[1:]]
    model = tmp_path / "m.gradus"
    gradus("train", "kmeans", "--data", DATA / "iris.csv", "--ignore", "species", "--n_clusters", 3, "--model", model)
    out = tmp_path / "clusters.csv"
    gradus("predict", model, "--data", DATA / "iris.csv", "--extra", "ignore", "--output", out)
    clusters = np.loadtxt(out, skiprows=1)
    ours = json.loads(gradus("evaluate", model, "--data", DATA / "iris.csv", "--extra", "ignore", "--truth",
                             "species", "--json"))
    for name, value in {"silhouette": sk.silhouette_score(x, clusters),
                        "davies_bouldin": sk.davies_bouldin_score(x, clusters),
                        "calinski_harabasz": sk.calinski_harabasz_score(x, clusters),
                        "rand": sk.rand_score(species, clusters),
                        "adjusted_rand": sk.adjusted_rand_score(species, clusters),
                        "mutual_information": sk.mutual_info_score(species, clusters),
                        "normalized_mutual_information": sk.normalized_mutual_info_score(species, clusters),
                        "homogeneity": sk.homogeneity_score(species, clusters),
                        "completeness": sk.completeness_score(species, clusters)}.items():
        np.testing.assert_allclose(ours[name], value, rtol=1e-11, err_msg=name)


def test_ndcg(tmp_path):
    rng = np.random.default_rng(2)
    relevance = rng.integers(0, 4, (6, 10)).astype(float)
    guess = np.round(rng.random((6, 10)), 1)  # ties
    query = np.repeat([f"q{i}" for i in range(6)], 10)
    path = write(tmp_path / "p.csv", y=relevance.ravel().tolist(), prediction=guess.ravel().tolist(), q=query)
    for top in [3, 10]:
        ours = scores(path, "--query", "q", "--top", top)
        np.testing.assert_allclose(ours["ndcg"], sk.ndcg_score(relevance, guess, k=top), **CLOSE)


@pytest.fixture(scope="module")
def comparison():
    return json.loads(gradus("compare", "naive_bayes", "baseline", "naive_bayes:var_smoothing=0.1", "--data",
                             DATA / "wine.csv", "--target", "cultivar", "--json"))


def fold_scores(comparison):
    return {one["learner"]: np.array([fold["score"] for fold in one["folds"]]) for one in comparison["learners"]}


def test_tests_of_pairs(comparison):
    folds = fold_scores(comparison)
    sizes = comparison["learners"][0]["folds"]
    ratio = sum(f["test_rows"] for f in sizes) / sum(f["train_rows"] for f in sizes)
    for pair in comparison["pairs"]:
        d = folds[pair["better"]] - folds[pair["worse"]]
        np.testing.assert_allclose(pair["difference"], d.mean(), rtol=1e-9, atol=1e-15)
        if pair["decisive"]["p"] is None:
            continue
        t = d.mean() / np.sqrt((1 / len(d) + ratio) * d.var(ddof=1))
        np.testing.assert_allclose(pair["decisive"]["statistic"], t, rtol=1e-9)
        np.testing.assert_allclose(pair["decisive"]["p"], 2 * stats.t.sf(abs(t), len(d) - 1), rtol=1e-9)
        tests = {test["test"]: test for test in pair["others"]}
        np.testing.assert_allclose(tests["paired t test"]["p"], stats.ttest_1samp(d, 0).pvalue, rtol=1e-9)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exact = tests["Wilcoxon's signed-rank test"]["note"] == "exact"
            reference = stats.wilcoxon(d, method="exact" if exact else "approx", correction=False)
        np.testing.assert_allclose(tests["Wilcoxon's signed-rank test"]["p"], reference.pvalue, rtol=1e-9)


def test_friedman_and_the_critical_difference(comparison):
    folds = list(fold_scores(comparison).values())
    reference = stats.friedmanchisquare(*folds)
    np.testing.assert_allclose(comparison["friedman"]["statistic"], reference.statistic, rtol=1e-9)
    np.testing.assert_allclose(comparison["friedman"]["p"], reference.pvalue, rtol=1e-9)
    k, n = len(folds), len(folds[0])
    q = stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2)
    np.testing.assert_allclose(comparison["critical_difference"], q * np.sqrt(k * (k + 1) / (6 * n)), rtol=1e-7)


def test_mcnemar(comparison):
    for pair in comparison["pairs"]:
        found = next(t for t in pair["others"] if t["test"] == "McNemar's test")
        if found["p"] is None:
            continue
        words = found["note"].split("is right on ")[1]
        first = int(words.split()[0])
        second = int(words.rsplit(" ", 1)[1])
        exact = first + second < 25
        reference = mcnemar([[0, first], [second, 0]], exact=exact, correction=True)
        np.testing.assert_allclose(found["p"], reference.pvalue, rtol=1e-9)


def test_the_interval_of_the_area_is_delongs(tmp_path):
    _, truth, p, _ = sample(12, 2, rows=150)
    ours = scores(write(tmp_path / "p.csv", **{"y": truth, "p(a)": p[:, 0].tolist(), "p(b)": p[:, 1].tolist()}))
    x, y = p[truth == "b", 1], p[truth == "a", 1]
    won = (x[:, None] > y) + 0.5 * (x[:, None] == y)
    error = np.sqrt(won.mean(axis=1).var(ddof=1) / len(x) + won.mean(axis=0).var(ddof=1) / len(y))
    z = stats.norm.ppf(0.975)
    np.testing.assert_allclose(ours["intervals"]["auc"]["low"], won.mean() - z * error, rtol=1e-10)
    np.testing.assert_allclose(ours["intervals"]["auc"]["high"], min(1, won.mean() + z * error), rtol=1e-10)
