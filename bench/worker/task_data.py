"""The data of a task inside of a worker: arrays and files of one folder, loaded before the clock."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np

WARM_UP_ROWS = 1000
_ROWS = ("X", "y", "X_test", "y_test", "calls")


class Data:
    """Arrays by name (`data.X`), `files` by name, `sizes` for the cost model.

    A sparse X is stored as three arrays and rebuilt here; nothing is mapped lazily, because a page
    fault inside of the clock would be charged to the library.
    """

    def __init__(self, arrays: dict[str, Any], files: dict[str, str], sizes: dict[str, float]) -> None:
        self.arrays, self.files, self.sizes = arrays, files, sizes

    @classmethod
    def load(cls, folder: str) -> Data:
        """Everything that bench/data/make.py wrote into the folder."""
        root = pathlib.Path(folder)
        about = json.loads((root / "about.json").read_text(encoding="utf-8"))
        arrays = {path.stem: np.load(path) for path in sorted(root.glob("*.npy"))}
        for name in about["sparse"]:
            arrays[name] = _sparse(arrays, name, about["sparse"][name])
        files = {name: str(root / file) for name, file in about["files"].items()}
        return cls(arrays, files, about["sizes"])

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["arrays"][name]
        except KeyError:
            raise AttributeError(f"these data have no {name!r}") from None

    def head(self) -> Data:
        """A few rows of everything, for warming up. Files have a short twin named `head_...`."""
        arrays = dict(self.arrays)
        for name in _ROWS:
            if name in arrays:
                arrays[name] = arrays[name][:WARM_UP_ROWS]
        files = {name: self.files.get(f"head_{name}", file) for name, file in self.files.items()}
        return Data(arrays, files, self.sizes)

    def fill(self, settings: dict[str, Any], threads: int) -> dict[str, Any]:
        """Settings with `$name` replaced: an array of the data, a file, or `$threads`."""
        known = {"threads": threads, **self.files, **self.arrays}
        if "centers" in self.arrays:
            known["k"] = len(self.centers)
        out = {}
        for key, value in settings.items():
            wanted = isinstance(value, str) and value.startswith("$")
            out[key] = known[value[1:]] if wanted else value
        return out


def _sparse(arrays: dict[str, Any], name: str, shape: list[int]) -> Any:
    import scipy.sparse

    parts = (arrays.pop(f"{name}.{part}") for part in ("data", "indices", "indptr"))
    return scipy.sparse.csr_matrix(tuple(parts), shape=tuple(shape))
