"""Learning from a file that may be larger than memory."""

from __future__ import annotations

import numbers
import os
import warnings

from . import _core
from ._data import level_text


class FromFiles:
    """For every estimator; the library refuses those that cannot learn in parts."""

    def fit_file(
        self,
        path,
        target,
        *,
        rows=100_000,
        passes=1,
        classes=None,
        nominal=(),
        ignore=(),
        standardize=False,
    ):
        """Learns from a CSV or TSV file (plain, gzip or zstd), some rows at a time.

        The file does not pass through Python, and two parts of it are in memory, however long it
        is. The learner must be able to go on with new rows (those with partial_fit). The model is
        that of `gradus train --in-parts`; its columns have the names of the file.

        Parameters
        ----------
        path : path-like
            The file.
        target : str or list of str
            The column to predict; several for learners with many outputs.
        rows : int
            Rows of a part.
        passes : int
            How often the file is learned from. Each part is passed over once at a time: a
            parameter that only repeats the work (max_iter of SGD) is taken as 1.
        classes : list, optional
            The classes, where not all of them occur in the file.
        nominal, ignore : lists of str
            Columns whose numbers are categories, and columns to leave out.
        standardize : bool
            Scale every column by its mean and deviation in the first part; the model remembers
            them, and predict() scales likewise.

        Returns
        -------
        self
        """
        file = _core.FileParts(
            os.fspath(path),
            _count(rows, "rows"),
            _count(passes, "passes"),
            _names(nominal, "nominal"),
            _names(ignore, "ignore"),
            bool(standardize),
        )
        targets = [target] if isinstance(target, str) else _names(target, "target")
        declared = [] if classes is None else [level_text(one) for one in classes]
        job = _core.Job(targets, declared, self._task, self._threads(), self._own_loss())
        params = {**self._params(), **self._beginning()}
        model, told = _core.fit_file(self._learner, params, file, job, self._tell())
        for message in told:
            warnings.warn(f"{os.fspath(path)}: {message}", UserWarning, stacklevel=2)
        self._take_over(model, model.describe())
        return self


def _count(number, name):
    if isinstance(number, bool) or not isinstance(number, numbers.Integral) or number < 1:
        raise ValueError(f"{name} must be an integer of at least 1 (got {number!r})")
    return int(number)


def _names(columns, name):
    if isinstance(columns, str) or not all(isinstance(one, str) for one in columns):
        raise TypeError(f"{name} must be a list of column names (got {columns!r})")
    return list(columns)
