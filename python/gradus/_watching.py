"""Following a fit while it runs: who is told, and where its state is kept."""

from __future__ import annotations

import numbers
import os

from ._progress import check_callbacks, teller


class Watched:
    """What can be said about a fit before it begins, without changing its model."""

    def _tell(self):
        """Who is told how far a fit is."""
        return teller(self.__dict__.get("_callbacks", ()))

    def set_callbacks(self, *callbacks):
        """Functions that are told how far a fit is; a function that raises stops the fit.

        Parameters
        ----------
        *callbacks : functions of one argument
            Each is called with a gradus.Progress(stage, done, total) at the begin and the end of
            a fit, and in between by learners that take long. None of them changes the model, and
            copies of the estimator do not have them. Without an argument, nobody is told.

        Returns
        -------
        self
        """
        self._callbacks = check_callbacks(callbacks)
        return self

    def set_checkpoint(self, path, *, every=10, if_kept="resume"):
        """Where a fit keeps its state from time to time, to go on after it was stopped or killed.

        A fit that goes on ends in the same model as one that was never stopped, byte by byte. With
        the same data and more n_estimators it is a warm start: only the new rounds are run.

        Parameters
        ----------
        path : path-like or None
            The file; None keeps nothing.
        every : int
            Rounds between two checkpoints.
        if_kept : {'resume', 'replace', 'refuse'}
            What to do with a checkpoint that is there: go on from it, start anew, or refuse. One of
            other data or other parameters is always refused.

        Returns
        -------
        self
        """
        if if_kept not in ("resume", "replace", "refuse"):
            raise ValueError(f"if_kept must be 'resume', 'replace' or 'refuse' (got {if_kept!r})")
        if isinstance(every, bool) or not isinstance(every, numbers.Integral) or every < 1:
            raise ValueError(f"every must be an integer of at least 1 (got {every!r})")
        self._checkpoint = None if path is None else (os.fspath(path), int(every), if_kept)
        return self
