"""X in all its shapes, as typed columns that the library reads in place.

NumPy arrays of float64 or float32 are passed as they are, in any order and stride. Data frames
(pandas, polars, pyarrow; recognised by what they can do, not imported) become one typed column
each: categories, text and booleans are nominal, numbers numeric. Sparse matrices become CSR.
"""

from __future__ import annotations

import warnings

import numpy as np

from . import _core
from ._errors import row_words


class Features:
    """The columns of X: `names` is None when X has none of its own."""

    def __init__(self, rows, cols, names=None):
        self.rows, self.cols, self.names = rows, cols, names
        self.matrix = None  # a two-dimensional float array
        self.columns = None  # or one array or Nominal per column
        self.sparse = None  # or (indptr, indices, data)
        self.fractional = []  # columns whose fractional numbers were taken as categories

    def table(self, names=None, threads=0):
        """A new table with these columns, under `names` or x0, x1, ..."""
        table = _core.Table()
        if self.sparse is not None:  # columns without names: there may be millions
            table.set_sparse(*self.sparse, self.cols, threads)
            return table
        if names is None:
            names = self.names
        if names is None:
            names = [f"x{j}" for j in range(self.cols)]
        names = [str(name) for name in names]
        if self.matrix is not None:
            table.add_matrix(names, self.matrix)
        else:
            for name, column in zip(names, self.columns):
                if isinstance(column, Nominal):
                    table.add_nominal(name, column.codes, column.levels, column.ordered)
                else:
                    table.add_numeric(name, column)
        return table

    def place(self, cell):
        """A cell (row, column) in words."""
        row, column = cell
        return f"{row_words(row)}, column {column if self.names is None else repr(self.names[column])}"

    def sparse_place(self, entry):
        """The cell of a stored entry in words."""
        begin, index, _ = self.sparse
        return self.place((int(np.searchsorted(begin, entry[0], side="right")) - 1, index[entry[0]]))

    def _as_csr(self):
        """The sparse rows for SciPy, which reads outside of its arrays where an index is wrong."""
        import scipy.sparse

        begin, index, data = self.sparse
        _check_indices(index, self.cols, (self.rows, self.cols))
        return scipy.sparse.csr_matrix((data, index, begin), shape=(self.rows, self.cols))

    def densified(self):
        """The same rows without the sparse form."""
        dense = Features(self.rows, self.cols, self.names)
        dense.matrix = self._as_csr().toarray()
        return dense

    def sparsified(self):
        """The same rows in sparse form."""
        import scipy.sparse

        out = Features(self.rows, self.cols, self.names)
        out.sparse = _csr_parts(scipy.sparse.csr_matrix(self.matrix))
        return out

    def take(self, rows):
        """Only the chosen rows (a boolean per row); categories that none of them has are gone."""
        out = Features(int(rows.sum()), self.cols, self.names)
        if self.sparse is not None:
            out.sparse = _csr_parts(self._as_csr()[rows])
        elif self.matrix is not None:
            out.matrix = self.matrix[rows]
        else:
            out.columns = [c.take(rows) if isinstance(c, Nominal) else c[rows] for c in self.columns]
        return out

    def copied(self):
        """The same columns in memory of their own."""
        out = Features(self.rows, self.cols, self.names)
        out.sparse = None if self.sparse is None else tuple(np.array(part) for part in self.sparse)
        out.matrix = None if self.matrix is None else self.matrix.copy()
        if self.columns is not None:
            out.columns = [c if isinstance(c, Nominal) else c.copy() for c in self.columns]
        return out


class Nominal:
    """Codes into levels; -1 is missing."""

    def __init__(self, codes, levels, ordered=False):
        self.codes = np.ascontiguousarray(codes, dtype=np.int32)
        self.levels = [level_text(level) for level in levels]
        self.ordered = ordered
        if len(set(self.levels)) != len(self.levels):
            raise ValueError(f"two categories are written alike: {sorted(self.levels)[:10]}")

    def take(self, rows):
        codes = self.codes[rows]
        used = np.unique(codes[codes >= 0])
        renumbered = np.full(len(self.levels) + 1, -1, dtype=np.int32)  # -1 finds the last
        renumbered[used] = np.arange(len(used), dtype=np.int32)
        return Nominal(renumbered[codes], [self.levels[code] for code in used], self.ordered)


def level_text(value):
    """How a category or class is written: whole numbers without a decimal point."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def is_sparse(X):
    """Whether X is a SciPy sparse matrix or array."""
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


def read_features(X, *, accepts, owner):
    """X as Features. `owner` is the name of the estimator, for messages."""
    if is_sparse(X):
        return _from_sparse(X, accepts, owner)
    if hasattr(X, "to_pandas") and hasattr(X, "column_names"):  # pyarrow
        X = X.to_pandas()
    if hasattr(X, "get_columns") and hasattr(X, "schema"):  # polars
        return _from_frame(X, list(X.columns), X.get_columns(), accepts)
    if hasattr(X, "iloc") and hasattr(X, "dtypes") and getattr(X, "ndim", 0) == 2:  # pandas
        return _from_pandas(X, accepts)
    return _from_array(_as_array(X), accepts, owner)


def _from_sparse(X, accepts, owner):
    if "sparse" not in accepts:
        raise TypeError(
            f"Sparse data was passed for X, but {owner} requires dense data. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    if X.ndim != 2:
        raise ValueError(_shape_message(X.ndim, X))
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported\n")
    if X.format in ("csr", "csc"):
        _check_compressed(X)
    elif X.format == "coo":
        _check_coordinates(X)
    features = Features(*X.shape)
    features.sparse = _csr_parts(X.tocsr())
    return features


def _check_compressed(X):
    """A broken structure would make SciPy itself read outside of its arrays. The columns of CSR are
    looked at by the library, which reads them as they are."""
    major, minor = X.shape if X.format == "csr" else X.shape[::-1]
    begin, index = np.asarray(X.indptr), np.asarray(X.indices)
    sound = (
        begin.ndim == 1
        and index.ndim == 1
        and len(begin) == major + 1
        and begin[0] == 0
        and begin[-1] <= min(len(index), len(X.data))
        and not (np.diff(begin) < 0).any()
    )
    if not sound:
        raise ValueError(f"the sparse matrix is not valid: its indptr or indices do not fit {X.shape}")
    if X.format != "csr":
        _check_indices(index, minor, X.shape)


def _check_indices(index, size, shape):
    if len(index) and (index.min() < 0 or index.max() >= size):
        raise ValueError(f"the sparse matrix is not valid: an index is outside of {shape}")


def _check_coordinates(X):
    for index, size in ((X.row, X.shape[0]), (X.col, X.shape[1])):
        _check_indices(index, size, X.shape)


def _csr_parts(csr):
    used = int(csr.indptr[-1])
    return csr.indptr, csr.indices[:used], as_floats(csr.data[:used])


_NO_TABLE = {
    "NoneType": "give the rows to learn from or to predict",
    "dict": "make a frame of it: pandas.DataFrame(X)",
    "str": "read the file first: pandas.read_csv(X)",
    "PosixPath": "read the file first: pandas.read_csv(X)",
    "LazyFrame": "its rows are not there yet: X.collect()",
}


def _as_array(X):
    kind = type(X).__name__
    if kind in _NO_TABLE:
        raise TypeError(f"X must be a table of rows and columns, got {X!r:.60} ({kind}); {_NO_TABLE[kind]}")
    if isinstance(X, np.ma.MaskedArray):
        return X.astype(np.float64).filled(np.nan) if np.ma.is_masked(X) else X.data
    if hasattr(X, "__dlpack__") and not hasattr(X, "__array__"):
        return np.from_dlpack(X)
    return np.asarray(X)


def _shape_message(ndim, X):
    if ndim > 2:
        return f"Found array with dim {ndim}, while dim <= 2 is required."
    found = "1D array" if ndim == 1 else "scalar array"
    return (
        f"Expected 2D array, got {found} instead:\narray={X}.\n"
        "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
        "or array.reshape(1, -1) if it contains a single sample."
    )


def _from_array(array, accepts, owner):
    if array.ndim != 2:
        raise ValueError(_shape_message(array.ndim, array))
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    if array.dtype.kind not in "fiubOUS":
        raise TypeError(f"{owner} cannot use an array of dtype {array.dtype}; convert it to numbers")
    features = Features(*array.shape)
    if array.dtype.kind in "fiub":
        array = as_floats(array)
    elif "numeric" in accepts:
        array = _floats_if_possible(array)
    if array.dtype.kind == "f" and "numeric" in accepts:
        features.matrix = array
    elif array.dtype.kind == "f":
        features.columns = [_numbers_as_nominal(array[:, j]) for j in range(array.shape[1])]
        features.fractional = [
            j
            for j, column in enumerate(features.columns)
            if isinstance(column, Nominal) and any("." in level for level in column.levels)
        ]
    else:
        columns = [array[:, j] for j in range(array.shape[1])]
        features.columns = [_typed_column(column, accepts) for column in columns]
    return features


def as_floats(array):
    """Numbers as native float64, or float32 where that loses nothing and saves a copy."""
    if array.dtype == np.float64 or array.dtype == np.float32:  # equal only in native byte order
        return array
    _tell_lost_digits(array)
    narrow = array.dtype.kind == "f" and array.dtype.itemsize <= 4
    return array.astype(np.float32 if narrow else np.float64)


def _tell_lost_digits(array):
    """Neighbouring integers of 2^53 and more become the same number: an identifier loses its digits."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or array.size == 0:
        return
    _tell_if_lost(max(int(array.max()), int(array.min()), key=abs))


def _tell_if_lost(largest):
    if abs(largest) < 2**53:
        return
    warnings.warn(
        f"integers of 2^53 or more lose digits as numbers, such as {largest}; "
        "give identifiers as texts",
        UserWarning,
        stacklevel=2,
    )


def _floats_if_possible(array):
    try:
        return array.astype(np.float64)
    except (ValueError, TypeError):
        return array.astype(object)


def _typed_column(column, accepts):
    """A numeric array or a Nominal from one column of texts or objects."""
    values = column.tolist()
    if column.dtype.kind == "S":
        values = [value.decode() for value in values]
    return _from_objects(values, accepts)


def _is_missing(value):
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def _from_objects(values, accepts):
    """A column from Python objects: all numbers are numeric, all else that can be is nominal."""
    present = [value for value in values if not _is_missing(value)]
    number = (int, float, np.integer, np.floating)
    if all(isinstance(v, number) and not isinstance(v, bool) for v in present):
        floats = np.array([np.nan if _is_missing(v) else float(v) for v in values], dtype=np.float64)
        return floats if "numeric" in accepts else _whole_numbers_as_nominal(floats)
    for value in present:
        if not isinstance(value, (str, bool, np.bool_) + number):
            raise TypeError(
                f"argument must be a string or a real number, not {type(value).__name__!r}"
            )
    texts = [None if _is_missing(value) else level_text(value) for value in values]
    levels = sorted({text for text in texts if text is not None})
    index = {level: code for code, level in enumerate(levels)}
    return Nominal([-1 if text is None else index[text] for text in texts], levels)


def _whole_numbers_as_nominal(column):
    """Categories coded as whole numbers; a typed column with fractions stays numeric."""
    known = column[~np.isnan(column)]
    fractional = np.isinf(known).any() or (known != np.floor(known)).any()
    return column if fractional else _numbers_as_nominal(column)


def _numbers_as_nominal(column):
    """Every distinct number is a category: an array has no types that could say otherwise."""
    known = ~np.isnan(column)
    if np.isinf(column).any():
        return column
    levels, inverse = np.unique(column[known], return_inverse=True)
    codes = np.full(len(column), -1, dtype=np.int32)
    codes[known] = inverse.ravel()
    return Nominal(codes, levels)


def _from_pandas(X, accepts):
    names = list(X.columns)
    dtypes = list(X.dtypes)
    floats = {np.dtype(np.float64), np.dtype(np.float32)}
    same = len(set(map(str, dtypes))) == 1 and dtypes[0] in floats
    if same and "numeric" in accepts:
        features = Features(*X.shape, _own_names(names))
        features.matrix = X.to_numpy()
        return features
    return _from_frame(X, names, [X.iloc[:, j] for j in range(X.shape[1])], accepts)


def _from_frame(X, names, series, accepts):
    features = Features(*X.shape, _own_names(names))
    features.columns = [_from_series(one, name, accepts) for one, name in zip(series, names)]
    return features


def _from_series(series, name, accepts):
    try:
        categories = getattr(series, "cat", None)
        if categories is not None and hasattr(categories, "codes"):  # pandas
            return Nominal(categories.codes, categories.categories, bool(categories.ordered))
        if _is_numeric(series.dtype):
            values = _series_floats(series)
            return values if "numeric" in accepts else _whole_numbers_as_nominal(values)
        _refuse_unusable(series.dtype)
        values = series.to_list()
        return _from_objects(values, accepts)
    except TypeError as error:
        raise TypeError(f"column {name!r} of dtype {series.dtype}: {error}") from None


def _is_numeric(dtype):
    if hasattr(dtype, "is_numeric"):  # polars
        return dtype.is_numeric()
    kind = getattr(getattr(dtype, "subtype", dtype), "kind", "O")  # pandas sparse has a subtype
    return kind in "iuf"


def _refuse_unusable(dtype):
    word = str(dtype).lower()
    for unusable in ("date", "time", "duration", "period", "interval", "complex", "list", "struct"):
        if word.startswith(unusable):
            raise TypeError("convert it to numbers or categories first")


def _series_floats(series):
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return as_floats(series.to_numpy())
    if hasattr(dtype, "is_numeric"):  # polars: null becomes NaN
        if dtype.is_integer() and series.len() > series.null_count():
            _tell_if_lost(max(int(series.max()), int(series.min()), key=abs))
        return as_floats(np.asarray(series.to_numpy(), dtype=None if dtype.is_float() else np.float64))
    if hasattr(dtype, "subtype"):
        return as_floats(np.asarray(series))
    if dtype.kind in "iu" and series.notna().any():  # pandas, with values that may be missing
        _tell_if_lost(max(int(series.max()), int(series.min()), key=abs))
    return series.to_numpy(dtype=np.float64, na_value=np.nan)


def _own_names(names):
    """Column names, when all are texts; None when none is; a mixture is refused."""
    kinds = sorted({type(name).__name__ for name in names})
    texts = [isinstance(name, str) for name in names]
    if names and all(texts):
        return names
    if any(texts):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. Convert them all to strings, "
            "e.g. X.columns = X.columns.astype(str)."
        )
    return None
