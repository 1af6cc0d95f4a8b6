"""Numbers with their units, as a text writes them: `1600 GB/s`, `1.25 million`, `42%`."""

import dataclasses
import math

# What a unit measures, and its size in seconds, bytes, operations, hertz, watts or ones.
UNITS = {
    "ns": ("time", 1e-9),
    "µs": ("time", 1e-6),
    "us": ("time", 1e-6),
    "microseconds": ("time", 1e-6),
    "ms": ("time", 1e-3),
    "milliseconds": ("time", 1e-3),
    "s": ("time", 1),
    "TB/s": ("bandwidth", 1e12),
    "GB/s": ("bandwidth", 1e9),
    "MB/s": ("bandwidth", 1e6),
    "TFLOP/s": ("throughput", 1e12),
    "GFLOP/s": ("throughput", 1e9),
    "MHz": ("frequency", 1e6),
    "GHz": ("frequency", 1e9),
    "GB": ("bytes", 1e9),
    "MB": ("bytes", 1e6),
    "W": ("power", 1),
    "billion": ("number", 1e9),
    "million": ("number", 1e6),
    "times": ("number", 1),
    "×": ("number", 1),
    "%": ("number", 0.01),
    "per cent": ("number", 0.01),
    "": ("number", 1),
}
LEAST_DIGITS = 3  # of a measured whole number, from 1000 on: 1600 GB/s may stand for 1602


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A value in the basic unit of what it measures, one of those in UNITS."""

    value: float
    measures: str = "number"

    def __truediv__(self, other):
        operations_per_byte = (self.measures, other.measures) == ("throughput", "bandwidth")
        if self.measures != other.measures and not operations_per_byte:
            raise ValueError(f"a {self.measures} cannot be divided by a {other.measures}")
        if not other.value:
            raise ValueError("what it is divided by is 0")
        return Quantity(self.value / other.value)


def written_like(number, unit, quantity):
    """The quantity in this unit, with as many digits as the number that stands there."""
    measures, size = UNITS[unit]
    if measures != quantity.measures:
        raise ValueError(f"{unit or 'no unit'} stands for a {measures}, the record holds a {quantity.measures}")
    value = quantity.value / size
    decimals = len(number.partition(".")[2])
    if not decimals and not (measures == "number" and size == 1):
        value = _as_exact(number, value)
    text = f"{value:,.{decimals}f}"
    if value and not float(text.replace(",", "")):
        raise ValueError(f"{value:.3g} {unit} needs more digits than {number}")
    return text if _has_commas(number, value) else text.replace(",", "")


def _as_exact(number, value):
    """A measured whole number from 1000 on, rounded to the digits that are written without the zeros at its end."""
    if abs(value) < 10**LEAST_DIGITS:
        return value
    digits = max(LEAST_DIGITS, len(number.replace(",", "").rstrip("0")))
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def _has_commas(number, value):
    """As the number that stands there; where it is too small for one, from 10,000 on."""
    if float(number.replace(",", "")) >= 1000:
        return "," in number
    return abs(value) >= 10_000
