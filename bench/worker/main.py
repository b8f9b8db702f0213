"""The process that is measured.

  python main.py PEER.py versions      one JSON line with versions, or an ImportError
  python main.py PEER.py run SPEC.json one JSON line with timings
  python main.py PEER.py study SPEC.json  one JSON line with the scores of the quality study
  python main.py PEER.py serve         one line of answer for each line with the path of a SPEC

A separate process per round keeps thread pools, caches and memory of the libraries apart. Only the
smoke test, which measures nothing, asks one process many times and saves the imports.
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import sys
import types
from typing import IO, Any


def load_peer(path: str) -> types.ModuleType:
    """The peer's file under a name that cannot hide the library it measures."""
    name = "peer_" + pathlib.Path(path).stem
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def measured(peer: types.ModuleType, spec: dict[str, Any]) -> dict[str, Any]:
    """Runs the job of the specification."""
    from protocol import run
    from task_data import Data

    call = peer.CALLS.get(spec["call"], getattr(peer, "any_call", None))
    if call is None:
        raise KeyError(f"no call {spec['call']!r} (known: {', '.join(peer.CALLS) or 'none'})")
    data = Data.load(spec["data"])
    return run(lambda part: call(part, spec, spec["threads"]), data, spec)


def serve(peer: types.ModuleType, answer: IO[str]) -> None:
    """Answers until standard input ends; a failure is an answer too."""
    for line in sys.stdin:
        try:
            spec = json.loads(pathlib.Path(line.strip()).read_text(encoding="utf-8"))
            outcome = {**measured(peer, spec), "versions": peer.versions()}
        except Exception as problem:  # noqa: BLE001  any failure of a library is an answer
            outcome = {"problem": f"{type(problem).__name__}: {problem}"}
        answer.write(json.dumps(outcome) + "\n")
        answer.flush()


def main() -> None:
    """Keeps standard output for the one line: libraries may print what they like elsewhere."""
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    peer = load_peer(sys.argv[1])
    if sys.argv[2] == "serve":
        serve(peer, answer)
        return
    if sys.argv[2] == "versions":
        outcome = peer.versions()
    elif sys.argv[2] == "study":
        from study import examine

        spec = json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
        outcome = {**examine(peer, spec), "versions": peer.versions()}
    else:
        spec = json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
        outcome = {**measured(peer, spec), "versions": peer.versions()}
    answer.write(json.dumps(outcome) + "\n")
    answer.close()


if __name__ == "__main__":
    main()
