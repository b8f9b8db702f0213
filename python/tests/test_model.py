"""Y10 and what a fitted estimator offers: copies, files, steps and learned quantities."""

import copy
import pickle

import numpy as np
import pytest
from conftest import make_data, of_task

import gradus


def predictions(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


def joblib_copy(model):
    joblib = pytest.importorskip("joblib")
    import io

    buffer = io.BytesIO()
    joblib.dump(model, buffer)
    buffer.seek(0)
    return joblib.load(buffer)


@pytest.mark.parametrize(
    "duplicate",
    [lambda m: pickle.loads(pickle.dumps(m)), copy.copy, copy.deepcopy, joblib_copy],
    ids=["pickle", "copy", "deepcopy", "joblib"],
)
def test_a_copy_gives_the_same_bytes(cls, duplicate):
    X, y = make_data(cls)
    model = cls().fit(X, y)
    twin = duplicate(model)
    assert twin.fingerprint_ == model.fingerprint_
    np.testing.assert_array_equal(predictions(twin, X), predictions(model, X))


def test_a_damaged_pickle_is_a_value_error(cls):
    X, y = make_data(cls)
    data = cls().fit(X, y)._model.to_bytes()
    for position in range(0, len(data), max(1, len(data) // 200)):
        broken = bytearray(data)
        broken[position] ^= 0x40
        with pytest.raises(ValueError):
            gradus._core.Model.from_bytes(bytes(broken))
    with pytest.raises(ValueError):
        gradus._core.Model.from_bytes(data[: len(data) // 2])


def test_a_pickle_holds_no_training_data(cls):
    X, y = make_data(cls, rows=5000)
    # A tree without a limit has a leaf per row: what it learned, and no copy of the rows.
    limits = {"max_leaf_nodes": 8, "n_estimators": 10}
    limit = {name: value for name, value in limits.items() if name in cls().get_params()}
    if cls._learner in ("bagging", "pipeline"):
        limit = {"estimator": "decision_tree(max_leaf_nodes=8)"}
    small = cls(**limit).fit(X[:2500], None if y is None else y[:2500])
    large = cls(**limit).fit(X, y)
    assert abs(len(pickle.dumps(large)) - len(pickle.dumps(small))) < 40_000 or y is None


def test_a_saved_model_predicts_the_same_after_loading(cls, tmp_path):
    X, y = make_data(cls)
    model = cls().fit(X, y)
    model.save(tmp_path / "model.gradus")
    again = gradus.load(tmp_path / "model.gradus")
    assert type(again) is cls and again.fingerprint_ == model.fingerprint_
    assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(predictions(again, X), predictions(model, X))


def test_a_missing_file_is_file_not_found(tmp_path):
    with pytest.raises(FileNotFoundError):
        gradus.load(tmp_path / "nowhere.gradus")


def test_using_before_fitting_says_so(cls):
    X, _ = make_data(cls)
    for use in (lambda m: m.predict(X), lambda m: m.explain(), lambda m: m.describe()):
        with pytest.raises(ValueError, match="not fitted"):
            use(cls())


def test_the_fit_explains_itself(cls):
    X, y = make_data(cls, rows=12)
    steps = cls().fit(X, y).explain()
    assert len(steps) > 0
    assert [step["number"] for step in steps] == list(range(1, len(steps) + 1))
    assert set(steps[0]) == {"number", "title", "path", "formula", "values", "text"}
    assert f"Step {len(steps)}." in str(steps)
    assert steps._repr_html_().count("<li>") == len(steps)
    assert len(cls().explain(X, y)) == len(steps)


def test_one_prediction_explains_itself_where_declared(cls):
    X, y = make_data(cls, rows=12)
    model = cls().fit(X, y)
    if "explains_row" not in cls._about()["gives"]:
        with pytest.raises(gradus.Error, match="cannot explain a single prediction"):
            model.explain(X, row=0)
        return
    assert len(model.explain(X, row=-1)) > 0
    with pytest.raises(IndexError):
        model.explain(X, row=12)
    with pytest.raises(ValueError, match="X is not given"):
        model.explain(row=1)


def test_rows_without_answers_ask_for_the_number_of_a_row():
    X = [[1.0], [2.0], [4.0]]
    with pytest.raises(ValueError, match=r"explain\(X, row=0\)"):
        gradus.LinearRegression().fit(X, [1.0, 2.0, 3.0]).explain(X)
    assert len(gradus.KMeans(n_clusters=2).explain(X)) > 0


def test_html_of_steps_is_escaped():
    from gradus import Steps

    step = {"number": 1, "title": "<b>", "path": "", "formula": "a < b", "values": {}, "text": "&"}
    html = Steps([step], "<script>")._repr_html_()
    assert "&lt;b&gt;" in html and "a &lt; b" in html and "&amp;" in html and "<script>" not in html


def test_learned_quantities_are_attributes(cls):
    X, y = make_data(cls)
    model = cls().fit(X, y)
    learned = model._model.fitted()
    assert learned and all(hasattr(model, f"{key}_") for key in learned)
    assert all(f"{key}_" in dir(model) for key in learned)
    with pytest.raises(AttributeError, match="no_such_thing_"):
        model.no_such_thing_


def test_describe_names_everything(cls):
    X, y = make_data(cls)
    about = cls().fit(X, y).describe()
    assert about["learner"] == cls._learner and about["task"] == cls._task
    assert [feature["name"] for feature in about["features"]] == ["x0", "x1", "x2"]
    assert about["provenance"]["rows"] == len(X)


@pytest.mark.parametrize("cls", of_task("classification"), ids=lambda cls: cls.__name__)
@pytest.mark.parametrize(
    "labels",
    [["no", "yes"], [0, 1], [-1.0, 1.0], [False, True], np.array(["a", "b"], dtype=object)],
    ids=["text", "int", "float", "bool", "object"],
)
def test_classes_come_back_as_they_were_given(cls, labels):
    X, _ = make_data(cls)
    labels = np.asarray(labels)
    y = labels[(X[:, 0] > 4).astype(int)]
    model = cls().fit(X, y)
    assert model.classes_.dtype == labels.dtype and list(model.classes_) == list(labels)
    assert model.predict(X).dtype == labels.dtype
    assert set(model.predict(X)) <= set(labels)


@pytest.mark.parametrize("cls", of_task("regression"), ids=lambda cls: cls.__name__)
def test_the_shape_of_y_comes_back(cls):
    X, y = make_data(cls)
    assert cls().fit(X, y).predict(X).shape == y.shape
    if "many_outputs" in cls._about()["accepts"]:
        two = np.column_stack([y, -y])
        out = cls().fit(X, two).predict(X)
        assert out.shape == two.shape
        np.testing.assert_allclose(out[:, 0], cls().fit(X, y).predict(X), rtol=1e-7, atol=1e-7)
        # A coefficient per column, unless columns are made of them first.
        if hasattr(cls().fit(X, y), "coef_") and "basis" not in cls._learner and "poly" not in cls._learner:
            assert cls().fit(X, two).coef_.shape == (2, X.shape[1])
            assert cls().fit(X, two).intercept_.shape == (2,)


# Learners that visit one row after another: parts have an order of their own.
ROW_BY_ROW = {"sgd"}
# Learners that remember old rows to the second order: parts give nearly the model of all rows.
NEARLY = {"logistic_regression"}


def test_learning_in_parts_equals_learning_at_once():
    for cls in gradus.all_estimators():
        if "incremental" not in cls._about()["gives"]:
            assert not hasattr(cls, "partial_fit")
            continue
        X, y = make_data(cls, rows=90)
        first = {"classes": np.unique(y)} if cls._task == "classification" else {}
        model = cls().partial_fit(X[:40], y[:40], **first).partial_fit(X[40:], y[40:])
        whole = cls().fit(X, y)
        if cls._about()["name"] in NEARLY:
            assert np.mean(model.predict(X) == whole.predict(X)) > 0.9
        elif cls._about()["name"] not in ROW_BY_ROW:
            np.testing.assert_allclose(predictions(model, X), predictions(whole, X), rtol=1e-9)
        if cls._task == "classification":
            with pytest.raises(ValueError, match="classes"):
                cls().partial_fit(X, y)
            with pytest.raises(ValueError, match="not declared"):
                model.partial_fit(X[:1], [99])
            late = cls().partial_fit(X[y == 0], y[y == 0], classes=np.unique(y))
            assert set(late.predict(X)) == {0}


def test_weights_count_rows(cls):
    if "weights" not in cls._about()["accepts"]:
        with pytest.raises(TypeError):
            cls().fit([[1.0]], [1], sample_weight=[1.0])
        return
    X, y = make_data(cls, rows=30)
    weights = np.arange(30) // 3 % 3
    twice = cls().fit(np.repeat(X, weights, axis=0), None if y is None else np.repeat(y, weights, axis=0))
    weighted = cls().fit(X, y, sample_weight=weights)
    if cls._task != "clustering":
        np.testing.assert_allclose(predictions(weighted, X), predictions(twice, X), rtol=1e-6)
    with pytest.raises(ValueError, match="weight"):
        cls().fit(X, y, sample_weight=-weights)
    with pytest.raises(ValueError, match="sample_weight"):
        cls().fit(X, y, sample_weight=weights[:-1])


def detects_outliers(cls):
    return "outliers" in cls._about()["gives"]


def test_clusterers_label_their_training_rows():
    for cls in of_task("clustering"):
        if detects_outliers(cls):
            continue
        X, _ = make_data(cls)
        model = cls().fit(X)
        np.testing.assert_array_equal(model.labels_, model.predict(X))
        np.testing.assert_array_equal(cls().fit_predict(X), model.labels_)


def test_outlier_detectors_answer_as_those_of_scikit_learn(tmp_path):
    detectors = [cls for cls in gradus.all_estimators() if detects_outliers(cls)]
    assert detectors
    for cls in detectors:
        X, _ = make_data(cls)
        X[7] = [90, -80, 70]
        model = cls(contamination=0.05).fit(X)
        answers = model.predict(X)
        assert answers[7] == -1 and (answers == -1).sum() == 3
        np.testing.assert_array_equal(answers, np.where(model.decision_function(X) < 0, -1, 1))
        np.testing.assert_array_equal(model.score_samples(X), -model.transform(X)[:, 0])
        np.testing.assert_array_equal(cls(contamination=0.05).fit_predict(X), answers)
        model.save(tmp_path / "m.gradus")
        np.testing.assert_array_equal(gradus.load(tmp_path / "m.gradus").predict(X), answers)


def transformers():
    return [cls for cls in gradus.all_estimators() if "transforms" in cls._about()["gives"]]


def test_only_what_the_catalogue_says_transforms():
    assert transformers()
    assert [cls for cls in gradus.all_estimators() if hasattr(cls, "transform")] == transformers()


@pytest.mark.parametrize("cls", transformers(), ids=lambda cls: cls.__name__)
def test_rows_get_new_coordinates(cls, tmp_path):
    X, y = make_data(cls)
    model = cls().fit(X, y)
    new = model.transform(X)
    names = model.get_feature_names_out()
    assert new.shape == (len(X), len(names)) and np.isfinite(new).all()
    np.testing.assert_array_equal(cls().fit_transform(X, y), new)
    np.testing.assert_array_equal(np.vstack([model.transform(X[i : i + 1]) for i in range(5)]), new[:5])
    model.save(tmp_path / "m.gradus")
    np.testing.assert_array_equal(gradus.load(tmp_path / "m.gradus").transform(X), new)
    with pytest.raises(ValueError, match="not fitted"):
        cls().transform(X)
    with pytest.raises(ValueError, match="input_features"):
        model.get_feature_names_out(["too", "few"])


@pytest.mark.parametrize("cls", transformers(), ids=lambda cls: cls.__name__)
def test_the_new_coordinates_are_what_the_learner_says(cls):
    X, y = make_data(cls)
    model = cls().fit(X, y)
    if detects_outliers(cls):
        return  # their scores: test_outlier_detectors_answer_as_those_of_scikit_learn
    if cls._learner in ("lda", "fisher_discriminant", "partial_least_squares"):
        # A projection: what is in the middle of two rows stays there.
        there = model.transform(X)
        middle = model.transform((X[1:] + X[:-1]) / 2)
        np.testing.assert_allclose(middle, (there[1:] + there[:-1]) / 2, rtol=1e-8, atol=1e-8)
        return
    if cls._learner == "bayesian_linear_regression":  # the mean and its uncertainty
        np.testing.assert_allclose(model.transform(X)[:, 0], model.predict(X), rtol=1e-9)
        assert (model.transform(X)[:, 1] > 0).all()
        return
    distances = np.linalg.norm(X[:, None, :] - model.cluster_centers_[None], axis=2)
    np.testing.assert_allclose(model.transform(X), distances, rtol=1e-12)
    np.testing.assert_array_equal(np.argmin(model.transform(X), axis=1), model.labels_)


def incremental_classifiers():
    return [
        cls
        for cls in gradus.all_estimators()
        if "incremental" in cls._about()["gives"] and cls._task == "classification"
    ]


@pytest.mark.parametrize("cls", incremental_classifiers(), ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("labels", [["no", "yes"], [0, 1], [False, True]], ids=["text", "int", "bool"])
def test_a_loaded_model_goes_on_learning_without_its_classes(cls, labels, tmp_path):
    X, _ = make_data(cls, rows=90)
    y = np.asarray(labels)[(X[:, 0] > 4).astype(int)]
    cls().fit(X[:50], y[:50]).save(tmp_path / "half.gradus")
    model = gradus.load(tmp_path / "half.gradus").partial_fit(X[50:], y[50:])
    assert model.classes_.tolist() == labels
    whole = cls().fit(X, y)
    if cls._learner in NEARLY:
        assert np.mean(model.predict(X) == whole.predict(X)) > 0.9
    elif cls._learner not in ROW_BY_ROW:
        np.testing.assert_allclose(predictions(model, X), predictions(whole, X), rtol=1e-9)


@pytest.mark.parametrize("cls", [gradus.LinearRegression, gradus.NaiveBayesClassifier])
def test_a_prediction_does_not_make_the_learned_attributes(cls):
    X = np.arange(12.0).reshape(6, 2) % 5
    model = cls().fit(X, [0, 1, 0, 1, 1, 0])
    model.predict(X)
    assert "attributes" not in vars(model._learned)


def keeps_trees(model, count):
    for index in (0, count - 1, -1):
        assert isinstance(model.tree(index), dict)
        assert " (n " in model.tree(index, format="text")
        assert model.tree(index, format="svg").startswith("<svg xmlns=")
    assert model.tree(-1) == model.tree(count - 1)
    with pytest.raises(IndexError, match=f"the model keeps {count} tree"):
        model.tree(count)
    with pytest.raises(ValueError, match="format must be one of dict, text, svg"):
        model.tree(format="html")


def test_the_trees_of_a_model_can_be_looked_at():
    X, y = make_data(gradus.RandomForestClassifier)
    keeps_trees(gradus.RandomForestClassifier(n_estimators=3).fit(X, y), 3)
    keeps_trees(gradus.DecisionTreeClassifier().fit(X, y), 1)
    boosted = gradus.GradientBoostingClassifier(n_estimators=2, n_ensembles=1).fit(X, y)
    assert boosted.tree()["round"] == 1
    with pytest.raises(gradus.Error, match="keeps no trees"):
        gradus.NaiveBayesClassifier().fit(X, y).tree()


def test_messages_count_rows_in_one_way():
    X, y = make_data(gradus.RandomForestClassifier)
    weights = np.ones(len(y))
    weights[3] = np.nan
    with pytest.raises(ValueError, match=r"in row 4 \(index 3\)"):
        gradus.RandomForestClassifier().fit(X, y, sample_weight=weights)
    weights[3] = -1
    with pytest.raises(ValueError, match=r"row 4 \(index 3\)"):
        gradus.RandomForestClassifier().fit(X, y, sample_weight=weights)
