"""Arithmetic of the task files: `8 * n * d` with n and d from the data.

A cost model must be readable where the task is declared, so it is text. It is evaluated on the
syntax tree with numbers, names and arithmetic only: a task file cannot run code.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Mapping

from .errors import BenchError

_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}
_FUNCTIONS = {"log2": math.log2, "max": max, "min": min}


def evaluate(text: str, names: Mapping[str, float]) -> float:
    """The value of `text`; BenchError says what is not allowed or not known."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        raise BenchError(f"cost model {text!r} is not an arithmetic expression") from None
    try:
        return float(_value(tree.body, names))
    except (ArithmeticError, ValueError, TypeError) as problem:
        raise BenchError(f"cost model {text!r}: {problem}") from None


def names_in(text: str) -> set[str]:
    """The variables that an expression uses."""
    tree = ast.parse(text, mode="eval")
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(_FUNCTIONS)


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.Name):
        if node.id not in names:
            known = ", ".join(sorted(names)) or "none"
            raise BenchError(f"cost model uses {node.id!r}, which is not known (known: {known})")
        return names[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left, names), _value(node.right, names))
    called = node.func if isinstance(node, ast.Call) and not node.keywords else None
    if isinstance(called, ast.Name) and called.id in _FUNCTIONS:
        return _FUNCTIONS[called.id](*(_value(one, names) for one in node.args))  # type: ignore[attr-defined]
    raise BenchError("a cost model has numbers, names, + - * / ** and log2, max, min only")
