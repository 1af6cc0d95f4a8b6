"""Counts and access drawings from the JSON of `lab profile`."""

from kernel_lab import access_drawing

KINDS = (("global", "load"), ("shared", "store"), ("shared", "load"), ("global", "store"), ("shared", "atomic"),
         ("global", "atomic"))  # fmt: skip
HEAD = ("access", "line", "requests", "sectors/request", "least", "wavefronts/request", "least")


def show(page, profile):
    """A table for each kernel, and a drawing of the costliest access of each kind."""
    for launch in _first_of_each_kernel(profile["launches"]):
        grid, block = (" x ".join(str(n) for n in launch[key] if n > 1) or "1" for key in ("grid", "block"))
        size = f" at {launch['size']}" if launch.get("size") else ""
        page.line(f"{launch['kernel']}{size}: {grid} blocks of {block} threads, counted by the simulator")
        page.table(HEAD, [_cells(line) for line in launch["lines"]])
    for line in _costliest(profile["launches"]):
        page.drawing(access_drawing.svg(line), access_drawing.summary(line))


def counts_by_line(profile, file):
    """{line: text} for the first launch of each kernel."""
    found = {}
    for launch in _first_of_each_kernel(profile["launches"]):
        for line in launch["lines"]:
            if line["file"] == file:
                found.setdefault(line["line"], []).append(access_drawing.title(line))
    return {number: "\n".join(texts) for number, texts in found.items()}


def per_request(line, key):
    return line[key] / line["requests"] if line["requests"] else 0


def _cells(line):
    def both(unit, space):
        if line["space"] != space:
            return "", ""
        return tuple(f"{per_request(line, key):.4g}" for key in (unit, f"{unit}_ideal"))

    sectors, wavefronts = both("sectors", "global"), both("wavefronts", "shared")
    return (f"{line['space']} {line['op']}", line["line"], f"{line['requests']:,}", *sectors, *wavefronts)


def _first_of_each_kernel(launches):
    found = {}
    for launch in launches:
        found.setdefault((launch.get("launcher"), launch["kernel"]), launch)
    return list(found.values())


def _costliest(launches):
    """For each kind of access the line that wastes most, then the one that costs most."""
    lines = [line for launch in _first_of_each_kernel(launches) for line in launch["lines"] if line.get("sample")]
    for kind in KINDS:
        alike = [line for line in lines if (line["space"], line["op"]) == kind]
        if alike:
            yield max(alike, key=lambda line: (_cost(line) - _cost(line, "_ideal"), _cost(line)))


def _cost(line, end=""):
    return line[("sectors" if line["space"] == "global" else "wavefronts") + end]
