"""Against Weka: the tree of Id3 and the probabilities of NaiveBayes, on bundled nominal data.

Tolerances: trees exactly; probabilities 1e-6, which is all that Weka writes. Weka's NaiveBayes also
smooths the priors, (n_c + 1)/(n + k); ours get these as given priors.
"""

import csv
import json
import re

import numpy as np
import pytest
from command import DATA, gradus
from peers import weka


def tennis():
    return [{k: v for k, v in row.items() if k != "Day"} for row in table("play_tennis.csv")], "playtennis"


def iris():
    """Every measurement as its whole centimetres."""
    rows = [{k: v if k == "species" else f"cm{float(v):.0f}" for k, v in row.items()} for row in table("iris.csv")]
    return rows, "species"


def penguins():
    """The nominal columns, and the body mass by half kilograms; no missing cell."""
    rows = [row for row in table("penguins.csv") if all(v not in ("", "NA", "?", ".") for v in row.values())]
    names = ("island", "sex", "body_mass_g", "species")
    return [{k: f"half{int(row[k]) // 500}" if k == "body_mass_g" else row[k] for k in names} for row in rows], "species"


def lenses():
    lines = (DATA / "contact_lenses.arff").read_text(encoding="utf-8").splitlines()
    names = [line.split()[1] for line in lines if line.startswith("@attribute")]
    start = lines.index("@data") + 1
    return [dict(zip(names, line.split(","))) for line in lines[start:] if line and line[0] != "%"], "lenses"


def table(name):
    with open(DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


TABLES = [tennis, lenses, iris, penguins]


@pytest.fixture(params=TABLES, ids=lambda make: make.__name__)
def nominal(request, tmp_path):
    """The rows, the name of the class (the last column), and the same table as CSV and ARFF."""
    rows, target = request.param()
    path = tmp_path / "table.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    arff = tmp_path / "table.arff"
    gradus("convert", path, arff, "--quiet")
    return rows, target, path, arff


LINE = re.compile(r"^((?:\|  )*)(\S+) = ([^:]+)(?:: (\S+))?$")


def weka_tree(text):
    """{attribute: {level: subtree or class}} from Weka's indented lines; None is an empty branch."""
    root = {}
    path = [root]
    for line in text.splitlines():
        if line.startswith(("Id3", "Time")) or not line.strip():
            if line.startswith("Time"):
                break
            continue
        match = LINE.match(line)
        assert match, line
        depth = len(match[1]) // 3
        branches = path[depth].setdefault(match[2], {})
        if match[4]:
            branches[match[3]] = None if match[4] == "null" else match[4]
        else:
            branches[match[3]] = {}
            path[depth + 1 :] = [branches[match[3]]]
    return root


def gain(node):
    parts = [branch for branch in node["branches"].values() if branch["n"] > 0]
    return node["entropy"] - sum(part["n"] / node["n"] * part["entropy"] for part in parts)


def assert_same(ours, theirs, place="tree"):
    """Weka makes a leaf where no attribute gains anything; a branch without rows answers nothing there."""
    if theirs is None:
        assert ours["n"] == 0, place
    elif isinstance(theirs, str):
        counts = ours["counts"]
        assert max(counts, key=counts.get) == theirs, place
        assert "leaf" in ours or gain(ours) < 1e-6, place
    else:
        ((attribute, branches),) = theirs.items()
        assert ours.get("attribute") == attribute, place
        assert set(ours["branches"]) == set(branches), place
        for level, branch in branches.items():
            assert_same(ours["branches"][level], branch, f"{place}/{attribute}={level}")


def test_id3_grows_the_tree_of_weka(nominal):
    _, target, path, arff = nominal
    out = gradus("train", "id3", "--data", path, "--target", target, "--json")
    theirs = weka_tree(weka("weka.classifiers.trees.Id3", "-t", arff, "-no-cv"))
    assert theirs
    assert_same(json.loads(out)["fitted"]["tree"], theirs)


def test_naive_bayes_gives_the_probabilities_of_weka(nominal, tmp_path):
    rows, target, path, arff = nominal
    labels = [row[target] for row in rows]
    classes = sorted(set(labels))
    priors = [(labels.count(c) + 1) / (len(labels) + len(classes)) for c in classes]
    model = tmp_path / "m.gradus"
    gradus("train", "naive_bayes", "--data", path, "--target", target, "--alpha", 1, "--model", model,
           "--priors", ",".join(map(repr, priors)), "--quiet")
    answers = gradus("predict", model, "--data", path, "--extra", "ignore", "--probabilities").splitlines()
    assert answers[0] == ",".join(["prediction", *(f"p({c})" for c in classes)])
    ours = [[float(cell) for cell in line.split(",")[1:]] for line in answers[1:]]
    told = weka("weka.filters.supervised.attribute.AddClassification", "-W", "weka.classifiers.bayes.NaiveBayes",
                "-distribution", "-i", arff, "-c", "last").split("@data\n")[1]
    theirs = [[float(cell) for cell in line.split(",")[-len(classes) :]] for line in told.split()]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-6)
