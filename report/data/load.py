"""Reads what `lab check`, `lab bench` and numpy_baseline.py wrote, and the recorded measurements."""

import dataclasses
import pathlib

from data import peaks
from data.documents import DamagedDocument, read, require
from data.limit_table import read_limits
from data.machine_code import read_machine_code
from data.modelled import read_modelled
from data.profiles import read_profile
from data.size_sweeps import read_size_sweep

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
    record: str = ""  # the name of the record's file without its ending, such as "h200"

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
    date: str = ""  # of this row of a record


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
    changed: bool = False  # the kernel was saved after the check


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
    machine_code: list = dataclasses.field(default_factory=list)
    size_sweeps: list = dataclasses.field(default_factory=list)
    modelled: list = dataclasses.field(default_factory=list)
    problems: list = dataclasses.field(default_factory=list)

    def __bool__(self):
        return bool(self.bench or self.checks or self.baselines or self.size_sweeps or self.modelled)

    def labs(self):
        return sorted({row.lab for row in [*self.bench, *self.checks, *self.modelled]})


def load(folders, recorded):
    """All results in the folders; a damaged file is told in `problems` and costs only itself."""
    results = Results()
    paths = [(path, False) for folder in folders for path in sorted(pathlib.Path(folder).glob("*.json"))]
    paths += [(path, True) for path in sorted(pathlib.Path(recorded).glob("*.json"))]
    paths += [(path, True) for path in sorted(pathlib.Path(recorded).glob("*_sweeps/*.json"))]
    for path, is_recorded in paths:
        try:
            _read(path, is_recorded, results)
        except DamagedDocument as error:
            results.problems.append(str(error))
    results.bench = _newest(results.bench, lambda r: (r.source.key, r.lab, r.variant, r.launcher, r.size))
    results.checks = _newest(results.checks, lambda r: (r.source.recorded, r.source.backend, r.lab, r.variant))
    results.size_sweeps = _newest(results.size_sweeps, lambda sweep: sweep.key)
    results.modelled = _newest(results.modelled, lambda row: row.key)
    return results


def _newest(rows, key):
    kept = {}
    for row in rows:
        if key(row) not in kept or row.source.date >= kept[key(row)].source.date:
            kept[key(row)] = row
    return [kept[k] for k in sorted(kept, key=str)]


def _read(path, recorded, results):
    document = read(path)
    kind = _kind(document)
    require(path, document, kind)
    if kind == "profile":
        results.profiles.append(read_profile(document))
        return
    if kind == "asm":
        results.machine_code.append(read_machine_code(document))
        return
    if kind == "bench_sweep":  # it names its device and date itself
        source = dataclasses.replace(_source(document), recorded=recorded)
        results.size_sweeps.append(read_size_sweep(document, source))
        return
    if kind == "counts":
        return  # the simulator's counts, which only the READMEs cite
    if recorded and "recorded" not in document:
        raise DamagedDocument(f"{path}: recorded is missing; a recorded measurement says when and on what it was made")
    if kind == "memory":  # the figures of the lessons read it, see lessons/records.py
        return
    source = dataclasses.replace(_source(document), record=pathlib.Path(path).stem if recorded else "")
    if kind == "limits":
        results.limits += [read_limits(row, source) for row in document["limits"]]
    elif kind == "numpy":
        results.baselines += [_baseline(row, source) for row in document["results"]]
    elif kind == "check":
        results.checks += [_check(row, source) for row in document["results"]]
    else:
        results.modelled += read_modelled(document, source)
        bench = [_bench(row, source) for row in document["results"]]
        # A lab that this machine cannot run leaves a document without a device; its check says why it was skipped.
        if source.device != UNKNOWN_DEVICE or any(row.verdict != "skipped" for row in bench):
            results.bench += bench


def _kind(document):
    """The name of the schema that the document should follow."""
    keys = document if isinstance(document, dict) else {}
    by_key = {"launches": "profile", "limits": "limits", "counts": "counts", "latencies": "memory", "kernels": "asm"}
    by_key["most_bytes"] = "bench_sweep"
    for key, kind in by_key.items():
        if key in keys:
            return kind
    rows = keys.get("results")
    first = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
    if "operation" in first:
        return "numpy"
    return "check" if "cases" in first else "bench"


def _source(document):
    device, where = document.get("device", {}), document.get("recorded", {})
    backend = document.get("backend", "sim")
    return Source(
        backend=backend,
        device=_device_name(backend, device, where),
        date=where.get("date") or document.get("date", ""),
        recorded="recorded" in document,
        driver=where.get("driver", ""),
        toolkit=where.get("toolkit") or device.get("cuda", ""),
        cpu=_cpu_name(device),
        ceiling=device.get("ceiling_gbytes_per_s") or None,
        peaks=peaks.of_device(device, where, document.get("results", [])),
    )


def _device_name(backend, device, where):
    """What did the work: on the simulator that is the CPU, whatever device it imitates."""
    if backend == "sim" and (cpu := _cpu_name(device)):
        return cpu
    return where.get("device") or device.get("name") or UNKNOWN_DEVICE


def _cpu_name(device):
    name, threads = device.get("cpu", ""), device.get("cpu_threads")
    return f"{name}, {threads} threads" if name and threads else name


def _timing(row, key):
    """Zero stands for "not measured"."""
    times = row.get(key, {})
    median = times.get("median")
    if not median:
        return None
    low, high = min(times.get("min", median), median), max(times.get("p95", median), median)
    return Timing(median, low, high, times.get("samples", 0))


def _bench(row, source):
    return Bench(
        source=source,
        lab=row["lab"],
        variant=row["variant"],
        launcher=row.get("launcher", ""),
        size=row["size"],
        verdict=row.get("verdict", "pass"),
        message=row.get("message", ""),
        kernel=_timing(row, "kernel_ms"),
        warm=_timing(row, "warm_ms"),
        with_copies=_timing(row, "with_copies_ms"),
        gbytes_per_s=row.get("gbytes_per_s") or None,
        gflops=row.get("gflops") or None,
        of_ceiling=row.get("of_ceiling") or None,
        cpu={name: row.get(f"cpu_{name}_ms") or None for name in ("one_thread", "all_threads", "fast")},
        peers=tuple(_peer(peer, _timing(row, "kernel_ms")) for peer in row.get("peers", []) if peer.get("ms")),
        date=row.get("date", source.date[:10]),
    )


def _peer(peer, kernel):
    ratio = peer.get("ratio") or (peer["ms"] / kernel.median if kernel else 0)
    return Peer(peer["name"], peer["ms"], ratio, peer.get("ratio_low") or None, peer.get("ratio_high") or None)


def _check(row, source):
    return Check(
        source=source,
        lab=row["lab"],
        variant=row["variant"],
        verdict=row["verdict"],
        cases=tuple({"name": "", "message": "", "hint": 0} | case for case in row.get("cases", [])),
        hazards=tuple(_hazard(hazard) for hazard in row.get("hazards", [])),
        gates=tuple({"limit": None, "value": None} | gate for gate in row.get("gates", [])),
    )


def _hazard(hazard):
    file, line = hazard.get("file"), hazard.get("line")
    where = f"{file or 'kernel.cu'}:{line}" if line else file or ""
    return {"severity": "error", "message": "", "advice": ""} | hazard | {"where": where}


def _baseline(row, source):
    note = row.get("note", "")
    return Baseline(source, row["tool"], row["operation"], row["size"], _timing(row, "ms"), note)
