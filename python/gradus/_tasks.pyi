"""Types of what an estimator offers for its task."""

from typing import Any

from numpy.typing import NDArray

from ._base import Estimator

class Classifier(Estimator):
    classes_: NDArray[Any]
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

class Probabilities:
    def predict_proba(self, X: Any) -> NDArray[Any]: ...
    def predict_log_proba(self, X: Any) -> NDArray[Any]: ...

class Scores:
    def decision_function(self, X: Any) -> NDArray[Any]: ...

class Regressor(Estimator):
    n_outputs_: int
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

class Clusterer(Estimator):
    labels_: NDArray[Any]
    def fit_predict(self, X: Any, y: Any = None, **options: Any) -> NDArray[Any]: ...

class Transformer:
    def transform(self, X: Any) -> NDArray[Any]: ...
    def fit_transform(self, X: Any, y: Any = None, **options: Any) -> NDArray[Any]: ...
    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]: ...
