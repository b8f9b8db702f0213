"""Generated files for tasks that read or convert: written once, with plain Python formatting.

No library that is measured here writes them, so none meets its own dialect.
"""

from __future__ import annotations

import gzip
import pathlib
from typing import Any

import numpy as np
from generators import counts

_CHUNK = 10_000
HEAD_ROWS = 1000


def _write_rows(path: pathlib.Path, header: str, line: str, columns: list[np.ndarray]) -> None:
    """`line` is a %-format for one row; thousands of rows are formatted by one operation."""
    rows = len(columns[0])
    with path.open("w", encoding="ascii", newline="") as out:
        out.write(header)
        for begin in range(0, rows, _CHUNK):
            end = min(begin + _CHUNK, rows)
            cells = [column[begin:end].tolist() for column in columns]
            flat = tuple(value for row in zip(*cells) for value in row)
            out.write(line * (end - begin) % flat)


def numeric_csv(folder: pathlib.Path, rows: int, columns: int, seed: int) -> dict[str, Any]:
    """Normal numbers with nine significant digits."""
    rng = np.random.default_rng(seed)
    header = ",".join(f"c{j}" for j in range(columns)) + "\n"
    line = ",".join(["%.9g"] * columns) + "\n"
    X = [rng.standard_normal(rows) for _ in range(columns)]
    _write_rows(folder / "data.csv", header, line, X)
    _write_rows(folder / "head.csv", header, line, [column[:HEAD_ROWS] for column in X])
    return {
        "files": {"csv": "data.csv", "head_csv": "head.csv"},
        "sizes": {"n": rows, "d": columns, "numeric": columns, "cells": rows * columns},
    }


def classes_csv(
    folder: pathlib.Path, rows: int, columns: int, seed: int, test_rows: int
) -> dict[str, Any]:
    """Two classes with a straight border and overlap around it, written block by block: a file that
    need not fit into memory. The test rows are arrays."""
    rng = np.random.default_rng(seed)
    w = rng.standard_normal(columns)

    def some(count: int) -> tuple[np.ndarray, np.ndarray]:
        X = rng.standard_normal((count, columns))
        return X, (X @ w + rng.logistic(size=count) > 0).astype(np.int32)

    header = ",".join(f"c{j}" for j in range(columns)) + ",y\n"
    line = ",".join(["%.6g"] * columns) + ",%d\n"
    with (folder / "data.csv").open("w", encoding="ascii", newline="") as out:
        out.write(header)
        for begin in range(0, rows, _CHUNK):
            X, y = some(min(_CHUNK, rows - begin))
            if begin == 0:
                head = [*X[:HEAD_ROWS].T, y[:HEAD_ROWS]]
                _write_rows(folder / "head.csv", header, line, head)
            out.write(line * len(y) % tuple(np.column_stack([X, y]).ravel().tolist()))
    X_test, y_test = some(test_rows)
    np.save(folder / "X_test.npy", X_test)
    np.save(folder / "y_test.npy", y_test)
    return {
        "files": {"csv": "data.csv", "head_csv": "head.csv"},
        "sizes": {"n": rows, "d": columns, "q": test_rows, "cells": rows * (columns + 1)},
    }


def mixed_csv(folder: pathlib.Path, rows: int, seed: int, airports: int = 300) -> dict[str, Any]:
    """In the shape of the flights table: a date, two whole numbers, two categories."""
    rng = np.random.default_rng(seed)
    letters = np.array([f"{a}{b}{c}" for a in "ABCDEFGHKL" for b in "AEIOU" for c in "LNRSTX"])
    codes = rng.permutation(letters)[:airports]
    share = 1 / (np.arange(len(codes)) + 5.0)
    share /= share.sum()
    minutes = np.sort(rng.integers(0, 181 * 24 * 60, rows))
    day = np.datetime64("2001-01-01T00:00") + minutes.astype("timedelta64[m]")
    date = np.char.replace(day.astype("datetime64[m]").astype(str), "T", " ")
    columns = [
        date,
        np.rint(rng.normal(8, 35, rows)).astype(np.int64),
        rng.integers(30, 2600, rows),
        rng.choice(codes, rows, p=share),
        rng.choice(codes, rows, p=share),
    ]
    header, line = "date,delay,distance,origin,destination\n", "%s,%d,%d,%s,%s\n"
    _write_rows(folder / "data.csv", header, line, columns)
    _write_rows(folder / "head.csv", header, line, [column[:HEAD_ROWS] for column in columns])
    return {
        "files": {"csv": "data.csv", "head_csv": "head.csv"},
        "sizes": {"n": rows, "d": 5, "numeric": 2, "cells": rows * 5},
    }


def libsvm(folder: pathlib.Path, rows: int, columns: int, classes: int, seed: int) -> dict[str, Any]:
    """The sparse counts of `counts` as `class index:count ...`, indices from 1."""
    made = counts(rows, columns, classes, seed, test_rows=0)
    X, y = made["X"], made["y"]
    for name, length in (("data.svm", rows), ("head.svm", min(rows, HEAD_ROWS))):
        with (folder / name).open("w", encoding="ascii") as out:
            for i in range(length):
                part = slice(X.indptr[i], X.indptr[i + 1])
                cells = zip((X.indices[part] + 1).tolist(), X.data[part].astype(int).tolist())
                out.write(f"{y[i]} " + " ".join(f"{j}:{v}" for j, v in cells) + "\n")
    return {
        "files": {"libsvm": "data.svm", "head_libsvm": "head.svm"},
        "sizes": {"n": rows, "d": columns, "nnz": X.nnz},
    }


def flights(folder: pathlib.Path, path: str) -> dict[str, Any]:
    """The real flights table, decompressed: what `mixed_csv` stands in for."""
    rows = -1
    with gzip.open(path, "rb") as packed, (folder / "data.csv").open("wb") as out:
        head = (folder / "head.csv").open("wb")
        for line in packed:
            out.write(line)
            rows += 1
            if rows <= HEAD_ROWS:
                head.write(line)
        head.close()
    return {
        "files": {"csv": "data.csv", "head_csv": "head.csv"},
        "sizes": {"n": rows, "d": 5, "numeric": 2, "cells": rows * 5},
    }


def nothing(folder: pathlib.Path) -> dict[str, Any]:
    """For tasks without data, such as the start of a programme."""
    (folder / "empty.txt").write_text("", encoding="ascii")
    return {"files": {"empty": "empty.txt"}, "sizes": {}}


WRITERS = {
    "numeric_csv": numeric_csv,
    "classes_csv": classes_csv,
    "mixed_csv": mixed_csv,
    "libsvm": libsvm,
    "flights": flights,
    "nothing": nothing,
}
