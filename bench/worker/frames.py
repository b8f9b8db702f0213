"""Tables of numbers and categories as data frames: how libraries take nominal columns in Python.

The data have `nominal`, the places of the columns that hold codes. Frames are made before the clock,
like every other form of input.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from task_data import Data


def with_categories(data: Any, words: bool = False) -> Data:
    """The same data with frames: categories of pandas, or strings where a library wants `words`."""
    import pandas

    def column(name: str, j: int) -> Any:
        x = data.arrays[name][:, j]
        if j not in data.nominal:
            return x
        both = np.concatenate([data.X[:, j], data.X_test[:, j]])
        levels = int(np.nanmax(both, initial=0)) + 1
        codes = np.where(np.isnan(x), -1, x).astype(np.int32)
        if words:
            return np.array([*map(str, range(levels)), "missing"], dtype=object)[codes]
        return pandas.Categorical.from_codes(codes, [str(level) for level in range(levels)])

    arrays = dict(data.arrays)
    for name in ("X", "X_test"):
        columns = range(data.arrays[name].shape[1])
        arrays[name] = pandas.DataFrame({f"c{j}": column(name, j) for j in columns})
    return Data(arrays, data.files, data.sizes)


def chosen_input(data: Any, settings: dict[str, Any], words: bool = False) -> tuple[Any, dict[str, Any]]:
    """The data in the form that `input` of the settings asks for, and the other settings."""
    if settings.get("input") != "mixed":
        return data, dict(settings)
    return with_categories(data, words), {k: v for k, v in settings.items() if k != "input"}
