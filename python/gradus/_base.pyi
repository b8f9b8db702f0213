"""Types of the generic estimator; the generated classes add their parameters."""

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from numpy.typing import NDArray
from typing_extensions import Self

from ._progress import Progress
from ._steps import Steps

class Estimator:
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    fingerprint_: str
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
    def set_callbacks(self, *callbacks: Callable[[Progress], object]) -> Self: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
    def set_checkpoint(
        self,
        path: str | os.PathLike[str] | None,
        *,
        every: int = 10,
        if_kept: Literal["resume", "replace", "refuse"] = "resume",
    ) -> Self: ...
    def fit_file(
        self,
        path: str | os.PathLike[str],
        target: str | list[str],
        *,
        rows: int = 100_000,
        passes: int = 1,
        classes: Sequence[Any] | None = None,
        nominal: Sequence[str] = (),
        ignore: Sequence[str] = (),
        standardize: bool = False,
    ) -> Self: ...
    def explain(
        self, X: Any = None, y: Any = None, *, row: int | None = None, sample_weight: Any = None
    ) -> Steps: ...
    def describe(self) -> dict[str, Any]: ...
    @overload
    def tree(self, index: int = 0, *, format: Literal["dict"] = "dict") -> dict[str, Any]: ...
    @overload
    def tree(self, index: int = 0, *, format: Literal["text", "svg"]) -> str: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
