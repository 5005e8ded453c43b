"""A value as plain data that JSON can hold, whatever the value's own methods say about itself."""
import datetime
import decimal
import enum
import fractions
import math
import pathlib

NODES = 4000


def plain(value):
    return _plain(value, [NODES], 0)


def _plain(value, budget, depth):
    budget[0] -= 1
    if budget[0] < 0 or depth > 30:
        return {"cut": True}
    try:
        return _read(value, budget, depth + 1)
    except Exception as error:
        return {"unreadable": type(error).__name__}


def _read(value, budget, depth):
    def inner(item):
        return _plain(item, budget, depth)

    if value is None:
        return None
    if isinstance(value, enum.Enum):
        return {"enum": f"{type(value).__name__}.{value._name_}"}
    if isinstance(value, int):
        return _honest(value, int, int.__int__(value))
    if isinstance(value, float):
        return _honest(value, float, _number(float.__float__(value)))
    if isinstance(value, complex):
        return {"complex": [_number(value.real), _number(value.imag)]}
    if isinstance(value, str):
        return _honest(value, str, str.__str__(value))
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": bytes(memoryview(value)).hex()}
    if isinstance(value, list):
        return _honest(value, list, [inner(item) for item in list.__iter__(value)])
    if isinstance(value, tuple):
        return _honest(value, tuple, {"tuple": [inner(item) for item in tuple.__iter__(value)]})
    if isinstance(value, dict):
        pairs = [[inner(key), inner(item)] for key, item in dict.items(value)]
        return _honest(value, dict, {"dict": sorted(pairs, key=repr)})
    if isinstance(value, (set, frozenset)):
        base = set if isinstance(value, set) else frozenset
        return {"set": sorted((inner(item) for item in base.__iter__(value)), key=repr)}
    if isinstance(value, decimal.Decimal):
        return {"decimal": format(decimal.Decimal.normalize(value, decimal.Context(prec=60)), "f")}
    if isinstance(value, fractions.Fraction):
        return {"fraction": f"{value.numerator}/{value.denominator}"}
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return {"date": value.isoformat()}
    if isinstance(value, datetime.timedelta):
        return {"seconds": _number(value.total_seconds())}
    if isinstance(value, pathlib.PurePath):
        return {"path": str(value)}
    if isinstance(value, BaseException):
        return {"error": type(value).__name__, "text": str(value)}
    if isinstance(value, type):
        return {"class": value.__name__}
    return {"opaque": True, **({"lying": True} if _lies(value) else {})}


def _number(value):
    if math.isnan(value) or math.isinf(value):
        return {"number": str(value)}
    rounded = float(f"{value:.12g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded


def _honest(value, base, read):
    """The reading of a value, marked when a subclass of a built-in type answers comparisons with what it is not."""
    if type(value) is base or type(value).__eq__ is base.__eq__ or not _lies(value):
        return read
    return {"lying": True, "value": read}


def _lies(value):
    """True for a value that equals a thing that nothing equals, or two different ones."""
    try:
        equals = type(value).__eq__
        if equals is object.__eq__:
            return False
        return value == object() or (value == 0 and value == 1) or (value == "" and value == "-")
    except Exception:
        return False
