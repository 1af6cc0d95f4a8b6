"""What a device's arithmetic units could do at best: units of a multiprocessor x multiprocessors x clock."""

# By compute capability, from NVIDIA's programming guide and its architecture papers; two operations a multiply-add.
FP32_OPERATIONS = {"7.5": 128, "8.0": 128, "8.6": 256, "8.9": 256, "9.0": 256, "10.0": 256, "12.0": 256}
BF16_OPERATIONS = {"8.0": 2048, "9.0": 4096}  # tensor cores, dense


def counts_operations(measured):
    """Whether operations, not bytes, are what to count of a measurement: more than ten on each byte."""
    return bool(measured.gflops) and measured.gflops > 10 * (measured.gbytes_per_s or 0)


def peak_above(source, gflops):
    """(name, GFLOP/s) of the lowest of the source's peaks that is not exceeded, or None."""
    return min((peak for peak in source.peaks if peak[1] >= gflops), key=lambda peak: peak[1], default=None)


def of_device(device, recorded, rows=()):
    """(name, GFLOP/s) of each unit; nothing where clock or capability is not known.

    The clock is `sm_clock_mhz` of the record, or the highest at which one of the rows was measured.
    """
    measured = [row.get("gpu", {}).get("multiprocessor_mhz", 0) for row in rows]
    clock = recorded.get("sm_clock_mhz") or max(measured, default=0)
    multiprocessors = device.get("multiprocessors")
    capability = device.get("compute_capability", "")
    if not clock or not multiprocessors:
        return ()
    tables = (("FP32 peak", FP32_OPERATIONS), ("bf16 tensor peak", BF16_OPERATIONS))
    return tuple(
        (name, table[capability] * multiprocessors * clock / 1000) for name, table in tables if capability in table
    )
