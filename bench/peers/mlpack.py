"""mlpack: C++ learners through their Python bindings.

install: pip mlpack
"""

from __future__ import annotations

from typing import Any

from metrics import METRICS
from protocol import Job


def versions() -> dict[str, str]:
    """The package."""
    import mlpack

    return {"mlpack": mlpack.__version__}


def kmeans(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Lloyd iterations pruned by the algorithm of the settings; labels are part of the answer."""
    import mlpack

    def fit() -> Any:
        return mlpack.kmeans(
            input_=data.X, clusters=len(data.centers), initial_centroids=data.centers,
            algorithm=spec["settings"]["algorithm"], max_iterations=300, labels_only=True,
            copy_all_inputs=True,
        )["output"]

    return Job(fit=fit, quality=lambda labels, _: METRICS["inertia"](labels, data))


def linear_regression(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Least squares through a Cholesky factor."""
    import mlpack

    def fit() -> Any:
        return mlpack.LinearRegression().fit(data.X, data.y)

    def predict(model: Any) -> Any:
        return model.predict(data.X_test)

    return Job(
        fit=fit, predict=predict,
        quality=lambda model, found: METRICS[spec["metric"]](
            predict(model) if found is None else found, data
        ),
    )


def _trees(make: Any, data: Any, spec: dict[str, Any]) -> Job:
    """A classifier of mlpack: it overwrites its input unless it is told to copy."""

    def predict(model: Any) -> Any:
        return model.predict(test=data.X_test).ravel()

    return Job(
        fit=lambda: make().fit(training=data.X, labels=data.y.astype(int)), predict=predict,
        quality=lambda model, found: METRICS[spec["metric"]](
            predict(model) if found is None else found, data
        ),
    )


def decision_tree(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """One tree of full depth."""
    import mlpack

    return _trees(lambda: mlpack.DecisionTree(minimum_leaf_size=1, minimum_gain_split=1e-7,
                                              copy_all_inputs=True), data, spec)


def random_forest(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Trees of full depth on bootstrap samples, the square root of the columns at each node."""
    import mlpack

    trees = spec["settings"]["num_trees"]
    return _trees(lambda: mlpack.RandomForest(num_trees=trees, minimum_leaf_size=1, seed=1,
                                              copy_all_inputs=True), data, spec)


CALLS = {"decision_tree": decision_tree, "kmeans": kmeans, "linear_regression": linear_regression,
         "random_forest": random_forest}
