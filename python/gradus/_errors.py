"""What can go wrong, as Python exceptions.

Every exception of the library is a gradus.Error, and so a ValueError; where Python has a more
telling class (MemoryError, FileNotFoundError, ...) it is that one too.

Rows that are told (in messages, in steps, in what was learned) count from 1, as in the command; a
message adds Python's index: "row 4 (index 3)". Rows that are given (explain(X, row=3)) are indices.
"""

from __future__ import annotations

import re


class Error(ValueError):
    """A mistake in the data, a parameter or a file, with its place and a hint.

    Attributes
    ----------
    kind : str
        A stable word: "usage", "bad_data", "limit", "numerical", ...
    where : str
        The parameter, column or file that the error is about.
    message : str
        What was allowed and what was found.
    hint : str
        What to do next; may be empty.
    """

    def __init__(self, kind: str, where: str = "", message: str = "", hint: str = "") -> None:
        self.kind, self.where, self.message, self.hint = kind, where, message, hint
        # A flag of the command says nothing here, and the message names the parameter itself.
        place = "" if where.startswith("--") or not where else f"{where}: "
        advice = "" if not hint or "--" in hint or "gradus " in hint else f"; {hint}"
        super().__init__(f"{place}{message}{advice}")

    def __reduce__(self) -> tuple[type[Error], tuple[str, str, str, str]]:
        return type(self), (self.kind, self.where, self.message, self.hint)


class LimitError(Error, MemoryError):
    """A limit of memory or size was reached."""


class InternalError(Error, RuntimeError):
    """A bug of Gradus."""


class MissingInputError(Error, FileNotFoundError):
    """A file that should be read does not exist."""


class FileError(Error, OSError):
    """Reading or writing a file failed."""


class AccessError(Error, PermissionError):
    """The operating system said no."""


_CLASSES = {
    "limit": LimitError,
    "internal": InternalError,
    "missing_input": MissingInputError,
    "cannot_create": FileError,
    "io": FileError,
    "permission": AccessError,
}


def make(kind: str, where: str, message: str, hint: str) -> BaseException:
    """The exception for an error of the library; called by the extension module."""
    if kind in ("interrupted", "suspended"):
        return KeyboardInterrupt(message)
    return _CLASSES.get(kind, Error)(kind, _with_index(where), _with_index(message), hint)


def row_words(index: int) -> str:
    """How every message of the package names a row: as the command does, and by its index."""
    return f"row {index + 1} (index {index})"


def _with_index(text: str) -> str:
    """The library counts rows from 1; Python's index of one is added."""
    return re.sub(r"\brow ([1-9][0-9]*)\b(?! \(index)", lambda m: row_words(int(m[1]) - 1), text)
