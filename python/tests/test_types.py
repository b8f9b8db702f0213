"""The types that the package promises: a strict checker accepts right use and refuses wrong use."""

import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("mypy")

RIGHT = """
    import gradus
    import numpy as np
    from numpy.typing import NDArray
    from typing import Any

    X = np.zeros((4, 2))
    groups = gradus.KMeans(n_clusters=2, random_state=np.random.default_rng(1), n_jobs=-1)
    distances: NDArray[Any] = groups.fit(X).transform(X)
    labels: NDArray[Any] = groups.fit_predict(X)
    inertia: float = groups.inertia_
    centers: NDArray[Any] = groups.cluster_centers_

    bayes = gradus.NaiveBayesClassifier(alpha=0.5, numeric_model="gaussian")
    bayes.partial_fit(X, [0, 1, 0, 1], classes=[0, 1]).partial_fit(X, [0, 1, 1, 1])
    shares: NDArray[Any] = bayes.predict_proba(X)
    score: float = bayes.score(X, [0, 1, 0, 1])
    steps: gradus.Steps = bayes.explain(X, [0, 1, 0, 1])
    title: str = steps[0]["title"]

    def told(progress: gradus.Progress) -> None:
        print(progress.stage, progress.done / max(progress.total, 1))

    line = gradus.LinearRegression(fit_intercept=False).set_callbacks(told).fit(X, [1.0, 2.0, 3.0, 4.0])
    line.save("line.gradus")
    same: gradus.LinearRegression = gradus.load("line.gradus")
    try:
        gradus.Id3Classifier(max_depth=None).fit(X, [0, 1, 0, 1])
    except gradus.Error as error:
        print(error.kind, error.where, error.message, error.hint)
    names: list[str] = [cls.__name__ for cls in gradus.all_estimators()]
    version: str = gradus.__version__

    from gradus import evaluate

    split: evaluate.Folds = evaluate.folds([0, 1, 0, 1], n=2)
    for train, test in split:
        first: np.int64 = train[0]
    mean: float = evaluate.cross_validate(bayes, X, [0, 1, 0, 1], folds=split, metric="auc")["mean"]
    words: str = evaluate.compare({"a": bayes, "b": bayes}, X, [0, 1, 0, 1], folds=2)["conclusion"]
    tuned: evaluate.Tuned = evaluate.tune(bayes, X, [0, 1, 0, 1], search={"alpha": "0.1..1"}, folds=2)
    honest: float | None = tuned.nested_score
    figures: dict[str, Any] = evaluate.score([0, 1], [1, 1])
    judged: dict[str, Any] = evaluate.evaluate_model(
        bayes, X, [0, 1, 0, 1], costs={(0, 1): 5.0}, by_costs=True, report="page.html"
    )
    better: str = evaluate.compare_models(bayes, bayes, X, [0, 1, 0, 1])["conclusion"]
    honest_bayes = evaluate.calibrate(bayes, X, [0, 1, 0, 1], method="isotonic")
    worth: dict[str, Any] = evaluate.importance(bayes, X, [0, 1, 0, 1])
    shapes: list[dict[str, Any]] = evaluate.dependence(bayes, X, columns=[0])
    findings: list[dict[str, Any]] = evaluate.check_data(X, other=X)
"""

WRONG = {
    'gradus.KMeans(n_clusters="three")': "n_clusters",
    'gradus.KMeans(init="nowhere")': "init",
    "gradus.KMeans(3)": "positional",
    "gradus.LinearRegression(no_such=1)": "no_such",
    "gradus.BaselineRegressor().predict_proba([[1]])": "predict_proba",
    "gradus.Id3Classifier().partial_fit([[1]], [1])": "partial_fit",
    "gradus.KMeans().no_such_": "no_such_",
    'gradus.evaluate.tune(gradus.RidgeRegressor(), [[1]], [1], trials="many")': "trials",
    'gradus.evaluate.evaluate_model(gradus.RidgeRegressor(), [[1]], [1], report=5)': "report",
}


def check(tmp_path, source):
    (tmp_path / "use.py").write_text(textwrap.dedent(source), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "use.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_right_use_passes_a_strict_check(tmp_path):
    code, out = check(tmp_path, RIGHT)
    assert code == 0, out


def test_wrong_use_is_found(tmp_path):
    code, out = check(tmp_path, "import gradus\n" + "\n".join(WRONG))
    assert code == 1
    lines = out.splitlines()
    for number, (use, word) in enumerate(WRONG.items(), 2):
        found = [line for line in lines if line.startswith(f"use.py:{number}:")]
        assert any(word in line or "positional" in line for line in found), (use, out)


def test_the_stubs_say_what_the_classes_are(tmp_path):
    command = [sys.executable, "-m", "mypy.stubtest", "gradus._generated", "--ignore-missing-stub"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    problems = [line for line in done.stdout.splitlines() if line.startswith("error: ")]
    # An attribute that a fit learns is not there before it.
    assert [line for line in problems if "is not present at runtime" not in line] == [], done.stderr
    assert "Checked" in done.stdout or "Found" in done.stdout or "Success" in done.stdout, done.stderr
