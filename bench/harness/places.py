"""Where things are: one object that every part of a run is given."""

from __future__ import annotations

import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"


@dataclasses.dataclass(frozen=True)
class Places:
    """`build` holds the command and the native programme, `python` runs ours and the peers."""

    build: pathlib.Path
    python: pathlib.Path
    cache: pathlib.Path = ROOT / "build" / "bench-cache"
    data_dir: pathlib.Path | None = None

    @property
    def command(self) -> pathlib.Path:
        """The gradus command."""
        return self.build / "gradus"

    @property
    def native(self) -> pathlib.Path:
        """The programme that times the library itself."""
        return self.build / "bench" / "native" / "gradus_bench"

    @property
    def limits(self) -> pathlib.Path:
        """The programme that measures the machine."""
        return self.build / "bench" / "native" / "machine_limits"

    def own_python(self) -> pathlib.Path:
        """The private environment that `bench/run` installs peers into."""
        return self.cache / "venv" / "bin" / "python"
