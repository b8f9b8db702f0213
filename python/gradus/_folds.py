"""Which rows teach and which examine."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._problem import ClassColumn
from ._validate import read_classes, read_numbers

Pair = tuple[NDArray[np.int64], NDArray[np.int64]]
FoldsLike = Union[int, "Folds", Iterable[tuple[Any, Any]]]


class Folds(Sequence[Pair]):
    """Rows that teach and rows that examine; scikit-learn takes it as `cv`."""

    def __init__(self, core: Any):
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there are {len(self)} folds (asked for {index})")
        return self._core.train(place), self._core.test(place)

    def __iter__(self) -> Iterator[Pair]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} folds ({self.scheme}) of {self.rows} rows>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Keep the folds in a file that load_folds() and `gradus cv --folds FILE` read."""
        self._core.save(os.fspath(path))

    @property
    def rows(self) -> int:
        """How many rows the data has."""
        return int(self._core.rows)

    @property
    def scheme(self) -> str:
        """How the rows were split: kfold, stratified, ..."""
        return str(self._core.scheme)


def folds(
    y: Any = None,
    *,
    n: int = 10,
    scheme: str | None = None,
    rows: int | None = None,
    groups: Any = None,
    times: Any = None,
    repeats: int = 1,
    test: float = 0.25,
    seed: int = 0,
) -> Folds:
    """Rows shared out to folds.

    Parameters
    ----------
    y : array-like, optional
        The target; classes are stratified unless `scheme` says otherwise.
    n : int, default=10
        Number of folds, or of bootstrap samples.
    scheme : str, optional
        kfold, stratified, group, time, leave_one_out, five_by_two, bootstrap or holdout.
    rows : int, optional
        Number of rows, when there is no `y`.
    groups : array-like, optional
        Rows with the same value are never split.
    times : array-like, optional
        Later rows examine what earlier ones taught.
    repeats, test, seed : optional
        New random folds so many times; the share that examines in a holdout; the seed.

    Returns
    -------
    Folds
        A sequence of (training rows, examined rows).
    """
    if scheme is None:
        scheme = "group" if groups is not None else "time" if times is not None else None
    table = _core.Table()
    column = ""
    if scheme == "group" or (scheme is None and groups is not None):
        column = _add_classes(table, groups)
    elif scheme == "time":
        column = "times"
        table.add_numeric(column, read_numbers(_moments(times), "folds", many_outputs=False))
    elif y is not None:
        values = np.asarray(y)
        if scheme == "stratified" or (scheme is None and values.dtype.kind in "OUSbiu"):
            scheme = scheme or "stratified"
            column = _add_classes(table, values)
        elif scheme in ("five_by_two", "holdout") and values.dtype.kind in "OUSb":
            column = _add_classes(table, values)
        else:
            table.add_numeric("rows", np.zeros(len(values)))
    elif rows is not None:
        table.add_numeric("rows", np.zeros(rows))
    else:
        raise ValueError("folds need y, or the number of rows")
    if scheme == "stratified":
        _warn_of_small_classes(y, n)
    options = {"scheme": scheme or "kfold", "folds": n, "repeats": repeats, "test": test, "seed": seed}
    return Folds(_core.make_folds(table, json.dumps({**options, "column": column})))


def _moments(times):
    """Numbers in the order of time: dates become microseconds since 1970."""
    values = np.asarray(times)
    if values.dtype.kind in "fiub":
        return values
    try:
        # Moments with a time zone come as objects, which pandas alone turns into those of one zone.
        aware = values.dtype.kind == "O" and hasattr(times, "to_numpy")
        dates = times.to_numpy("datetime64[us]") if aware else values.astype("datetime64[us]")
    except (TypeError, ValueError) as error:
        raise ValueError(f"times must be numbers or dates such as 2024-01-31: {error}") from error
    missing = np.flatnonzero(np.isnat(dates))
    if missing.size:
        raise ValueError(f"times are missing in {missing.size} rows, the first is row {missing[0] + 1}")
    return dates.astype(np.int64)


def load_folds(path: str | os.PathLike[str]) -> Folds:
    """The folds of a file that Folds.save() or `gradus cv --save-folds FILE` wrote.

    Rows are numbers only: the data must have its rows in the order that it had when the folds were made.
    """
    return Folds(_core.load_folds(os.fspath(path)))


def _warn_of_small_classes(y: Any, n: int) -> None:
    classes, counts = np.unique(read_classes(y, "folds", None).codes, return_counts=True)
    if len(classes) and counts.min() < n:
        warnings.warn(
            f"The least populated class in y has only {counts.min()} members, which is less than the "
            f"{n} folds: some of them examine without it",
            UserWarning,
            stacklevel=3,
        )


def _add_classes(table: Any, values: Any) -> str:
    target = read_classes(values, "folds", None)
    table.add_nominal("classes", target.codes, target.texts, False)
    return "classes"


def folds_for(split: FoldsLike, rows: int, target: Any) -> Any:
    """The folds that a user means by a number, by folds() or by pairs, as the library has them."""
    if isinstance(split, Folds):
        return split._core
    if isinstance(split, int):
        if isinstance(target, ClassColumn):
            return folds(np.asarray(target.texts, dtype=object)[target.values], n=split)._core
        return folds(rows=rows, n=split)._core
    pairs = [
        (np.ascontiguousarray(train, dtype=np.int64), np.ascontiguousarray(test, dtype=np.int64))
        for train, test in split
    ]
    return _core.folds_from_pairs(rows, pairs)
