"""Runs tests outside of any test runner and says what their assertions saw."""
import asyncio
import builtins
import contextlib
import datetime
import decimal
import importlib.abc
import importlib.util
import inspect
import itertools
import json
import os
import random
import signal
import sys
import time

from observe import say, state
from pytest_shim import Skipped, TestCase, built_in_fixture
from rewrite_tests import run_source

TEST_SECONDS = 1.5
CLOCK = time.perf_counter
EXIT = os._exit

WATCHED = {
    **{f"time.{name}": (time, name) for name in ("time", "perf_counter", "monotonic", "sleep", "process_time")},
    **{f"random.{name}": (random, name) for name in ("random", "randint", "seed", "Random")},
    **{f"builtins.{name}": (builtins, name) for name in ("len", "sorted", "isinstance", "abs", "sum", "round", "open", "__import__", "AssertionError")},
    **{"os._exit": (os, "_exit"), "sys.exit": (sys, "exit"), "sys.excepthook": (sys, "excepthook"), "json.dumps": (json, "dumps")},
    **{"datetime.datetime": (datetime, "datetime"), "decimal.Decimal": (decimal, "Decimal")},
}
BEFORE = {name: getattr(*place) for name, place in WATCHED.items()}
DECIMALS = (decimal.getcontext().prec, decimal.getcontext().rounding)
BUILT_IN = set(vars(builtins))


class TestTimeout(BaseException):
    pass


class SupportFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the tests' own helper modules from the specification, whatever stands in the tree."""

    def __init__(self, sources, roots):
        self.sources, self.roots = sources, roots

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self, origin=self.sources[name]["path"]) if name in self.sources else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        source = self.sources[module.__name__]
        module.__file__ = source["path"]
        run_source(source["text"], source["path"], vars(module), self.roots)


def fixtures_of(namespace):
    found = {}
    for value in list(namespace.values()):
        about = getattr(value, "audit_fixture", None)
        if isinstance(about, dict):
            found[about["name"]] = value
    return found


def tests_of(namespace):
    for name, value in list(namespace.items()):
        if inspect.isfunction(value) and name.startswith("test") and value.__module__ == namespace["__name__"]:
            yield name, value, None
        elif inspect.isclass(value) and value.__module__ == namespace["__name__"] and (name.startswith("Test") or issubclass(value, TestCase)):
            for method, function in inspect.getmembers(value, inspect.isfunction):
                if method.startswith("test"):
                    yield f"{name}::{method}", function, value


def needs_of(function):
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


class Scope:
    """The fixtures of one test, made when asked for and closed in turn."""

    def __init__(self, fixtures, given):
        self.fixtures, self.made, self.closers = fixtures, dict(given), []

    def get(self, name):
        if name not in self.made:
            self.made[name] = self.make(name)
        return self.made[name]

    def make(self, name):
        if name not in self.fixtures:
            return built_in_fixture(name, self.closers)
        body = self.fixtures[name]
        if body.audit_fixture["params"]:
            raise LookupError("fixtures with params")
        value = body(**{need: self.get(need) for need in needs_of(body)})
        if not inspect.isgenerator(value):
            return value
        self.closers.append(lambda: next(value, None))
        return next(value)

    def close(self):
        while self.closers:
            with contextlib.suppress(Exception):
                self.closers.pop()()


def run_one(name, function, owner, row, fixtures):
    state.update(t=name, n=0)
    begun = CLOCK()
    end = "done"
    scope = Scope(fixtures, row)
    signal.setitimer(signal.ITIMER_REAL, TEST_SECONDS)
    try:
        for fixture in [key for key, body in fixtures.items() if body.audit_fixture["autouse"]]:
            scope.get(fixture)
        instance = owner() if owner else None
        given = {need: scope.get(need) for need in needs_of(function)}
        for set_up in ("setUp", "setup_method"):
            if instance is not None and hasattr(instance, set_up):
                getattr(instance, set_up)()
        result = function(instance, **given) if owner else function(**given)
        if inspect.iscoroutine(result):
            asyncio.run(result)
        if instance is not None and hasattr(instance, "tearDown"):
            instance.tearDown()
    except Skipped:
        end = "skipped"
    except TestTimeout:
        end = "late"
    except SystemExit:
        end = "threw SystemExit"
    except Exception as error:
        end = f"threw {type(error).__name__}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        scope.close()
    say({"v": state["v"], "t": name, "end": end, "ms": (CLOCK() - begun) * 1000})


def run_variant(variant, conftests, roots):
    state["v"] = variant["id"]
    say({"v": variant["id"], "begin": True})
    try:
        fixtures = {}
        for conftest in conftests:
            namespace = {"__name__": "fixtures", "__file__": conftest["path"]}
            run_source(conftest["text"], conftest["path"], namespace, roots)
            fixtures.update(fixtures_of(namespace))
        namespace = {"__name__": variant["name"], "__file__": variant["path"]}
        run_source(variant["text"], variant["path"], namespace, roots)
        fixtures.update(fixtures_of(namespace))
        tests = list(tests_of(namespace))
        for name, function, owner in reversed(tests) if variant.get("backwards") else tests:
            if getattr(function, "audit_skipped", False):
                continue
            tables = getattr(function, "audit_tables", [])
            for index, rows in enumerate(itertools.product(*tables)):
                row = {key: value for one in rows for key, value in one.items()}
                run_one(f"{name}[{index}]" if tables else name, function, owner, row, fixtures)
        say({"v": variant["id"], "complete": True})
    except Exception as error:
        say({"v": variant["id"], "broken": f"{type(error).__name__}: {error}"[:300]})


def changed_globals():
    changed = [name for name, place in WATCHED.items() if getattr(*place, None) is not BEFORE[name]]
    if (decimal.getcontext().prec, decimal.getcontext().rounding) != DECIMALS:
        changed.append("decimal.getcontext")
    changed += [f"builtins.{name}" for name in vars(builtins) if name not in BUILT_IN and name != "_"]
    import atexit

    return changed + (["atexit"] if atexit._ncallbacks() > CALLBACKS else []) + [name for name in ("pytest", "_pytest", "unittest") if name in sys.modules and name not in MODULES]


def main():
    spec = json.load(sys.stdin)
    state["nonce"] = spec["nonce"]
    sys.path[:] = [*spec["roots"], *(path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__)))]
    sys.meta_path.insert(0, SupportFinder(spec["support"], spec["roots"]))

    def late(*_):
        raise TestTimeout

    signal.signal(signal.SIGALRM, late)
    for variant in spec["variants"]:
        run_variant(variant, spec["conftests"], spec["roots"])
        if variant is spec["variants"][0]:
            say({"globals": changed_globals()})
    say({"finished": True})
    EXIT(0)


import atexit

CALLBACKS = atexit._ncallbacks()
MODULES = set(sys.modules)
main()
