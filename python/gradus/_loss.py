"""A function as the loss of gradient boosting."""

from __future__ import annotations

import numpy as np


class PythonLoss:
    """What the library asks of a loss: arrays of outputs x rows, in the form that it stores.

    The function gets the targets (numbers, or the codes 0, 1, 2, ... of classes_) and the scores, of
    shape (n_samples,) or (n_samples, n_classes), and returns gradient and hessian of that shape. A
    method `value(y, score)` of it, if there is one, gives the loss of every row.
    """

    def __init__(self, function):
        self.function = function
        self.tells_values = callable(getattr(function, "value", None))

    def derivatives(self, targets, scores):
        shape = _by_row(scores)
        answer = self.function(targets, shape)
        try:
            gradient, hessian = answer
        except (TypeError, ValueError):
            raise TypeError(
                f"a loss must return (gradient, hessian), two arrays of shape {shape.shape} "
                f"(got {type(answer).__name__})"
            ) from None
        return _stored(gradient, shape, "gradient"), _stored(hessian, shape, "hessian")

    def values(self, targets, scores):
        answer = np.asarray(self.function.value(targets, _by_row(scores)), dtype=np.float64)
        if answer.shape != targets.shape:
            raise ValueError(
                f"the value of a loss must have the shape {targets.shape} (got {answer.shape})"
            )
        return np.ascontiguousarray(answer)


def _by_row(scores):
    """One score per row, or a row of scores."""
    return scores[0] if len(scores) == 1 else np.ascontiguousarray(scores.T)


def _stored(numbers, scores, name):
    """The numbers as the library stores them; one number stands for all."""
    numbers = np.asarray(numbers, dtype=np.float64)
    if numbers.ndim and numbers.shape != scores.shape:
        raise ValueError(
            f"the {name} of a loss must have the shape {scores.shape} of the scores (got {numbers.shape})"
        )
    return np.ascontiguousarray(np.broadcast_to(numbers, scores.shape).T)
