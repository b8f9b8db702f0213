"""`bench/run quality`: how good the defaults are, over many real data sets.

Every competitor answers every data set of bench/quality in a process of its own: five folds, the same
for everybody. Each answer is written down at once, so that a run that was stopped goes on where it
was, and only what changed (a library, a description) is asked again.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import fnmatch
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import machine
from .errors import BenchError
from .peers import Peer
from .places import BENCH, ROOT, Places
from .workers import ask, with_spec

FOLDER = BENCH / "quality"
MAX_ROWS = 4_000
QUICK_SETS = {"penguins", "diabetes"}
QUICK_ROWS = 150
OURS = "Gradus"
_SET_DEFAULTS = {"drop": [], "nominal": [], "header": True, "separator": ",", "max_rows": MAX_ROWS}
_SET_KEYS = {*_SET_DEFAULTS, "name", "rows", "columns", "target", "source"}
_PLACES = {"file", "bundled", "scikit_learn"}


@dataclasses.dataclass(frozen=True)
class Competitor:
    """A library with one method, as it comes."""

    method: str
    label: str
    peer: str
    calls: Mapping[str, str]  # by task
    input: str
    settings: Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class Method:
    """What is compared, and the measure that ranks it: `ranks["classes"]["rank_by"]`."""

    name: str
    title: str
    ranks: Mapping[str, Mapping[str, str]]
    competitors: Sequence[Competitor]


def load_sets(folder: pathlib.Path = FOLDER) -> list[dict[str, Any]]:
    """Every description of a data set, with its task and the keys that were left out."""
    out: list[dict[str, Any]] = []
    for task in ("classes", "numbers"):
        path = folder / f"{task}.toml"
        for one in tomllib.loads(path.read_text(encoding="utf-8")).get("set", []):
            where = f"{path.name}, {one.get('name', 'a set without a name')!r}"
            unknown = set(one) - _SET_KEYS - _PLACES
            missing = _SET_KEYS - set(_SET_DEFAULTS) - set(one)
            if unknown or missing or len(_PLACES & set(one)) != 1:
                raise BenchError(f"{where}: unknown keys {sorted(unknown)}, missing {sorted(missing)}, "
                                 f"and one of {sorted(_PLACES)} says where it is")
            place = sum(other["task"] == task for other in out)
            out.append({**_SET_DEFAULTS, **one, "task": task, "place": place})
    names = [one["name"] for one in out]
    if twice := {name for name in names if names.count(name) > 1}:
        raise BenchError(f"data sets stand twice: {', '.join(sorted(twice))}")
    return out


def chooses(one: Mapping[str, Any]) -> bool:
    """Whether our defaults may be chosen by this data set: every other one of a file. The rest
    judges what was chosen."""
    return one["place"] % 2 == 0


def load_methods(folder: pathlib.Path = FOLDER) -> list[Method]:
    """Every method with its competitors, ours first."""
    out = []
    for one in tomllib.loads((folder / "methods.toml").read_text(encoding="utf-8"))["method"]:
        found = [Competitor(one["name"], c["label"], c["peer"],
                            {"classes": c["classes"], "numbers": c["numbers"]}, c["input"],
                            c.get("settings", {})) for c in one["competitor"]]
        if found[0].label != OURS:
            raise BenchError(f"methods.toml, {one['name']!r}: ours stands first, as {OURS!r}")
        ranks = {task: one[task] for task in ("classes", "numbers")}
        out.append(Method(one["name"], one["title"], ranks, found))
    return out


def with_trials(method: Method, trials: Sequence[Mapping[str, Any]]) -> Method:
    """The method with ours once more for each of the settings that are tried."""
    more = []
    for trial in trials:
        words = ",".join(f"{name}={value}" for name, value in trial.items())
        more.append(dataclasses.replace(method.competitors[0], label=f"{OURS} {words}",
                                        settings={**method.competitors[0].settings, **trial}))
    return dataclasses.replace(method, competitors=[*method.competitors, *more])


def located(one: Mapping[str, Any], places: Places) -> dict[str, Any] | None:
    """The description with the path of its file; None where this machine does not have it."""
    if "scikit_learn" in one:
        return dict(one)
    if "bundled" in one:
        return {**one, "path": str(ROOT / "data" / one["bundled"])}
    if places.data_dir is None or not (places.data_dir / one["file"]).exists():
        return None
    return {**one, "path": str(places.data_dir / one["file"])}


def select_sets(options: argparse.Namespace, places: Places, say: Callable[[str], None]) -> list[dict[str, Any]]:
    """The data sets that were chosen and are there."""
    chosen = [one for one in load_sets()
              if not options.set or any(fnmatch.fnmatch(one["name"], p) for p in options.set)]
    if not chosen:
        raise BenchError(f"no data set matches {', '.join(options.set)}")
    if options.quick:
        chosen = [{**one, "max_rows": QUICK_ROWS} for one in chosen if one["name"] in QUICK_SETS]
    found = [(one, located(one, places)) for one in chosen]
    absent = [one["name"] for one, path in found if path is None]
    if absent:
        say(f"{len(absent)} data sets are skipped, --data-dir does not have them: {', '.join(absent)}")
    return sorted((path for _, path in found if path is not None), key=cells)


def cells(one: Mapping[str, Any]) -> int:
    """About what a data set costs, up to a factor: the cheap ones go first, so that a run that is
    stopped has answered most of them."""
    return (min(one["rows"], one["max_rows"]) + 500) * one["columns"]


def library_digest(places: Places) -> str:
    """Changes with our library and its defaults: what it answered before is then asked again."""
    code = "import gradus; print(gradus.__path__[0])"
    done = subprocess.run([str(places.python), "-c", code], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"the package gradus is not installed for {places.python}")
    digest = hashlib.sha256()
    for file in sorted(pathlib.Path(done.stdout.strip()).iterdir()):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


class Answers:
    """The results file: answers by (method, set, label), kept after each."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"answers": []}
        self.known = {(a["method"], a["set"], a["label"]): a for a in old["answers"]}
        # A run of one method keeps what the file says of the others.
        self.verdicts: dict[str, Any] = old.get("verdicts", {})
        self.versions: dict[str, Any] = old.get("versions", {})
        self.head: dict[str, Any] = {}

    def has(self, job: Job) -> bool:
        """Whether the very same question was answered (a failure is asked again)."""
        found = self.known.get(job.key)
        return bool(found and found["question"] == job.question and "scores" in found)

    def add(self, job: Job, answer: Mapping[str, Any]) -> None:
        """Takes an answer and writes the file anew, whole or not at all."""
        method, name, label = job.key
        self.known[job.key] = {"method": method, "set": name, "label": label,
                               "question": job.question, **answer}
        self.write()

    def list(self) -> list[dict[str, Any]]:
        """All answers, in the order of the file."""
        return [self.known[key] for key in sorted(self.known)]

    def write(self) -> None:
        """The file with everything that is known."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"kind": "quality", **self.head, "versions": self.versions,
                           "verdicts": self.verdicts, "answers": self.list()}, indent=1)
        beside = self.path.with_suffix(".part")
        beside.write_text(text + "\n", encoding="utf-8")
        beside.replace(self.path)


@dataclasses.dataclass(frozen=True)
class Job:
    """One competitor on one data set."""

    competitor: Competitor
    data: Mapping[str, Any]
    threads: int
    versions: Mapping[str, str]

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is called in the results."""
        return self.competitor.method, self.data["name"], self.competitor.label

    @property
    def spec(self) -> dict[str, Any]:
        """What the worker is told."""
        who = self.competitor
        return {"set": dict(self.data), "call": who.calls[self.data["task"]], "input": who.input,
                "settings": dict(who.settings), "threads": self.threads}

    @property
    def question(self) -> str:
        """A digest of all that the answer depends on but the path of the file."""
        spec = self.spec
        for name in ("path", "place"):
            spec["set"].pop(name, None)
        text = json.dumps([spec, dict(self.versions)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def jobs_for(methods: Sequence[Method], sets: Sequence[Mapping[str, Any]], threads: int,
             versions: Mapping[str, Mapping[str, str]]) -> Iterator[Job]:
    """Every competitor that is there on every data set, set by set."""
    for data in sets:
        for method in methods:
            for who in method.competitors:
                if who.peer in versions:
                    yield Job(who, data, threads, versions[who.peer])


def run(options: argparse.Namespace, places: Places, available: Mapping[str, Peer],
        versions: Mapping[str, Mapping[str, str]], say: Callable[[str], None]) -> Answers:
    """Asks what is not known yet; as many processes side by side as the threads leave cores for."""
    methods = chosen_methods(options)
    sets = select_sets(options, places, say)
    threads = options.threads[0]
    asked = {name: dict(found) for name, found in versions.items()}
    asked["gradus_python"]["library"] = library_digest(places)
    answers = Answers(options.output or BENCH / "results" / "quality.json")
    answers.head = {
        "date": machine.now(), "revision": machine.revision(), "machine": machine.describe(),
        "quick": options.quick, "threads": threads,
    }
    answers.versions.update(versions)
    todo = [job for job in jobs_for(methods, sets, threads, asked) if not answers.has(job)]
    say(f"{len(todo)} answers to ask for, {len(answers.known)} in {answers.path.name}")

    def one(job: Job) -> tuple[Job, dict[str, Any]]:
        with tempfile.TemporaryDirectory() as folder:
            path = with_spec(job.spec, pathlib.Path(folder))
            command = [*available[job.competitor.peer].command(places), "study", str(path)]
            answer = ask(command, threads, options.timeout)
        return job, dict(answer.outcome) if answer.outcome else {"problem": answer.problem}

    workers = max(1, len(os.sched_getaffinity(0)) // threads)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(one, job) for job in todo]
        try:
            for done in concurrent.futures.as_completed(waiting):
                job, answer = done.result()
                answers.add(job, answer)
                say(f"{job.data['name']}, {job.competitor.label}: {_short(answer)}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    answers.write()
    return answers


def verdict(scores: Mapping[str, Mapping[str, float]], places: Places) -> dict[str, Any]:
    """What Friedman's test and Nemenyi's critical difference say, by our own library."""
    with tempfile.TemporaryDirectory() as folder:
        path = with_spec({"table": scores, "better": "lower"}, pathlib.Path(folder))
        answer = ask([str(places.python), str(BENCH / "worker" / "study.py"), str(path)], 1, 120)
    if answer.outcome is None:
        raise BenchError(f"the comparison of ranks failed: {answer.problem}")
    return {key: answer.outcome[key] for key in ("mean_ranks", "friedman", "critical_difference", "conclusion")}


def chosen_methods(options: argparse.Namespace) -> list[Method]:
    """The methods that were asked for, with the settings to try."""
    known = load_methods()
    names = [method.name for method in known]
    for name in options.method:
        if name not in names:
            raise BenchError(f"unknown method {name!r} (known: {', '.join(names)})")
    chosen = [method for method in known if not options.method or method.name in options.method]
    if options.trial and len(chosen) != 1:
        raise BenchError("--try needs --method: settings belong to one of them")
    return [with_trials(method, options.trial) for method in chosen]


def _short(answer: Mapping[str, Any]) -> str:
    if "problem" in answer:
        return f"failed, {answer['problem']}"
    means = {name: sum(values) / len(values) for name, values in answer["scores"].items()}
    return ", ".join(f"{name} {mean:.4g}" for name, mean in means.items()) + \
        f", {answer['cpu_seconds']:.2f} s"
