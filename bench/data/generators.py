"""Generated data: a function per shape, every number from NumPy's PCG64 with the stated seed.

Each returns a dict of arrays. `X`, `y` are for learning, `X_test`, `y_test` for judging. The
stand-ins have the shape and density of a well-known set, so that everybody can repeat a figure
without a download; the figure on the original is the same task with `external` data.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Arrays = dict[str, Any]


def _halves(X: np.ndarray, y: np.ndarray, test_rows: int) -> Arrays:
    cut = len(X) - test_rows
    return {"X": X[:cut], "y": y[:cut], "X_test": X[cut:], "y_test": y[cut:]}


def regression(rows: int, columns: int, seed: int, test_rows: int, noise: float = 1.0) -> Arrays:
    """Correlated normal columns, every third one with a weight, y with unit noise."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((rows + test_rows, columns))
    X = Z.copy()
    X[:, 1:] += 0.5 * Z[:, :-1]
    w = rng.standard_normal(columns) * (np.arange(columns) % 3 == 0)
    y = X @ w + 1.5 + noise * rng.standard_normal(len(X))
    return _halves(X, y, test_rows)


def classification(rows: int, columns: int, seed: int, test_rows: int) -> Arrays:
    """Two classes with a curved border through nine of the columns and overlap around it."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows + test_rows, max(columns, 9)))
    score = X[:, 0] * X[:, 1] + 1.5 * np.sin(2 * X[:, 2]) + np.abs(X[:, 3]) - 0.5 * X[:, 4] ** 2
    score += 0.7 * (X[:, 5] - X[:, 6]) + X[:, 7] * (X[:, 8] > 0)
    score += 0.5 * rng.logistic(size=len(X))
    return _halves(X, (score > 0.3).astype(np.int32), test_rows)


def many_classes(rows: int, columns: int, classes: int, seed: int, test_rows: int) -> Arrays:
    """Normal clouds of several classes that overlap: about one row in five lies nearer to another."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows + test_rows).astype(np.int32)
    centres = 1.1 * rng.standard_normal((classes, columns)) * (np.arange(columns) % 3 == 0)
    X = centres[y] + rng.standard_normal((len(y), columns))
    return _halves(X, y, test_rows)


def letters(rows: int, seed: int, test_rows: int, classes: int = 26) -> Arrays:
    """In the shape of the letter data: 16 columns of whole numbers from 0 to 15, many classes of
    several shapes each."""
    rng = np.random.default_rng(seed)
    shapes = rng.uniform(2, 13, (4 * classes, 16))
    kind = rng.integers(0, len(shapes), rows + test_rows)
    X = np.clip(np.round(shapes[kind] + 2.2 * rng.standard_normal((len(kind), 16))), 0, 15)
    return _halves(X, (kind % classes).astype(np.int32), test_rows)


def strangers(rows: int, columns: int, share: float, seed: int, test_rows: int) -> Arrays:
    """Round clouds (1) and a share of rows scattered around them (-1)."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-4, 4, (3, columns))
    X = centres[rng.integers(0, 3, rows + test_rows)] + rng.standard_normal((rows + test_rows, columns))
    odd = rng.random(len(X)) < share
    X[odd] = rng.uniform(-9, 9, (odd.sum(), columns))
    return _halves(X, np.where(odd, -1, 1).astype(np.int32), test_rows)


def blobs(rows: int, columns: int, clusters: int, seed: int, spread: float = 3.0) -> Arrays:
    """Round clouds in a box that overlap, and the rows that every library starts from."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-10, 10, (clusters, columns))
    X = centres[rng.integers(0, clusters, rows)] + spread * rng.standard_normal((rows, columns))
    return {"X": X, "centers": X[rng.permutation(rows)[:clusters]].copy()}


def images(rows: int, clusters: int, seed: int, side: int = 28) -> Arrays:
    """In the shape of MNIST: grey images in [0, 1] as float32, four fifths of the pixels empty."""
    rng = np.random.default_rng(seed)
    axis = np.arange(side) / (side - 1)
    grid_y, grid_x = np.meshgrid(axis, axis, indexing="ij")
    shapes = []
    for _ in range(4 * clusters):
        strokes = np.zeros((side, side))
        for x, y in rng.uniform(0.25, 0.75, (5, 2)):
            strokes += np.exp(-((grid_x - x) ** 2 + (grid_y - y) ** 2) / 0.008)
        shapes.append(strokes.ravel())
    kind = rng.integers(0, len(shapes), rows)
    ink = rng.uniform(0.5, 1.1, (rows, 1)).astype(np.float32)
    X = np.asarray(shapes, dtype=np.float32)[kind] * ink
    X += 0.08 * rng.standard_normal(X.shape, dtype=np.float32)
    X[X < 0.2] = 0
    np.clip(X, 0, 1, out=X)
    return {"X": X, "centers": X[rng.permutation(rows)[:clusters]].copy()}


def answers(rows: int, seed: int) -> Arrays:
    """The truth of two classes, the probabilities that a good model gives, and its calls."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows, dtype=np.int32)
    p = 1 / (1 + np.exp(-(2.0 * y - 1.0 + rng.standard_normal(rows))))
    X = np.column_stack([1 - p, p])
    return {"X": X, "y": y, "calls": (p > 0.5).astype(np.int32)}


def counts(rows: int, columns: int, classes: int, seed: int, test_rows: int, words: int = 158) -> Arrays:
    """In the shape of the counts of 20 newsgroups: sparse documents over a Zipf vocabulary.

    Every class has its own taste for the words (a log-normal factor), and a document draws its
    words from its class. `words` is the mean number of distinct words in a document.
    """
    import scipy.sparse

    rng = np.random.default_rng(seed)
    total = rows + test_rows
    y = rng.integers(0, classes, total).astype(np.int32)
    zipf = 1 / (np.arange(columns) + 10.0)
    lengths = np.maximum(5, rng.lognormal(np.log(0.9 * words), 0.6, total)).astype(np.int64)
    indptr, indices, values = [0], [], []
    for c in range(classes):
        taste = zipf * rng.lognormal(0, 0.4, columns)
        edges = np.cumsum(taste / taste.sum())
        members = np.flatnonzero(y == c)
        drawn = np.searchsorted(edges, rng.random(int(lengths[members].sum()))).clip(0, columns - 1)
        owner = np.repeat(members, lengths[members])
        keys, repeats = np.unique(owner * np.int64(columns) + drawn, return_counts=True)
        indices.append(keys)
        values.append(repeats.astype(np.float64))
    keys = np.concatenate(indices)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    data = np.concatenate(values)[order]
    indptr = np.searchsorted(keys // columns, np.arange(total + 1))
    csr = scipy.sparse.csr_matrix(
        (data, (keys % columns).astype(np.int32), indptr.astype(np.int32)), shape=(total, columns)
    )
    return {"X": csr[:rows], "y": y[:rows], "X_test": csr[rows:], "y_test": y[rows:]}


def nominal(rows: int, columns: int, seed: int, test_rows: int, levels: int = 4) -> Arrays:
    """Categories as small whole numbers; the class follows five of the columns, with 10 % noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (rows + test_rows, columns)).astype(np.int8)
    score = (X[:, 0] * 2 + X[:, 1] + (X[:, 2] == X[:, 3]) * 3 + (X[:, 4] > 1)) % 5
    y = (score > 2).astype(np.int32)
    flipped = rng.random(len(y)) < 0.1
    y[flipped] = 1 - y[flipped]
    return _halves(X, y, test_rows)


def mixed(rows: int, columns: int, levels: int, seed: int, test_rows: int) -> Arrays:
    """Every other column has categories, 4 to `levels` of them, a few of which are frequent; one cell
    in twenty is missing. The class follows four columns of each kind."""
    rng = np.random.default_rng(seed)
    count = rows + test_rows
    X = rng.standard_normal((count, max(columns, 8)))
    nominal = np.arange(0, X.shape[1], 2)
    score = 0.5 * rng.logistic(size=count) + X[:, 1] * X[:, 3] + np.sin(2 * X[:, 5]) - X[:, 7]
    for place, column in enumerate(nominal):
        sizes = int(4 * (levels / 4) ** (place / max(1, len(nominal) - 1)))
        codes = np.minimum(rng.zipf(1.3, count) - 1, rng.integers(0, sizes, count))
        X[:, column] = codes
        if place < 4:
            score += rng.standard_normal(sizes)[codes]
    X[rng.random(X.shape) < 0.05] = np.nan
    return {**_halves(X, (score > 0).astype(np.int32), test_rows), "nominal": nominal}


def one_hot(rows: int, groups: int, levels: int, seed: int, test_rows: int) -> Arrays:
    """Groups of columns of which one is 1 in each row, the others 0: categories written out. The class
    follows eight of the groups."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, levels, (rows + test_rows, groups))
    X = np.zeros((len(codes), groups * levels))
    X[np.arange(len(codes))[:, None], codes + levels * np.arange(groups)] = 1
    weight = rng.standard_normal((min(8, groups), levels))
    score = sum(part[codes[:, g]] for g, part in enumerate(weight)) + rng.logistic(size=len(codes))
    return _halves(X, (score > 0).astype(np.int32), test_rows)


GENERATORS = {
    "mixed": mixed,
    "one_hot": one_hot,
    "letters": letters,
    "strangers": strangers,
    "regression": regression,
    "classification": classification,
    "many_classes": many_classes,
    "blobs": blobs,
    "images": images,
    "counts": counts,
    "answers": answers,
    "nominal": nominal,
}
