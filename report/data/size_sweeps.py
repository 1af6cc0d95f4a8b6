"""What `lab bench --sweep` found: a kernel's ratio to its best rival at each drawn size."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class SweptSize:
    """The best rival's time over the kernel's at one size; above 1 the kernel is faster."""

    size: str
    arrays: str
    bytes: float
    best: str
    ratio: float


@dataclasses.dataclass(frozen=True)
class SizeSweep:
    """One kernel over all its sizes."""

    source: object
    lab: str
    variant: str
    launcher: str
    geometric_mean: float
    points: tuple
    failures: tuple  # the sizes at which it gave no right result

    @property
    def key(self):
        return (self.source.key, self.lab, self.variant, self.launcher)


def read_size_sweep(document, source):
    rows = document["results"]
    points = tuple(
        SweptSize(row["size"], row["arrays"], row["bytes"], row["best"], row["ratio"]) for row in rows if "ratio" in row
    )
    failures = tuple(row["size"] for row in rows if row["verdict"] != "pass")
    mean = document["summary"]["geometric_mean"]
    return SizeSweep(source, document["lab"], document["variant"], document["launcher"], mean, points, failures)
