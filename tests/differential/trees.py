"""What the comparisons of trees, forests and boosting share: real tables and our answers."""

import csv
import json

import numpy as np
from command import DATA, gradus

TABLES = [("iris.csv", "species"), ("wine.csv", "cultivar"), ("breast_cancer.csv", "diagnosis")]


def read(name, target):
    """Names of the numeric columns, the numbers, and the target as texts."""
    with open(DATA / name, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [column for column in rows[0] if column != target]
    return names, np.array([[float(row[c]) for c in names] for row in rows]), [r[target] for r in rows]


def write(path, names, x, y):
    """A table with the target in the column `y`."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "y"])
        writer.writerows([*map(repr, map(float, row)), label] for row, label in zip(x, y))
    return path


def train(learner, path, folder, *options):
    """What was learned, and the model."""
    model = folder / "model.gradus"
    out = gradus("train", learner, "--data", path, "--target", "y", "--model", model, "--json", *options)
    return json.loads(out)["fitted"], model


def predictions(model, path, folder, *options):
    """The rows of the prediction table."""
    out = folder / "predictions.csv"
    gradus("predict", model, "--data", path, "--output", out, *options)
    with open(out, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def probabilities(model, path, classes, folder):
    """Rows x classes."""
    rows = predictions(model, path, folder, "--probabilities")
    return np.array([[float(row[f"p({c})"]) for c in classes] for row in rows])


def halves(count, seed=0):
    """Two thirds to learn from, one to judge by."""
    order = np.random.default_rng(seed).permutation(count)
    return order[: 2 * count // 3], order[2 * count // 3:]


def waves(seed, rows=1500):
    """Numbers, a target that no plane fits, and names."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 6))
    y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.3 * rng.normal(size=rows)
    return x, y, [f"x{j}" for j in range(6)]


def accuracies(learner, reference, table, folder):
    """Ours and theirs on the rows that were held out."""
    names, x, y = table
    y = np.array(y)
    seen, unseen = halves(len(y))
    fitted = reference(random_state=0).fit(x[seen], y[seen])
    path = write(folder / "train.csv", names, x[seen], y[seen])
    test = write(folder / "test.csv", names, x[unseen], y[unseen])
    _, model = train(learner, path, folder, "--task", "classification")
    ours = probabilities(model, test, fitted.classes_, folder)
    return (np.mean(fitted.classes_[ours.argmax(axis=1)] == y[unseen]),
            fitted.score(x[unseen], y[unseen]))
