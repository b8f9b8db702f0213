"""Y13 and Y17: parameters of every kind, errors and warnings."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
from conftest import make_data

import gradus


def described(cls):
    return {param["name"]: param for param in cls._about()["parameters"]}


def test_the_signature_is_the_catalogue(cls):
    names = list(inspect.signature(cls).parameters)
    wanted = list(described(cls))
    if "initial_coefficients" in wanted:
        wanted.insert(wanted.index("initial_coefficients") + 1, "warm_start")
    if cls._about()["goes_on"]:
        wanted.append("warm_start")
    assert names == [*wanted, "n_jobs"]
    assert all(f"\n    {name} : " in cls.__doc__ for name in names)


def test_get_and_set_params(cls):
    model = cls(n_jobs=3)
    assert model.get_params()["n_jobs"] == 3
    assert model.set_params(n_jobs=1) is model and model.n_jobs == 1
    assert "n_jobs=1" in repr(model)
    with pytest.raises(ValueError, match="nonsense"):
        model.set_params(nonsense=1)


BAD = {
    "integer": [True, "3", 2.5, 10**30, object(), [1]],
    "number": [True, "0.5", np.nan, np.inf, object(), [1.0]],
    "boolean": [1, "true", 0.0],
    "choice": ["no such choice", 3],
    "choice or number": ["no such choice", True, np.nan, np.inf, object(), [1]],
    "choice or numbers": ["no such choice", True, 3, object(), [1], {"a": "2"}, {"a": np.nan}, {"a": -1}],
}


def test_a_wrong_value_is_named_with_what_is_allowed(cls):
    X, y = make_data(cls)
    tried = 0
    for name, param in described(cls).items():
        for value in BAD.get(param["type"], []):
            with pytest.raises((ValueError, TypeError), match=f"{name} must be"):
                cls(**{name: value}).fit(X, y)
            tried += 1
    only_others = {param["type"] for param in described(cls).values()} <= {"learner", "seed"}
    assert tried > 0 or only_others


def test_numpy_scalars_are_numbers(cls):
    X, y = make_data(cls)
    wrap = {"integer": np.int64, "number": np.float64, "boolean": np.bool_, "choice": np.str_}
    params = {
        name: wrap[param["type"]](param["default"])
        for name, param in described(cls).items()
        if param["type"] in wrap and param["default"] is not None
    }
    assert cls(**params).fit(X, y).fingerprint_ == cls().fit(X, y).fingerprint_


@pytest.mark.parametrize("bad, kind", [(0, ValueError), ("2", TypeError), (True, TypeError)])
def test_n_jobs_is_checked(cls, bad, kind):
    X, y = make_data(cls)
    with pytest.raises(kind, match="n_jobs"):
        cls(n_jobs=bad).fit(X, y)


def test_threads_do_not_change_the_model(cls):
    X, y = make_data(cls, rows=3000)
    prints = {cls(n_jobs=jobs).fit(X, y).fingerprint_ for jobs in (None, -1, 1, 2, 8)}
    assert len(prints) == 1


def test_every_kind_of_random_state_works():
    for cls in gradus.all_estimators():
        if not any(param["type"] == "seed" for param in described(cls).values()):
            assert "random_state" not in inspect.signature(cls).parameters
            continue
        X, y = make_data(cls)
        assert cls(random_state=7).fit(X, y).fingerprint_ == cls(random_state=7).fit(X, y).fingerprint_
        for make in (np.random.RandomState, np.random.default_rng):
            twins = [cls(random_state=make(5)).fit(X, y).fingerprint_ for _ in range(2)]
            assert twins[0] == twins[1]
        np.random.seed(3)
        first = cls(random_state=None).fit(X, y).fingerprint_
        np.random.seed(3)
        assert first == cls(random_state=None).fit(X, y).fingerprint_


def test_an_error_carries_its_parts_and_survives_a_pickle():
    with pytest.raises(gradus.Error) as caught:
        gradus.BaselineRegressor(strategy="quantile", quantile=7).fit([[1]], [2])
    error = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(error, ValueError)
    assert (error.kind, error.where) == ("usage", "--quantile")
    assert str(error) == "quantile must be at least 0 and at most 1 (got 7.0)" or "got 7" in str(error)


def test_a_number_for_a_text_parameter_is_written_out():
    assert gradus.BaselineRegressor(strategy="constant", constant=2.5).fit([[1]], [9]).predict([[1]]) == 2.5


def test_a_warning_points_at_the_line_of_the_caller():
    pd = pytest.importorskip("pandas")
    model = gradus.BaselineClassifier().fit(pd.DataFrame({"a": ["x", "y"]}), [0, 1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.predict(pd.DataFrame({"a": ["z"]}))
    assert [warning.category for warning in caught] == [UserWarning]
    assert caught[0].filename == __file__


def test_a_refused_fit_leaves_the_estimator_as_it_was(cls):
    X, y = make_data(cls)
    model = cls().fit(X, y)
    before = model.fingerprint_
    with pytest.raises(ValueError):
        model.fit(X[:0], y if y is None else y[:0])
    assert model.fingerprint_ == before
    fresh = cls()
    with pytest.raises(ValueError):
        fresh.fit(X[:0], y if y is None else y[:0])
    assert not hasattr(fresh, "n_features_in_")


def test_a_misspelt_parameter_gets_the_nearest_name(cls):
    with pytest.raises(TypeError, match=r"no parameter 'n_job' \(did you mean n_jobs\?\); the parameters are"):
        cls(n_job=1)
    with pytest.raises(TypeError, match="no parameter 'zzzz'; the parameters are"):
        cls(zzzz=1)
    with pytest.raises(TypeError, match="takes its parameters by name"):
        cls(1)
    for name, param in described(cls).items():
        for alias in param.get("aliases", []):
            with pytest.raises(TypeError, match=f"did you mean {name}"):
                cls(**{alias: 1})


@pytest.mark.parametrize(
    "X, advice",
    [(None, "give the rows"), ({"a": [1, 2]}, "pandas.DataFrame"), ("iris.csv", "pandas.read_csv")],
)
def test_what_is_no_table_is_named_with_what_to_do(cls, X, advice):
    with pytest.raises(TypeError, match=f"X must be a table.*{advice}"):
        cls().fit(X, [1, 2])


def test_a_missing_cell_is_found_with_its_place(cls):
    pd = pytest.importorskip("pandas")
    X, y = make_data(cls)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame.loc[7, "b"] = np.nan
    if "missing" in cls._about()["accepts"]:
        assert cls().fit(frame, y).n_features_in_ == 3
        return
    with pytest.raises(ValueError, match="Input X contains NaN, in row 8 \\(index 7\\), column 'b'; fill"):
        cls().fit(frame, y)
    sparse = pytest.importorskip("scipy.sparse")
    if "sparse" in cls._about()["accepts"]:
        with pytest.raises(ValueError, match="in row 8 \\(index 7\\), column 1;"):
            cls().fit(sparse.csr_matrix(frame.to_numpy()), y)


def test_an_attribute_that_comes_with_the_fit_says_so(cls):
    name = next(iter(cls._about()["quantities"])) + "_"
    with pytest.raises(AttributeError, match=f"{name}.*fit learns it"):
        getattr(cls(), name)
    with pytest.raises(AttributeError, match="'no_such_thing_'$"):
        cls().no_such_thing_


def test_a_value_may_have_the_name_that_it_has_elsewhere():
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    for alias, name in [("liblinear", "dual"), ("newton-cholesky", "newton"), ("newton-cg", "newton_cg")]:
        named = gradus.LogisticRegression(solver=name, random_state=0).fit(X, y)
        model = gradus.LogisticRegression(solver=alias, random_state=0).fit(X, y)
        assert model.get_params()["solver"] == alias
        assert model.describe()["parameters"]["solver"] == name
        assert model.fingerprint_ == named.fingerprint_
    with pytest.raises(gradus.Error, match="solver must be one of auto"):
        gradus.LogisticRegression(solver="libsvm").fit(X, y)


def test_max_features_is_a_word_a_count_or_a_share():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 4))
    y = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int)

    def importances(max_features):
        forest = gradus.RandomForestClassifier(n_estimators=5, max_features=max_features)
        return list(forest.fit(X, y).feature_importances_)

    assert importances(2) == importances(0.5) == importances(np.int64(2)) == importances("sqrt")
    assert importances(1.0) == importances(4) == importances("all")
    assert importances(1) != importances(1.0)
    with pytest.raises(ValueError, match="at most 4, the number of columns"):
        importances(5)


WEIGHING = [
    one for one in gradus.all_estimators() if "class_weight" in described(one) and one._task == "classification"
]


@pytest.mark.parametrize("weighing", WEIGHING, ids=lambda one: one.__name__)
@pytest.mark.parametrize("classes", [("no", "yes"), (0, 1), (False, True), (1.0, 2.0)], ids=repr)
def test_class_weight_is_a_dict_as_everywhere(weighing, classes):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 3))
    codes = (X[:, 0] + rng.normal(size=80) > 0.5).astype(int)
    y = np.array(classes)[codes]
    # Samples are drawn by the weights of rows alone, and sgd meets a row of weight 2 twice.
    settings = {"bootstrap": False} if "bootstrap" in described(weighing) else {}
    weights = {classes[0]: 0.75, classes[1]: 2.25}
    by_hand = weighing(**settings).fit(X, y, sample_weight=np.array([0.75, 2.25])[codes])
    named = weighing(**settings, class_weight=weights).fit(X, y)
    assert (named.predict(X) == by_hand.predict(X)).all()
    assert weighing(class_weight=None).fit(X, y).fingerprint_ == weighing().fit(X, y).fingerprint_
    assert named.get_params()["class_weight"] == weights
    again = pickle.loads(pickle.dumps(named))
    assert (again.predict(X) == named.predict(X)).all()
    written = "{}=0.75,{}=2.25".format(*named.describe()["classes"])
    text = weighing(**settings, class_weight=written).fit(X, y)
    assert text.fingerprint_ == named.fingerprint_
    with pytest.raises(ValueError, match="class_weight names the class .*, and the classes are"):
        weighing(class_weight={"nobody": 3}).fit(X, y)
    with pytest.raises(ValueError, match="at least 0"):
        weighing(class_weight={classes[1]: -3}).fit(X, y)


def test_a_number_that_is_none_is_shown_as_it_is():
    with pytest.raises(ValueError, match=r"tol must be .* \(got NaN\)"):
        gradus.KMeans(n_clusters=2, tol=float("nan")).fit([[1.0], [2.0]])
    with pytest.raises(ValueError, match=r"tol must be .* \(got inf\)"):
        gradus.KMeans(n_clusters=2, tol=float("inf")).fit([[1.0], [2.0]])
