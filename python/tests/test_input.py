"""Y01-Y05: arrays, frames and sparse matrices in every form, without a copy where possible."""

import threading
import warnings

import numpy as np
import pytest
from conftest import make_data, numeric, of_task

import gradus
from gradus import _core
from gradus._data import read_features


def same_result(cls, X, other, y):
    """Both forms of X give the same model and the same predictions."""
    model, twin = cls().fit(X, y), cls().fit(other, y)
    assert model.fingerprint_ == twin.fingerprint_
    np.testing.assert_array_equal(model.predict(X), twin.predict(other))


LAYOUTS = {
    "list": lambda X: X.tolist(),
    "tuple": lambda X: tuple(map(tuple, X.tolist())),
    "fortran": np.asfortranarray,
    "strided": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "negative strides": lambda X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    "big endian": lambda X: X.astype(">f8"),
    "longdouble": lambda X: X.astype(np.longdouble),
    "object": lambda X: X.astype(object),
    "masked": lambda X: np.ma.masked_array(X, mask=False),
    "misaligned": lambda X: np.frombuffer(b"\0" + X.tobytes(), offset=1).reshape(X.shape),
    "field of records": lambda X: np.rec.fromarrays([X, X > 0], names="a,b")["a"],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_model(cls, layout):
    X, y = make_data(cls)
    same_result(cls, X, LAYOUTS[layout](X), y)


def test_a_read_only_memory_map_gives_the_same_model(cls, tmp_path):
    X, y = make_data(cls)
    np.save(tmp_path / "x.npy", X)
    same_result(cls, X, np.load(tmp_path / "x.npy", mmap_mode="r"), y)


@pytest.mark.parametrize("dtype", ["f2", "f4", "i1", "u2", "i8", "bool"])
def test_every_number_type_means_its_value(cls, dtype):
    X, y = make_data(cls)
    narrow = np.round(X).astype(dtype)
    same_result(cls, narrow.astype(np.float32 if dtype in ("f2", "f4") else np.float64), narrow, y)


@pytest.mark.parametrize("shape", [(), (60,), (60, 3, 1)])
def test_a_wrong_number_of_dimensions_is_named(cls, shape):
    _, y = make_data(cls)
    with pytest.raises(ValueError, match="2D array|dim 3"):
        cls().fit(np.zeros(shape), y)


@pytest.mark.parametrize("dtype", ["M8[D]", "m8[s]", "V8"])
def test_a_type_without_numbers_is_named(cls, dtype):
    X, y = make_data(cls)
    with pytest.raises(TypeError, match="dtype"):
        cls().fit(np.zeros(X.shape, dtype=dtype), y)


def test_complex_numbers_are_refused(cls):
    X, y = make_data(cls)
    with pytest.raises(ValueError, match="Complex data not supported"):
        cls().fit(X + 1j, y)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("layout", ["C", "F", "strided", "reversed", "read-only"])
def test_floats_are_read_where_they_are(dtype, layout):
    X = np.arange(24, dtype=dtype).reshape(6, 4)
    X = {
        "C": X,
        "F": np.asfortranarray(X),
        "strided": np.repeat(X, 2, axis=1)[:, ::2],
        "reversed": X[::-1, ::-1],
        "read-only": X,
    }[layout]
    if layout == "read-only":
        X.flags.writeable = False
    table = read_features(X, accepts=["numeric"], owner="test").table()
    for j in range(X.shape[1]):
        assert table.address(f"x{j}") == X[:, j].__array_interface__["data"][0]


def test_memory_stays_alive_as_long_as_a_table_reads_it():
    X = np.arange(12.0).reshape(4, 3)
    address = X.__array_interface__["data"][0]
    table = read_features(X, accepts=["numeric"], owner="test").table()
    del X
    assert table.address("x0") == address
    model = _core.fit("baseline", {"strategy": "mean"}, table, _core.Job(["x2"], [], "regression", 1))
    assert model.fitted()["prediction"] == {"x2": 6.5}


def test_a_fitted_model_does_not_hold_the_data(cls):
    import weakref

    X, y = make_data(cls, rows=20_000)
    model = cls().fit(X, y)
    gone = weakref.ref(X)
    del X
    assert gone() is None and model.n_features_in_ == 3


def test_data_that_change_during_the_fit_do_no_harm(cls):
    X, y = make_data(cls, rows=3000)
    stop = threading.Event()

    def scribble():
        while not stop.is_set():
            X[:, 0] = np.roll(X[:, 0], 1)

    thread = threading.Thread(target=scribble)
    thread.start()
    try:
        for _ in range(5):
            assert cls().fit(X, y).n_features_in_ == 3
    finally:
        stop.set()
        thread.join()


def frames():
    out = []
    for name in ("pandas", "polars"):
        try:
            out.append(pytest.param(__import__(name).DataFrame, id=name))
        except ImportError:
            out.append(pytest.param(None, id=name, marks=pytest.mark.skip(f"{name} is not installed")))
    return out


@pytest.mark.parametrize("DataFrame", frames())
def test_a_data_frame_gives_names_and_the_same_predictions(cls, DataFrame):
    X, y = make_data(cls)
    frame = DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    model = cls().fit(frame, y)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    np.testing.assert_array_equal(model.predict(frame), cls().fit(X, y).predict(X))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(DataFrame({"b": X[:, 1], "a": X[:, 0], "c": X[:, 2]}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X)


@pytest.mark.parametrize("DataFrame", frames())
@pytest.mark.parametrize("cls", of_task("classification"), ids=lambda cls: cls.__name__)
def test_text_and_booleans_are_categories(cls, DataFrame):
    frame = DataFrame({"sky": ["sun", "rain", "sun", "fog"] * 3, "wind": [True, False, False, True] * 3})
    y = [0, 1, 1, 0] * 3
    model = cls().fit(frame, y)
    assert "sky" in str(model.describe()["features"])
    strange = DataFrame({"sky": ["snow"], "wind": [True]})
    with pytest.warns(UserWarning, match="never saw.*'sky': 1 row.*'snow'"):
        model.predict(strange)


def test_pandas_types_become_the_columns_they_mean():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "category": pd.Categorical(["low", "high", "low"], ["low", "high"], ordered=True),
            "integer": pd.array([1, 2, 3], dtype="Int64"),
            "boolean": pd.array([True, False, None], dtype="boolean"),
            "string": pd.array(["x", "y", None], dtype="string"),
            "objects": np.array([1, 2.5, None], dtype=object),
            "sparse": pd.arrays.SparseArray([0.0, 0.0, 1.0]),
        }
    )
    columns = read_features(frame, accepts=["numeric", "nominal"], owner="test").columns
    assert columns[0].levels == ["low", "high"] and columns[0].ordered
    np.testing.assert_array_equal(columns[1], [1.0, 2.0, 3.0])
    assert columns[2].levels == ["False", "True"] and columns[2].codes.tolist() == [1, 0, -1]
    assert columns[3].levels == ["x", "y"] and columns[3].codes.tolist() == [0, 1, -1]
    np.testing.assert_array_equal(columns[4], [1.0, 2.5, np.nan])
    np.testing.assert_array_equal(columns[5], [0.0, 0.0, 1.0])


def test_ordered_categories_are_asked_for_by_their_order():
    pd = pytest.importorskip("pandas")
    sizes = pd.Categorical(["S", "L", "M", "XL"] * 5, ["S", "M", "L", "XL"], ordered=True)
    frame = pd.DataFrame({"size": sizes})
    tree = gradus.DecisionTreeRegressor().fit(frame, [1.0, 3.0, 2.0, 4.0] * 5)
    assert tree.tree_["question"] == "size <= M"
    unordered = frame.assign(size=frame["size"].cat.as_unordered())
    rising = gradus.GradientBoostingRegressor(increasing=["size"]).fit(frame, [1.0, 3.0, 2.0, 0.0] * 5)
    said = rising.predict(pd.DataFrame({"size": pd.Categorical(["S", "M", "L", "XL"], sizes.categories)}))
    assert (np.diff(said) >= 0).all()
    with pytest.raises(ValueError, match="no order"):
        gradus.GradientBoostingRegressor(increasing=["size"]).fit(unordered, [1.0, 3.0, 2.0, 4.0] * 5)


def test_arrow_backed_pandas_columns_are_read():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {
            "number": pd.array([1.5, None], dtype="double[pyarrow]"),
            "text": pd.array(["a", None], dtype="string[pyarrow]"),
        }
    )
    number, text = read_features(frame, accepts=["numeric", "nominal"], owner="test").columns
    np.testing.assert_array_equal(number, [1.5, np.nan])
    assert text.levels == ["a"] and text.codes.tolist() == [0, -1]


def test_frames_that_cannot_be_read_name_the_column():
    pd = pytest.importorskip("pandas")
    y = [1.0, 2.0]
    model = gradus.BaselineRegressor()
    with pytest.raises(TypeError, match="'when'.*datetime64"):
        model.fit(pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2020-01-02"])}), y)
    with pytest.raises(ValueError, match='named "a"'):
        model.fit(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), y)
    with pytest.raises(TypeError, match="string names"):
        model.fit(pd.DataFrame([[1, 2], [3, 4]], columns=["a", 1]), y)
    with pytest.raises(TypeError, match="'thing'.*dict"):
        model.fit(pd.DataFrame({"thing": [{}, {}]}), y)
    numbered = model.fit(pd.DataFrame([[1, 2], [3, 4]]), y)
    assert not hasattr(numbered, "feature_names_in_")


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "lil", "dok"])
def test_sparse_matrices_mean_their_dense_twins(cls, form):
    sparse = pytest.importorskip("scipy.sparse")
    X, y = make_data(cls)
    X = np.where(np.abs(X) < 4, 0.0, X)
    if "sparse" not in cls._about()["accepts"]:
        with pytest.raises(TypeError, match="Sparse data was passed"):
            cls().fit(sparse.csr_matrix(X).asformat(form), y)
        return
    model, twin = cls().fit(sparse.csr_matrix(X).asformat(form), y), cls().fit(X, y)
    np.testing.assert_allclose(model.predict(X), twin.predict(X))
    np.testing.assert_allclose(twin.predict(sparse.csr_matrix(X)), twin.predict(X))


def test_columns_of_sparse_rows_in_any_order_mean_the_same():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(5)
    cols = 70_000  # more than two digits of the sort
    rows = [rng.choice(cols, size, replace=False) for size in (0, 3, 47, 48, 400)]
    order = [np.argsort(row) for row in rows]
    counts = [rng.integers(1, 5, len(row)).astype(float) for row in rows]
    begin = np.cumsum([0, *map(len, rows)])
    y = ["a", "b", "a", "b", "a"]
    twins = []
    for places in ([np.arange(len(row)) for row in rows], order):
        index = np.concatenate([row[at] for row, at in zip(rows, places)])
        value = np.concatenate([count[at] for count, at in zip(counts, places)])
        X = sparse.csr_matrix((value, index, begin), shape=(5, cols))
        twins.append(gradus.NaiveBayesClassifier(numeric_model="multinomial").fit(X, y))
    assert twins[0].fingerprint_ == twins[1].fingerprint_


def test_a_repeated_column_of_a_sparse_row_is_added_up_in_any_order():
    sparse = pytest.importorskip("scipy.sparse")
    index = np.concatenate([np.arange(99, -1, -1), [7, 7]])
    X = sparse.csr_matrix((np.ones(102), index, [0, 102]), shape=(1, 100))
    expected = np.ones((1, 100))
    expected[0, 7] = 3
    learner = gradus.NaiveBayesClassifier(numeric_model="multinomial")
    twin = learner.fit(sparse.csr_matrix(expected), ["a"]).fingerprint_
    assert learner.fit(X, ["a"]).fingerprint_ == twin


def test_sparse_rows_in_order_are_read_where_they_are():
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.random(50, 30, density=0.2, format="csr", random_state=1, dtype=np.float64)
    X.sort_indices()
    table = read_features(X, accepts=["sparse"], owner="test").table()
    assert table.sparse_addresses() == (X.indices.ctypes.data, X.data.ctypes.data)
    y = np.arange(50) % 3
    learner = gradus.NaiveBayesClassifier(numeric_model="multinomial")
    expected = learner.fit(X, y).fingerprint_
    for kept, twin in [
        (False, (X.indices.astype(np.int64), X.data)),
        (False, (np.repeat(X.indices, 2)[::2], np.repeat(X.data, 2)[::2])),
        (True, (X.indices.copy(), X.data.copy())),
    ]:
        table = _core.Table()
        table.set_sparse(X.indptr, *twin, 30)
        assert (table.sparse_addresses()[0] == twin[0].ctypes.data) == kept
    shuffled = sparse.csr_matrix(
        (X.data[::-1], X.indices[::-1], X.nnz - X.indptr[::-1]), shape=X.shape
    )[::-1]
    assert learner.fit(shuffled, y).fingerprint_ == expected


def test_memory_of_sparse_rows_stays_alive_as_long_as_a_table_reads_it():
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.csr_matrix(np.diag(np.arange(1.0, 400.0)))
    address = X.data.ctypes.data
    table = read_features(X, accepts=["sparse"], owner="test").table()
    table.add_nominal("y", np.arange(399, dtype=np.int32) % 2, ["a", "b"], False)
    del X
    np.full(399, np.nan)  # would take over the memory if it were free
    assert table.sparse_addresses()[1] == address
    parameters = {"numeric_model": "multinomial"}
    model = _core.fit("naive_bayes", parameters, table, _core.Job(["y"], [], "classification", 1))
    assert model.fitted()["class_counts"] == {"a": 200.0, "b": 199.0}


def takes_sparse():
    return next(cls for cls in gradus.all_estimators() if "sparse" in cls._about()["accepts"])


def test_unsorted_and_repeated_entries_are_put_in_order():
    table = _core.Table()
    begin, index = np.array([0, 3, 3]), np.array([2, 0, 2])
    table.set_sparse(begin.astype(np.int64), index.astype(np.int64), np.array([1.0, 5.0, 2.0]), 3)
    with pytest.raises(gradus.Error, match="column 9 is outside"):
        table.set_sparse(begin.astype(np.int64), np.array([9, 0, 1]), np.ones(3), 3)


@pytest.mark.parametrize(
    "part, values",
    [("indptr", [0, 5, 1]), ("indptr", [0, 99, 99]), ("indices", [0, 77]), ("indices", [0, -1])],
)
def test_a_broken_sparse_structure_is_an_error_and_no_crash(part, values):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix(np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0]]))
    setattr(matrix, part, np.array(values, dtype=np.int32))
    cls = takes_sparse()
    with pytest.raises(ValueError, match="not valid"):
        cls().fit(matrix, [0, 1])


def test_missing_cells_are_taken_or_refused_as_declared(cls):
    X, y = make_data(cls)
    holed = X.copy()
    holed[3, 1] = np.nan
    if "missing" in cls._about()["accepts"]:
        assert len(cls().fit(holed, y).predict(holed)) == len(X)
    else:
        with pytest.raises(ValueError, match="Input X contains NaN"):
            cls().fit(holed, y)
        with pytest.raises(ValueError, match="Input X contains NaN"):
            cls().fit(X, y).predict(holed)


def test_fractions_are_doubtful_categories_in_an_array_and_none_in_a_frame():
    pd = pytest.importorskip("pandas")
    for cls in gradus.all_estimators():
        if numeric(cls):
            continue
        with pytest.warns(UserWarning, match="fractional"):
            cls().fit([[0.5], [1.5]], [0, 1])
        with pytest.raises(gradus.Error, match="nominal columns only"):
            cls().fit(pd.DataFrame({"a": [0.5, 1.5]}), [0, 1])


@pytest.mark.parametrize("kind", ["int64", "uint64"])
def test_integers_that_lose_digits_are_told(kind):
    pandas = pytest.importorskip("pandas")
    X = np.array([[1, 2**53 + 1], [2, 3], [3, 4]], dtype=kind)
    y = [1.0, 2.0, 3.0]
    with pytest.warns(UserWarning, match="2\\^53 or more lose digits as numbers, such as 9007199254740993"):
        gradus.LinearRegression().fit(X, y)
    with pytest.warns(UserWarning, match="lose digits"):
        gradus.LinearRegression().fit(pandas.DataFrame(X, columns=["a", "b"]), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gradus.LinearRegression().fit(X[1:] * np.array(2, dtype=kind), y[1:])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_integers_that_lose_digits_are_told_beside_missing_ones(library):
    frames = pytest.importorskip(library)
    kind = {"dtype": "Int64"} if library == "pandas" else {}
    wide = frames.Series([1, None, -(2**53) - 1], **kind)
    with pytest.warns(UserWarning, match="such as -9007199254740993"):
        gradus.BaselineRegressor().fit(frames.DataFrame({"a": wide}), [1.0, 2.0, 3.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for harmless in ([1, None, 3], [None, None, None]):
            column = frames.Series(harmless, **kind)
            gradus.BaselineRegressor().fit(frames.DataFrame({"a": column}), [1.0, 2.0, 3.0])


def test_a_lazy_frame_is_asked_to_be_collected():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match="LazyFrame.*collect"):
        gradus.KMeans(n_clusters=1).fit(polars.DataFrame({"a": [1.0, 2.0]}).lazy())


def test_weights_that_are_no_numbers_are_named():
    with pytest.raises(ValueError, match="sample_weight must be one number for each row, got 'w'"):
        gradus.LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0], sample_weight="w")
