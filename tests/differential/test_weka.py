"""Against Weka: the trees of Id3 and J48, the rules of OneR and JRip, the probabilities of NaiveBayes.

Tolerances: trees and rules exactly (JRip by its accuracy); probabilities 1e-6, which is all that Weka writes. Weka's NaiveBayes also
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


J48_LINE = re.compile(r"^((?:\|   )*)(\S+) (=|<=|>) ([^:]+?)(?:: (\S+) \(([\d.]+)(?:/([\d.]+))?\))?$")


def j48_tree(text):
    """[(depth, attribute, sign, value, class or None, weight, errors)] of every branch that holds rows."""
    body = text.split("------------------\n", 1)[1].split("Number of Leaves", 1)[0]
    lines = [J48_LINE.match(line) for line in body.splitlines() if line.strip()]
    assert all(lines) or body.strip().startswith(":"), body
    found = [(len(m[1]) // 4, m[2], m[3], m[4], m[5], float(m[6] or 0), float(m[7] or 0)) for m in lines if m]
    return [branch for branch in found if branch[4] is None or branch[5] > 0]


def our_branches(node, depth=0):
    if "leaf" in node:
        return []
    out = []
    for label, child in node["branches"].items():
        sign, value = label.split(" ", 1) if "threshold" in node else ("=", label)
        leaf = child.get("leaf")
        errors = child["n"] - max(child["counts"].values()) if leaf else 0
        if leaf is None or child["n"] > 0:
            out.append((depth, node["attribute"], sign, value, leaf, child["n"] if leaf else 0, errors))
        out += our_branches(child, depth + 1)
    return out


def assert_same_branches(ours, theirs):
    """The same tree. Weka writes weights with two decimals; a middle that is a value itself may round to either side."""
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        assert (a[0], a[1], a[2], a[4]) == (b[0], b[1], b[2], b[4]), (a, b)
        if a[2] == "=":
            assert a[3] == b[3]
        else:
            np.testing.assert_allclose(float(a[3]), float(b[3]), rtol=1e-3)
        np.testing.assert_allclose(a[5:], b[5:], atol=0.011)


def train_c45(path, target, *options):
    out = gradus("train", "c45", "--data", path, "--target", target, "--json", *options)
    return our_branches(json.loads(out)["fitted"]["tree"])


@pytest.mark.parametrize("ours, theirs", [((), ()), (("--confidence", 0.5, "--min_weight_leaf", 1), ("-C", 0.5, "-M", 1)),
                                          (("--confidence", 0.1, "--subtree_raising", "false"), ("-C", 0.1, "-S"))])
def test_c45_grows_the_tree_of_j48_on_categories(nominal, ours, theirs):
    _, target, path, arff = nominal
    told = weka("weka.classifiers.trees.J48", "-t", arff, "-no-cv", *theirs)
    assert_same_branches(train_c45(path, target, *ours), j48_tree(told))


@pytest.mark.parametrize("name, target", [("iris.csv", "species"), ("wine.csv", "cultivar"),
                                          ("breast_cancer.csv", "diagnosis"), ("penguins.csv", "species")])
def test_c45_grows_the_tree_of_j48_on_numbers_and_missing_cells(name, target, tmp_path):
    rows = table(name)
    names = [column for column in rows[0] if column != target] + [target]
    path = tmp_path / "table.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    arff = tmp_path / "table.arff"
    gradus("convert", path, arff, "--quiet", "--nominal", target)
    told = weka("weka.classifiers.trees.J48", "-t", arff, "-no-cv")
    assert_same_branches(train_c45(path, target, "--task", "classification"), j48_tree(told))


def test_one_r_takes_the_column_of_weka(nominal):
    _, target, path, arff = nominal
    told = weka("weka.classifiers.rules.OneR", "-t", arff, "-no-cv")
    ours = json.loads(gradus("train", "one_r", "--data", path, "--target", target, "--json"))["fitted"]
    assert ours["column"] == told.strip().splitlines()[0].rstrip(":")
    right, rows = re.search(r"\((\d+)/(\d+) instances correct\)", told).groups()
    assert int(rows) - ours["errors"][ours["column"]] == int(right)


@pytest.mark.parametrize("name, target", [("breast_cancer.csv", "diagnosis"), ("wine.csv", "cultivar")])
def test_ripper_is_as_good_as_jrip(name, target, tmp_path):
    """Each takes its own rows to prune with: compared by the accuracy on every other row, within 6 points."""
    rows = table(name)
    names = [column for column in rows[0] if column != target] + [target]
    rows = [row | {target: "c" + row[target]} for row in rows]
    files = []
    for part, chosen in (("train", rows[::2]), ("test", rows[1::2])):
        path = tmp_path / f"{part}.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(chosen)
        arff = tmp_path / f"{part}.arff"
        gradus("convert", path, arff, "--quiet")
        files += [path, arff]
    model = tmp_path / "m.gradus"
    gradus("train", "ripper", "--data", files[0], "--target", target, "--model", model, "--quiet")
    said = gradus("predict", model, "--data", files[2], "--extra", "ignore").splitlines()[1:]
    ours = np.mean([line.split(",")[0] == row[target] for line, row in zip(said, rows[1::2])])
    told = weka("weka.classifiers.rules.JRip", "-t", files[1], "-T", files[3])
    theirs = float(re.findall(r"Correctly Classified Instances\s+\d+\s+([\d.]+)", told)[-1]) / 100
    assert ours > theirs - 0.06
