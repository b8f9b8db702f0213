"""What the columns of y are called in the model: files of it are for the command too."""

import numpy as np
import pandas as pd
import pytest

import gradus
from gradus import evaluate

ROWS = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [0.0, 1.0, 0.0, 1.0]})
KINDS = pd.Series(["ill", "well", "ill", "well"], name="state")


def outputs(y, estimator=None, X=ROWS):
    estimator = gradus.NaiveBayesClassifier() if estimator is None else estimator
    return estimator.fit(X, y).describe()["outputs"]


def test_a_series_gives_its_name_to_the_target():
    polars = pytest.importorskip("polars")
    assert outputs(KINDS) == ["state"]
    assert outputs(polars.Series("state", KINDS.tolist())) == ["state"]
    with pytest.warns(UserWarning, match="column-vector"):
        assert outputs(KINDS.to_frame()) == ["state"]


def test_what_has_no_name_is_y():
    assert outputs(KINDS.to_numpy()) == outputs(KINDS.tolist()) == ["y"]
    assert outputs(KINDS.rename(None)) == outputs(KINDS.rename(3)) == outputs(KINDS.rename("")) == ["y"]
    labelled = pd.Series(KINDS.tolist(), index=["columns", "name", "x", "z"])
    assert outputs(labelled) == ["y"]


def test_the_name_of_a_feature_stays_the_features():
    assert outputs(KINDS.rename("a")) == ["a_"]
    twice = pd.DataFrame(np.arange(8.0).reshape(4, 2), columns=["u", "u"])
    assert outputs(twice, gradus.LinearRegression()) == ["u", "u_"]


def test_a_frame_names_several_targets():
    both = pd.DataFrame({"u": [1.0, 2.0, 3.0, 5.0], "v": [0.0, 1.0, 0.0, 2.0]})
    assert outputs(both, gradus.LinearRegression()) == ["u", "v"]
    assert outputs(both.to_numpy(), gradus.LinearRegression()) == ["y0", "y1"]


def test_the_name_is_part_of_what_the_model_is():
    named, unnamed = (gradus.NaiveBayesClassifier().fit(ROWS, y) for y in (KINDS, KINDS.to_numpy()))
    assert named.fingerprint_ != unnamed.fingerprint_
    np.testing.assert_array_equal(named.predict_proba(ROWS), unnamed.predict_proba(ROWS))


def test_rows_that_come_later_need_no_name():
    model = gradus.NaiveBayesClassifier().fit(ROWS, KINDS).partial_fit(ROWS, KINDS.tolist())
    assert model.describe()["outputs"] == ["state"]
    scores = evaluate.evaluate_model(model, ROWS, KINDS.to_numpy())
    assert scores["n"] == 4


def test_folds_are_of_the_named_target():
    frame, kinds = pd.concat([ROWS] * 5), pd.concat([KINDS] * 5)
    out = evaluate.cross_validate(gradus.NaiveBayesClassifier(), frame, kinds, folds=2)
    assert len(out["folds"]) == 2


def test_a_model_from_a_file_fills_gaps_as_the_command_does(tmp_path):
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 6.0], "c": ["u", "v", "u", "u"]})
    model = gradus.LinearRegression().fit(X, [1.0, 4.0, 3.0, 6.0])
    gaps = pd.DataFrame({"a": [np.nan, 2.0], "c": ["v", None]})
    with pytest.raises(ValueError, match="contains NaN.*column 'a'"):
        model.predict(gaps)
    model.save(tmp_path / "m.gradus")
    loaded = gradus.load(tmp_path / "m.gradus")
    filled = pd.DataFrame({"a": [3.0, 2.0], "c": ["v", "u"]})  # the mean, the most frequent
    np.testing.assert_array_equal(loaded.predict(gaps), model.predict(filled))
    with pytest.raises(ValueError, match="infinity"):
        loaded.predict(pd.DataFrame({"a": [np.inf], "c": ["u"]}))
    with pytest.raises(ValueError, match="contains NaN"):
        loaded.fit(gaps, [1.0, 2.0])


def test_a_matrix_with_gaps_is_filled_by_a_model_from_a_file(tmp_path):
    X = np.array([[1.0, 2.0], [3.0, 5.0], [5.0, 2.0]])
    model = gradus.LinearRegression().fit(X, [1.0, 2.0, 4.0])
    model.save(tmp_path / "m.gradus")
    loaded = gradus.load(tmp_path / "m.gradus")
    np.testing.assert_array_equal(loaded.predict([[np.nan, 2.0]]), model.predict([[3.0, 2.0]]))
    loaded.fit(X, [1.0, 2.0, 4.0])
    with pytest.raises(ValueError, match="contains NaN"):
        loaded.predict([[np.nan, 2.0]])
