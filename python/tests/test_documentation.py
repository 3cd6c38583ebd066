"""The examples in the documentation show what happens, and everything has its documentation and its types."""

from __future__ import annotations

import ast
import dataclasses
import doctest
import inspect
from pathlib import Path

import pytest
import referee
from referee import _native, errors

try:
    from referee import shards
except ImportError:
    shards = None

PACKAGE = Path(referee.__file__).parent
OPTIONS = doctest.NORMALIZE_WHITESPACE


def documented():
    """Every public object, by its name."""
    yield "referee", referee
    if shards is not None:
        yield "shards", shards
    for module in filter(None, (referee, errors, shards)):
        for name in module.__all__:
            one = getattr(module, name)
            if name == "SCHEMA":
                continue
            yield name, one
            if inspect.isclass(one):
                for member in vars(one):
                    if not member.startswith("_"):
                        yield f"{name}.{member}", getattr(one, member)


EVERYTHING = dict(documented())
WITH_EXAMPLES = [name for name, one in EVERYTHING.items() if ">>>" in (inspect.getdoc(one) or "")]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_show_what_happens(name):
    text = inspect.getdoc(EVERYTHING[name]) or ""
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=told.append)
    assert not told, "".join(told)


def test_everything_is_documented():
    def has_words(name):
        owner = EVERYTHING[name.split(".")[0]]
        # The fields of these are told where they are.
        if "." in name and (dataclasses.is_dataclass(owner) or isinstance(EVERYTHING[name], (str, int))):
            return True
        return inspect.getdoc(EVERYTHING[name])

    assert not [name for name in EVERYTHING if not has_words(name)]


def test_the_stubs_name_what_there_is():
    stubs = ast.parse((PACKAGE / "_native.pyi").read_text())
    for stub in stubs.body:
        if isinstance(stub, ast.ClassDef) and not stub.name.startswith("_"):
            members = {one.name for one in stub.body if isinstance(one, ast.FunctionDef)}
            there = {name for name, value in vars(getattr(_native, stub.name)).items() if not name.startswith("_")}
            assert {name for name in members if not name.startswith("_")} == there, stub.name
        elif isinstance(stub, ast.FunctionDef):
            assert callable(getattr(_native, stub.name))
    assert (PACKAGE / "py.typed").exists()
