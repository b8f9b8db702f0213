"""Calibration against scikit-learn's CalibratedClassifierCV with the same base and the same folds.

Gaussian naive Bayes on both sides. Isotonic maps agree to 1e-10 in every row. Naive Bayes with unsmoothed
variances is so sure of the breast cancer table that hundreds of its scores lie within 1e-13 of 1, and the map rises
between neighbours that are a few units of the last place apart: the last bit of a score, in which two
implementations of the base differ, then moves the answer by up to 4e-3. So the variances of that table are smoothed,
and a test of its own shows that scikit-learn's map agrees once both read the same scores. Platt's sigmoid is a maximum
that scikit-learn finds by a quasi-Newton method to about four digits: 2e-4.
"""

import json

import numpy as np
import pytest
from command import gradus
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression
from sklearn.naive_bayes import GaussianNB
from trees import probabilities, read, train, write

TABLES = [("iris.csv", "species", 1e-9), ("wine.csv", "cultivar", 1e-9), ("breast_cancer.csv", "diagnosis", 0.1)]


@pytest.mark.parametrize("ensemble", [True, False])
@pytest.mark.parametrize("method, close", [("sigmoid", 2e-4), ("isotonic", 1e-10)])
@pytest.mark.parametrize("name, target, smoothing", TABLES)
def test_the_same_folds_give_the_same_probabilities(name, target, smoothing, method, close, ensemble, tmp_path):
    names, x, y = read(name, target)
    y = np.array([f"k{value}" for value in y])
    base = GaussianNB(var_smoothing=smoothing)
    reference = CalibratedClassifierCV(base, method=method, cv=5, ensemble=ensemble).fit(x, y)
    path = write(tmp_path / "t.csv", names, x, y)
    _, model = train("calibrated", path, tmp_path, "--estimator", f"naive_bayes(var_smoothing={smoothing})",
                     "--method", method, "--ensemble", "true" if ensemble else "false", "--shuffle", "false")
    ours = probabilities(model, path, reference.classes_, tmp_path)
    assert np.abs(ours - reference.predict_proba(x)).max() <= close


def test_a_model_that_exists_gets_the_map_of_its_own_scores(tmp_path):
    """Our scores of held-out rows, unsmoothed, and scikit-learn's isotonic regression of them."""
    names, x, y = read("breast_cancer.csv", "diagnosis")
    y = np.array(y)
    train_rows = np.arange(len(y)) % 2 == 0
    learned = write(tmp_path / "train.csv", names, x[train_rows], y[train_rows])
    held = write(tmp_path / "held.csv", names, x[~train_rows], y[~train_rows])
    _, model = train("naive_bayes", learned, tmp_path)
    out = tmp_path / "calibrated.gradus"
    gradus("calibrate", model, "--data", held, "--method", "isotonic", "--model", out)
    classes = np.unique(y)
    scores = probabilities(model, held, classes, tmp_path)[:, 1]
    (tmp_path / "predictions.csv").unlink()
    ours = probabilities(out, held, classes, tmp_path)[:, 1]
    reference = IsotonicRegression(out_of_bounds="clip").fit(scores, y[~train_rows] == classes[1])
    assert np.abs(ours - reference.predict(scores)).max() <= 1e-10
    maps = json.loads(gradus("describe", out, "--json"))["fitted"]["maps"]
    assert len(maps) == 1 and list(maps[0]) == [classes[1]]
