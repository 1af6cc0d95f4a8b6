"""The grammar of references; report/README.md describes it.

    reference = "=" arithmetic | "source:" text | quotient [ "in" unit ]
    quotient  = operand [ "/" operand ]
    operand   = words: a record, NN/KERNEL or "device", launcher, size, part, metric
"""

import ast
import dataclasses
import operator
import re

from readmes.quantity import UNITS, Quantity

SUBJECT = re.compile(r"\d\d/\w+|device")
SIZE = re.compile(r"\d+(x\d+)*")
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


@dataclasses.dataclass(frozen=True)
class Operand:
    """The words of one value by their kind; `names` are launcher and part, in any order."""

    record: str = ""
    subject: str = ""
    size: str = ""
    names: tuple = ()
    metric: str = ""

    def completed(self, by):
        """This one, with what it leaves out taken from another. A device has neither size nor launcher, and another
        record its own names."""
        alike = {"record", "metric"} if self.subject == "device" else {"record", "subject", "size", "metric"}
        if self.subject != "device" and self.record in ("", by.record):
            alike.add("names")
        return dataclasses.replace(self, **{kind: getattr(self, kind) or getattr(by, kind) for kind in alike})


def is_source(text):
    return text.strip().startswith("source:")


def operands(text, records):
    """The values that a reference divides; none if it is arithmetic or names a source. `records` gives the names."""
    text = text.strip()
    if text.startswith("=") or is_source(text):
        return []
    found = []
    for part in re.split(r"\s/\s", unit_of(text)[0]):
        one = _operand(part.split(), records)
        found.append(one.completed(found[0]) if found else one)
    if len(found) > 2:
        raise ValueError("more than one division")
    return found


def unit_of(text):
    """(the reference without its unit, the unit that it names or None)."""
    text = " ".join(text.split())
    quotient, separator, unit = text.rpartition(" in ")
    return (quotient, unit) if separator and unit in UNITS else (text, None)


def value(text, book, unit):
    """What the reference stands for, by the book's records; ValueError says why it stands for nothing. Arithmetic gives
    a number of the unit, if that is one of time, bytes or the like."""
    if text.strip().startswith("="):
        measures, size = UNITS[unit]
        return Quantity(_calculated(text.strip()[1:]) * (1 if measures == "number" else size), measures)
    first, *others = [book.quantity(one) for one in operands(text, book.names)]
    return first / others[0] if others else first


def _operand(words, records):
    found = {"names": []}
    if not words:
        raise ValueError("a value is missing")
    *front, last = words
    if SUBJECT.fullmatch(last) or SIZE.fullmatch(last) or last in records:
        front = words  # the metric is that of the value before
    else:
        found["metric"] = last
    for word in front:
        kind = "subject" if SUBJECT.fullmatch(word) else "size" if SIZE.fullmatch(word) else "names"
        kind = "record" if word in records else kind
        if kind == "names":
            found["names"].append(word)
        elif kind in found:
            raise ValueError(f"{found[kind]} and {word} are both a {kind}")
        else:
            found[kind] = word
    return Operand(**found | {"names": tuple(found["names"])})


def _calculated(text):
    try:
        return _node(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, KeyError) as error:
        raise ValueError(f"{text.strip()!r} is no arithmetic: numbers, + - * / and brackets") from error


def _node(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](_node(node.left), _node(node.right))
    raise KeyError(type(node))
