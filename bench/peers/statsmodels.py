"""statsmodels: least squares with the statistics of every coefficient, as ours has them.

install: pip statsmodels
"""

from __future__ import annotations

from typing import Any

from metrics import METRICS
from protocol import Job


def versions() -> dict[str, str]:
    """The package."""
    import statsmodels

    return {"statsmodels": statsmodels.__version__}


def ols(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """OLS with a constant; standard errors and p-values are part of what a fit gives."""
    import numpy as np
    import statsmodels.api as sm

    def fit() -> Any:
        model = sm.OLS(data.y, sm.add_constant(data.X)).fit()
        return model, model.bse, model.pvalues

    rows = np.column_stack([np.ones(len(data.X_test)), data.X_test])
    return Job(
        fit=fit,
        predict=lambda model: model[0].predict(rows),
        quality=lambda model, _: METRICS[spec["metric"]](model[0].predict(rows), data),
    )


CALLS = {"ols": ols}
