"""The data sets of the quality study: a file as a table, its rows in folds, its columns as a library
takes them.

The rows are put into one fixed random order, a large set is cut to its first `max_rows` of them, and
row i of a class (of all rows for numbers) examines in fold i mod FOLDS: the same for everybody.
"""

from __future__ import annotations

import csv
import dataclasses
import gzip
import io
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

FOLDS = 5
MISSING = ("?", "NA", "")
_ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|\S+)\s+(.*)""", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Problem:
    """Features `X` (numbers and categories of pandas), target `y` (codes 0 ... k-1 for classes)."""

    X: pd.DataFrame
    y: Any
    classes: int  # 0: numbers
    nominal: list[str]

    def folds(self) -> Iterator[tuple[Any, Any]]:
        """(rows that teach, rows that examine) of each fold."""
        fold = np.empty(len(self.y), dtype=np.int64)
        for code in range(max(1, self.classes)):
            mine = np.flatnonzero(self.y == code) if self.classes else np.arange(len(self.y))
            fold[mine] = np.arange(len(mine)) % FOLDS
        for k in range(FOLDS):
            yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)


def read(spec: dict[str, Any]) -> Problem:
    """The data set that `spec` describes (keys: bench/README.md)."""
    frame = _table(spec)
    target = spec["target"] if isinstance(spec["target"], str) else frame.columns[spec["target"]]
    frame = frame[frame[target].notna()]
    rows, columns = len(frame), frame.shape[1] - 1 - len(spec["drop"])
    if (rows, columns) != (spec["rows"], spec["columns"]):
        raise ValueError(f"{spec['rows']} rows and {spec['columns']} features are described, "
                         f"{rows} and {columns} found")
    order = np.random.RandomState(0).permutation(rows)[: spec["max_rows"]]
    frame = frame.iloc[order].reset_index(drop=True)
    if spec["task"] == "classes":  # every class in the training rows of every fold
        frame = frame[frame.groupby(target)[target].transform("size") >= FOLDS].reset_index(drop=True)
    y = frame.pop(target)
    frame = frame.drop(columns=spec["drop"])
    words = [c for c in frame if c in spec["nominal"] or not pd.api.types.is_numeric_dtype(frame[c])]
    frame = frame.astype({**dict.fromkeys(frame.columns, "float64"), **dict.fromkeys(words, "category")})
    for word in words:  # categories are strings, whatever they were read as
        frame[word] = frame[word].cat.rename_categories(str)
    short = {name: f"c{i}" for i, name in enumerate(frame)}  # names that every library takes
    frame = frame.rename(columns=short)
    nominal = [short[word] for word in words]
    if spec["task"] == "numbers":
        return Problem(frame, y.to_numpy(dtype=np.float64), 0, nominal)
    names, codes = np.unique(y.astype(str), return_inverse=True)
    return Problem(frame, codes, len(names), nominal)


def _table(spec: dict[str, Any]) -> pd.DataFrame:
    if "scikit_learn" in spec:
        from sklearn import datasets

        return getattr(datasets, f"load_{spec['scikit_learn']}")(as_frame=True).frame
    path = pathlib.Path(spec["path"])
    if ".arff" in path.suffixes:
        return _arff(path)
    frame = pd.read_csv(path, header=0 if spec["header"] else None, sep=spec["separator"],
                        na_values=["?"], low_memory=False)
    return frame.rename(columns=str)


def _arff(path: pathlib.Path) -> pd.DataFrame:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8", "replace")
    head, data = re.split(r"^@data.*$", text, maxsplit=1, flags=re.IGNORECASE | re.MULTILINE)
    columns = [(name.strip("'\""), kind.strip()) for name, kind in _ATTRIBUTE.findall(head)]
    lines = (line for line in io.StringIO(data) if line.strip() and not line.startswith("%"))
    cells = [[cell.strip().strip("'\"") for cell in row] for row in csv.reader(lines, quotechar="'")]
    frame = pd.DataFrame(cells, columns=[name for name, _ in columns]).replace(list(MISSING), np.nan)
    for name, kind in columns:
        if not kind.startswith("{"):
            frame[name] = pd.to_numeric(frame[name])
    return frame


def as_input(problem: Problem, form: str) -> Any:
    """The features in the form that a library takes; made before the clock."""
    X = problem.X.copy()
    if form == "strings":
        for name in problem.nominal:
            X[name] = X[name].cat.add_categories("missing").fillna("missing").astype(str)
    elif form == "codes":
        for name in problem.nominal:
            codes = X[name].cat.codes.to_numpy(dtype=np.float64)
            X[name] = np.where(codes < 0, np.nan, codes)
    elif form != "categories":
        raise ValueError(f"unknown form of input {form!r}")
    return X
