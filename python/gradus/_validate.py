"""Checks of what users pass, with the error texts that scikit-learn's tools look for."""

from __future__ import annotations

import numbers
import warnings

import numpy as np

from . import _core
from ._compat import DataConversionWarning
from ._data import Nominal, as_floats, level_text
from ._errors import row_words


def all_finite(array, threads=0):
    """Whether no number is NaN or infinite."""
    fine = _core.all_finite(array, threads) if array.dtype.kind == "f" and array.dtype.isnative else None
    return bool(np.isfinite(array).all()) if fine is None else fine


def check_finite(array, name, *, allow_nan=False, place=None, threads=0):
    """Refuses infinity, and NaN unless it is allowed; `place` says in words where a cell is."""
    if all_finite(array, threads):
        return
    missing, infinite = np.isnan(array), np.isinf(array)
    if missing.any() and not allow_nan:
        raise ValueError(
            f"Input {name} contains NaN{_first(missing, place)}; fill missing cells or leave "
            "their rows out"
        )
    if infinite.any():
        raise ValueError(
            f"Input {name} contains infinity or a value too large for {array.dtype!r}"
            f"{_first(infinite, place)}"
        )


def _first(bad, place):
    """", in row 4 (index 3), column 'age'" of the first bad cell; see _errors.row_words."""
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    more = f" ({int(bad.sum())} such cells)" if bad.sum() > 1 else ""
    where = row_words(index[0]) if place is None else place(index)
    return f", in {where}{more}"


def check_shape(features, owner):
    """Refuses empty input."""
    shape = (features.rows, features.cols)
    for count, what in zip(shape, ("sample", "feature")):
        if count == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required "
                f"by {owner}."
            )


def check_cells(features, *, allow_nan, threads):
    """Refuses cells that the learner cannot take."""
    if features.sparse is not None:
        place = features.sparse_place
        check_finite(features.sparse[2], "X", allow_nan=allow_nan, place=place, threads=threads)
    elif features.matrix is not None:
        place = features.place
        check_finite(features.matrix, "X", allow_nan=allow_nan, place=place, threads=threads)
    else:
        for j, column in enumerate(features.columns):
            _check_column(features, j, column, allow_nan)


def _check_column(features, j, column, allow_nan):
    def place(index):
        return features.place((index[0], j))

    if not isinstance(column, Nominal):
        check_finite(column, "X", allow_nan=allow_nan, place=place)
    elif not allow_nan and (column.codes < 0).any():
        raise ValueError(
            f"Input X contains NaN{_first(column.codes < 0, place)}; fill missing cells or leave "
            "their rows out"
        )


def _names_of_fit(estimator):
    """None without names. Asked like any attribute, it would make all learned ones first."""
    return estimator.__dict__.get("feature_names_in_")


def check_names(estimator, names, without=None):
    """The names of new columns against those of the fit, of which one may be left out."""
    owner = type(estimator).__name__
    fitted = _names_of_fit(estimator)
    if fitted is None and names is None:
        return
    if fitted is not None and without is not None:
        fitted = [name for name in fitted if name != without]
    if fitted is None:
        warnings.warn(f"X has feature names, but {owner} was fitted without feature names", stacklevel=5)
    elif names is None:
        warnings.warn(
            f"X does not have valid feature names, but {owner} was fitted with feature names",
            stacklevel=5,
        )
    elif list(fitted) != list(names):
        raise ValueError(_name_difference(list(fitted), list(names)))


def check_same_columns(features, others, what):
    """Rows beside those of a fit must have the same columns."""
    if others.cols != features.cols:
        raise ValueError(f"{what} has {others.cols} features, and X has {features.cols}")
    if features.names is not None and others.names is not None and list(features.names) != list(others.names):
        raise ValueError(f"{what}: the feature names should be those of X, in the same order")
    if (features.names is None) != (others.names is None):
        raise ValueError(f"{what} and X must both have feature names, or neither")


def one_pair(eval_set, weights):
    """X, y and weights of an eval_set, which may be a list of one pair as in other libraries."""
    if isinstance(eval_set, list):
        if len(eval_set) != 1:
            raise ValueError(f"eval_set takes one pair (X, y), the rows to go by (got {len(eval_set)})")
        eval_set = eval_set[0]
        if isinstance(weights, list) and len(weights) == 1 and np.ndim(weights[0]) == 1:
            weights = weights[0]
    if not isinstance(eval_set, (tuple, list)) or len(eval_set) != 2:
        raise TypeError(f"eval_set must be a pair (X, y) (got {type(eval_set).__name__})")
    return (*eval_set, weights)


def check_input_features(estimator, names):
    """Names of the inputs that a caller repeats must be those of the fit."""
    if names is None:
        return
    fitted = _names_of_fit(estimator)
    if fitted is not None and list(fitted) != list(names):
        raise ValueError("input_features is not equal to feature_names_in_")
    if len(names) != estimator.n_features_in_:
        raise ValueError(
            f"input_features should have length equal to number of features "
            f"({estimator.n_features_in_}), got {len(names)}"
        )


def _name_difference(fitted, names):
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(names) - set(fitted))
    missing = sorted(set(fitted) - set(names))
    for title, group in (
        ("Feature names unseen at fit time", unseen),
        ("Feature names seen at fit time, yet now missing", missing),
    ):
        if group:
            shown = group[:5] + (["..."] if len(group) > 5 else [])
            message += f"{title}:\n" + "".join(f"- {name}\n" for name in shown)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def check_lengths(rows, *others):
    """Every array as long as X."""
    lengths = [rows] + [len(other) for other in others if other is not None]
    if len(set(lengths)) > 1:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {lengths}; "
            "X and y must have one row for each example"
        )


def check_weights(sample_weight, rows):
    """One float64 weight per row, or None."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Number):
        weights = np.full(rows, sample_weight, dtype=np.float64)
    else:
        try:
            weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise type(error)(
                f"sample_weight must be one number for each row, got {sample_weight!r:.60}"
            ) from error
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if weights.shape != (rows,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(rows,)}!")
    check_finite(weights, "sample_weight")
    return weights


def _one_column(y):
    if y.ndim == 2 and y.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. "
            "Please change the shape of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=6,
        )
        return y.ravel()
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    return y


def _target_array(y, owner):
    if y is None:
        raise ValueError(
            f"{owner} requires y to be passed, but the target y is None; "
            "give the column to predict"
        )
    if hasattr(y, "tocsr"):
        raise TypeError("Sparse data was passed for y, but dense data is required.")
    y = np.asarray(y)
    if y.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{y}\n")
    return y


def target_names(y):
    """What y calls its columns: a series its one, a frame its several. None where it has no names, or
    some that are not texts (pandas numbers the columns of a frame made from an array)."""
    kind = type(y)  # a series shows its labels as attributes, and one may be "columns"
    names = list(y.columns) if hasattr(kind, "columns") else [y.name if hasattr(kind, "name") else None]
    return names if all(isinstance(name, str) and name for name in names) else None


class ClassTarget:
    """Classes as the user writes them, as codes, and as texts for the library."""

    def __init__(self, classes, codes):
        self.classes = classes
        self.codes = np.ascontiguousarray(codes, dtype=np.int32)
        self.texts = class_texts(classes)


def class_texts(classes):
    """The classes as the library writes them; all different."""
    texts = [level_text(value) for value in classes]
    if len(set(texts)) != len(texts):
        raise ValueError(f"Unknown label type: two classes are written alike: {texts[:10]}")
    return texts


def read_classes(y, owner, known=None):
    """y as classes; `known` are those settled beforehand."""
    y = _one_column(_target_array(y, owner))
    if y.dtype.kind == "f":
        check_finite(y, "y")
        if (y != np.floor(y)).any():
            raise ValueError(
                "Unknown label type: continuous. The target has fractional numbers, and "
                f"{owner} predicts classes; use a regressor instead."
            )
    if y.dtype.kind == "O":
        y = _uniform_objects(y)
    if y.dtype.kind not in "biufUSOT":
        raise ValueError(f"Unknown label type: {y.dtype}")
    classes, codes = distinct(y)
    if known is None:
        return ClassTarget(classes, codes)
    position = np.searchsorted(known, classes)
    position[position == len(known)] = 0
    strange = classes[known[position] != classes]
    if len(strange):
        raise ValueError(f"y contains classes that were not declared: {strange.tolist()}")
    return ClassTarget(known, position[codes])


# Whole numbers within so many of each other are counted in a table instead of sorted.
TABLE_RANGE = 1 << 16


def distinct(y):
    """The distinct values in order, and the index of each element among them: np.unique, but
    without its sort where y holds whole numbers close to each other, as classes do."""
    if y.dtype.kind in "iuf" and len(y) > 0:
        lowest, highest = y.min(), y.max()
        if int(highest) - int(lowest) < TABLE_RANGE:
            shifted = y.astype(np.int64) - int(lowest) if y.dtype.kind == "i" else y - lowest
            place = shifted.astype(np.intp)
            present = np.zeros(int(highest) - int(lowest) + 1, dtype=bool)
            present[place] = True
            index = np.cumsum(present, dtype=np.int32) - 1
            return (np.flatnonzero(present) + lowest).astype(y.dtype), index[place]
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.ravel()


def _uniform_objects(y):
    missing = np.array([v is None or v != v or type(v).__name__ == "NAType" for v in y.tolist()])
    if missing.any():
        raise ValueError(
            f"Input y contains NaN{_first(missing, None)}; leave out the rows without an answer"
        )
    kinds = {type(value) for value in y.tolist()}
    if all(issubclass(kind, str) for kind in kinds):
        return y
    if all(issubclass(kind, (int, np.integer, np.bool_)) for kind in kinds):
        return y.astype(bool if kinds <= {bool, np.bool_} else np.int64)
    if all(issubclass(kind, numbers.Real) for kind in kinds):
        return read_uniform_floats(y)
    names = sorted(kind.__name__ for kind in kinds)
    raise ValueError(f"Unknown label type: y must hold only strings or only numbers, got {names}")


def read_uniform_floats(y):
    """Objects that are all real numbers, as floats; whole numbers as integers."""
    floats = y.astype(np.float64)
    if (floats != np.floor(floats)).any():
        raise ValueError("Unknown label type: continuous")
    return floats.astype(np.int64)


def read_numbers(y, owner, *, many_outputs):
    """y as a float array with one column, or several where the learner takes them."""
    y = _target_array(y, owner)
    if not (many_outputs and y.ndim == 2):
        y = _one_column(y)
    if y.dtype.kind not in "fiubO":
        raise ValueError(
            f"{owner} needs a numeric y, got dtype {y.dtype} (such as {y.flat[0]!r}); "
            "a classifier learns classes"
        )
    y = y.astype(np.float64) if y.dtype.kind == "O" else as_floats(y)
    check_finite(y, "y")
    if y.ndim == 2 and y.shape[1] == 0:
        raise ValueError("y has no column")
    return y
