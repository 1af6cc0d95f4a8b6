"""Turns cases into NumPy's .npz files and back, for `lab gen` and `lab run --input`.

A folder holds index.json, [{"name", "dtype", "shape"}, ...], and for each entry the raw bytes of the array, row-major
and
little-endian, in NAME.bin. Arrays that need pickle, and so could run code, are refused.
"""

import json
import pathlib
import sys
import zipfile
import zlib

import numpy

MOST_BYTES = 1 << 36


class bad_file(Exception):
    """The file is not what it should be; the message is for the user."""


def entry(folder, name, array):
    """Writes one array and returns its place in the index."""
    little = numpy.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
    (folder / f"{name}.bin").write_bytes(little.tobytes())
    return {"name": name, "dtype": array.dtype.name, "shape": list(array.shape)}


def text_or_numbers(name, array):
    """An array that the lab can use: numbers, or one string."""
    if array.dtype.kind == "U":
        return numpy.frombuffer(str(array).encode(), dtype="uint8")
    if array.dtype.kind not in "iuf":
        raise bad_file(f"array {name!r} holds {array.dtype.name}, not numbers")
    return array


def unpack(file, folder):
    """An .npz file into a folder."""
    if not zipfile.is_zipfile(file):
        raise bad_file("it is damaged or no .npz file; numpy.savez(file, a=..., b=...) writes one")
    with numpy.load(file, allow_pickle=False) as archive:
        if sum(member.file_size for member in archive.zip.infolist()) > MOST_BYTES:
            raise bad_file("it unpacks to more than 64 GiB")
        names = [name for name in archive.files if name.isidentifier()]
        index = [entry(folder, name, text_or_numbers(name, archive[name])) for name in names]
    (folder / "index.json").write_text(json.dumps(index))


def pack(file, folder):
    """A folder into an .npz file, in one step, so that an interrupted run leaves no half of it."""
    arrays = {}
    for one in json.loads((folder / "index.json").read_text()):
        raw = (folder / f"{one['name']}.bin").read_bytes()
        text = one["dtype"] == "text"
        arrays[one["name"]] = raw.decode() if text else numpy.frombuffer(raw, one["dtype"]).reshape(one["shape"])
    half = file.with_name(f".{file.name}.half.npz")
    try:
        numpy.savez(half, **arrays)
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)


def main():
    action, file, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    try:
        {"pack": pack, "unpack": unpack}[action](file, folder)
    except (bad_file, OSError, ValueError, KeyError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error).strip() or type(error).__name__
        sys.exit("it needs pickle, which may run code; save plain arrays" if "pickle" in reason else reason)


if __name__ == "__main__":
    main()
