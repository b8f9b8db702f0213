"""faiss: nearest neighbours and k-means on float32.

install: pip faiss-cpu
"""

from __future__ import annotations

from typing import Any

from metrics import METRICS
from protocol import Job


def versions() -> dict[str, str]:
    """The package."""
    import faiss

    return {"faiss": faiss.__version__}


def kmeans(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """A fixed number of iterations on all rows: it has no test of convergence."""
    import faiss
    import numpy as np

    faiss.omp_set_num_threads(threads)
    X = np.ascontiguousarray(data.X, dtype=np.float32)
    start = np.ascontiguousarray(data.centers, dtype=np.float32)
    count, width = start.shape

    def fit() -> Any:
        model = faiss.Kmeans(
            width, count, niter=spec["settings"]["iterations"],
            max_points_per_centroid=len(X), min_points_per_centroid=1,
        )
        model.train(X, init_centroids=start)
        return model.index.search(X, 1)[1].ravel()

    return Job(fit=fit, quality=lambda labels, _: METRICS["inertia"](labels, data))


CALLS = {"kmeans": kmeans}
