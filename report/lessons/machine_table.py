"""The table of a GPU's memories for labs/machine.md, from the record."""

import style
from lessons import records

L1_KB = 256  # L1 cache and shared memory of a multiprocessor: NVIDIA's Hopper tuning guide
BEGIN, END = "<!-- memories -->\n", "<!-- end of memories -->\n"
HEAD = ("memory", "in CUDA C++", "size", "shared by", "latency", "rate")


def replaced(text):
    """The page with the table between its two lines, if it has them."""
    if BEGIN not in text:
        return text
    before, rest = text.split(BEGIN, 1)
    return before + BEGIN + table() + END + rest.split(END, 1)[1]


def table():
    found = records.memory()
    lines = ["| " + " | ".join(HEAD) + " |", "|---|---|---|---|--:|--:|"]
    for cells in rows(found["device"]):
        level = cells[0]
        cycles, rate = found["latencies"].get(level), found["bandwidths"].get(level)
        measured = (f"{cycles:.0f} cycles" if cycles else "", f"{style.significant(rate / 1000)} TB/s" if rate else "")
        lines.append("| " + " | ".join((*cells, *measured)) + " |")
    device, recorded = found["device"], found["recorded"]
    where = (
        f"{device['name']} at {device['mhz'] / 1000:.2f} GHz, driver {recorded['driver']}, {recorded['date']}; "
        "`report/results/h200_memory.json`, repeated by `report/record_memory.py`."
    )
    return "\n".join([*lines, "", where, ""])


def rows(device):
    """The first four cells of each row."""
    kb = 1024
    most, block = device["shared_bytes_per_multiprocessor"] // kb, device["shared_bytes_per_block"] // kb
    return (
        ("registers", "`float sum;`", f"{device['registers_per_multiprocessor'] * 4 // kb} KB an SM", "one thread"),
        ("shared memory", "`__shared__`", f"up to {most} KB an SM, {block} KB a block", "one block"),
        ("L1", "none: automatic", f"the rest of {L1_KB} KB an SM", "one SM"),
        ("constant memory", "`__constant__`", f"{device['constant_bytes'] // kb} KB", "all threads, read only"),
        ("L2", "none: automatic", f"{device['l2_bytes'] / kb**2:.0f} MB", "all SMs"),
        ("memory", "`cudaMalloc`", f"{device['memory_bytes'] / kb**3:.0f} GB", "all SMs"),
    )
