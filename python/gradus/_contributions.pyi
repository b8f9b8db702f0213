"""Types of the answers of a model, split up by feature."""

from typing import Any

from numpy.typing import NDArray

class SplitsAnswers:
    def contributions(self, X: Any) -> NDArray[Any]: ...

class SplitsPairs(SplitsAnswers):
    def interactions(self, X: Any) -> NDArray[Any]: ...
