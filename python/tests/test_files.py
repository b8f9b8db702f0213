"""Learning from files in parts."""

import gzip
import pathlib

import numpy as np
import pytest

import gradus

DATA = pathlib.Path(__file__).parents[2] / "data"
WINE = DATA / "wine.csv"


def wine_rows():
    lines = [line.split(",") for line in WINE.read_text().splitlines()]
    names, rows = lines[0], lines[1:]
    at = names.index("cultivar")
    X = np.array([[float(cell) for j, cell in enumerate(row) if j != at] for row in rows])
    return [name for name in names if name != "cultivar"], X, np.array([row[at] for row in rows])


def incremental():
    return [cls for cls in gradus.all_estimators() if "incremental" in cls._about()["gives"]]


def test_a_file_in_parts_teaches_what_its_rows_teach():
    names, X, y = wine_rows()
    whole = gradus.NaiveBayesClassifier().fit(X, y)
    parts = gradus.NaiveBayesClassifier().fit_file(WINE, "cultivar", rows=40)
    assert list(parts.feature_names_in_) == names
    assert list(parts.classes_) == list(whole.classes_)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=names)
    np.testing.assert_allclose(parts.predict_proba(frame), whole.predict_proba(X), atol=1e-9)


def test_a_packed_file_and_any_number_of_threads_give_the_same_model(tmp_path):
    packed = tmp_path / "wine.csv.gz"
    packed.write_bytes(gzip.compress(WINE.read_bytes()))
    prints = {
        gradus.SgdClassifier(random_state=1, n_jobs=jobs)
        .fit_file(file, "cultivar", rows=50, passes=3, standardize=True)
        .fingerprint_
        for jobs in (1, 2)
        for file in (WINE, packed)
    }
    assert len(prints) == 1


def test_more_passes_learn_more_and_the_scale_is_remembered():
    names, X, y = wine_rows()
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=names)
    model = gradus.SgdClassifier(random_state=0)
    once = model.fit_file(WINE, "cultivar", rows=60, standardize=True).fingerprint_
    often = model.fit_file(WINE, "cultivar", rows=60, passes=20, standardize=True)
    assert often.fingerprint_ != once
    assert often.score(frame, y) > 0.95


@pytest.mark.parametrize("cls", incremental())
def test_every_learner_that_goes_on_can_learn_from_a_file(cls, tmp_path):
    file = tmp_path / "line.csv"
    file.write_text("a,b,y\n" + "".join(f"{i},{i % 7},{i % 2}\n" for i in range(200)))
    model = cls(**({"random_state": 0} if "random_state" in cls().get_params() else {}))
    told = []
    model.set_callbacks(told.append).fit_file(file, "y", rows=64)
    assert model.n_features_in_ == 2
    assert told[-1].stage == "rows" and told[-1].done == 200
    again = model.fingerprint_
    model.save(tmp_path / "m.gradus")
    assert gradus.load(tmp_path / "m.gradus").fingerprint_ == again


def test_classes_that_the_file_does_not_have_can_be_named():
    model = gradus.NaiveBayesClassifier()
    model.fit_file(WINE, "cultivar", rows=40, classes=["class_0", "class_1", "class_2", "class_3"])
    assert list(model.classes_) == ["class_0", "class_1", "class_2", "class_3"]


def test_mistakes_are_named(tmp_path):
    model = gradus.NaiveBayesClassifier()
    with pytest.raises(gradus.Error, match="cannot learn in parts"):
        gradus.LdaClassifier().fit_file(WINE, "cultivar")
    with pytest.raises(FileNotFoundError):
        model.fit_file(tmp_path / "nothing.csv", "cultivar")
    with pytest.raises(gradus.Error, match="cultivr"):
        model.fit_file(WINE, "cultivr")
    with pytest.raises(ValueError, match="rows must be an integer of at least 1"):
        model.fit_file(WINE, "cultivar", rows=0)
    with pytest.raises(TypeError, match="ignore must be a list of column names"):
        model.fit_file(WINE, "cultivar", ignore="ash")
    assert not hasattr(model, "classes_")
