"""The process that is measured.

  python main.py PEER.py versions      one JSON line with versions, or an ImportError
  python main.py PEER.py run SPEC.json one JSON line with timings

A separate process per round keeps thread pools, caches and memory of the libraries apart.
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import sys
import types
from typing import Any


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


def main() -> None:
    """Keeps standard output for the one line: libraries may print what they like elsewhere."""
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    peer = load_peer(sys.argv[1])
    if sys.argv[2] == "versions":
        outcome = peer.versions()
    else:
        spec = json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
        outcome = {**measured(peer, spec), "versions": peer.versions()}
    answer.write(json.dumps(outcome) + "\n")
    answer.close()


if __name__ == "__main__":
    main()
