"""What a replay says: one line of JSON for each assertion, on standard output, begun by the run's nonce."""
import contextvars
import json
import os
import re
import threading

from plain_value import plain

_write = os.write
_dumps = json.dumps
state = {"nonce": "", "v": 0, "t": "", "n": 0}


def say(message):
    rest = f"\n{state['nonce']}{_dumps(message)}\n".encode("utf-8", "replace")
    while rest:
        rest = rest[_write(1, rest) :]


def observe(kind, ok, actual):
    """Records an assertion. Never raises: what follows counts too."""
    if state["n"] > 300:
        return
    say({"v": state["v"], "t": state["t"], "n": state["n"], "k": kind, "ok": bool(ok), "a": _dumps(actual)})
    state["n"] += 1


class Approx:
    """What `pytest.approx` gives: numbers within a tolerance."""

    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected = expected
        self.relative = 1e-6 if rel is None else rel
        self.absolute = 1e-12 if abs is None else abs

    def fits(self, actual):
        return _near(actual, self.expected, self)


def _near(actual, expected, approx):
    if isinstance(expected, dict):
        return isinstance(actual, dict) and actual.keys() == expected.keys() and all(_near(actual[key], expected[key], approx) for key in expected)
    if isinstance(expected, (list, tuple)):
        return len(actual) == len(expected) and all(_near(one, other, approx) for one, other in zip(actual, expected))
    return abs(float(actual) - float(expected)) <= max(approx.absolute, approx.relative * abs(float(expected)))


def _opaque(text):
    return '"opaque"' in text or '"unreadable"' in text or '"cut"' in text


def equals(left, right):
    if isinstance(right, Approx):
        return right.fits(left)
    if isinstance(left, Approx):
        return left.fits(right)
    one, other = plain(left), plain(right)
    text = _dumps([one, other])
    if '"lying"' in text:
        return False
    return bool(left == right) if _opaque(text) else one == other


_order = {
    "Lt": lambda a, b: a < b,
    "LtE": lambda a, b: a <= b,
    "Gt": lambda a, b: a > b,
    "GtE": lambda a, b: a >= b,
    "Is": lambda a, b: a is b,
    "IsNot": lambda a, b: a is not b,
    "In": lambda a, b: a in b,
    "NotIn": lambda a, b: a not in b,
}


def compare(left, operator, right, negated=False):
    """An assertion with one comparison in it; `actual` is its left side, or for sizes and members its answer."""
    if operator in ("Eq", "NotEq"):
        answer = equals(left, right) == (operator == "Eq")
        value = plain(left)
        # What differs between processes and objects, such as a hash, is known by its answer alone.
        own = isinstance(value, int) and abs(value) > 2**53
        observe("equal", answer != negated, [answer] if own else [value, answer] if _opaque(_dumps(value)) else [value])
    else:
        answer = bool(_order[operator](left, right))
        observe(operator, answer != negated, [answer])


def call_apart(function, *given, **named):
    """Calls the product on a stack of its own, where no frame holds what a test expects."""
    outcome = {}
    context = contextvars.copy_context()

    def work():
        try:
            outcome["value"] = context.run(function, *given, **named)
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join()
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]


def truth(value):
    observe("true", bool(value), [plain(value)])


class Raises:
    """What `pytest.raises` gives; an error of another type is recorded, not raised."""

    def __init__(self, expected, match=None):
        self.expected = expected
        self.match = match
        self.value = None
        self.type = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.value, self.type = error, kind
        if kind is not None and not issubclass(kind, Exception):
            return False
        fits = kind is not None and issubclass(kind, self.expected)
        found = fits and (self.match is None or re.search(self.match, str(error)) is not None)
        observe("raises", found, "expected" if fits else "nothing" if kind is None else kind.__name__)
        return True


def raises(expected, *given, match=None, **named):
    if not given:
        return Raises(expected, match)
    with Raises(expected, match) as caught:
        given[0](*given[1:], **named)
    return caught
