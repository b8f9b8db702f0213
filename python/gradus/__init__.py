"""Gradus: machine learning that shows its work.

Every learner of the library is a class with scikit-learn's interface, and every one can explain
itself:

>>> from gradus import BaselineClassifier
>>> model = BaselineClassifier().fit([[0], [1], [2]], ["no", "yes", "yes"])
>>> model.predict([[5]])
array(['yes'], dtype='<U3')
>>> print(model.explain())  # doctest: +SKIP
"""

import os as _os

from . import _interpreter  # noqa: F401  before anything that a second interpreter cannot load
from . import _core
from ._core import __version__
from ._errors import Error
from ._generated import *  # noqa: F403
from ._generated import __all__ as _classes
from ._steps import Steps

__all__ = [*_classes, "Error", "Steps", "all_estimators", "catalogue", "load"]


def all_estimators():
    """Every estimator class, in the order of the catalogue."""
    return [globals()[name] for name in _classes]


def catalogue():
    """Every learner with its parameters and abilities, as data."""
    return _core.catalogue()


def load(path):
    """The estimator of a model file, written by save() or by the command `gradus train`."""
    model = _core.Model.load(_os.fspath(path))
    about = model.describe()
    for cls in all_estimators():
        if (cls._learner, cls._task) == (about["learner"], about["task"]):
            return cls._from_model(model)
    raise Error("bad_data", str(path), f"no estimator for the learner {about['learner']!r}")
