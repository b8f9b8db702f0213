"""The quality study: descriptions, folds, forms of input, ranks, and a run that goes on."""

import math
import sys

import pytest
from conftest import BENCH
from harness import arguments, quality, quality_table
from harness.errors import BenchError
from harness.places import Places

sys.path.insert(0, str(BENCH / "worker"))
pytest.importorskip("pandas")
np = pytest.importorskip("numpy")

import study  # noqa: E402  the folder of the workers is on the path only now
import study_data  # noqa: E402

ROOT = BENCH.parent
PENGUINS = next(one for one in quality.load_sets() if one["name"] == "penguins")
DIABETES = next(one for one in quality.load_sets() if one["name"] == "diabetes")


def problem(one, **changes):
    return study_data.read({**one, "path": str(ROOT / "data" / one["bundled"]), **changes})


def method(*labels):
    ranks = {"classes": {"rank_by": "log_loss", "beside": "accuracy"},
             "numbers": {"rank_by": "rmse", "beside": "r2"}}
    who = [quality.Competitor("m", label, "gradus_python", {}, "codes", {}) for label in labels]
    return quality.Method("m", "A method", ranks, who)


def answers(name, **losses):
    return [{"method": "m", "set": name, "label": label, "rows": 100, "cpu_seconds": 0.5,
             "scores": {"log_loss": [loss, loss], "accuracy": [1 - loss, 1 - loss]}}
            for label, loss in losses.items()]


def test_every_description_is_whole_and_enough_of_them_are_there():
    sets = quality.load_sets()
    assert len(sets) >= 20
    assert {one["task"] for one in sets} == {"classes", "numbers"}
    assert all((ROOT / "data" / one["bundled"]).exists() for one in sets if "bundled" in one)
    assert abs(sum(map(quality.chooses, sets)) - len(sets) / 2) <= 1
    for found in quality.load_methods():
        assert found.competitors[0].label == quality.OURS
        assert set(found.ranks) == {"classes", "numbers"}


@pytest.mark.parametrize(("text", "said"), [
    ("[[set]]\nname = 'x'", "missing"),
    ("[[set]]\nname='x'\nrows=1\ncolumns=1\ntarget='y'\nsource='s'\nfile='f'\nfolds=3", "unknown keys"),
    (2 * "[[set]]\nname='x'\nrows=1\ncolumns=1\ntarget='y'\nsource='s'\nfile='f'\n", "twice"),
])
def test_a_wrong_description_says_what_is_wrong(tmp_path, text, said):
    (tmp_path / "classes.toml").write_text(text, encoding="utf-8")
    (tmp_path / "numbers.toml").write_text("", encoding="utf-8")
    with pytest.raises(BenchError, match=said):
        quality.load_sets(tmp_path)


def test_folds_are_the_same_every_time_examine_every_row_once_and_share_the_classes():
    first, second = problem(PENGUINS), problem(PENGUINS)
    tests = [test for _, test in first.folds()]
    assert sorted(np.concatenate(tests)) == list(range(344))
    assert all((a == b).all() for a, b in zip(tests, (test for _, test in second.folds())))
    shares = np.array([np.bincount(first.y[test], minlength=3) for test in tests])
    assert (shares.max(axis=0) - shares.min(axis=0) <= 1).all()
    assert all(not set(teach) & set(test) for teach, test in first.folds())


def test_a_large_set_is_cut_to_random_rows_and_another_file_is_refused():
    assert len(problem(DIABETES, max_rows=50).y) == 50
    assert problem(DIABETES, max_rows=50).y.tolist() == problem(DIABETES).y[:50].tolist()
    with pytest.raises(ValueError, match="7 rows and 10 features are described, 442 and 10 found"):
        problem(DIABETES, rows=7)


def test_nominal_columns_take_the_form_that_a_library_needs():
    data = problem(PENGUINS)
    assert len(data.nominal) == 2
    island, sex = (data.X.columns.get_loc(name) for name in data.nominal)
    strings = study_data.as_input(data, "strings")
    assert set(strings.iloc[:, sex]) == {"FEMALE", "MALE", "missing"}
    codes = study_data.as_input(data, "codes")
    assert set(codes.iloc[:, island]) == {0, 1, 2}
    assert codes.iloc[:, sex].isna().sum() == (strings.iloc[:, sex] == "missing").sum() > 0
    with pytest.raises(ValueError, match="unknown form"):
        study_data.as_input(data, "pictures")


def test_arff_files_are_read(tmp_path):
    file = tmp_path / "x.arff"
    file.write_text("@relation r\n@attribute 'a b' {'x y', z}\n@attribute n real\n@data\n"
                    "'x y', 1.5\n% no row\nz, ?\n?, 2\n", encoding="utf-8")
    table = study_data._arff(file)
    assert table["a b"].tolist()[:2] == ["x y", "z"]
    assert table["n"].tolist()[0] == 1.5
    assert table.isna().sum().tolist() == [1, 1]


def test_scores_are_the_formulas():
    found = study.class_scores(np.array([0, 1]), [[0.8, 0.2], [0.9, 0.1]])
    assert found["accuracy"] == 0.5
    assert found["log_loss"] == pytest.approx(-(math.log(0.8) + math.log(0.1)) / 2)
    sure_and_wrong = study.class_scores(np.array([0]), [[0.0, 1.0]])["log_loss"]
    assert sure_and_wrong == pytest.approx(-math.log(1e-7), rel=1e-3)
    numbers = study.number_scores(np.array([1.0, 3.0]), [1.0, 1.0])
    assert numbers == {"rmse": pytest.approx(math.sqrt(2)), "r2": pytest.approx(-1)}


def test_ranks_wins_and_losses():
    assert quality_table.ranks([3.0, 1.0, 1.0, 2.0]) == [4, 1.5, 1.5, 3]
    found = method("Gradus", "peer")
    sets = [{**PENGUINS, "name": name, "place": i} for i, name in enumerate("abcd")]
    known = [*answers("a", Gradus=0.1, peer=0.2), *answers("b", Gradus=0.3, peer=0.2),
             *answers("c", Gradus=0.1, peer=0.2), *answers("d", Gradus=0.1)]
    rows = quality_table.rows_of(found, known, sets, ["Gradus", "peer"])
    assert [row.data["name"] for row in rows] == ["a", "b", "c"]
    assert quality_table.tally(found, rows, "peer") == (2, 0, 1)
    assert quality_table.mean_ranks(found, rows, ["Gradus", "peer"], "rank_by")["Gradus"] == pytest.approx(4 / 3)
    assert [row.data["name"] for row in quality_table.part_of(rows, "judging")] == ["b"]
    result = {"answers": known, "versions": {"peer": {"peer": "1.2"}}, "date": "today", "revision": "abc",
              "threads": 1, "verdicts": {"m": {"all": {"conclusion": "Nobody knows."}}}}
    text = "\n".join(quality_table.render(result, [found], sets, 4000))
    assert "| **Gradus** | 1.33 | 1.33 | nan | 2.00 | 1.33 |  | 0.5 s |" in text
    assert "2 : 0 : 1" in text
    assert "- all data sets: Nobody knows." in text
    assert "### A method: 3 data sets" in text
    assert "not answered by everybody in this run: d." in text
    assert "Gradus is last of all on 1 of 3 data sets: b." in text
    assert "| b | 100 x 6 | 0.3 (0.5) | **0.2** (0.5) |" in text
    assert "| a * | 100 x 6 | **0.1** (0.5) | 0.2 (0.5) |" in text


def test_a_stopped_run_goes_on_and_a_new_library_is_asked_again(tmp_path):
    who = quality.Competitor("m", "Gradus", "gradus_python", {"classes": "C"}, "codes", {})
    data = {**PENGUINS, "path": "/somewhere"}
    job = quality.Job(who, data, 1, {"gradus": "1"})
    kept = quality.Answers(tmp_path / "r.json")
    assert not kept.has(job)
    kept.add(job, {"scores": {"log_loss": [1.0]}, "cpu_seconds": 1.0, "rows": 3})
    again = quality.Answers(tmp_path / "r.json")
    assert again.has(job)
    assert again.has(quality.Job(who, {**data, "path": "/elsewhere"}, 1, {"gradus": "1"}))
    assert not again.has(quality.Job(who, data, 1, {"gradus": "2"}))
    assert not again.has(quality.Job(who, {**data, "max_rows": 7}, 1, {"gradus": "1"}))
    again.add(job, {"problem": "it failed"})
    assert not quality.Answers(tmp_path / "r.json").has(job)
    assert "/somewhere" not in (tmp_path / "r.json").read_text(encoding="utf-8")


def test_settings_can_be_tried():
    options = arguments.parse(["quality", "--method", "gradient_boosting", "--try",
                               "learning_rate=0.05,grow_policy=level_wise"])
    assert options.trial == [{"learning_rate": 0.05, "grow_policy": "level_wise"}]
    tried = quality.chosen_methods(options)[0].competitors[-1]
    assert tried.label == "Gradus learning_rate=0.05,grow_policy=level_wise"
    assert options.threads == [1]
    with pytest.raises(BenchError, match="--try needs --method"):
        quality.chosen_methods(arguments.parse(["quality", "--try", "a=1"]))
    with pytest.raises(BenchError, match="unknown method 'magic'"):
        quality.chosen_methods(arguments.parse(["quality", "--method", "magic"]))
    with pytest.raises(SystemExit):
        arguments.parse(["quality", "--try", "nothing"])


def test_data_that_are_not_here_are_skipped(tmp_path):
    said = []
    options = arguments.parse(["quality", "--set", "wine", "--set", "adult"])
    places = Places(tmp_path, tmp_path, data_dir=tmp_path)
    assert [one["name"] for one in quality.select_sets(options, places, said.append)] == ["wine"]
    assert "adult" in said[0]
    with pytest.raises(BenchError, match="no data set matches"):
        quality.select_sets(arguments.parse(["quality", "--set", "nothing*"]), places, said.append)


def test_a_run_of_one_method_keeps_what_the_file_says_of_the_others(tmp_path):
    first = quality.Answers(tmp_path / "r.json")
    first.versions["a"] = {"a": "1"}
    first.verdicts["forests"] = {"all": {"conclusion": "Level."}}
    first.write()
    second = quality.Answers(tmp_path / "r.json")
    second.versions["b"] = {"b": "2"}
    second.verdicts["boosting"] = {"all": {"conclusion": "Better."}}
    second.write()
    kept = quality.Answers(tmp_path / "r.json")
    assert set(kept.versions) == {"a", "b"}
    assert set(kept.verdicts) == {"forests", "boosting"}
