"""Gradus: machine learning that shows its work.

Every learner of the library is a class with scikit-learn's interface, and every one can explain
itself:

>>> from gradus import BaselineClassifier
>>> model = BaselineClassifier().fit([[0], [1], [2]], ["no", "yes", "yes"])
>>> model.predict([[5]])
array(['yes'], dtype='<U3')
>>> model.explain()
<3 steps: BaselineClassifier: the fit>

print(model.explain()) shows the steps with their numbers; a notebook shows them as a page.

- The learners: gradus.all_estimators(), and help(gradus.KMeans) for one of them.
- Files: model.save(path), gradus.load(path); the command `gradus` reads and writes the same files.
- Judging: gradus.evaluate has folds, cross-validation, comparison, tuning and curves.
- Mistakes: every error is a gradus.Error (a ValueError) that says what was allowed and what was found.
"""

from __future__ import annotations

import os as _os
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import _interpreter  # noqa: F401  before anything that a second interpreter cannot load
from . import _core
from ._core import __version__ as __version__
from ._errors import Error as Error
from ._generated import *  # noqa: F403
from ._generated import __all__ as _classes
from ._progress import Progress as Progress
from ._steps import Steps as Steps
from . import evaluate as evaluate  # noqa: E402  after the classes that it judges

if _TYPE_CHECKING:
    from ._base import Estimator as _Estimator

__all__ = [*_classes, "Error", "Progress", "Steps", "all_estimators", "catalogue", "evaluate", "load"]


def all_estimators() -> list[type[_Estimator]]:
    """Every estimator class, in the order of the catalogue."""
    return [globals()[name] for name in _classes]


def catalogue() -> list[dict[str, _Any]]:
    """Every learner with its parameters and abilities, as data."""
    return _core.catalogue()  # type: ignore[no-any-return]


def load(path: str | _os.PathLike[str]) -> _Any:
    """The estimator of a model file, written by save() or by the command `gradus train`."""
    model = _core.Model.load(_os.fspath(path))
    about = model.describe()
    for cls in all_estimators():
        if (cls._learner, cls._task) == (about["learner"], about["task"]):
            return cls._from_model(model)
    raise Error("bad_data", str(path), f"no estimator for the learner {about['learner']!r}")
