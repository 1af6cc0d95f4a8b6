"""Reads what `lab check`, `lab bench` and numpy_baseline.py wrote, and the recorded measurements."""

import dataclasses
import pathlib

import peaks
from fields import DamagedDocument, read_document
from limit_table import read_limits
from profiles import read_profile

UNKNOWN_DEVICE = "unknown device"


@dataclasses.dataclass(frozen=True)
class Source:
    """Where and when something was measured."""

    backend: str
    device: str
    date: str = ""
    recorded: bool = False
    driver: str = ""
    toolkit: str = ""
    cpu: str = ""
    ceiling: float | None = None
    peaks: tuple = ()

    @property
    def key(self):
        return (self.recorded, self.backend, self.device)


@dataclasses.dataclass(frozen=True)
class Timing:
    """Milliseconds: the median, and from the fastest sample to the 95th percentile."""

    median: float
    low: float
    high: float
    samples: int = 0


@dataclasses.dataclass(frozen=True)
class Peer:
    """A library's or another lab's kernel raced beside ours: its time by ours, the least ratio, the 95th percentile."""

    name: str
    ms: float
    ratio: float
    low: float | None
    high: float | None


@dataclasses.dataclass(frozen=True)
class Bench:
    """One launcher of one kernel at one size; what was not measured is None."""

    source: Source
    lab: str
    variant: str
    launcher: str
    size: str
    verdict: str
    message: str
    kernel: Timing | None
    warm: Timing | None
    with_copies: Timing | None
    gbytes_per_s: float | None
    gflops: float | None
    of_ceiling: float | None
    cpu: dict
    peers: tuple


@dataclasses.dataclass(frozen=True)
class Check:
    """The verdict on one kernel."""

    source: Source
    lab: str
    variant: str
    verdict: str
    cases: tuple
    hazards: tuple
    gates: tuple


@dataclasses.dataclass(frozen=True)
class Baseline:
    """The same operation by another tool (NumPy, Numba) on this machine's CPU."""

    source: Source
    tool: str
    operation: str
    size: str
    kernel: Timing
    note: str


@dataclasses.dataclass
class Results:
    bench: list = dataclasses.field(default_factory=list)
    checks: list = dataclasses.field(default_factory=list)
    baselines: list = dataclasses.field(default_factory=list)
    profiles: list = dataclasses.field(default_factory=list)
    limits: list = dataclasses.field(default_factory=list)
    problems: list = dataclasses.field(default_factory=list)

    def __bool__(self):
        return bool(self.bench or self.checks or self.baselines)

    def labs(self):
        return sorted({row.lab for row in [*self.bench, *self.checks]})


def load(folders, recorded):
    """All results in the folders; a damaged file is told in `problems` and costs only itself."""
    results = Results()
    paths = [(path, False) for folder in folders for path in sorted(pathlib.Path(folder).glob("*.json"))]
    paths += [(path, True) for path in sorted(pathlib.Path(recorded).glob("*.json"))]
    for path, is_recorded in paths:
        try:
            _read(path, is_recorded, results)
        except DamagedDocument as error:
            results.problems.append(str(error))
    results.bench = _newest(results.bench, lambda r: (r.source.key, r.lab, r.variant, r.launcher, r.size))
    results.checks = _newest(results.checks, lambda r: (r.source.recorded, r.source.backend, r.lab, r.variant))
    return results


def _newest(rows, key):
    kept = {}
    for row in rows:
        if key(row) not in kept or row.source.date >= kept[key(row)].source.date:
            kept[key(row)] = row
    return [kept[k] for k in sorted(kept, key=str)]


def _read(path, recorded, results):
    document = read_document(path)
    if document.has("launches"):
        results.profiles.append(read_profile(document))
        return
    if document.has("limits"):
        source = _source(document, recorded, [])
        results.limits += [read_limits(row, source) for row in document.objects("limits")]
        return
    rows = document.objects("results")
    source = _source(document, recorded, rows)
    found = Results()
    for row in rows:
        if row.has("operation"):
            found.baselines.append(_baseline(row, source))
        elif row.has("cases") or not row.has("size") and not row.has("kernel_ms"):
            found.checks.append(_check(row, source))
        else:
            found.bench.append(_bench(row, source))
    # A lab that this machine cannot run leaves a document without a device; its check says why it was skipped.
    if source.device != UNKNOWN_DEVICE or any(row.verdict != "skipped" for row in found.bench):
        results.bench += found.bench
    results.checks += found.checks
    results.baselines += found.baselines


def _source(document, recorded, rows):
    device = document.object("device", None)
    where = document.object("recorded", None)
    if recorded and not where:
        raise document.error("recorded", "is missing; a recorded measurement says when and on what it was made")
    backend = document.text("backend", None) or "sim"
    return Source(
        backend=backend,
        device=_device_name(backend, device, where),
        date=(where and where.text("date", None)) or document.text("date", ""),
        recorded=where is not None,
        driver=where.text("driver", "") if where else "",
        toolkit=(where and where.text("toolkit", None)) or (device and device.text("cuda", None)) or "",
        cpu=_cpu_name(device),
        ceiling=_positive(device, "ceiling_gbytes_per_s") if device else None,
        peaks=peaks.of_device(device, where, rows),
    )


def _device_name(backend, device, where):
    """What did the work: on the simulator that is the CPU, whatever device it imitates."""
    if backend == "sim" and (cpu := _cpu_name(device)):
        return cpu
    return (where and where.text("device", None)) or (device and device.text("name", None)) or UNKNOWN_DEVICE


def _cpu_name(device):
    name = device.text("cpu", None) if device else None
    threads = device.number("cpu_threads", None) if device else None
    return f"{name}, {threads} threads" if name and threads else name or ""


def _timing(row, key):
    """A plain number, or an object with median, min, p95 and samples; zero stands for "not measured"."""
    if not row.has(key):
        return None
    if row.is_number(key):
        value = row.number(key)
        return Timing(value, value, value) if value else None
    fields = row.object(key)
    median = fields.number("median")
    low, high = fields.number("min", median), fields.number("p95", median)
    return Timing(median, min(low, median), max(high, median), int(fields.number("samples", 0))) if median else None


def _positive(row, key):
    return row.number(key, None) or None


def _bench(row, source):
    return Bench(
        source=source,
        lab=row.text("lab"),
        variant=row.text("variant"),
        launcher=row.text("launcher", ""),
        size=row.text("size"),
        verdict=row.text("verdict", "pass"),
        message=row.text("message", ""),
        kernel=_timing(row, "kernel_ms"),
        warm=_timing(row, "warm_ms"),
        with_copies=_timing(row, "with_copies_ms"),
        gbytes_per_s=_positive(row, "gbytes_per_s"),
        gflops=_positive(row, "gflops"),
        of_ceiling=_positive(row, "of_ceiling"),
        cpu={name: _positive(row, f"cpu_{name}_ms") for name in ("one_thread", "all_threads", "fast")},
        peers=tuple(_peer(peer, row) for peer in row.objects("peers", []) if _positive(peer, "ms")),
    )


def _peer(peer, row):
    ms, kernel = peer.number("ms"), _timing(row, "kernel_ms")
    ratio = _positive(peer, "ratio") or (ms / kernel.median if kernel else 0)
    return Peer(peer.text("name"), ms, ratio, _positive(peer, "ratio_low"), _positive(peer, "ratio_high"))


def _check(row, source):
    return Check(
        source=source,
        lab=row.text("lab"),
        variant=row.text("variant"),
        verdict=row.text("verdict"),
        cases=tuple(_case(case) for case in row.objects("cases", [])),
        hazards=tuple(_hazard(hazard) for hazard in row.objects("hazards", [])),
        gates=tuple(_gate(gate) for gate in row.objects("gates", [])),
    )


def _case(case):
    return {
        "name": case.text("name", ""),
        "verdict": case.text("verdict"),
        "message": case.text("message", ""),
        "hint": int(case.number("hint", 0)) if case.is_number("hint") else 0,
    }


def _hazard(hazard):
    line = int(hazard.number("line", 0))
    return {
        "kind": hazard.text("kind"),
        "severity": hazard.text("severity", "error"),
        "where": f"{hazard.text('file', 'kernel.cu')}:{line}" if line else hazard.text("file", ""),
        "message": hazard.text("message", ""),
        "advice": hazard.text("advice", ""),
    }


def _gate(gate):
    return {
        "metric": gate.text("metric"),
        "limit": gate.number("limit", None),
        "value": gate.number("value", None),
        "passed": gate.flag("passed"),
    }


def _baseline(row, source):
    timing = _timing(row, "ms")
    if not timing:
        raise row.error("ms", "is missing")
    return Baseline(source, row.text("tool"), row.text("operation"), row.text("size"), timing, row.text("note", ""))
