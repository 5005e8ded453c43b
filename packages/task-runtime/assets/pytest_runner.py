"""Runs pytest files in this process and reports each test outside the workspace, with a message authentication code.

The first line of standard input holds the report's path and the key; it is consumed before any code under test is
loaded. No plugin, configuration file, option variable or cache of the workspace is read, but for the conftest files of
the prepared tree and the configuration file that the task names. Not covered: code that patches pytest in this process,
or that takes the key from its frames.
"""

import hashlib
import hmac
import json
import os
import random
import sys

LIMIT = 300


def shorten(text):
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "\u2026"


def show(value):
    try:
        return shorten(repr(value))
    except Exception:
        return "(not printable)"


def main():
    channel = json.load(sys.stdin)
    path, key, workspace = channel["path"], channel["key"], channel["workspace"]
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        del os.environ[name]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest

    digest, sha256, dumps, replace, open_file, leave = hmac.new, hashlib.sha256, json.dumps, os.replace, open, os._exit
    results = {}
    order = []
    compared = {}

    class Reporter:
        @pytest.hookimpl
        def pytest_collectreport(self, report):
            if report.failed:
                file = report.nodeid.split("::")[0]
                self.add(file + "::(load)", "failed", {"message": shorten(str(report.longrepr)), "kind": "error"})

        @pytest.hookimpl
        def pytest_runtest_setup(self, item):
            compared.clear()
            random.seed(1)

        @pytest.hookimpl
        def pytest_assertrepr_compare(self, op, left, right):
            if op == "==":
                compared.update(expected=show(right), observed=show(left))

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            report = (yield).get_result()
            if report.failed:
                error = call.excinfo
                assertion = error is not None and error.errisinstance(AssertionError)
                text = "strict xfail passed" if error is None else error.exconly(tryshort=True)
                self.add(report.nodeid, "failed", {
                    "message": shorten(text),
                    "kind": "assertion" if assertion else "error",
                    **(compared if assertion else {}),
                })
            elif report.skipped:
                # pytest.xfail() called by code is a skip; a declared xfail that fails behaves as its author expects.
                declared = hasattr(report, "wasxfail") and not call.excinfo.errisinstance(pytest.xfail.Exception)
                self.add(report.nodeid, "passed" if declared else "skipped", {})
            elif report.when == "call":
                self.add(report.nodeid, "passed", {})

        def add(self, nodeid, status, failure):
            previous = results.get(nodeid)
            if previous is None:
                order.append(nodeid)
            elif previous["status"] == "failed":
                return
            file, _, name = nodeid.partition("::")
            results[nodeid] = {"file": file, "name": name, "status": status, **failure}

    # Says that pytest is there and the tests are loaded next: from here on, what fails is the tests'.
    os.unlink(path + ".pending")
    config = channel.get("configFile")
    sys.path[:0] = [folder for folder in (workspace, os.path.join(workspace, "src")) if os.path.isdir(folder)]
    sys.argv = ["pytest"]
    code = pytest.main([
        "-c", "/dev/null" if config is None else os.path.join(workspace, config),
        "--rootdir=" + workspace, "--confcutdir=" + workspace,
        "-p", "no:cacheprovider", "--continue-on-collection-errors", "--color=no", "-q", "--tb=short",
        *[os.path.join(workspace, file) for file in channel["files"]],
    ], plugins=[Reporter()])
    # 0 all passed, 1 some failed, 5 no tests; everything else ended before its time.
    finished = code in (0, 1, 5)
    body = dumps({"finished": finished, "results": [results[nodeid] for nodeid in order]}).encode()
    with open_file(path + ".draft", "wb") as draft:
        draft.write(digest(key.encode(), body, sha256).hexdigest().encode() + b"\n" + body)
    replace(path + ".draft", path)
    sys.stdout.flush()
    leave(int(code))


main()
