"""Task files: the real ones are sound and complete, and wrong ones get a sentence."""

import pathlib

import pytest
from harness.errors import BenchError
from harness.peers import all_peers
from harness.tasks import load_tasks, read_task_file, select

import gradus

BENCH = pathlib.Path(__file__).resolve().parents[1]
GOOD = """
[[task]]
name = "a"
family = "f"
about = "An example"
data = { make = "regression", rows = 10, columns = 2, test_rows = 2, seed = 1 }
quality = { metric = "r2", better = "higher", tolerance = 0.1 }
ours = { call = "LinearRegression" }
"""


def read(tmp_path, text):
    file = tmp_path / "t.toml"
    file.write_text(text, encoding="utf-8")
    return read_task_file(file)


def test_every_learner_of_the_catalogue_has_a_task():
    measured = {task.learner for task in load_tasks(BENCH / "tasks")}
    missing = {learner["name"] for learner in gradus.catalogue()} - measured
    assert not missing, f"add a file to bench/tasks for {sorted(missing)}"


def test_every_task_names_peers_that_exist():
    known = set(all_peers())
    for task in load_tasks(BENCH / "tasks"):
        assert {call.peer for call in task.peers} <= known, task.name


def test_every_task_on_generated_rows_can_be_shrunk():
    for task in load_tasks(BENCH / "tasks"):
        assert task.quick.get("rows", 1) <= 5_000, task.name
        assert "rows" in task.quick or "rows" not in task.data, task.name


def test_every_task_has_a_cost_model_for_each_phase():
    for task in load_tasks(BENCH / "tasks"):
        assert set(task.cost) == set(task.timed), task.name


def test_a_good_file_has_defaults(tmp_path):
    (task,) = read(tmp_path, GOOD)
    assert task.timed == ("fit",)
    assert task.ours.label == "gradus"
    assert task.peers == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("name =", "nmae ="), "unknown key 'nmae'"),
        (('about = "An example"', ""), "'about' is missing"),
        (('about = "An example"', "about = 3"), "'about' has the wrong type"),
        (('"higher"', '"up"'), "'better' is 'up'"),
        (("0.1", "-0.1"), "'tolerance' is at least 0"),
        (('make = "regression", ', ""), "one of make, bundled, external"),
        (("ours =", 'timed = ["train"]\nours ='), "'timed' is a list of fit and predict"),
        (("ours =", 'cost.fit = { bytes = "n*" }\nours ='), "not an arithmetic expression"),
        (("ours =", 'cost.fit = { bytes = "open(1)" }\nours ='), "a cost model has numbers"),
        (("ours =", 'peers.x = { cal = "y" }\nours ='), "unknown key 'cal'"),
        (("[[task]]", "[[task]\n"), "t.toml"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(tmp_path, change, said):
    with pytest.raises(BenchError) as problem:
        read(tmp_path, GOOD.replace(*change, 1))
    assert said in str(problem.value)


def test_a_name_stands_once(tmp_path):
    (tmp_path / "x.toml").write_text(GOOD + GOOD, encoding="utf-8")
    with pytest.raises(BenchError, match="two tasks have the name 'a'"):
        load_tasks(tmp_path)


def test_a_pattern_chooses_by_name_or_family_and_says_when_nothing_matches(tmp_path):
    tasks = read(tmp_path, GOOD)
    assert select(tasks, []) == select(tasks, ["a*"]) == select(tasks, ["f"]) == tasks
    with pytest.raises(BenchError, match="no task matches 'zzz'; tasks: a"):
        select(tasks, ["a", "zzz"])
