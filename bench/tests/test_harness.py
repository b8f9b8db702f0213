"""Arguments, expressions, workers, reports: the parts of the harness that are not measuring."""

import json
import pathlib
import subprocess
import sys
from types import SimpleNamespace

import pytest
from harness import machine, page, publish, words
from harness.arguments import parse, parser
from harness.errors import BenchError
from harness.expressions import evaluate
from harness.intervals import Ratio
from harness.peers import all_peers
from harness.record import Record, revisions
from harness.scaling import doublings, exponent, keep, section
from harness.workers import ask
from test_judge import lines, rounds

BENCH = pathlib.Path(__file__).resolve().parents[1]
RESULT = {
    "date": "2026-01-02T03:04:05Z", "revision": "abc", "quick": False, "repeat": 3, "skipped": {},
    "machine": {"processor": "CPU <1>", "cores": 2, "memory_gib": 8, "simd": ["avx2"],
                "system": "Debian", "kernel": "6", "python": "3.11"},
    "limits": {"2": {"read": 1e9, "copy": 1e9, "f64": 1e9, "f32": 2e9}},
    "versions": {"peer": {"peer": "1.2.3"}}, "results": [{"load_before": [0.1, 0.2, 0.3]}],
}


def bench_run(*words_given):
    return subprocess.run(
        [sys.executable, str(BENCH / "run"), *words_given], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--threads", "0"], "at least 1"),
        (["--threads", "2,2"], "stands twice"),
        (["--repeat", "many"], "a whole number of at least 1 is expected"),
        (["--task", "nothing_like_this"], "no task matches"),
        (["--nonsense"], "--nonsense"),
        (["dance"], "dance"),
        (["publish"], "publish needs a results file"),
        (["publish", "/no/such/file"], "there is no file"),
        (["--data-dir", "/no/such/folder"], "there is no folder"),
        (["--resume", "/no/such/file"], "there is no file"),
        (["limits", "--resume", "bench/README.md"], "--resume is for measuring"),
        (["--again"], "--again goes with --resume"),
        (["--quick", "--no-install", "--peers", "matlab"], "unknown peer 'matlab'"),
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_exit_code_2(given, said):
    done = bench_run(*given)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_tasks_are_named_one_by_one_or_in_a_list():
    assert parser().parse_args(["--task", "a,b*", "--task", "c"]).task == ["a", "b*", "c"]
    assert parser().parse_args([]).task == []


def test_a_smoke_test_gives_every_process_one_thread_unless_asked_otherwise():
    assert parse(["--quick"]).threads == [1]
    assert parse(["--quick", "--threads", "2"]).threads == [2]


def test_cost_models_are_arithmetic():
    assert evaluate("8*n*(d+1)", {"n": 2, "d": 3}) == 64
    assert evaluate("max(n, 3) ** 2 / 3 - log2(8)", {"n": 1}) == 0
    for bad in ("n.real", "__import__('os')", "[n]", "n if n else 1", "'a'"):
        with pytest.raises(BenchError):
            evaluate(bad, {"n": 1})
    with pytest.raises(BenchError, match="'m', which is not known"):
        evaluate("m", {"n": 1})
    with pytest.raises(BenchError, match="division by zero"):
        evaluate("1/(n-1)", {"n": 1})


def test_a_worker_that_fails_is_a_fact():
    def python(code, timeout=20.0):
        return ask([sys.executable, "-c", code], 1, timeout)

    assert python("print('{\"a\": 1}')").outcome == {"a": 1}
    assert "exit code 3: sorry" in python("import sys; print('sorry', file=sys.stderr); sys.exit(3)").problem
    assert "SIGKILL" in python("import os; os.kill(os.getpid(), 9)").problem
    assert "not a line of JSON" in python("print('hello')").problem
    assert "not a JSON object" in python("print('[1]')").problem
    assert "no answer within" in python("import time; time.sleep(60)", 0.5).problem
    assert "cannot start" in ask(["/no/such/program"], 1, 1).problem


def test_a_worker_is_told_its_threads():
    code = "import os, json; print(json.dumps({'n': os.environ['OMP_NUM_THREADS']}))"
    assert ask([sys.executable, "-c", code], 3, 20).outcome == {"n": "3"}


def test_every_peer_has_a_recipe_and_a_version_question():
    for name, peer in all_peers().items():
        assert peer.recipe(), name
        assert "versions" in peer.file.read_text(encoding="utf-8"), name


def test_what_peers_install_is_listed():
    packages = BENCH.parent / "tools" / "packages"
    listed = {
        "pip": (packages / "bench.requirements").read_text(encoding="utf-8").split(),
        "debian": (packages / "bench.txt").read_text(encoding="utf-8").split(),
    }
    for name, peer in all_peers().items():
        for how, what in peer.recipe():
            assert how == "build" or what in listed[how], f"{name}: {what}"


def test_exponents_of_powers():
    assert exponent([1, 2, 4], [3, 6, 12]) == pytest.approx(1)
    assert exponent([1, 2, 4], [5, 20, 80]) == pytest.approx(2)
    assert doublings(1, 9) == [1, 2, 4, 8]
    with pytest.raises(BenchError):
        doublings(4, 2)


def test_numbers_have_three_digits_and_a_unit():
    assert words.seconds(1.234) == "1.23 s"
    assert words.seconds(0.01234) == "12.3 ms"
    assert words.seconds(45.67e-6) == "45.7 us"
    assert words.seconds(8.9e-9) == "8.90 ns"
    assert words.size(123_456_789) == "123 MB"
    assert words.interval(Ratio(2.5, 2, 3, 0.9375)) == "2.50x [2.00, 3.00]"
    assert words.share(0.5) == "50 %"


def test_results_are_named_by_date_and_processor():
    name = machine.file_name("2026-01-02T03:04:05Z", "AMD EPYC(TM) 7B13 Processor @ 2.4GHz")
    assert name == "2026-01-02-amd-epyc-7b13.json"


def test_the_page_is_whole_and_escapes_names():
    found = lines(rounds([1, 1, 1], 1.0, iterations=1), rounds([9, 9, 9], 1.0))
    text = page.render(RESULT, found)
    assert "CPU &lt;1&gt;" in text
    assert "9.00x" in text
    assert 'class="bar win"' in text
    assert "http" not in text
    assert "<script" not in text


def test_a_bar_begins_at_one():
    scale = page.Scale([0.1, 10])
    assert (scale.at(0.1), scale.at(1), scale.at(10)) == (0, 50, 100)


def test_the_published_table_says_where_a_peer_wins(tmp_path):
    found = lines(rounds([4, 4, 4], 1.0, iterations=1), rounds([1, 1, 1], 1.0))
    publish.write(tmp_path / "b.md", RESULT, found)
    text = (tmp_path / "b.md").read_text(encoding="utf-8")
    assert "**0.25x [0.25, 0.25]: the peer is faster**" in text
    assert "| A task: fit | 2 | 2.00 times as fast as peer | missed |" in text
    assert "peer 1.2.3" in text
    assert "There were only 3 round(s)." in text
    assert "busy" not in text
    busy = {**RESULT, "repeat": 5, "results": [{"load_before": [9.0, 9.0, 9.0]}]}
    assert "The machine was busy (median load 9.0)." in publish.render(busy, found)


def test_a_quick_run_cannot_be_published(tmp_path):
    with pytest.raises(BenchError, match="quick"):
        publish.write(tmp_path / "b.md", {**RESULT, "quick": True}, [])
    assert json.dumps(RESULT)


ABOUT = {"limits": {}, "quick": False, "repeat": 3, "versions": {"peer": {"peer": "1.0"}}}


def test_a_stopped_run_goes_on_with_the_tasks_it_lacks(tmp_path):
    path = tmp_path / "r.json"
    record = Record.begin(path, tmp_path, ABOUT)
    record.add({"task": "one", "threads": 2})
    record.skip("two", "no data")
    again = Record.resume(path, {**ABOUT, "versions": {"other": {"other": "2.0"}}})
    assert again.has("one", 2)
    assert not again.has("one", 1)
    assert not again.has("two", 2)
    assert again.result["skipped"] == {}
    assert set(again.result["versions"]) == {"peer", "other"}
    assert revisions(again.result) == [machine.revision()]
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_kernel_is_no_other_machine(tmp_path, monkeypatch):
    path = tmp_path / "r.json"
    Record.begin(path, tmp_path, ABOUT).write()
    here = machine.describe()
    for kernel in ["9.0", "9.1", "9.0"]:
        monkeypatch.setattr(machine, "describe", lambda kernel=kernel: {**here, "kernel": kernel})
        Record.resume(path, ABOUT).write()
    kept = json.loads(path.read_text(encoding="utf-8"))["machine"]["kernel"]
    assert kept == f"{here['kernel']}, 9.0, 9.1"
    monkeypatch.setattr(machine, "describe", lambda: {**here, "cores": 64})
    with pytest.raises(BenchError, match="another machine"):
        Record.resume(path, ABOUT)


def test_growth_is_kept_by_task_and_published(tmp_path):
    path = tmp_path / "scaling.json"
    assert section(path) == []
    for task, seconds in (("b", [1.0, 4.0]), ("a", [1.0, 2.0]), ("b", [1.0, 2.0])):
        about = SimpleNamespace(name=task, about=f"Task {task}")
        keep(path, about, [{"axis": "rows", "sizes": [10, 20], "seconds": seconds, "threads": 2},
                           {"axis": "threads", "sizes": [1, 2], "seconds": [3.0, 2.0], "threads": 2}])
    rows = [line for line in section(path) if line.startswith("| ")][1:]
    assert rows == [
        "| Task a | rows | 1.00 | 10: 1.00 s, 20: 2.00 s |", "|  | threads | 1.50 | 1: 3.00 s, 2: 2.00 s |",
        "| Task b | rows | 1.00 | 10: 1.00 s, 20: 2.00 s |", "|  | threads | 1.50 | 1: 3.00 s, 2: 2.00 s |",
    ]


def test_a_task_measured_again_takes_the_place_of_the_old_one(tmp_path):
    record = Record.begin(tmp_path / "r.json", tmp_path, ABOUT)
    for task, value in [("one", 1), ("two", 2), ("one", 3)]:
        record.add({"task": task, "threads": 2, "value": value})
    record.add({"task": "one", "threads": 1, "value": 4})
    found = [(one["task"], one["threads"], one["value"]) for one in record.result["results"]]
    assert found == [("two", 2, 2), ("one", 2, 3), ("one", 1, 4)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"repeat": 5}, "other rounds"),
        ({"quick": True}, "--quick"),
        ({"versions": {"peer": {"peer": "1.1"}}}, "begin a new file"),
    ],
)
def test_parts_of_a_file_are_measured_alike(tmp_path, change, said):
    path = tmp_path / "r.json"
    Record.begin(path, tmp_path, ABOUT).write()
    with pytest.raises(BenchError, match=said):
        Record.resume(path, {**ABOUT, **change})
