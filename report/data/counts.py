"""A kernel's counts beside those of the step before, as bars."""

import dataclasses

# The words of `lab bench`, common/trace/gates.cpp.
WORDS = {
    "load_sectors": "sectors loaded",
    "store_sectors": "sectors stored",
    "shared_wavefronts": "wavefronts of shared memory",
    "bank_conflicts": "bank conflicts",
    "global_atomics": "atomic operations on global memory",
    "shared_atomics": "atomic operations on shared memory",
    "load_requests": "load requests",
    "block_barriers": "barriers of blocks",
    "launches": "kernel launches",
    "blocks": "blocks",
    "threads": "threads",
}


@dataclasses.dataclass(frozen=True)
class Bar:
    """`share` of the longest bar of its chart, from 0 to 1."""

    name: str
    own: bool
    value: int
    share: float


def charts(counts, before, name):
    """[(what, bars)] of each count in which two kernels differ; `before` may be empty, `name` is that kernel's.

    A kernel alone stands beside what its requests need at least."""
    found = []
    for key, words in WORDS.items():
        if key not in counts:
            continue
        other = before.get(key) if before else counts.get(f"{key}_ideal")
        if other is not None and other != counts[key]:
            found.append((words, _bars(counts[key], other, name if before else "enough")))
    return found


def same(counts, before):
    """["sectors loaded 768"] of the counts other than zero in which the kernels do not differ."""
    found = []
    for key, words in WORDS.items():
        other = before.get(key) if before else counts.get(f"{key}_ideal", counts.get(key))
        if counts.get(key) and other == counts[key]:
            found.append(f"{words} {counts[key]:,.0f}")
    return found


def _bars(own, other, name):
    most = max(own, other)
    return (Bar(name, False, other, other / most), Bar("this kernel", True, own, own / most))
