"""scikit-learn: the reference of the field.

install: pip scikit-learn>=1.6
install: pip scipy
"""

from __future__ import annotations

import importlib
from typing import Any

from estimators import estimator_job, one_row_job
from protocol import Job


def versions() -> dict[str, str]:
    """Also NumPy and SciPy, which do much of its work."""
    import numpy
    import scipy
    import sklearn

    return {
        "scikit-learn": sklearn.__version__,
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
    }


def _class(name: str) -> Any:
    module, _, cls = name.rpartition(".")
    return getattr(importlib.import_module(f"sklearn.{module}"), cls)


def any_call(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Any estimator by its dotted name below `sklearn`."""
    cls = _class(spec["call"])
    settings = data.fill(spec["settings"], threads)
    return estimator_job(lambda: cls(**settings), data, spec["metric"])


def one_row(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A single prediction through `predict`."""
    settings = data.fill(spec["settings"], threads)
    cls = _class(settings.pop("estimator"))
    return one_row_job(lambda: cls(**settings), data)


def one_hot_tree(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A decision tree on nominal columns: scikit-learn's takes numbers, so the categories are
    encoded first, inside of the clock, as every user of it has to."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    settings = data.fill(spec["settings"], threads)
    return estimator_job(
        lambda: make_pipeline(
            OneHotEncoder(handle_unknown="ignore", sparse_output=False, dtype="float32"),
            DecisionTreeClassifier(**settings)
        ),
        data,
        spec["metric"],
    )


def load_svmlight(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Reading a LIBSVM file into a CSR matrix."""
    from sklearn.datasets import load_svmlight_file

    return Job(
        fit=lambda: load_svmlight_file(data.files["libsvm"]),
        quality=lambda pair, _: float(pair[0].sum()),
    )


CALLS = {"one_row": one_row, "one_hot_tree": one_hot_tree, "load_svmlight_file": load_svmlight}
