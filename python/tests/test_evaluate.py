"""gradus.evaluate: folds, cross-validation, comparison, scores, tuning and curves."""

import warnings

import numpy as np
import pytest

import gradus
from gradus import evaluate


@pytest.fixture
def clouds():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(0, 1, (60, 3)), rng.normal(1, 1, (60, 3))])
    return X, np.array(["left"] * 60 + ["right"] * 60)


@pytest.fixture
def line():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 4))
    return X, 3 * X[:, 1] + X[:, 2] + 0.1 * rng.normal(size=90)


def test_folds_examine_every_row_once_and_serve_scikit_learn(clouds):
    X, y = clouds
    split = evaluate.folds(y, n=5)
    assert split.scheme == "stratified" and len(split) == 5 and split.rows == 120
    assert sorted(np.concatenate([test for _, test in split])) == list(range(120))
    for train, test in split:
        assert not set(train) & set(test)
        assert (y[test] == "left").sum() == 12
    assert repr(split) == "<5 folds (stratified) of 120 rows>"
    with pytest.raises(IndexError):
        split[5]
    model_selection = pytest.importorskip("sklearn.model_selection")
    scores = model_selection.cross_val_score(gradus.NaiveBayesClassifier(), X, y, cv=split)
    ours = evaluate.cross_validate(gradus.NaiveBayesClassifier(), X, y, folds=split)
    assert [fold["score"] for fold in ours["folds"]] == pytest.approx(list(scores), abs=1e-12)


@pytest.mark.parametrize("kind", ["numpy", "texts", "dates", "pandas", "zoned"])
def test_times_may_be_dates(kind):
    import datetime

    days = [datetime.date(2024, 1, 31) - datetime.timedelta(days=3 * i) for i in range(12)]
    times = days
    if kind == "numpy":
        times = np.array(days, dtype="datetime64[D]")
    if kind == "texts":
        times = [day.isoformat() for day in days]
    if kind in ("pandas", "zoned"):
        pandas = pytest.importorskip("pandas")
        times = pandas.Series(pandas.to_datetime(days))
        times = times.dt.tz_localize("Europe/Vienna") if kind == "zoned" else times
    for train, test in evaluate.folds(rows=12, times=times, n=3):
        assert min(days[i] for i in test) > max(days[i] for i in train)
    with pytest.raises(ValueError, match="times must be numbers or dates such as 2024-01-31"):
        evaluate.folds(times=["31/01/2023", "01/02/2024", "15/06/2022"], n=2)


def test_groups_stay_together_and_time_goes_forward():
    groups = np.repeat(["a", "b", "c", "d"], 6)
    for train, test in evaluate.folds(rows=24, groups=groups, n=4):
        assert not set(groups[train]) & set(groups[test])
    times = np.arange(20.0)
    for train, test in evaluate.folds(rows=20, times=times, n=4):
        assert times[train].max() < times[test].min()
    with pytest.raises(gradus.Error):
        evaluate.folds(rows=3, n=9)
    with pytest.raises(ValueError):
        evaluate.folds()


def test_folds_are_saved_and_used_again(clouds, tmp_path):
    X, y = clouds
    split = evaluate.folds(y, n=4)
    split.save(tmp_path / "folds.json")
    again = evaluate.load_folds(tmp_path / "folds.json")
    assert (len(again), again.rows, again.scheme) == (4, len(y), "stratified")
    for (train, test), (train_again, test_again) in zip(split, again):
        np.testing.assert_array_equal(train, train_again)
        np.testing.assert_array_equal(test, test_again)
    model = gradus.NaiveBayesClassifier()
    first = evaluate.cross_validate(model, X, y, folds=split)
    second = evaluate.cross_validate(model, X, y, folds=again)
    assert first["folds"] == second["folds"]
    with pytest.raises(ValueError, match="rows"):
        evaluate.cross_validate(model, X[:-1], y[:-1], folds=again)
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(ValueError, match="no file of folds"):
        evaluate.load_folds(tmp_path / "other.json")
    with pytest.raises(FileNotFoundError):
        evaluate.load_folds(tmp_path / "absent.json")


def test_cross_validation_takes_numbers_folds_and_pairs(clouds):
    X, y = clouds
    model = gradus.DecisionTreeClassifier(max_depth=2)
    result = evaluate.cross_validate(model, X, y, folds=6, metric="auc")
    assert result["metric"] == "auc" and len(result["folds"]) == 6
    assert result["interval"]["low"] <= result["mean"] <= result["interval"]["high"]
    pairs = [(np.arange(0, 120, 2), np.arange(1, 120, 2))]
    one = evaluate.cross_validate(model, X, y, folds=pairs)
    fitted = gradus.DecisionTreeClassifier(max_depth=2).fit(X[pairs[0][0]], y[pairs[0][0]])
    assert one["mean"] == pytest.approx(fitted.score(X[pairs[0][1]], y[pairs[0][1]]))
    with pytest.raises(gradus.Error):
        evaluate.cross_validate(model, X, y, folds=[([0], [500])])
    with pytest.raises(TypeError):
        evaluate.cross_validate("decision_tree", X, y)


def test_answers_are_decided_by_a_threshold_before_they_are_judged(clouds):
    X, y = clouds
    split = evaluate.folds(y, n=4)
    bayes = gradus.NaiveBayesClassifier()
    eager = evaluate.cross_validate(bayes, X, y, folds=split, metric="positive.recall", positive="left",
                                    threshold=("left", 0.0))
    assert eager["mean"] == 1.0
    plain = evaluate.cross_validate(bayes, X, y, folds=split, metric="positive.recall", positive="left")
    half = evaluate.cross_validate(bayes, X, y, folds=split, metric="positive.recall", positive="left",
                                   threshold=("left", 0.5))
    assert plain["mean"] == half["mean"] < 1
    found = evaluate.compare([bayes, gradus.BaselineClassifier()], X, y, folds=split, metric="positive.recall",
                             positive="left", threshold=("left", 0.0))
    assert [one["mean"] for one in found["learners"]] == [1.0, 1.0]
    tuned = evaluate.tune(gradus.DecisionTreeClassifier(), X, y, folds=split, search={"max_depth": [1, 2]},
                          metric="positive.recall", positive="left", threshold=("left", 0.0), refit=False)
    assert tuned.best_score == 1.0
    with pytest.raises(ValueError, match="probability from 0 to 1"):
        evaluate.cross_validate(bayes, X, y, folds=split, threshold=("left", 2))


def test_clusters_are_judged_too(clouds):
    X, _ = clouds
    result = evaluate.cross_validate(gradus.KMeans(n_clusters=2, random_state=0), X, folds=4)
    assert result["metric"] == "silhouette"


def test_comparison_concludes_in_words(line):
    X, y = line
    result = evaluate.compare([gradus.RidgeRegressor(alpha=0.1), gradus.BaselineRegressor()], X, y, folds=5)
    assert result["learners"][0]["learner"] == "RidgeRegressor(alpha=0.1)"
    assert "is better than BaselineRegressor()" in result["conclusion"]
    named = evaluate.compare({"a": gradus.RidgeRegressor(), "b": gradus.BaselineRegressor()}, X, y, folds=5)
    assert {one["learner"] for one in named["learners"]} == {"a", "b"}
    with pytest.raises(ValueError):
        evaluate.compare([gradus.RidgeRegressor()], X, y)


def test_scores_of_several_data_sets_are_compared_by_ranks():
    scores = {f"set {i}": {"a": i + 0.2, "b": i + 0.1, "c": i} for i in range(12)}
    result = evaluate.compare_scores(scores)
    assert result["mean_ranks"] == {"a": 1.0, "b": 2.0, "c": 3.0}
    assert result["friedman"]["p"] < 0.01
    assert "a has the best mean rank. It is better than" in result["conclusion"]
    assert list(evaluate.compare_scores(scores, better="lower")["mean_ranks"]) == ["c", "b", "a"]
    with pytest.raises(ValueError, match="every data set needs"):
        evaluate.compare_scores({"x": {"a": 1, "b": 2}, "y": {"a": 1, "c": 2}})
    with pytest.raises(ValueError, match="missing or infinite"):
        evaluate.compare_scores({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": float("nan")}})
    with pytest.raises(ValueError, match="'higher' or 'lower'"):
        evaluate.compare_scores(scores, better="more")
    with pytest.raises(gradus.Error):
        evaluate.compare_scores({"x": {"a": 1, "b": 2}})


def test_scores_agree_with_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 400)
    probabilities = rng.dirichlet(np.ones(3), 400)
    predicted, weights = probabilities.argmax(axis=1), rng.random(400) + 0.1
    ours = evaluate.score(y, predicted, probabilities=probabilities, sample_weight=weights)
    expected = {
        "accuracy": metrics.accuracy_score(y, predicted, sample_weight=weights),
        "log_loss": metrics.log_loss(y, probabilities, sample_weight=weights),
        "kappa": metrics.cohen_kappa_score(y, predicted, sample_weight=weights),
        "mcc": metrics.matthews_corrcoef(y, predicted, sample_weight=weights),
    }
    for name, value in expected.items():
        assert ours[name] == pytest.approx(value, abs=1e-12), name
    truth, guess = rng.normal(size=300), rng.normal(size=300)
    numbers = evaluate.score(truth, guess)
    assert numbers["mae"] == pytest.approx(metrics.mean_absolute_error(truth, guess), abs=1e-12)
    assert numbers["r2"] == pytest.approx(metrics.r2_score(truth, guess), abs=1e-12)


def test_single_measures_agree_with_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 5000)
    p = np.clip(0.3 * y + 0.7 * rng.random(5000), 1e-6, 1 - 1e-6).round(3)
    assert evaluate.auc(y, p) == pytest.approx(metrics.roc_auc_score(y, p), abs=1e-12)
    assert evaluate.auc(np.where(y, "sick", "well"), 1 - p) == pytest.approx(metrics.roc_auc_score(1 - y, 1 - p), abs=1e-12)
    assert evaluate.log_loss(y, p) == pytest.approx(metrics.log_loss(y, p), abs=1e-12)
    calls = (p > 0.5).astype(int)
    assert (evaluate.confusion_matrix(y, calls) == metrics.confusion_matrix(y, calls)).all()
    with pytest.raises(ValueError, match="one class"):
        evaluate.auc([1, 1], [0.2, 0.3])
    with pytest.raises(ValueError, match="not among"):
        evaluate.confusion_matrix([0, 5], [0, 1], labels=[0, 1])


def test_scores_of_words_and_mistakes():
    result = evaluate.score(["cat", "dog", "cat"], ["cat", "cat", "cat"], labels=["dog", "cat"])
    assert result["confusion"]["labels"] == ["dog", "cat"]
    assert result["accuracy"] == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="not among the labels"):
        evaluate.score(["cat"], ["cow"], labels=["cat", "dog"])
    with pytest.raises(ValueError, match="rows"):
        evaluate.score([1, 2], [1])
    with pytest.raises(ValueError, match="shape"):
        evaluate.score([0, 1], [0, 1], probabilities=[[1.0], [0.0]])


def test_tuning_finds_settings_and_refits(clouds):
    X, y = clouds
    found = evaluate.tune(
        gradus.DecisionTreeClassifier(),
        X,
        y,
        search={"max_depth": [1, 2, 3, None], "criterion": ["gini", "entropy"]},
        method="grid",
        folds=4,
    )
    assert found.best_params["max_depth"] in (1, 2, 3, None)
    assert found.best_score == max(one["mean"] for one in found.history["candidates"])
    assert found.best_estimator.max_depth == found.best_params["max_depth"]
    assert found.best_estimator.predict(X).shape == (120,)
    assert "The best of" in found.conclusion or "None of" in found.conclusion
    assert found.nested_score is None
    same = evaluate.tune(gradus.DecisionTreeClassifier(), X, y, trials=12, folds=3, nested=2, seed=5)
    again = evaluate.tune(gradus.DecisionTreeClassifier(n_jobs=1), X, y, trials=12, folds=3, nested=2, seed=5)
    assert same.history == again.history
    assert 0 <= same.nested_score <= 1
    with pytest.raises(gradus.Error):
        evaluate.tune(gradus.DecisionTreeClassifier(), X, y, search={"max_dept": [1]})
    with pytest.raises(gradus.Error):
        evaluate.tune(gradus.DecisionTreeClassifier(), X, y, method="magic")


def test_a_search_goes_into_the_learner_inside(clouds):
    X, y = clouds
    inside = gradus.BaggingClassifier(estimator=gradus.DecisionTreeClassifier(max_depth=1), n_estimators=3)
    found = evaluate.tune(inside, X, y, search={"estimator__max_depth": [1, 2]}, method="grid", folds=3)
    assert found.best_params["estimator.max_depth"] in (1, 2)
    assert found.best_estimator.estimator.max_depth == found.best_params["estimator.max_depth"]
    assert inside.estimator.max_depth == 1
    named = gradus.BaggingClassifier(estimator="decision_tree(max_depth=1)", n_estimators=3)
    again = evaluate.tune(named, X, y, search={"estimator.max_depth": [1, 2]}, method="grid", folds=3)
    assert again.best_score == found.best_score
    assert again.best_estimator.estimator == f"decision_tree(max_depth={again.best_params['estimator.max_depth']})"


def test_a_pipeline_is_one_estimator(clouds):
    X, y = clouds
    X = X.copy()
    X[::7, 0] = np.nan
    learner = gradus.PipelineClassifier(keep=2, estimator=gradus.LogisticRegression())
    model = learner.fit(X, y)
    assert model.score(X, y) > 0.6 and len(model.columns_) == 2
    assert evaluate.cross_validate(learner, X, y, folds=4)["mean"] > 0.6
    found = evaluate.tune(learner, X, y, search={"keep": [1, 3], "estimator__C": [0.1, 1.0]}, folds=3)
    assert found.best_estimator.keep in (1, 3)


def test_a_journal_survives_an_interruption(line, tmp_path):
    X, y = line
    journal = tmp_path / "ridge.journal"

    class Enough(Exception):
        pass

    def stop_half_way(progress):
        if progress.done > progress.total // 2:
            raise Enough

    settings = {"method": "random", "trials": 10, "folds": 4, "journal": journal}
    with pytest.raises(Enough):
        evaluate.tune(gradus.RidgeRegressor(), X, y, callbacks=[stop_half_way], **settings)
    kept = journal.read_text().splitlines()
    assert len(kept) > 4
    found = evaluate.tune(gradus.RidgeRegressor(), X, y, **settings)
    lines = journal.read_text().splitlines()
    assert lines[: len(kept)] == kept and len(lines) == 1 + 4 * 11
    assert found.history == evaluate.tune(gradus.RidgeRegressor(), X, y, method="random", trials=10, folds=4).history


def test_curves_end_in_a_diagnosis(line):
    X, y = line
    curve = evaluate.learning_curve(gradus.LinearRegression(), X, y, folds=3, shares=[0.25, 0.5, 1])
    assert [point["at"] for point in curve["points"]] == [15, 30, 60]
    assert curve["diagnosis"]["regime"] == "goal reached"
    along = evaluate.validation_curve(gradus.RidgeRegressor(), X, y, search="alpha=0.01..1000:log", points=6, folds=3)
    assert along["along"] == "alpha" and len(along["points"]) == 6
    assert evaluate.validation_curve(gradus.RidgeRegressor(), X, y, points=3, folds=3)["along"] == "alpha"
    with pytest.raises(ValueError):
        evaluate.validation_curve(gradus.RidgeRegressor(), X, y, search=["alpha", "alpha"])


def test_bias_and_variance_of_a_coin():
    y = np.array([1.0] * 3 + [0.0] * 7)
    parts = evaluate.bias_variance(
        gradus.BaselineRegressor(), np.ones((10, 1)), y, sample_rows=2, exact=True
    )["squared"]
    assert parts["variance"] == pytest.approx(0.105)
    assert parts["noise"] == pytest.approx(0.21)
    assert parts["expected_error"] == pytest.approx(0.315)


def test_columns_are_selected(line):
    X, y = line
    result = evaluate.select_features(gradus.LinearRegression(), X, y, keep=2, folds=3)
    assert result["features"] == ["x1", "x2"]


def test_a_nested_selection_tells_what_is_chosen_often(line):
    X, y = line
    result = evaluate.select_features(gradus.LinearRegression(), X, y, keep=2, folds=3, nested=4)
    assert len(result["nested"]["folds"]) == 4
    assert result["nested"]["often"]["x1"] == 4
    assert result["nested"]["mean"] >= 0


@pytest.mark.parametrize(
    "actual, called",
    [
        ([0, 0, 0], [0, 0, 0]),
        ([3, 4, 4], [4, 3, 4]),
        ([-2, 0, 2, 2], [0, 0, -2, 2]),
        ([5, 5, 70_000_000], [5, 70_000_000, 5]),
        (["b", "a"], ["a", "c"]),
        ([1.5, 2.5], [1.5, 1.5]),
    ],
)
def test_confusion_finds_the_classes_that_occur(actual, called):
    metrics = pytest.importorskip("sklearn.metrics")
    known = sorted(set(actual) | set(called), key=str)
    expected = metrics.confusion_matrix(
        np.array(actual).astype(str), np.array(called).astype(str), labels=np.array(known).astype(str)
    )
    ours = evaluate.confusion_matrix(np.array(actual), np.array(called))
    order = [sorted(set(actual) | set(called)).index(one) for one in known]
    assert (ours[np.ix_(order, order)] == expected).all()


def test_costs_decide_and_are_judged(clouds):
    X, y = clouds
    split = evaluate.folds(y, n=4)
    bayes = gradus.NaiveBayesClassifier()
    costs = {("left", "right"): 1000}
    kind = evaluate.cross_validate(bayes, X, y, folds=split, metric="positive.recall", positive="left",
                                   costs=costs, by_costs=True)
    plain = evaluate.cross_validate(bayes, X, y, folds=split, metric="positive.recall", positive="left")
    assert kind["mean"] > plain["mean"]
    assert kind["pooled"]["costs"]["mean"] < 1
    with pytest.raises(gradus.Error, match="cost"):
        evaluate.cross_validate(bayes, X, y, folds=split, by_costs=True)
    scored = evaluate.score(["ill", "well"], ["well", "well"], costs={("ill", "well"): 8})
    assert scored["costs"]["mean"] == pytest.approx(4)


def test_a_search_inside_every_fold_is_nested_cross_validation(clouds):
    X, y = clouds
    tree = gradus.DecisionTreeClassifier()
    found = evaluate.cross_validate(tree, X, y, folds=3, search={"max_depth": [1, 2]}, method="grid", inner=2)
    assert len(found["nested"]["folds"]) == 3
    assert found["mean"] == pytest.approx(found["nested"]["mean"])
    assert found["baseline"] < found["mean"]
    assert "nested" not in evaluate.cross_validate(tree, X, y, folds=3)


def test_a_fitted_model_is_judged_as_the_command_does(clouds):
    metrics = pytest.importorskip("sklearn.metrics")
    X, y = clouds
    bayes = gradus.NaiveBayesClassifier().fit(X[::2], y[::2])
    found = evaluate.evaluate_model(bayes, X[1::2], y[1::2], beta=2, curve_points=50)
    assert found["accuracy"] == pytest.approx(bayes.score(X[1::2], y[1::2]))
    assert found["auc"] == pytest.approx(
        metrics.roc_auc_score(y[1::2] == "right", bayes.predict_proba(X[1::2])[:, 1]), abs=1e-12
    )
    assert found["intervals"]["accuracy"]["low"] < found["accuracy"] and "roc" in found["curves"]
    all_left = evaluate.evaluate_model(bayes, X[1::2], y[1::2], threshold=("left", 0.0))
    assert all_left["accuracy"] == pytest.approx((y[1::2] == "left").mean())
    strange = y[1::2].copy().astype(object)
    strange[0] = "neither"
    assert evaluate.evaluate_model(bayes, X[1::2], strange)["confusion"]["labels"] == ["left", "right", "neither"]
    with pytest.raises(TypeError):
        evaluate.evaluate_model("bayes", X, y)


def test_numbers_and_clusters_are_judged_too(line, clouds):
    X, y = line
    y = y - y.min()
    ridge = gradus.RidgeRegressor().fit(X, y)
    found = evaluate.evaluate_model(ridge, X, y, queries=np.arange(len(y)) % 3, top=5, sample_weight=np.ones(len(y)))
    assert found["r2"] == pytest.approx(ridge.score(X, y))
    assert 0 < found["ndcg"] <= 1
    points, names = clouds
    groups = gradus.KMeans(n_clusters=2, random_state=0).fit(points)
    assert evaluate.evaluate_model(groups, points, names)["adjusted_rand"] > 0.1
    assert "silhouette" in evaluate.evaluate_model(groups, points)


def test_two_models_are_compared_on_the_same_rows_or_on_their_own(clouds):
    X, y = clouds
    bayes = gradus.NaiveBayesClassifier().fit(X[::2], y[::2])
    blind = gradus.BaselineClassifier().fit(X[::2], y[::2])
    X, y = X[1::2], y[1::2]
    same = evaluate.compare_models(bayes, blind, X, y)
    assert same["test"].startswith("McNemar") and "The first model is better" in same["conclusion"]
    assert same["error"] == pytest.approx(1 - bayes.score(X, y))
    own = evaluate.compare_models(bayes, blind, X[::2], y[::2], other=(X[1::2], y[1::2]))
    assert own["test"] != same["test"]
    assert own["other_error"] == pytest.approx(1 - blind.score(X[1::2], y[1::2]))


def test_a_fitted_classifier_is_calibrated_on_held_out_rows(clouds):
    X, y = clouds
    bayes = gradus.NaiveBayesClassifier().fit(X[::2], y[::2])
    for method in ("sigmoid", "isotonic", "temperature"):
        honest = evaluate.calibrate(bayes, X[1::2], y[1::2], method=method)
        assert list(honest.classes_) == list(bayes.classes_)
        shares = honest.predict_proba(X)
        assert shares.shape == (len(y), 2) and np.allclose(shares.sum(axis=1), 1)
        before = evaluate.evaluate_model(bayes, X[1::2], y[1::2])["log_loss"]
        assert evaluate.evaluate_model(honest, X[1::2], y[1::2])["log_loss"] <= before + 1e-9
    with pytest.raises(gradus.Error):
        evaluate.calibrate(bayes, X, y, method="magic")


def test_columns_of_a_fitted_model_are_weighed(line):
    X, y = line
    model = gradus.LinearRegression().fit(X, y)
    found = evaluate.importance(model, X, y, repeats=3)
    assert {one["column"] for one in found["columns"][:2]} == {"x1", "x2"}
    trees = gradus.DecisionTreeRegressor(max_depth=3).fit(X, y)
    assert evaluate.importance(trees, X, method="contributions")["method"] == "contributions"
    shape = evaluate.dependence(model, X, columns=["x1", 2], points=7, curves=2)
    assert [one["column"] for one in shape] == ["x1", "x2"]
    assert len(evaluate.dependence(model, X)) == X.shape[1]
    assert evaluate.dependence(model, X, columns="x1", points=7)[0]["column"] == "x1"
    assert len(evaluate.dependence(model, X, columns=2)) == 1


def test_the_doctor_speaks_python():
    X = np.column_stack([np.zeros(30), np.arange(30.0)])
    topics = {finding["topic"] for finding in evaluate.check_data(X, np.arange(30) % 2)}
    assert "constant" in topics
    differs = evaluate.check_data(X, other=X + 1000)
    assert any(finding["severity"] != "note" for finding in differs)


def test_every_judgement_writes_its_page(clouds, line, tmp_path):
    X, y = clouds
    tree, bayes = gradus.DecisionTreeClassifier(max_depth=2), gradus.NaiveBayesClassifier()
    fitted = gradus.NaiveBayesClassifier().fit(X, y)
    pages = {
        "cv": lambda page: evaluate.cross_validate(tree, X, y, folds=3, report=page),
        "compare": lambda page: evaluate.compare([tree, bayes], X, y, folds=3, report=page),
        "scores": lambda page: evaluate.compare_scores({"a": {"p": 1, "q": 2}, "b": {"p": 2, "q": 3}}, report=page),
        "tune": lambda page: evaluate.tune(tree, X, y, search={"max_depth": [1, 2]}, folds=3, refit=False, report=page),
        "learning": lambda page: evaluate.learning_curve(tree, X, y, folds=3, shares=[0.5, 1], report=page),
        "validation": lambda page: evaluate.validation_curve(tree, X, y, folds=3, points=3, report=page),
        "bias": lambda page: evaluate.bias_variance(tree, X, y, samples=5, report=page),
        "select": lambda page: evaluate.select_features(tree, X, y, folds=3, report=page),
        "model": lambda page: evaluate.evaluate_model(fitted, X, y, report=page),
        "calibrate": lambda page: evaluate.calibrate(fitted, X, y, report=page),
        "importance": lambda page: evaluate.importance(fitted, X, y, report=page),
        "dependence": lambda page: evaluate.dependence(fitted, X, report=page),
    }
    for name, work in pages.items():
        page = tmp_path / f"{name}.html"
        work(page)
        text = page.read_text(encoding="utf-8")
        assert text.startswith("<!") and "gradus.evaluate." in text, name
        again = tmp_path / f"{name}-again.html"
        work(again)
        assert again.read_text(encoding="utf-8") == text, name
    with pytest.raises(gradus.Error):
        evaluate.cross_validate(tree, X, y, folds=3, report=tmp_path / "nowhere" / "page.html")


def test_more_folds_than_the_smallest_class_has_rows_are_a_warning():
    with pytest.warns(UserWarning, match="only 2 members, which is less than the 3 folds"):
        evaluate.folds(["a", "b", "a", "b", "a", "a"], n=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate.folds(["a", "b", "a", "b", "a", "a"], n=2)
        evaluate.folds(["a", "b", "a", "b", "a", "a"], n=3, scheme="kfold")
