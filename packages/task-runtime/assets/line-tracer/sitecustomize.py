"""Records which lines of the workspace's sources a run of Python executes, and leaves them as JSON in a folder.

Python loads it before anything else where its folder is on PYTHONPATH; processes that the tests start record too. Lines
that run while a source is imported are kept apart. A run whose trace function was replaced says so. Not covered: a process
that is started without these variables, or killed.
"""

import atexit
import json
import os
import sys
import threading

OPTIMIZED = 1


def install(folder, workspace, hidden):
    prefix = workspace + "/"
    records = {}
    skipped = set()
    state = {"importing": 0, "dumps": 0}

    def record_of(name):
        path = os.path.abspath(name)
        relative = path[len(prefix):]
        if name.startswith("<") or not path.startswith(prefix) or any(relative == place or relative.startswith(place + "/") for place in hidden):
            skipped.add(name)
            return None
        imported, executed = set(), set()

        def in_import(frame, event, _):
            imported.add(frame.f_lineno)
            return in_import

        def in_run(frame, event, _):
            executed.add(frame.f_lineno)
            return in_run

        def in_body(frame, event, _):
            if event == "return":
                state["importing"] -= 1
            else:
                imported.add(frame.f_lineno)
            return in_body

        records[name] = record = (relative, imported, executed, in_import, in_run, in_body)
        return record

    def trace(frame, event, _):
        code = frame.f_code
        name = code.co_filename
        if name in skipped:
            return None
        record = records.get(name) or record_of(name)
        if record is None:
            return None
        if not code.co_flags & OPTIMIZED:
            state["importing"] += 1
            local = record[5]
        else:
            local = record[3] if state["importing"] > 0 else record[4]
        return local(frame, event, None)

    def executable(path):
        try:
            with open(path, "rb") as file:
                codes = [compile(file.read(), path, "exec")]
        except (OSError, SyntaxError, ValueError):
            return []
        lines = set()
        while codes:
            code = codes.pop()
            lines.update(line for _, _, line in code.co_lines() if line)
            codes.extend(value for value in code.co_consts if hasattr(value, "co_lines"))
        return sorted(lines)

    def dump():
        complete = sys.gettrace() is trace
        sys.settrace(None)
        state["dumps"] += 1
        files = {}
        for relative, imported, executed, *_ in records.values():
            files[relative] = {"imported": sorted(imported), "executed": sorted(executed), "lines": executable(prefix + relative)}
        path = os.path.join(folder, "lines-%d-%d.json" % (os.getpid(), state["dumps"]))
        with open(path + ".draft", "w") as file:
            json.dump({"complete": complete, "files": files}, file)
        os.replace(path + ".draft", path)

    leave = os._exit

    def dump_and_leave(code):
        try:
            dump()
        finally:
            leave(code)

    os._exit = dump_and_leave
    atexit.register(dump)
    threading.settrace(trace)
    sys.settrace(trace)


if "TADPOLE_LINES" in os.environ:
    install(os.environ["TADPOLE_LINES"], os.environ["TADPOLE_WORKSPACE"], json.loads(os.environ["TADPOLE_HIDDEN"]))
