"""Calibration against scikit-learn's CalibratedClassifierCV with the same base and the same folds.

Gaussian naive Bayes on both sides. Isotonic maps agree to 1e-7 in 19 of 20 rows and to 0.01 in all:
scikit-learn takes scores that differ by less than 1e-15 for equal, of which naive Bayes has many near
1. Platt's sigmoid is a maximum that scikit-learn finds by a quasi-Newton method to about four digits:
2e-4.
"""

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.naive_bayes import GaussianNB
from trees import probabilities, read, train, write

TABLES = [("iris.csv", "species"), ("wine.csv", "cultivar"), ("breast_cancer.csv", "diagnosis")]


@pytest.mark.parametrize("ensemble", [True, False])
@pytest.mark.parametrize("method, close", [("sigmoid", 2e-4), ("isotonic", 1e-7)])
@pytest.mark.parametrize("name, target", TABLES)
def test_the_same_folds_give_the_same_probabilities(name, target, method, close, ensemble, tmp_path):
    names, x, y = read(name, target)
    y = np.array([f"k{value}" for value in y])
    reference = CalibratedClassifierCV(GaussianNB(), method=method, cv=5, ensemble=ensemble).fit(x, y)
    path = write(tmp_path / "t.csv", names, x, y)
    _, model = train("calibrated", path, tmp_path, "--estimator", "naive_bayes", "--method", method,
                     "--ensemble", "true" if ensemble else "false", "--shuffle", "false")
    ours = probabilities(model, path, reference.classes_, tmp_path)
    difference = np.abs(ours - reference.predict_proba(x)).max(axis=1)
    assert np.mean(difference <= close) >= (1 if method == "sigmoid" else 0.95)
    assert difference.max() <= max(close, 1e-2)
