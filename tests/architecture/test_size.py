"""Bars of size; a file or function that grows over one is divided, the bar is not moved."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from statistics import median

import pytest

from tests.support.tree import Source, sources

LONGEST_FILE = 400
LONGEST_FUNCTION = 80
MEDIAN_FUNCTION = 12

ALL = [pytest.param(source, id=source.module) for source in sources()]


def functions(source: Source) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (n for n in ast.walk(source.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


@pytest.mark.parametrize("source", ALL)
def test_no_file_is_too_long(source: Source) -> None:
    assert len(source.path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("source", ALL)
def test_no_function_is_too_long(source: Source) -> None:
    assert not [f"{source.name}:{f.lineno} {f.name}" for f in functions(source) if length(f) > LONGEST_FUNCTION]


@pytest.mark.parametrize("source", ALL)
def test_every_function_is_annotated(source: Source) -> None:
    bare = [f"{source.name}:{f.lineno} {f.name}" for f in functions(source) if f.returns is None]
    assert not bare


def test_functions_are_small_as_a_rule() -> None:
    assert median(length(f) for source in sources() for f in functions(source)) <= MEDIAN_FUNCTION
