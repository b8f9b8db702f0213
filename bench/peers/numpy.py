"""NumPy: what a careful user writes by hand, on top of OpenBLAS.

install: pip numpy
"""

from __future__ import annotations

from typing import Any

from metrics import METRICS
from protocol import Job


def versions() -> dict[str, str]:
    """NumPy and the BLAS it carries."""
    import numpy

    blas = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return {"numpy": numpy.__version__, str(blas["name"]): str(blas["version"])}


def normal_equations(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """Least squares through the centred normal equations and a Cholesky-based solve."""
    import numpy as np

    def fit() -> tuple[Any, float]:
        X, y = data.X, data.y
        centre, middle = X.mean(axis=0), y.mean()
        gram = X.T @ X - len(X) * np.outer(centre, centre)
        right = X.T @ y - len(X) * centre * middle
        weights = np.linalg.solve(gram, right)
        return weights, float(middle - centre @ weights)

    return Job(
        fit=fit,
        predict=lambda model: data.X_test @ model[0] + model[1],
        quality=lambda model, prediction: METRICS[spec["metric"]](
            data.X_test @ model[0] + model[1], data
        ),
    )


def loadtxt(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A numeric CSV as one array."""
    import numpy as np

    return Job(
        fit=lambda: np.loadtxt(data.files["csv"], delimiter=",", skiprows=1),
        quality=lambda table, _: float(table.sum()),
    )


CALLS = {"normal_equations": normal_equations, "loadtxt": loadtxt}
