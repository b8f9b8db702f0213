"""What boosted trees and forests offer: rows that examine, rankings, contributions, going on."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss, mean_squared_error

import gradus
from gradus import evaluate


def numbers(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    return X, np.sin(3 * X[:, 0]) + X[:, 1] + rng.normal(size=rows) / 2


def searches(count=40, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(count * 8, 3)), columns=["a", "b", "c"])
    X["q"] = [f"{seed}/{i // 8}" for i in range(count * 8)]
    return X, np.clip(np.floor(2 * X["a"] + X["b"] + 1), 0, 4)


@pytest.mark.parametrize("form", [lambda pair: pair, lambda pair: [pair]])
def test_rows_of_an_eval_set_examine_and_never_teach(form):
    X, y = numbers()
    other = numbers(200, 1)
    alone = gradus.GradientBoostingRegressor(n_estimators=30).fit(X, y)
    model = gradus.GradientBoostingRegressor(n_estimators=30).fit(X, y, eval_set=form(other))
    assert np.array_equal(alone.predict(X), model.predict(X))
    assert len(model.validation_loss_) == 30
    assert model.validation_loss_[-1] == pytest.approx(mean_squared_error(other[1], model.predict(other[0])))


def test_early_stopping_goes_by_the_eval_set():
    X, y = numbers(200)
    names = np.where(y > 0.3, "yes", "no")
    Xv, yv = numbers(200, 2)
    ask = np.where(yv > 0.3, "yes", "no")
    model = gradus.GradientBoostingClassifier(n_estimators=500, learning_rate=0.3, early_stopping=True)
    model.fit(X, names, eval_set=(Xv, ask))
    losses = np.asarray(model.validation_loss_)
    assert model.rounds_ == losses.argmin() + 1 < len(losses) < 500
    assert losses.min() == pytest.approx(log_loss(ask, model.predict_proba(Xv)))
    assert len(model.explain()) > 0
    weights = np.r_[np.ones(100), np.zeros(100)]
    half = gradus.GradientBoostingClassifier(n_estimators=5)
    by_weight = half.fit(X, names, eval_set=[(Xv, ask)], eval_sample_weight=[weights]).validation_loss_
    by_rows = half.fit(X, names, eval_set=(Xv[:100], ask[:100])).validation_loss_
    np.testing.assert_allclose(by_weight, by_rows)


def test_an_eval_set_has_the_columns_and_classes_of_the_fit():
    X = pd.DataFrame({"size": np.arange(60.0), "colour": ["red", "green", "blue"] * 20})
    y = ["a", "b"] * 30
    model = gradus.GradientBoostingClassifier(n_estimators=3)
    model.fit(X, y, eval_set=(X.iloc[::-1].reset_index(drop=True), y[::-1]))
    with pytest.raises(ValueError, match="eval_set: y contains classes that were not declared"):
        model.fit(X, y, eval_set=(X, ["a", "c"] * 30))
    with pytest.raises(ValueError, match="eval_set: the feature names"):
        model.fit(X, y, eval_set=(X[["colour", "size"]], y))
    with pytest.raises(ValueError, match="eval_set has 1 features"):
        model.fit(X, y, eval_set=(X[["size"]], y))
    with pytest.raises(TypeError, match="pair"):
        model.fit(X, y, eval_set=X)
    with pytest.raises(ValueError, match="one pair"):
        model.fit(X, y, eval_set=[(X, y), (X, y)])
    with pytest.raises(ValueError, match="eval_sample_weight"):
        model.fit(X, y, eval_sample_weight=np.ones(60))
    with pytest.raises(TypeError):
        gradus.RandomForestClassifier().fit(X, y, eval_set=(X, y))


def test_rankings_stop_early_predict_without_queries_and_are_measured():
    X, y = searches()
    other = searches(20, 1)
    rank = gradus.GradientBoostingRegressor(loss="lambdarank", query="q", early_stopping=True)
    rank.fit(X, y, eval_set=other)
    assert rank.rounds_ < 1000
    bare = X.drop(columns="q")
    assert np.array_equal(rank.predict(X), rank.predict(bare))
    assert rank.contributions(bare).shape == (len(X), 5)
    scores = evaluate.evaluate_model(rank, *other)
    assert scores["ndcg"] > 0.9 and scores["queries"] <= 20
    assert evaluate.evaluate_model(rank, *other, query="q")["ndcg"] == scores["ndcg"]
    assert evaluate.evaluate_model(rank, *other, queries=other[0]["q"])["ndcg"] == scores["ndcg"]
    plain = gradus.GradientBoostingRegressor(n_estimators=5).fit(X, y)
    assert "ndcg" not in evaluate.evaluate_model(plain, X, y)
    assert "ndcg" in evaluate.evaluate_model(plain, X, y, query="q")
    with pytest.raises(ValueError, match="query must name a column"):
        evaluate.evaluate_model(plain, X, y, query="nope")
    with pytest.raises(ValueError, match="query names no column") as told:
        gradus.GradientBoostingRegressor(loss="lambdarank").fit(X, y)
    assert "--" not in str(told.value) and "set query to the name" in str(told.value)
    with pytest.raises(ValueError, match="feature names should match"):
        rank.predict(bare.drop(columns="a"))


def test_a_ranking_of_an_array_does_without_its_column():
    X, y = searches()
    table = np.c_[np.repeat(np.arange(40.0), 8), X[["a", "b", "c"]]]
    rank = gradus.GradientBoostingRegressor(loss="lambdarank", query="x0", n_estimators=10).fit(table, y)
    assert np.array_equal(rank.predict(table), rank.predict(table[:, 1:]))


def test_contributions_and_interactions_add_up():
    X, y = numbers()
    boosted = gradus.GradientBoostingRegressor(n_estimators=20).fit(X, y)
    parts = boosted.contributions(X)
    assert parts.shape == (300, 5)
    np.testing.assert_allclose(parts.sum(axis=1), boosted.predict(X))
    pairs = boosted.interactions(X)
    assert pairs.shape == (300, 5, 5)
    np.testing.assert_allclose(pairs.sum(axis=2), parts, atol=1e-12)
    np.testing.assert_allclose(pairs, pairs.transpose(0, 2, 1), atol=1e-12)
    assert np.array_equal(parts, gradus.GradientBoostingRegressor(n_estimators=20, n_jobs=1).fit(X, y).contributions(X))
    two = gradus.GradientBoostingClassifier(n_estimators=10).fit(X, y > 0)
    odds = np.log(two.predict_proba(X)[:, 1] / two.predict_proba(X)[:, 0])
    np.testing.assert_allclose(two.contributions(X).sum(axis=1), odds)


@pytest.mark.parametrize(
    "estimator",
    [
        gradus.RandomForestClassifier(n_estimators=5),
        gradus.CartClassifier(),
        gradus.DecisionTreeClassifier(),
        gradus.ExtraTreesClassifier(n_estimators=5),
    ],
)
def test_contributions_of_classes_add_up_to_probabilities(estimator):
    X, y = numbers()
    three = np.digitize(y, [-0.5, 0.5])
    model = estimator.fit(X, three)
    parts = model.contributions(X)
    assert parts.shape == (300, 5, 3)
    np.testing.assert_allclose(parts.sum(axis=1), model.predict_proba(X), atol=1e-12)
    assert model.interactions(X[:10]).shape == (10, 5, 5, 3)
    assert evaluate.importance(model, method="split")["columns"][0]["importance"] > 0
    assert evaluate.importance(model, method="gain")["method"] == "gain"


def test_what_has_no_trees_is_refused():
    X, y = numbers()
    ridge = gradus.RidgeRegressor().fit(X, y)
    with pytest.raises(AttributeError, match="RidgeRegressor.*not split up by feature"):
        ridge.contributions(X)
    with pytest.raises(ValueError, match="keeps no trees.*method=permutation"):
        evaluate.importance(ridge, method="gain")
    with pytest.raises(ValueError, match="X is needed"):
        evaluate.importance(ridge)


def test_boosting_goes_on_where_the_last_fit_ended():
    X, y = numbers()
    whole = gradus.GradientBoostingRegressor(n_estimators=30).fit(X, y)
    parts = gradus.GradientBoostingRegressor(n_estimators=12, warm_start=True).fit(X, y)
    assert parts.rounds_ == 12
    parts.set_params(n_estimators=30).fit(X, y)
    assert parts.fingerprint_ == whole.fingerprint_
    with pytest.raises(ValueError, match="at least the 30 of the model"):
        parts.set_params(n_estimators=20).fit(X, y)
    with pytest.raises(ValueError, match="validation rows"):
        parts.set_params(n_estimators=40).fit(X, y, eval_set=(X, y))


def test_a_tree_is_cut_back_by_an_eval_set():
    X, y = numbers(400)
    three = np.digitize(y, [-0.5, 0.5])
    other = numbers(200, 3)
    tree = gradus.C45Classifier(pruning="reduced_error")
    tree.fit(X, three, eval_set=(other[0], np.digitize(other[1], [-0.5, 0.5])))
    whole = gradus.C45Classifier(pruning="none").fit(X, three)
    assert tree.leaves_ < whole.leaves_
    with pytest.raises(ValueError, match="validation rows are for pruning=reduced_error"):
        gradus.C45Classifier().fit(X, three, eval_set=(X, three))


def test_learners_over_trees_split_their_answers_up_or_say_why_not():
    X, y = numbers()
    three = np.digitize(y, [-0.5, 0.5])
    bagged = gradus.BaggingClassifier(n_estimators=4, max_features=0.7).fit(X, three)
    parts = bagged.contributions(X)
    np.testing.assert_allclose(parts.sum(axis=1), bagged.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(bagged.interactions(X[:9]).sum(axis=2), parts[:9], atol=1e-12)
    assert evaluate.importance(bagged, method="gain")["columns"][0]["importance"] > 0
    rest = gradus.OneVsRestClassifier(estimator="decision_tree(max_depth=3)").fit(X, three)
    assert rest.contributions(X).shape == (300, 5, 3)
    prepared = gradus.PipelineRegressor(imputation="mean", estimator="gradient_boosting(n_estimators=9)").fit(X, y)
    np.testing.assert_allclose(prepared.contributions(X).sum(axis=1), prepared.predict(X), atol=1e-12)
    with pytest.raises(ValueError, match="naive_bayes inside it does not; those that can: .*decision_tree"):
        gradus.BaggingClassifier(estimator="naive_bayes").fit(X, three).contributions(X)
    with pytest.raises(ValueError, match="hard votes"):
        gradus.BaggingClassifier(voting="hard").fit(X, three).contributions(X)


def test_rows_of_the_user_examine_rules_carts_and_descents():
    X, y = numbers()
    high = y > 0
    taught, asked = slice(0, 150), slice(150, 300)
    rows = {"eval_set": (X[asked], high[asked])}
    for learner in (gradus.RulesClassifier(), gradus.RipperClassifier(), gradus.SgdClassifier(early_stopping=True)):
        examined = learner.fit(X[taught], high[taught], **rows)
        assert examined.score(X[asked], high[asked]) > 0.5
    with pytest.raises(ValueError, match="early_stopping=true"):
        gradus.SgdClassifier().fit(X[taught], high[taught], **rows)
    cart = gradus.CartRegressor().fit(X[taught], y[taught], eval_set=(X[asked], y[asked]))
    assert cart.leaves_ <= cart.leaves_before_pruning_
