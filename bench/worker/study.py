"""One library on one data set of the quality study: five fits, five examinations.

Time is processor time of the fits alone, summed over the threads: it stays the same when the machine
has other work. Probabilities are cut at 1e-7 from 0 and 1, the precision of the libraries that answer
in single precision; nobody is punished for more than that by one row.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
import types
from typing import Any

import numpy as np
from study_data import as_input, read

CUT = 1e-7


def class_scores(y: Any, probabilities: Any) -> dict[str, float]:
    """Log-loss and accuracy of the examined rows."""
    p = np.clip(np.asarray(probabilities, dtype=np.float64), CUT, 1 - CUT)
    p /= p.sum(axis=1, keepdims=True)
    return {
        "log_loss": float(-np.mean(np.log(p[np.arange(len(y)), y]))),
        "accuracy": float(np.mean(np.argmax(p, axis=1) == y)),
    }


def number_scores(y: Any, answers: Any) -> dict[str, float]:
    """Root mean squared error and the share of the variance that is explained."""
    squares = (y - np.asarray(answers, dtype=np.float64).ravel()) ** 2
    return {
        "rmse": float(np.sqrt(np.mean(squares))),
        "r2": float(1 - np.sum(squares) / np.sum((y - y.mean()) ** 2)),
    }


def examine(peer: types.ModuleType, spec: dict[str, Any]) -> dict[str, Any]:
    """The scores of each fold, and the mean processor time of a fit."""
    problem = read(spec["set"])
    X = as_input(problem, spec["input"])
    known = {"$nominal": problem.nominal, "$threads": spec["threads"]}
    settings = {k: known.get(v, v) if isinstance(v, str) else v for k, v in spec["settings"].items()}
    folds, seconds = [], []
    for teach, test in problem.folds():
        model = peer.estimator(spec["call"], settings, spec["threads"])
        rows, target = X.iloc[teach], problem.y[teach]
        start = time.process_time()
        model.fit(rows, target)
        seconds.append(time.process_time() - start)
        if problem.classes:
            folds.append(class_scores(problem.y[test], model.predict_proba(X.iloc[test])))
        else:
            folds.append(number_scores(problem.y[test], model.predict(X.iloc[test])))
    scores = {name: [fold[name] for fold in folds] for name in folds[0]}
    return {"scores": scores, "cpu_seconds": float(np.mean(seconds)), "rows": len(problem.y)}


def verdict(spec: dict[str, Any]) -> dict[str, Any]:
    """Ranks over data sets and what the tests say about them, by the library that is examined."""
    from gradus import evaluate

    return evaluate.compare_scores(spec["table"], better=spec["better"])


if __name__ == "__main__":
    given = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    print(json.dumps(verdict(given)))
