"""How a place of measurement is spoken of."""

import style


def name(source):
    """Where and when, as a label: a simulator's time is never called a GPU's."""
    day = source.date[:10] or "date unknown"
    if source.recorded:
        return f"Recorded on {source.device}, {day}"
    if source.backend == "sim":
        return f"Measured here: simulator wall time on {source.device}, {day}"
    if source.backend == "cpu":
        return f"Measured here on the CPU, {source.device}, {day}"
    return f"Measured here on {source.device}, {day}"


def warning(source):
    """The sentence under a figure that keeps it from being misread."""
    ceiling = f" Ceiling: {style.significant(source.ceiling)} GB/s, copied in memory." if source.ceiling else ""
    if source.backend == "sim":
        return "How long the CPU took to simulate the kernels. This says nothing about the speed of a GPU." + ceiling
    toolkit = source.toolkit.removeprefix("CUDA ")
    versions = [f", driver {source.driver}"] * bool(source.driver) + [f", CUDA {toolkit}"] * bool(toolkit)
    cpu = f" CPU baselines: {source.cpu}." if source.cpu else ""
    return f"GPU times, the kernel alone, cold L2 cache{''.join(versions)}.{ceiling}{cpu}"


def label(source):
    """What the page's badge shows."""
    kind = "recorded" if source.recorded else source.backend
    return {"text": name(source), "kind": kind, "warning": warning(source)}


def stem(source):
    """For file names: "sim" or "recorded NVIDIA H200"."""
    return f"recorded {source.device}" if source.recorded else source.backend


def short(source):
    """For the head of a column."""
    return "simulator" if source.backend == "sim" else source.device


def days(rows):
    """The day on which the rows of a record were measured, or the first and the last one."""
    first, *_, last = sorted({row.date for row in rows}) * 2
    return first if first == last else f"{first} to {last}"
