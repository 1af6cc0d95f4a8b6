"""Converts test cases to NumPy's .npz files and back, for `lab gen` and `lab run --input`.

A folder holds index.json, [{"name", "dtype", "shape"}, ...], and one file NAME.bin for each entry: the bytes of the
array, row-major and little-endian. Arrays that need pickle are refused, because pickle can run code.
"""

import json
import pathlib
import sys
import zipfile
import zlib

import numpy

MOST_BYTES = 1 << 36


class bad_file(Exception):
    """The file is unusable; the user sees the message."""


def entry(folder, name, array):
    """Writes one array and returns its entry of the index."""
    little = numpy.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
    (folder / f"{name}.bin").write_bytes(little.tobytes())
    return {"name": name, "dtype": array.dtype.name, "shape": list(array.shape)}


def text_or_numbers(name, array):
    """The array, if it holds numbers; a string as its bytes."""
    if array.dtype.kind == "U":
        return numpy.frombuffer(str(array).encode(), dtype="uint8")
    if array.dtype.kind not in "iuf":
        raise bad_file(f"array {name!r} holds {array.dtype.name} instead of numbers")
    return array


def unpack(file, folder):
    """Extracts an .npz file to a folder."""
    if not zipfile.is_zipfile(file):
        raise bad_file("it is damaged or no .npz file; write one with numpy.savez(file, a=..., b=...)")
    with numpy.load(file, allow_pickle=False) as archive:
        if sum(member.file_size for member in archive.zip.infolist()) > MOST_BYTES:
            raise bad_file("it unpacks to more than 64 GiB")
        names = [name for name in archive.files if name.isidentifier()]
        index = [entry(folder, name, text_or_numbers(name, archive[name])) for name in names]
    (folder / "index.json").write_text(json.dumps(index))


def pack(file, folder):
    """Writes a folder to an .npz file atomically: an interrupted run leaves no partial file."""
    arrays = {}
    for one in json.loads((folder / "index.json").read_text()):
        raw = (folder / f"{one['name']}.bin").read_bytes()
        text = one["dtype"] == "text"
        arrays[one["name"]] = raw.decode() if text else numpy.frombuffer(raw, one["dtype"]).reshape(one["shape"])
    partial = file.with_name(f".{file.name}.partial.npz")
    try:
        numpy.savez(partial, **arrays)
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def main():
    action, file, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    try:
        {"pack": pack, "unpack": unpack}[action](file, folder)
    except (bad_file, OSError, ValueError, KeyError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error).strip() or type(error).__name__
        sys.exit("it needs pickle, which can run code; save arrays of numbers only" if "pickle" in reason else reason)


if __name__ == "__main__":
    main()
