"""LIBLINEAR through its C library: linear classifiers on sparse rows, each class against the rest.

The rows are laid out as the library wants them before the clock starts, so that what is measured is
`train` alone. Solvers by LIBLINEAR's numbers: 0 and 7 are logistic regression in the primal and the
dual, 1 is the squared hinge in the dual.

install: debian liblinear4
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from metrics import METRICS
from protocol import Job

LIBRARY = "liblinear.so.4"


class _Node(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int), ("value", ctypes.c_double)]


class _Problem(ctypes.Structure):
    _fields_ = [
        ("l", ctypes.c_int),
        ("n", ctypes.c_int),
        ("y", ctypes.POINTER(ctypes.c_double)),
        ("x", ctypes.POINTER(ctypes.c_void_p)),
        ("bias", ctypes.c_double),
    ]


class _Parameter(ctypes.Structure):
    """Of versions 2.20 to 2.30; later ones have more members."""

    _fields_ = [
        ("solver_type", ctypes.c_int),
        ("eps", ctypes.c_double),
        ("C", ctypes.c_double),
        ("nr_weight", ctypes.c_int),
        ("weight_label", ctypes.c_void_p),
        ("weight", ctypes.c_void_p),
        ("p", ctypes.c_double),
        ("init_sol", ctypes.c_void_p),
    ]


class _Model(ctypes.Structure):
    _fields_ = [
        ("param", _Parameter),
        ("nr_class", ctypes.c_int),
        ("nr_feature", ctypes.c_int),
        ("w", ctypes.POINTER(ctypes.c_double)),
        ("label", ctypes.POINTER(ctypes.c_int)),
        ("bias", ctypes.c_double),
    ]


def _library() -> Any:
    library = ctypes.CDLL(LIBRARY)
    version = ctypes.c_int.in_dll(library, "liblinear_version").value
    if not 220 <= version <= 230:
        raise OSError(f"liblinear {version} lays out its structures in another way")
    library.train.restype = ctypes.POINTER(_Model)
    library.train.argtypes = [ctypes.POINTER(_Problem), ctypes.POINTER(_Parameter)]
    library.free_and_destroy_model.argtypes = [ctypes.POINTER(ctypes.POINTER(_Model))]
    quiet = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: None)
    library.set_print_string_function(quiet)
    library.quiet = quiet  # the library calls it as long as it lives
    return library


def versions() -> dict[str, str]:
    """Asked of the library."""
    version = ctypes.c_int.in_dll(_library(), "liblinear_version").value
    return {"liblinear": f"{version // 100}.{version % 100}"}


def _nodes(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Rows of (index, value) with the constant 1 and the end mark behind each, and their starts."""
    X = X.tocsr()
    kind = np.dtype({"names": ["index", "value"], "formats": ["i4", "f8"],
                     "offsets": [0, _Node.value.offset], "itemsize": ctypes.sizeof(_Node)})
    rows = X.shape[0]
    starts = X.indptr[:-1] + 2 * np.arange(rows)
    nodes = np.zeros(X.nnz + 2 * rows, kind)
    place = np.arange(X.nnz) + 2 * np.repeat(np.arange(rows), np.diff(X.indptr))
    nodes["index"][place] = X.indices + 1
    nodes["value"][place] = X.data
    constants = X.indptr[1:] + 2 * np.arange(rows)
    nodes["index"][constants] = X.shape[1] + 1
    nodes["value"][constants] = 1
    nodes["index"][constants + 1] = -1
    return nodes, starts


def linear(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """`solver` (LIBLINEAR's number), `C` and `eps`; the intercept is penalised, as it always is."""
    library = _library()
    settings = data.fill(spec["settings"], threads)
    nodes, starts = _nodes(data.X)
    y = np.ascontiguousarray(data.y, dtype=np.float64)
    addresses = (nodes.ctypes.data + starts * nodes.itemsize).astype(np.uintp)
    problem = _Problem(
        len(y), data.X.shape[1] + 1, y.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
        addresses.ctypes.data_as(ctypes.POINTER(ctypes.c_void_p)), 1.0,
    )
    borrowed = (nodes, addresses, y)  # by the problem, which does not keep them alive
    parameter = _Parameter(settings["solver"], settings["eps"], settings["C"], 0, None, None, 0.1, None)

    def fit() -> tuple[np.ndarray, np.ndarray]:
        """Coefficients (features and the constant x functions) and the labels in their order."""
        assert all(len(array) for array in borrowed)
        model = library.train(ctypes.byref(problem), ctypes.byref(parameter))
        classes = model.contents.nr_class
        functions = 1 if classes == 2 else classes
        shape = (model.contents.nr_feature + 1, functions)
        w = np.ctypeslib.as_array(model.contents.w, shape).copy()
        labels = np.ctypeslib.as_array(model.contents.label, (classes,)).copy()
        library.free_and_destroy_model(ctypes.byref(model))
        return w, labels

    def predict(model: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        w, labels = model
        scores = data.X_test @ w[:-1] + w[-1]
        if len(labels) == 2:
            return np.where(scores[:, 0] > 0, labels[0], labels[1])
        return labels[np.argmax(scores, axis=1)]

    return Job(
        fit=fit,
        quality=lambda model, _: METRICS[spec["metric"]](predict(model), data),
    )


CALLS = {"linear": linear}
