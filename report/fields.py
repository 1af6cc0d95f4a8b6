"""Typed reading of JSON: every complaint names the file, the key and what was found there."""

import json
import pathlib

_NAMES = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}


LARGEST = 1e18  # nothing that a lab measures comes near it


class DamagedDocument(Exception):
    """A results file that cannot be used; the message names the file and the key."""


class Fields:
    """A JSON object that knows where it came from."""

    def __init__(self, file, value, place=""):
        self.file, self.place = file, place
        if not isinstance(value, dict):
            raise self.error("", "expected an object, found " + _name(value))
        self._value = value

    def error(self, key, what):
        where = ".".join(part for part in (self.place, key) if part)
        return DamagedDocument(f"{self.file}: {where + ': ' if where else ''}{what}")

    def has(self, key):
        return self._value.get(key) is not None

    def is_number(self, key):
        value = self._value.get(key)
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    def _get(self, key, kind, default):
        value = self._value.get(key)
        if value is None:
            if default is ...:
                raise self.error(key, "is missing")
            return default
        if not isinstance(value, kind) or isinstance(value, bool) and kind is not bool:
            raise self.error(key, f"expected {_NAMES[kind if kind in _NAMES else kind[0]]}, found {_name(value)}")
        return value

    def text(self, key, default=...):
        return clean(self._get(key, str, default))

    def flag(self, key, default=False):
        return self._get(key, bool, default)

    def number(self, key, default=...):
        value = self._get(key, (float, int), default)
        if value is not None and not 0 <= value <= LARGEST:
            raise self.error(key, f"expected a number from 0 to {LARGEST:g}, found {value!r:.40}")
        return value

    def numbers(self):
        """All of the object's values, which must be numbers."""
        return {clean(key): self.number(key) for key in self._value}

    def object(self, key, default=...):
        value = self._get(key, dict, default)
        return Fields(self.file, value, self._below(key)) if value is not None else None

    def objects(self, key, default=...):
        values = self._get(key, list, default)
        return [Fields(self.file, value, self._below(f"{key}[{i}]")) for i, value in enumerate(values)]

    def whole_numbers(self, key):
        """A list of whole numbers, null among them as None."""
        values = self._get(key, list, ...)
        for value in values:
            whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST
            if not whole and value is not None:
                raise self.error(key, f"expected whole numbers, found {value!r:.40}")
        return values

    def _below(self, key):
        return f"{self.place}.{key}" if self.place else key


def clean(text):
    """The text without control characters, which neither XML nor a terminal should get."""
    return text if text is None else "".join(c for c in text if c in "\n\t" or (c.isprintable() or c == " "))


def read_document(path):
    """The file's top object.

    Raises DamagedDocument when the file is no JSON, no object, or of another schema than 1.
    """
    path = pathlib.Path(path)
    try:
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedDocument(f"{path}: not readable as JSON: {error}") from error
    document = Fields(path, value)
    if document.number("schema") != 1:
        raise document.error("schema", f"this report reads schema 1, found {document.number('schema')}")
    return document


def read_each(folder, name, key, made):
    """What `made(lab, row)` makes of the rows under a key of the labs' files of that name, which are optional, and the
    complaints about those that could not be read."""
    found, problems = [], []
    for path in sorted(pathlib.Path(folder).glob(f"[0-9][0-9]_*/{name}")):
        try:
            found += [made(path.parent.name, row) for row in read_document(path).objects(key)]
        except DamagedDocument as error:
            problems.append(str(error))
    return found, problems


def _refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def _name(value):
    return "nothing" if value is None else _NAMES.get(type(value), type(value).__name__)
