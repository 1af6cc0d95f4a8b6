"""Reads JSON documents and checks them against the schemas in docs/schema/."""

import functools
import json
import pathlib
import warnings

import jsonschema

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "docs/schema"
LONGEST_COMPLAINT = 200  # characters


class DamagedDocument(Exception):
    """A file that cannot be used; the message names the file, the place in it and what is wrong there."""


def read(path):
    """What the file holds, without control characters in its texts. Raises DamagedDocument if it is no JSON."""
    path = pathlib.Path(path)
    try:
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
        return _cleaned(value)
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedDocument(f"{path}: not readable as JSON: {error}") from error


def require(path, document, schema):
    """Raises DamagedDocument unless the document, which was read from the path, follows docs/schema/SCHEMA.json."""
    error = jsonschema.exceptions.best_match(_validator(schema).iter_errors(document))
    if error:
        place = error.json_path.removeprefix("$").removeprefix(".")
        what = f"{error.message}, found {error.instance!r}" if error.validator == "const" else error.message
        raise DamagedDocument(f"{path}: {place + ': ' if place else ''}{what:.{LONGEST_COMPLAINT}}")


def read_each(folder, name, schema, key, made):
    """What `made(lab, row)` makes of the rows under a key of the labs' files of that name, which are optional, and the
    complaints about those that could not be read."""
    found, problems = [], []
    for path in sorted(pathlib.Path(folder).glob(f"[0-9][0-9]_*/{name}")):
        try:
            document = read(path)
            require(path, document, schema)
        except DamagedDocument as error:
            problems.append(str(error))
        else:
            found += [made(path.parent.name, row) for row in document[key]]
    return found, problems


@functools.cache
def _validator(schema):
    path = SCHEMAS / f"{schema}.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its successor is not in every release that we support
        resolver = jsonschema.RefResolver(path.as_uri(), content)
    return jsonschema.Draft202012Validator(content, resolver=resolver)


def _cleaned(value):
    """The value without control characters in its texts, which neither XML nor a terminal should get."""
    if isinstance(value, str):
        return "".join(c for c in value if c in "\n\t" or c.isprintable())
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(one) for key, one in value.items()}
    return value


def _refuse_constant(name):
    raise ValueError(f"{name} is not JSON")
