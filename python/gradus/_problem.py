"""What a fit learns from: columns, a target and weights, brought together for the library."""

from __future__ import annotations

import numpy as np

from . import _core
from ._validate import check_lengths, class_texts


class Problem:
    """What a fit learns from."""

    def __init__(self, features, target, weights, validation=None):
        check_lengths(features.rows, *([] if target is None else [target.values]))
        self.features, self.target, self.weights = features, target, weights
        self.validation = validation  # another problem, whose rows examine and never teach

    def without_weightless(self):
        """A row of weight 0 is not there; its class still is."""
        if self.weights is None or self.weights.all() or not self.weights.any():
            return self
        rows = self.weights != 0
        target = None if self.target is None else self.target.take(rows)
        return Problem(self.features.take(rows), target, self.weights[rows], self.validation)

    def cells(self):
        own = self.features.rows * (self.features.cols + 1)
        return own if self.validation is None else own + self.validation.cells()

    def copied(self):
        target = None if self.target is None else self.target.copied()
        validation = None if self.validation is None else self.validation.copied()
        return Problem(self.features.copied(), target, self.weights, validation)

    def table_and_targets(self, estimator, names=None, targets=None):
        """`names` and `targets` are those of the model that goes on learning, if there is one."""
        table = self.features.table(names, estimator._threads())
        if self.weights is not None:
            table.set_weights(self.weights)
        taken = names if names is not None else self.features.names
        used = set(taken) if taken is not None else set()
        return table, [] if self.target is None else self.target.add_to(table, used, targets)

    def table_and_job(self, estimator, classes, names=None, targets=None):
        table, targets = self.table_and_targets(estimator, names, targets)
        declared = [] if classes is None else class_texts(np.unique(classes))
        if not declared and self.target is not None:
            declared = self.target.declared()
        job = _core.Job(targets, declared, estimator._task, estimator._threads(), estimator._own_loss())
        if self.validation is not None:
            job.examine_by(self.validation.table_and_targets(estimator, names, targets)[0])
        return table, job


def free_name(name, taken):
    """The name, with as many underscores as keep it apart from the names of other columns."""
    while name in taken:
        name += "_"
    return name


class ClassColumn:
    """A class per row, as codes."""

    def __init__(self, codes, classes, texts, names=None):
        self.values, self.classes, self.texts = codes, classes, texts
        self.names = names  # of the column, as the user calls it; None: it has none

    def copied(self):
        return self

    def take(self, rows):
        return ClassColumn(self.values[rows], self.classes, self.texts, self.names)

    def without_rows(self):
        """What is left to know when the rows are where they are needed."""
        return ClassColumn(None, self.classes, self.texts, self.names)

    def declared(self):
        return self.texts

    def add_to(self, table, taken, names=None):
        names = names or self.free_names(taken)
        table.add_nominal(names[0], self.values, self.texts, False)
        return names

    def free_names(self, taken):
        """What the column is called beside columns of the names `taken`."""
        return [free_name(self.names[0] if self.names else "y", taken)]


class NumberColumns:
    """One or several numbers per row."""

    def __init__(self, values, names=None):
        self.values = values
        self.names = names  # of the columns, as the user calls them; None: they have none

    def copied(self):
        return NumberColumns(self.values.copy(), self.names)

    def take(self, rows):
        return NumberColumns(self.values[rows], self.names)

    def without_rows(self):
        """Itself: the table reads the numbers where they are."""
        return self

    def declared(self):
        return []

    def add_to(self, table, taken, names=None):
        names = names or self.free_names(taken)
        if self.values.ndim == 1:
            table.add_numeric(names[0], self.values)
        else:
            table.add_matrix(names, self.values)
        return names

    def free_names(self, taken):
        """What the columns are called beside columns of the names `taken`."""
        if self.values.ndim == 1:
            return [free_name(self.names[0] if self.names else "y", taken)]
        own = self.names or [f"y{k}" for k in range(self.values.shape[1])]
        out = []
        for name in own:
            out.append(free_name(name, {*taken, *out}))
        return out
