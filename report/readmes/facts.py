"""The documents of the records as rows of values, each with its unit."""

import dataclasses
import itertools
import re

from data import peaks
from readmes.quantity import UNITS, Quantity


@dataclasses.dataclass(frozen=True)
class Row:
    """Values of one subject, such as 04/solution or device, at one size; `names` are its launcher and, if it is about
    less than all of the launcher, the part's name."""

    subject: str
    size: str
    names: tuple
    values: dict


def of_bench(document):
    device, recorded = document.get("device", {}), document.get("recorded", {})
    about = {
        "multiprocessors": Quantity(device.get("multiprocessors", 0)),
        "copy_bandwidth": Quantity(device.get("ceiling_gbytes_per_s", 0) * 1e9, "bandwidth"),
        "clock": Quantity(recorded.get("sm_clock_mhz", 0) * 1e6, "frequency"),
    }
    for name, gflops in peaks.of_device(device, recorded):
        about[name.lower().replace(" ", "_")] = Quantity(gflops * 1e9, "throughput")
    return [Row("device", "", (), about), *map(_timed, document["results"])]


def _timed(row):
    values = {}
    for metric, key in (("time", "kernel_ms"), ("warm", "warm_ms"), ("with_copies", "with_copies_ms")):
        values[metric] = _time(row.get(key, {}).get("median"))
    for program in ("one_thread", "all_threads", "fast"):
        values[f"cpu_{program}"] = _time(row.get(f"cpu_{program}_ms"))
    values["bandwidth"] = Quantity(row.get("gbytes_per_s", 0) * 1e9, "bandwidth")
    values["throughput"] = Quantity(row.get("gflops", 0) * 1e9, "throughput")
    values["of_copy"] = Quantity(row.get("of_ceiling", 0))
    for peer in row.get("peers", []):
        slower = peer["ms"] / row["kernel_ms"]["median"]
        values[f"{peer['name']}:time"] = _time(peer["ms"])
        values[f"{peer['name']}:ratio"] = Quantity(peer.get("ratio") or slower)
        for metric in ("bandwidth", "throughput"):
            values[f"{peer['name']}:{metric}"] = Quantity(values[metric].value / slower if slower else 0, metric)
    return Row(_subject(row), row["size"], (row.get("launcher", ""),), _present(values))


def of_limits(document):
    return [_limited(row) for row in document["limits"]]


def _limited(row):
    values = {
        "time": _time(row["ms"]),
        "read": Quantity(row["read_bytes"], "bytes"),
        "written": Quantity(row["written_bytes"], "bytes"),
        "moved": Quantity(row["read_bytes"] + row["written_bytes"], "bytes"),
        "registers": Quantity(row["registers"]),
        "occupancy": Quantity(row["occupancy"] / 100),
        "eligible_warps": Quantity(row["eligible_warps"]),
    }
    values |= {name.replace(" ", "_"): Quantity(busy / 100) for name, busy in row["units"].items()}
    values |= {f"stall:{name}": Quantity(share) for name, share in row["stalls"].items()}
    return Row(_subject(row), row["size"], (row["launcher"],), values)


def of_memory(document):
    """Of the device `latency:LEVEL` in cycles and `rate:LEVEL`."""
    values = {f"latency:{_word(row['level'])}": Quantity(row["cycles"]) for row in document["latencies"]}
    for row in document["bandwidths"]:
        values[f"rate:{_word(row['level'])}"] = Quantity(row["gbytes_per_s"] * 1e9, "bandwidth")
    return [Row("device", "", (), values)]


def of_counts(document):
    return [row for call in document["counts"] for row in _counted(call)]


def _counted(call):
    """The sums of all launches, of each kernel's, and each launch of a kernel as KERNEL#1, KERNEL#2, ..."""
    parts = {(): call["launches"]}
    kernels = dict.fromkeys(one["kernel"] for one in call["launches"])
    for kernel in kernels:
        parts[kernel,] = [one for one in call["launches"] if one["kernel"] == kernel]
        for index, one in enumerate(parts[kernel,], 1):
            parts[f"{kernel}#{index}",] = [one]
    for part, launches in parts.items():
        values = {metric: Quantity(count) for metric, count in summed(launches).items()}
        yield Row(_subject(call), call["size"], (call["launcher"], *part), values)


def summed(launches):
    """Counts of the launches together, with sums over loads, stores and atomics."""
    blocks = [one["grid"][0] * one["grid"][1] * one["grid"][2] for one in launches]
    threads = [b * one["block"][0] * one["block"][1] * one["block"][2] for b, one in zip(blocks, launches, strict=True)]
    found = {"launches": len(launches), "blocks": sum(blocks), "threads": sum(threads), "bank_conflicts": 0}
    for space, what in itertools.product(("", "shared_", "constant_"), ("requests", "sectors", "wavefronts")):
        for end in ("", "_ideal"):
            by_op = {op: f"{space}{op}_{what}{end}" for op in ("load", "store", "atomic")}
            for metric in by_op.values():
                found[metric] = sum(one["counts"].get(metric, 0) for one in launches)
            found[f"{space}{what}{end}"] = sum(found[metric] for metric in by_op.values())
    found["bank_conflicts"] = sum(one["counts"].get("bank_conflicts", 0) for one in launches)
    return found


def of_gate_costs(document):
    return [
        Row(f"{row['lab'][:2]}/{row['kernel']}", row["size"], (row["launcher"],),
            {"time": _time(row["kernel_ms"]), "solution": _time(row["solution_ms"]), "ratio": Quantity(row["ratio"])})
        for row in document["rows"]
    ]  # fmt: skip


def of_published(lab, document):
    """The tables of a lab's tutorial; the part of a row is its label with underscores. What has no unit is left out."""
    for table in document["tables"]:
        for row in table["rows"]:
            number, _, unit = row["published"].partition(" ")
            if unit in UNITS and UNITS[unit][0] == "time":
                names = (table.get("launcher", ""), re.sub(r"\W+", "_", row["label"]).lower())
                time = Quantity(float(number) * UNITS[unit][1], "time")
                yield Row(f"{lab[:2]}/tutorial", table["size"], names, {"time": time})


KINDS = {"counts": of_counts, "latencies": of_memory, "limits": of_limits, "results": of_bench}


def _subject(row):
    return f"{row['lab'][:2]}/{row['variant']}"


def _word(level):
    return level.replace(" ", "_")


def _time(ms):
    return Quantity((ms or 0) / 1e3, "time")


def _present(values):
    """Without those that are 0, which stands for "not measured"."""
    return {metric: quantity for metric, quantity in values.items() if quantity.value}
