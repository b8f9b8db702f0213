"""What stands in a converted file, whoever wrote it: the sum of the numbers of every tenth row.

It is read by plain code that belongs to no competitor; every tenth row keeps it short.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator

import numpy as np

STEP = 10


def sum_of_file(path: pathlib.Path) -> float:
    """The checksum of a file by its ending."""
    if path.suffix == ".npy":
        array = np.load(path)
        if array.dtype.names:
            return float(sum(array[name][::STEP].sum() for name in array.dtype.names))
        return float(array[::STEP].sum())
    return float(sum(_READERS[path.suffix](path)))


def _rows(path: pathlib.Path) -> Iterator[tuple[int, str]]:
    with path.open(encoding="utf-8") as file:
        yield from enumerate(file)


def _arff(path: pathlib.Path) -> Iterator[float]:
    inside, row = False, 0
    for _, line in _rows(path):
        if inside and line.strip():
            if row % STEP == 0:
                yield sum(map(float, line.split(",")))
            row += 1
        elif line.strip().lower() == "@data":
            inside = True


def _jsonl(path: pathlib.Path) -> Iterator[float]:
    for number, line in _rows(path):
        if number % STEP == 0:
            yield sum(json.loads(line).values())


def _libsvm(path: pathlib.Path) -> Iterator[float]:
    for number, line in _rows(path):
        if number % STEP == 0:
            label, *cells = line.split()
            yield float(label) + sum(float(cell.partition(":")[2]) for cell in cells)


_READERS = {".arff": _arff, ".jsonl": _jsonl, ".svm": _libsvm, ".libsvm": _libsvm}
