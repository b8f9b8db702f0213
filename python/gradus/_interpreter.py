"""Refuses a second interpreter in one process: NumPy and the extension keep state per process."""


def _is_second():
    try:
        import _interpreters as interpreters
    except ImportError:
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            return False
    current, main = interpreters.get_current(), interpreters.get_main()
    # Newer versions of Python return (id, origin).
    return current[0] != main[0] if isinstance(current, tuple) else current != main


if _is_second():
    raise ImportError("gradus works in the main interpreter only")
