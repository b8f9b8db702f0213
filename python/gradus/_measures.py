"""Single measures of many predictions, and the codes of classes that they read."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._validate import TABLE_RANGE, read_numbers


def auc(y_true: Any, y_score: Any, *, threads: int = 0) -> float:
    """The area under the ROC curve of two classes: P(positive scores higher) + P(equal) / 2."""
    codes, _ = _two_classes(y_true)
    scores = np.ascontiguousarray(read_numbers(y_score, "auc", many_outputs=False), dtype=np.float64)
    if len(codes) != len(scores):
        raise ValueError(f"y_true has {len(codes)} rows, y_score {len(scores)}")
    area = _core.measure("auc", codes, codes, scores, json.dumps({"threads": threads}))
    if area is None:
        raise ValueError("the area is undefined: only one class occurs")
    return float(area)


def log_loss(y_true: Any, probabilities: Any, *, labels: Any = None, threads: int = 0) -> float:
    """The mean of -log p(truth); `probabilities` has a column per class, or is that of the second."""
    actual = np.asarray(y_true)
    known = distinct_of(actual) if labels is None else np.asarray(labels)
    codes = codes_of(actual, known, "y_true")
    table = np.ascontiguousarray(probabilities, dtype=np.float64)
    if table.ndim == 1:
        table = np.column_stack([1 - table, table])
    if table.shape != (len(codes), len(known)):
        raise ValueError(f"probabilities must have the shape {(len(codes), len(known))} (got {table.shape})")
    options = json.dumps({"threads": threads, "classes": len(known)})
    return float(_core.measure("log_loss", codes, codes, table.reshape(-1), options))


def confusion_matrix(
    y_true: Any, y_pred: Any, *, labels: Any = None, threads: int = 0
) -> NDArray[np.float64]:
    """How often each class (row) was called each class (column)."""
    actual, predicted = np.asarray(y_true), np.asarray(y_pred)
    if len(actual) != len(predicted):
        raise ValueError(f"y_true has {len(actual)} rows, y_pred {len(predicted)}")
    known = distinct_of(actual, predicted) if labels is None else np.asarray(labels)
    codes = [codes_of(one, known, name) for one, name in ((actual, "y_true"), (predicted, "y_pred"))]
    options = json.dumps({"threads": threads, "classes": len(known)})
    counts = _core.measure("confusion", *codes, np.zeros(0), options)
    return np.asarray(counts, dtype=np.float64).reshape(len(known), len(known))


def _two_classes(y: Any) -> tuple[NDArray[np.int32], NDArray[Any]]:
    values = np.asarray(y)
    if values.dtype.kind in "iub" and len(values) and 0 <= values.min() and values.max() <= 1:
        return np.ascontiguousarray(values, dtype=np.int32), np.array([0, 1])
    known = np.unique(values)
    if len(known) != 2:
        raise ValueError(f"y_true must hold two classes (found {len(known)})")
    return codes_of(values, known, "y_true"), known


def distinct_of(*arrays: NDArray[Any]) -> NDArray[Any]:
    """The distinct values of all arrays in order: np.unique, but without its sort for classes that are
    whole numbers close to each other. Two numbers in a row need no count at all: both ends occur."""
    if all(one.dtype.kind in "iu" and len(one) > 0 for one in arrays):
        low = min(int(one.min()) for one in arrays)
        high = max(int(one.max()) for one in arrays)
        kind = np.result_type(*arrays)
        if high - low <= 1:
            return np.array(sorted({low, high}), dtype=kind)
        if high - low < TABLE_RANGE:
            present = np.zeros(high - low + 1, dtype=bool)
            for one in arrays:
                present |= np.bincount(one.astype(np.int64) - low, minlength=len(present)) > 0
            return (np.flatnonzero(present) + low).astype(kind)
    return np.unique(np.concatenate(arrays))


def is_whole(values: NDArray[Any]) -> bool:
    with np.errstate(invalid="ignore"):
        return bool(np.all(values == np.floor(values)))


def codes_of(values: NDArray[Any], known: NDArray[Any], name: str) -> NDArray[np.int32]:
    if values.dtype.kind in "iu" and np.array_equal(known, np.arange(len(known))):
        if len(values) and not 0 <= values.min() <= values.max() < len(known):
            strange = values[(values < 0) | (values >= len(known))][0]
            raise ValueError(f"{name} holds {strange!r}, which is not among the labels")
        return np.ascontiguousarray(values, dtype=np.int32)
    order = np.argsort(known, kind="stable")
    at = np.clip(np.searchsorted(known[order], values), 0, len(known) - 1)
    codes = order[at].astype(np.int32)
    if not np.array_equal(known[codes], values):
        strange = values[known[codes] != values][0]
        raise ValueError(f"{name} holds {strange!r}, which is not among the labels")
    return codes
