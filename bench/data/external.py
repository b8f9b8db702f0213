"""Data that are read and not generated: the bundled sets, and well-known ones from a folder.

The folder is what `--data-dir` or GRADUS_BENCH_DATA names; `bench/README.md` says which files are
looked for. Nothing is downloaded.
"""

from __future__ import annotations

import csv
import gzip
import io
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np


def bundled(
    bundled: str, target: str, clusters: int = 0, ignore: Sequence[str] = ()
) -> dict[str, Any]:
    """A CSV of the folder `data`: numbers as they are, texts as whole numbers.

    The rows are also the test rows: the comparison is of the fits, and the sets are small.
    """
    with open(bundled, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name != target and name not in ignore]
    X = np.column_stack([_column([row[name] for row in rows]) for name in names])
    if clusters:
        return {"X": X, "centers": X[:: max(1, len(X) // clusters)][:clusters].copy()}
    y = _column([row[target] for row in rows])
    return {"X": X, "y": y, "X_test": X, "y_test": y}


def _column(cells: list[str]) -> np.ndarray:
    try:
        return np.array([float(cell) for cell in cells])
    except ValueError:
        return np.unique(np.array(cells), return_inverse=True)[1].astype(np.int32)


def _idx(path: pathlib.Path) -> np.ndarray:
    raw = gzip.decompress(path.read_bytes())
    dimensions = raw[3]
    shape = [int.from_bytes(raw[4 + 4 * i : 8 + 4 * i], "big") for i in range(dimensions)]
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def mnist(path: str, clusters: int, seed: int, rows: int = 60_000) -> dict[str, Any]:
    """The training images of MNIST in [0, 1] as float32, and the rows to start from."""
    images = _idx(pathlib.Path(path))[:rows]
    X = images.reshape(len(images), -1).astype(np.float32) / np.float32(255)
    order = np.random.default_rng(seed).permutation(len(X))
    return {"X": X, "centers": X[order[:clusters]].copy()}


def digits(path: str, rows: int = 60_000) -> dict[str, Any]:
    """The images of MNIST in [0, 1] with their digits, and the test images."""
    out = {}
    for part, end in (("train", ""), ("t10k", "_test")):
        images = pathlib.Path(path).with_name(pathlib.Path(path).name.replace("train", part))
        labels = images.with_name(images.name.replace("images-idx3", "labels-idx1"))
        X = _idx(images)[:rows]
        out["X" + end] = X.reshape(len(X), -1) / 255.0
        out["y" + end] = _idx(labels)[:rows].astype(np.int32)
    return out


def newsgroups(path: str, rows: int = 0, tfidf: bool = False) -> dict[str, Any]:
    """Word counts (or tf-idf) of 20 newsgroups by date: `label,text` rows of train and test files."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    csv.field_size_limit(1 << 30)
    parts = []
    for part in ("train", "test"):
        file = pathlib.Path(path).with_name(pathlib.Path(path).name.replace("train", part))
        with gzip.open(file, "rb") as raw:
            lines = csv.reader(io.TextIOWrapper(raw, encoding="utf-8", newline=""))
            next(lines)
            found = list(lines)  # group by group: some rows are taken from everywhere
            parts.append(found[:: max(1, len(found) // rows)][:rows] if rows else found)
    classes = {name: code for code, name in enumerate(sorted({row[0] for row in parts[0]}))}
    words = TfidfVectorizer(dtype=np.float64) if tfidf else CountVectorizer(dtype=np.float64)
    X = words.fit_transform(row[1] for row in parts[0])
    labels = [np.array([classes[row[0]] for row in part], dtype=np.int32) for part in parts]
    X_test = words.transform(row[1] for row in parts[1])
    return {"X": X, "y": labels[0], "X_test": X_test, "y_test": labels[1]}


def table(
    path: str, target: str, drop: Sequence[str] = (), above: float | None = None, rows: int = 0,
    test_rows: int = 0,
) -> dict[str, Any]:
    """A CSV of numbers and words in a fixed random order: words as codes, `nominal` their columns.

    The classes are the words of the target, or whether its number is above `above`.
    """
    import pandas

    frame = pandas.read_csv(path, na_values=["?"]).drop(columns=list(drop))
    frame = frame[frame[target].notna()]
    test_rows = test_rows or len(frame) // 5
    order = np.random.RandomState(0).permutation(len(frame))
    frame = frame.iloc[order[: (rows or len(frame) - test_rows) + test_rows]]
    y = frame.pop(target)
    y = (y > above if above is not None else pandas.factorize(y, sort=True)[0]).astype(np.int32)
    words = [not pandas.api.types.is_numeric_dtype(frame[name]) for name in frame]
    for name in frame.columns[words]:
        codes = frame[name].astype("category").cat.codes
        frame[name] = codes.where(codes >= 0)
    X, y = frame.to_numpy(np.float64), np.asarray(y)
    return {"X": X[test_rows:], "y": y[test_rows:], "X_test": X[:test_rows],
            "y_test": y[:test_rows], "nominal": np.flatnonzero(words)}


EXTERNAL = {"digits": digits, "mnist": mnist, "newsgroups": newsgroups, "table": table}
