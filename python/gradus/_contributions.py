"""The answers of a model, split up by feature."""

from __future__ import annotations

import numpy as np


class SplitsAnswers:
    """For learners whose models can: exact Shapley values of trees. Of a learner over learners it
    depends on what is inside; a model that cannot says why."""

    def contributions(self, X):
        """What each feature adds to the score of every row: exact Shapley values, for tree models.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The rows to ask about.

        Returns
        -------
        ndarray of shape (n_samples, n_features + 1), or (n_samples, n_features + 1, n_scores)
            The last of the features is the base value, the mean answer of the training rows. A row
            adds up to its score: the number, the probabilities of a tree, a forest or bagging (a
            score for each class), the logarithms of odds of gradient boosting (one score for two
            classes), what the question of each class says of one_vs_rest.
        """
        values, scores, features = self._outputs(X, "contributions")
        return _scores_last(values.reshape(len(values), scores, features + 1))


class SplitsPairs(SplitsAnswers):
    """Asks about pairs too: for every learner without a parameter called interactions, which would
    hide the method."""

    def interactions(self, X):
        """What each pair of features adds to the score of every row, as contributions() does.

        Returns
        -------
        ndarray of shape (n_samples, n_features + 1, n_features + 1), or with n_scores behind
            Off the diagonal half of what the pair does together, on it what a feature does alone:
            lines add up to contributions(X). The base value is in the last place.
        """
        values, scores, features = self._outputs(X, "interactions")
        return _scores_last(values.reshape(len(values), scores, features + 1, features + 1))


def _scores_last(values):
    """The scores behind the features; one alone has no axis of its own."""
    return values[:, 0] if values.shape[1] == 1 else np.moveaxis(values, 1, -1)
