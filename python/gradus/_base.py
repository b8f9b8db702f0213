"""The generic estimator: everything that the generated classes share.

A generated class adds its signature, its documentation and the name of its learner; what it can do
is read from the catalogue.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import numbers
import os
import warnings
from collections.abc import Mapping

import numpy as np

from . import _core
from ._compat import BaseEstimator, NotFittedError
from ._data import level_text, read_features
from ._errors import Error
from ._files import FromFiles
from ._fitted import USUAL_DOCS, Learned
from ._loss import PythonLoss
from ._problem import Problem
from ._steps import Steps
from ._trees import Trees
from ._validate import (
    check_cells,
    check_names,
    check_same_columns,
    check_shape,
    check_weights,
    one_pair,
)
from ._watching import Watched

# explain() without data replays the fit on a copy of the training data, kept only up to this size.
_KEPT_CELLS = 20_000


@functools.lru_cache(maxsize=None)
def learners():
    """The catalogue by learner name."""
    return {learner["name"]: learner for learner in _core.catalogue()}


def check_parameter_names(cls, args, params):
    """Refuses what __init__ would refuse, with the nearest name."""
    known = list(inspect.signature(cls.__init__).parameters)[1:]
    if args:
        raise TypeError(
            f"{cls.__name__} takes its parameters by name, such as {known[0]}=..., "
            f"got {args[0]!r} without one; the parameters are {', '.join(known)}"
        )
    spellings = {name: name for name in known}
    for param in cls._about()["parameters"] if cls._learner else []:
        for alias in (*param.get("aliases", ()), param["name"]):
            spellings.setdefault(alias, param["name"])
    for name in params:
        if name in known:
            continue
        near = difflib.get_close_matches(name, spellings, 1, 0.6)
        advice = f" (did you mean {spellings[near[0]]}?)" if near else ""
        raise TypeError(
            f"{cls.__name__} has no parameter {name!r}{advice}; the parameters are {', '.join(known)}"
        )


def learned_later(cls, name):
    """Whether an attribute is one that a fit gives."""
    learned = {f"{quantity}_" for quantity in cls._about()["quantities"]} if cls._learner else set()
    return name in learned or name in USUAL_DOCS


def model_from_bytes(data):
    """A model from its container: what a pickle of ours calls."""
    return _core.Model.from_bytes(data)


def seed_from(random_state):
    """A seed from None, a number, a RandomState or a Generator."""
    if random_state is None or random_state is np.random:
        return int(np.random.randint(2**31 - 1))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**62))
    return random_state


class Estimator(FromFiles, Trees, Watched, BaseEstimator):
    """A learner of the catalogue with scikit-learn's interface."""

    _learner = ""
    _task = ""
    _method = "labels"  # of the model, for predict()

    def __new__(cls, *args, **params):
        """Looks at the names of the parameters before Python refuses them in fewer words."""
        if args or params:
            check_parameter_names(cls, args, params)
        return super().__new__(cls)

    @classmethod
    def _about(cls):
        return learners()[cls._learner]

    def _abilities(self):
        """What the learner accepts and gives; one over any learner follows the one that is chosen."""
        about = self._about()
        chosen = [param for param in about["parameters"] if param["type"] == "learner"]
        if not chosen:
            return about
        return _core.abilities(self._learner, {param["name"]: self._value(param) for param in chosen})

    def _accepts(self, word):
        return word in self._abilities()["accepts"]

    def _value(self, param):
        """A parameter as the library reads it."""
        value = getattr(self, param["name"])
        if param["type"] == "seed":
            return seed_from(value)
        if callable(value) and "custom" in param.get("choices", ()):
            return "custom"
        if param["type"] == "choice or numbers" and isinstance(value, Mapping):
            return {level_text(name): number for name, number in value.items()}
        if param["type"] == "learner" and isinstance(value, Estimator):
            return value._as_choice(self, param["name"])
        return value

    def _as_choice(self, owner, name):
        """This estimator as the parameter of another one."""
        if self._task != owner._task:
            raise ValueError(
                f"{name} of {type(owner).__name__} must be for {owner._task} (got {type(self).__name__})"
            )
        return {"learner": self._learner, "parameters": self._params()}

    def _params(self):
        """The parameters by the library's names."""
        return {param["name"]: self._value(param) for param in self._about()["parameters"]}

    def _own_loss(self):
        """The function that is the loss, for learners that take one; else None."""
        for param in self._about()["parameters"]:
            value = getattr(self, param["name"])
            if "custom" in param.get("choices", ()) and callable(value):
                return PythonLoss(value)
        return None

    def _threads(self):
        if self.n_jobs is None:
            return 0
        if isinstance(self.n_jobs, bool) or not isinstance(self.n_jobs, numbers.Integral):
            raise TypeError(f"n_jobs must be an integer or None (got {self.n_jobs!r})")
        if self.n_jobs == 0:
            raise ValueError("n_jobs == 0 has no meaning; use None, -1 or a positive number")
        everything = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return int(self.n_jobs) if self.n_jobs > 0 else max(1, everything + 1 + int(self.n_jobs))

    def _columns(self, X):
        return read_features(X, accepts=self._abilities()["accepts"], owner=type(self).__name__)

    def _check(self, features, *, known=False):
        """Refuses cells that the learner cannot take; with `known`, that the fitted model cannot."""
        allow_nan = self._takes_nan(features) if known else self._accepts("missing")
        check_cells(features, allow_nan=allow_nan, threads=self._threads())

    def _takes_nan(self, features):
        """A model that did not learn from data of Python fills the gaps of new rows as it was told to
        when it was trained, as `gradus predict` does; sparse rows have no gaps to fill."""
        return self._accepts("missing") or (self.__dict__.get("_fills", False) and features.sparse is None)

    def _read(self, X):
        """New rows for a fit. The cells of a matrix are not looked at: the library does that while
        it surveys the table, and refuses what the learner cannot take (see _naming_cells)."""
        owner = type(self).__name__
        features = self._columns(X)
        check_shape(features, owner)
        if features.matrix is None:
            self._check(features)
        if features.fractional:
            warnings.warn(
                f"{owner} takes categories: every distinct number of column(s) "
                f"{features.fractional[:5]} becomes one, also the fractional ones; "
                "make classes of them first",
                UserWarning,
                stacklevel=4,
            )
        return features

    def _read_known(self, X, *, unchecked=False):
        """New rows for the fitted model, as a table under the names of the fit. With `unchecked`
        the cells of a matrix are left to the library, which looks at them while it reads them."""
        self._require_fitted()
        features = self._columns(X)
        check_shape(features, type(self).__name__)
        query = self._left_out(features)
        check_names(self, features.names, query)
        if features.cols != self.n_features_in_ and query is None:
            raise ValueError(
                f"X has {features.cols} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        if not unchecked or features.matrix is None or self._sparse:
            self._check(features, known=True)
        if self._sparse and features.sparse is None:
            features = features.sparsified()
        elif not self._sparse and features.sparse is not None:
            features = features.densified()
        return features

    def _names(self, features):
        """The names of the fit: what its columns are called in the model. Sparse ones have none."""
        if features.sparse is not None:
            return None
        names = self.__dict__.get("feature_names_in_", _numbered(self.n_features_in_))
        query = self._left_out(features)
        return names if query is None else [name for name in names if name != query]

    def _left_out(self, features):
        """The column of the queries, where new rows have all but that: nothing was learned from it."""
        query = self._model.query
        if not query or features.cols != self.n_features_in_ - 1:
            return None
        return None if features.names is not None and query in features.names else query

    def _known_table(self, features):
        return features.table(self._names(features), self._threads())

    def _remember(self, model, features):
        """The state after a successful fit, and nothing before it."""
        self._model = model
        self._learned = Learned(model)
        self._sparse = features.sparse is not None
        self._fills = False
        self.n_features_in_ = features.cols
        if features.names is not None:
            self.feature_names_in_ = np.asarray(features.names, dtype=object)
        elif "feature_names_in_" in self.__dict__:
            del self.feature_names_in_

    def _fit(self, X, y, sample_weight=None, classes=None, eval_set=None, eval_sample_weight=None):
        target = self._read_target(y, classes)
        features = self._read(X)
        examining = self._examining(features, target, eval_set, eval_sample_weight)
        problem = Problem(features, target, check_weights(sample_weight, features.rows), examining)
        problem = problem.without_weightless()
        table, job = problem.table_and_job(self, classes)
        kept = problem.copied() if problem.cells() <= _KEPT_CELLS else None
        # The table has codes of its own: those of many rows need not lie beside them meanwhile.
        target = None if target is None else target.without_rows()
        del problem
        if self.__dict__.get("_checkpoint"):
            job.keep_checkpoints(*self._checkpoint)
        if self._goes_on():
            job.begin_with(self._model)
        params = {**self._params(), **self._beginning()}
        model = self._naming_cells(
            features, False, _core.fit, self._learner, params, table, job, self._tell()
        )
        for sentence in model.idle_parameters():
            warnings.warn(f"{type(self).__name__}: {sentence}", UserWarning, stacklevel=3)
        self._remember(model, features)
        self._kept = kept
        self._after_fit(target, features)
        return self

    def _examining(self, features, target, eval_set, weights):
        """The rows of eval_set, one pair (X, y) or a list with one, read as those that teach."""
        if eval_set is None:
            if weights is not None:
                raise ValueError("eval_sample_weight weighs the rows of eval_set, which is not given")
            return None
        X, y, weights = one_pair(eval_set, weights)
        rows = self._columns(X)
        check_shape(rows, "eval_set")
        check_same_columns(features, rows, "eval_set")
        self._check(rows)
        known = getattr(target, "classes", None)
        try:
            answers = self._read_target(y, known)
        except ValueError as error:
            raise ValueError(f"eval_set: {error}") from None
        return Problem(rows, answers, check_weights(weights, rows.rows))

    def _goes_on(self):
        """Whether a fit keeps the rounds of the last one."""
        wanted = getattr(self, "warm_start", False) and self.__sklearn_is_fitted__()
        return bool(wanted and self._about()["goes_on"])

    def _beginning(self):
        """With warm_start, the coefficients of the last fit as the parameter that begins with them."""
        if not getattr(self, "warm_start", False) or not self.__sklearn_is_fitted__():
            return {}
        if self._goes_on():
            return {}
        fitted = self._model.fitted()
        if "outputs" in fitted:
            functions = [one["coefficients"] for one in fitted["outputs"].values()]
        else:
            coefficients = fitted["coefficients"]
            by_class = isinstance(next(iter(coefficients.values())), dict)
            functions = list(coefficients.values()) if by_class else [coefficients]
        start = []
        for one in functions:
            terms = list(one.values())
            intercept = terms.pop(0) if len(terms) > self.n_features_in_ else 0.0
            start += [*terms, intercept]
        return {"initial_coefficients": start}

    def _naming_cells(self, features, known, work, *arguments):
        """Does the work; if it fails because of a cell, says which one (`known`: as _check has it)."""
        try:
            return work(*arguments)
        except Error:
            self._check(features, known=known)
            raise

    def _partial_fit(self, X, y, sample_weight=None, classes=None):
        known = self.__dict__.get("classes_")
        if not self.__sklearn_is_fitted__():
            if classes is None and self._task == "classification":
                raise ValueError("classes must be passed on the first call to partial_fit.")
            return self._fit(X, y, sample_weight, classes)
        if classes is not None and not np.array_equal(np.unique(classes), known):
            raise ValueError(f"`classes={classes!r}` is not the same as on last call: {known!r}")
        features = self._read_known(X)
        target = self._read_target(y, known)
        problem = Problem(features, target, check_weights(sample_weight, features.rows))
        table, job = problem.table_and_job(self, classes, self._names(features), self._model.outputs)
        self._model = self._model.update(table, job, self._tell())
        self._learned = Learned(self._model)
        self._kept = None
        self._after_update(target, features)
        return self

    @classmethod
    def _from_model(cls, model):
        """An estimator around a model that was read from a file."""
        about = model.describe()
        values = about["parameters"]
        params = {p["name"]: values[p["name"]] for p in cls._about()["parameters"]}
        self = cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in params.items()})
        self._take_over(model, about)
        return self

    def _take_over(self, model, about):
        """The state of a model that did not come from data of Python."""
        self._model, self._learned, self._kept = model, Learned(model), None
        self._sparse, self._fills = about["sparse"], True
        self.n_features_in_ = len(about["columns"])
        self.__dict__.pop("feature_names_in_", None)
        if about["columns"] != _numbered(self.n_features_in_):
            self.feature_names_in_ = np.asarray(about["columns"], dtype=object)
        self._adopt(about)

    def _adopt(self, about):
        """What else a loaded model says about the estimator."""

    def _read_target(self, y, classes):
        return None

    def _after_fit(self, target, features):
        pass

    def _after_update(self, target, features):
        pass

    def predict(self, X):
        """The answer for every row of X: its class, its number or its cluster.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The rows to predict.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_outputs) for several targets
            Of several classes that are equally probable, the first.
        """
        return self._answers(self._outputs(X, self._method))

    def _answers(self, outputs):
        """The model's numbers in the form that the user expects."""
        raise NotImplementedError

    def _outputs(self, X, method="predict"):
        """The model's numbers (or labels, or new coordinates) for every row of X."""
        features = self._read_known(X, unchecked=True)
        cells = "any"
        if features.matrix is not None and not self._sparse:
            cells = "no_infinity" if self._takes_nan(features) else "finite"
        work = getattr(self._model, method)
        outputs, unseen = self._naming_cells(
            features, True, work, self._known_table(features), self._threads(), cells
        )
        if unseen:
            listed = [
                f"column {name!r}: {rows} row(s), such as {text!r}" for name, rows, text, _ in unseen
            ]
            more = f" and {len(listed) - 3} more columns" if len(listed) > 3 else ""
            warnings.warn(
                "categories that training never saw are treated as "
                + ("a level of their own: " if unseen[0][3] else "missing: ")
                + "; ".join(listed[:3])
                + more,
                UserWarning,
                stacklevel=3,
            )
        return outputs

    def explain(self, X=None, y=None, *, row=None, sample_weight=None):
        """The numbered steps of the fit, or of one prediction.

        Parameters
        ----------
        X, y : optional
            Without them, the steps of the last fit. With them, the steps of a fit to these data.
        row : int, optional
            The steps of the prediction for this row of X, counted from 0.
        sample_weight : array-like, optional
            Weights for the fit that is explained.

        Returns
        -------
        Steps
            A sequence of dicts that prints as text and shows as HTML in a notebook.
        """
        name = type(self).__name__
        if row is not None:
            if X is None:
                raise ValueError("row counts the rows of X, and X is not given: explain(X, row=...)")
            features = self._read_known(X)
            steps = self._model.explain_row(self._known_table(features), _row_index(row, features))
            return Steps(steps, f"{name}: the prediction for row {row}")
        if X is not None:
            if y is None and "clustering" not in self._about()["tasks"]:
                raise ValueError(
                    f"{name} explains a fit with y: explain(X, y); for the prediction of one row "
                    "give its number: explain(X, row=0)"
                )
            target = self._read_target(y, None)
            features = self._read(X)
            problem = Problem(features, target, check_weights(sample_weight, features.rows))
            problem = problem.without_weightless()
        else:
            problem = self.__dict__.get("_kept")
            if problem is None:
                raise self._nothing_kept()
        table, job = problem.table_and_job(self, None)
        params = self._model_params() if X is None else self._params()
        steps = self._naming_cells(
            problem.features, False, _core.explain_fit, self._learner, params, table, job
        )
        return Steps(steps, f"{name}: the fit")

    def _model_params(self):
        return self._model.describe()["parameters"]

    def _nothing_kept(self):
        self._require_fitted()
        return Error(
            "usage",
            "",
            f"{type(self).__name__} keeps no copy of training data that are large, incremental "
            "or from before a copy or a file",
            "give the data again: explain(X, y)",
        )

    def describe(self):
        """The fitted model as a dict: parameters, features, classes, fingerprint, provenance."""
        self._require_fitted()
        return self._model.describe()

    def save(self, path):
        """Writes the fitted model to a file that `gradus predict` and gradus.load can read."""
        self._require_fitted()
        self._model.save(os.fspath(path))

    def _require_fitted(self):
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )

    def __sklearn_is_fitted__(self):
        return self.__dict__.get("_model") is not None

    def __getattr__(self, name):
        """Learned quantities, read from the model when they are asked for."""
        state = self.__dict__
        if name.endswith("_") and not name.startswith("_") and state.get("_model") is not None:
            learned = state["_learned"].attributes
            if name in learned:
                return learned[name]
        # Nothing but names is asked here: copy and pickle look for attributes before there is a state.
        later = "" if "_model" in state or not learned_later(type(self), name) else "; fit learns it"
        if name in ("contributions", "interactions"):
            later = "; its answers are not split up by feature, as those of tree models are"
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{later}")

    def __dir__(self):
        learned = []
        if self.__sklearn_is_fitted__():
            learned = list(self._learned.attributes)
        return sorted({*super().__dir__(), *learned})

    def __getstate__(self):
        parent = getattr(super(), "__getstate__", None)
        state = dict(parent() if parent is not None else self.__dict__)
        # A copy carries the model's own bytes, and neither caches, data, callbacks nor a place on disk.
        for name in ("_learned", "_kept", "_callbacks", "_checkpoint"):
            state.pop(name, None)
        return state

    def __setstate__(self, state):
        parent = getattr(super(), "__setstate__", None)
        parent(state) if parent is not None else self.__dict__.update(state)
        if self.__sklearn_is_fitted__():
            self._learned = Learned(self._model)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._accepts("missing")
        tags.input_tags.sparse = self._accepts("sparse")
        tags.input_tags.string = True
        tags.input_tags.categorical = not self._accepts("numeric")
        tags.non_deterministic = False
        return tags

    def _more_tags(self):
        """The tags for scikit-learn before 1.6."""
        kinds = ["2darray", "string"]
        kinds += ["sparse"] if self._accepts("sparse") else []
        kinds += [] if self._accepts("numeric") else ["categorical"]
        tags = {
            "allow_nan": self._accepts("missing"),
            "X_types": kinds,
            "poor_score": "same_answer" in self._abilities()["gives"],
            "multioutput": self._task == "regression" and self._accepts("many_outputs"),
        }
        if tags["poor_score"]:
            # Newer versions of scikit-learn ask poor_score before they expect every class.
            reason = "every row gets the same answer, so not every class is predicted"
            tags["_xfail_checks"] = {"check_classifiers_classes": reason}
        return tags


def _numbered(count):
    return [f"x{j}" for j in range(count)]


def _row_index(row, features):
    index = int(row) + features.rows if row < 0 else int(row)
    if not 0 <= index < features.rows:
        raise IndexError(f"row {row} is outside of the {features.rows} row(s) of X")
    return index
