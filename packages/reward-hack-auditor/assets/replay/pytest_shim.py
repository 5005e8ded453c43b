"""What tests use of pytest and unittest, without either: it is bound to their names in the test's own source only."""
import contextlib
import inspect
import io
import os
import re
import tempfile
import types
import warnings

from observe import Approx, Raises, compare, observe, raises, truth
from pathlib import Path


class Skipped(Exception):
    pass


def _skip(reason="", **_):
    raise Skipped(reason)


class Param:
    def __init__(self, *values, id=None, marks=()):
        self.values = values


def _parametrize(names, rows, **_):
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def mark(function):
        table = []
        for row in rows:
            values = row.values if isinstance(row, Param) else (row,) if len(keys) == 1 else tuple(row)
            table.append(dict(zip(keys, values)))
        function.audit_tables = [table, *getattr(function, "audit_tables", [])]
        return function

    return mark


def _skip_mark(condition=True, *_, reason="", **__):
    if callable(condition):
        condition.audit_skipped = True
        return condition

    def mark(function):
        if condition is not False:
            function.audit_skipped = bool(condition)
        return function

    return mark


class Marks:
    parametrize = staticmethod(_parametrize)
    skip = staticmethod(_skip_mark)
    skipif = staticmethod(_skip_mark)

    def __getattr__(self, name):
        return lambda *given, **_: given[0] if len(given) == 1 and callable(given[0]) else (lambda function: function)


def _fixture(function=None, *, params=None, autouse=False, name=None, scope="function", **_):
    def make(body):
        body.audit_fixture = {"params": params, "autouse": autouse, "name": name or body.__name__}
        return body

    return make(function) if function is not None else make


@contextlib.contextmanager
def _warns(kind=Warning, match=None):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught
    observe("warns", any(issubclass(item.category, kind) and (match is None or re.search(match, str(item.message))) for item in caught), len(caught))


class MonkeyPatch:
    def __init__(self):
        self.undo_steps = []

    def setattr(self, target, name, value=None, raising=True):
        old = getattr(target, name, None)
        had = hasattr(target, name)
        self.undo_steps.append(lambda: setattr(target, name, old) if had else delattr(target, name))
        setattr(target, name, value)

    def delattr(self, target, name, raising=True):
        old = getattr(target, name)
        self.undo_steps.append(lambda: setattr(target, name, old))
        delattr(target, name)

    def setitem(self, target, key, value):
        had, old = key in target, target.get(key)
        self.undo_steps.append(lambda: target.__setitem__(key, old) if had else target.pop(key, None))
        target[key] = value

    def delitem(self, target, key, raising=True):
        if key in target:
            old = target.pop(key)
            self.undo_steps.append(lambda: target.__setitem__(key, old))

    def setenv(self, name, value, prepend=None):
        self.setitem(os.environ, name, str(value))

    def delenv(self, name, raising=True):
        self.delitem(os.environ, name)

    def chdir(self, path):
        here = os.getcwd()
        self.undo_steps.append(lambda: os.chdir(here))
        os.chdir(path)

    def undo(self):
        while self.undo_steps:
            self.undo_steps.pop()()


class Capture:
    def __init__(self):
        self.out, self.err = io.StringIO(), io.StringIO()
        self.stack = contextlib.ExitStack()
        self.stack.enter_context(contextlib.redirect_stdout(self.out))
        self.stack.enter_context(contextlib.redirect_stderr(self.err))

    def readouterr(self):
        read = types.SimpleNamespace(out=self.out.getvalue(), err=self.err.getvalue())
        for stream in (self.out, self.err):
            stream.seek(0)
            stream.truncate()
        return read


def built_in_fixture(name, closers):
    if name == "tmp_path":
        folder = tempfile.TemporaryDirectory()
        closers.append(folder.cleanup)
        return Path(folder.name)
    if name == "monkeypatch":
        patch = MonkeyPatch()
        closers.append(patch.undo)
        return patch
    if name in ("capsys", "capfd"):
        capture = Capture()
        closers.append(capture.stack.close)
        return capture
    raise LookupError(f"no fixture {name}")


class TestCase:
    """What tests use of `unittest.TestCase`."""

    def setUp(self):
        pass

    def tearDown(self):
        pass

    def subTest(self, *_, **__):
        return contextlib.nullcontext()

    def assertRaises(self, expected, *given, **named):
        return raises(expected, *given, **named)

    def assertRaisesRegex(self, expected, match, *given, **named):
        return raises(expected, *given, match=match, **named)

    def assertTrue(self, value, *_):
        truth(value)

    def assertFalse(self, value, *_):
        observe("true", not value, [bool(value)])

    def assertIsNone(self, value, *_):
        compare(value, "Eq", None)

    def assertIsNotNone(self, value, *_):
        compare(value, "NotEq", None)

    def assertIsInstance(self, value, kind, *_):
        observe("type", isinstance(value, kind), [isinstance(value, kind)])

    def assertAlmostEqual(self, left, right, places=7, *_, delta=None):
        compare(left, "Eq", Approx(right, rel=0, abs=delta or 0.5 * 10**-places))

    def assertRegex(self, text, pattern, *_):
        observe("match", re.search(pattern, text) is not None, [text])

    def assertCountEqual(self, left, right, *_):
        compare(sorted(left, key=repr), "Eq", sorted(right, key=repr))


for _name, _operator in {
    "Equal": "Eq",
    "NotEqual": "NotEq",
    "Is": "Is",
    "IsNot": "IsNot",
    "In": "In",
    "NotIn": "NotIn",
    "Less": "Lt",
    "LessEqual": "LtE",
    "Greater": "Gt",
    "GreaterEqual": "GtE",
    "ListEqual": "Eq",
    "DictEqual": "Eq",
    "SetEqual": "Eq",
    "TupleEqual": "Eq",
    "SequenceEqual": "Eq",
    "MultiLineEqual": "Eq",
}.items():
    setattr(TestCase, f"assert{_name}", lambda self, left, right, *_, operator=_operator: compare(left, operator, right))

def _import_or_skip(name, **_):
    try:
        return __import__(name)
    except ImportError:
        raise Skipped(name) from None


pytest = types.SimpleNamespace(
    raises=raises,
    approx=Approx,
    mark=Marks(),
    fixture=_fixture,
    param=Param,
    skip=_skip,
    warns=_warns,
    fail=lambda *_, **__: observe("fail", False, "reached"),
    importorskip=_import_or_skip,
    MonkeyPatch=MonkeyPatch,
)
unittest = types.SimpleNamespace(TestCase=TestCase, main=lambda *_, **__: None, skip=_skip_mark, skipIf=_skip_mark)
