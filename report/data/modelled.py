"""Times that `lab bench` models for a GPU from counts, and the measured times of the same kernels."""

import dataclasses

RESOLVABLE = 1.25  # as in common/model/modelled_text.cpp: the model does not tell smaller differences apart
VOWEL_SOUNDS = "AEFHILMNORSX"  # letters whose names begin with a vowel


@dataclasses.dataclass(frozen=True)
class Band:
    """Microseconds: the modelled time, and the band that held most recorded times."""

    us: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True)
class Modelled:
    """One launcher of one kernel at one size; where `time` is None, `problem` says why. `gain` is (change, ratio)."""

    source: object
    gpu: str
    validated: bool
    lab: str
    variant: str
    launcher: str
    size: str
    time: Band | None
    limit: str
    balanced: bool
    gbytes_per_s: float | None
    gflops: float | None
    step_before: str
    before: Band | None
    gain: tuple | None
    problem: str

    @property
    def key(self):
        return (self.gpu, self.lab, self.variant, self.launcher, self.size)


def read_modelled(document, source):
    """The rows of a document's member `modelled`, which most documents lack."""
    model = document.get("modelled", {})
    return [_row(row, model, source) for row in model.get("results", [])]


def _row(row, model, source):
    gain = row.get("gain")
    return Modelled(
        source=source,
        gpu=model["gpu"],
        validated=model["validated"],
        lab=row["lab"],
        variant=row["variant"],
        launcher=row["launcher"],
        size=row["size"],
        time=_band(row),
        limit=row.get("limit", ""),
        balanced=row.get("balanced", False),
        gbytes_per_s=row.get("gbytes_per_s") or None,
        gflops=row.get("gflops") or None,
        step_before=row.get("step_before", ""),
        before=_band(row.get("before", {})),
        gain=(gain["change"], gain["ratio"]) if gain else None,
        problem=row.get("problem", ""),
    )


def _band(row):
    """Zero stands for "no time"."""
    us = row.get("us")
    if not us:
        return None
    return Band(us, min(row.get("low_us") or us, us), max(row.get("high_us") or us, us))


def measured(row, bench):
    """The times on GPUs of the kernel of a row, at its launcher and size."""
    return [one for one in bench if (one.lab, one.variant) == (row.lab, row.variant) and _same_call(row, one)]


def measured_before(row, bench):
    """The same of the step before, if that is the solution of a lab."""
    return [one for one in bench if (one.lab, one.variant) == (row.step_before, "solution") and _same_call(row, one)]


def _same_call(row, one):
    same = (one.launcher, one.size) == (row.launcher, row.size)
    return same and one.source.backend == "cuda" and one.kernel is not None


def measured_words(one):
    """For example "recorded on NVIDIA H200"."""
    return f"{'recorded' if one.source.recorded else 'measured'} on {one.source.device}"


def record_of(gpu, bench):
    """Where the record `report/results/GPU.json` was measured, None without one; it has the peaks."""
    return next((row.source for row in bench if row.source.record == gpu), None)


def gpu_name(gpu):
    """ "h100_sxm" -> "H100 SXM"."""
    return gpu.upper().replace("_", " ")


def heading(gpu, validated):
    """What stands above each figure and table of modelled times."""
    name = gpu_name(gpu)
    article = "an" if name[:1] in VOWEL_SOUNDS else "a"
    doubt = "" if validated else "; the model is not validated for this GPU"
    return f"modelled for {article} {name}, not measured{doubt}"


def groups(rows):
    """[((gpu, validated), rows)] of the rows of each GPU; of a lab's kernels the student's comes first."""
    found = {}
    for row in sorted(rows, key=lambda row: (row.lab, row.variant != "starter")):
        found.setdefault(row.gpu, []).append(row)
    return [((gpu, all(row.validated for row in mine)), mine) for gpu, mine in sorted(found.items())]
