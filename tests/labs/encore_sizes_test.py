"""Encores choose among kernels by size. Here are sizes that the labs do not check, at least one for each kernel."""
# ctest: long

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
WIDE_ROWS = ["70x5001", "400x8193", "270x12301", "140x16389", "198x20483"]  # through shared memory, in five widths
SIZES = {
    "04": ["3x70000", "16x65541", "70001x5", "1x70000", "1026x1027", "131x4"],  # thin, unaligned, small
    "08.3": ["9001x3", "3001x7", "900x13", "700x30", "300x61", "300x99", "70x255"]  # one to 32 lanes for a row
    + ["9001x4", "3001x8", "900x16", "700x32", "300x64", "300x128", "70x256"]  # the same with four elements a load
    + ["40x301", "40x304", "100x3001", "100x3004", "100x5001", "100x5004", "400x8196"]  # a block for some rows
    + ["5x9001", "20x20001", "1x70001", "17x140001", "12x8000"]  # few rows, all in shared memory
    + ["150x1030", "150x1028", "1100x1028", "150x2561"]  # rows of middle length, two or three at a time
    + ["2x600001"]  # the longest rows that all blocks share
    + ["60x11001", "60x12004"]  # two passes where shared memory is small
    + WIDE_ROWS,
    "09.1": ["1000x1", "4097x4", "5003x129", "130x129", "70000x6"],  # whole and partial steps of four
    "09.2": ["50x60x7x7x1", "40x42x9x9x1", "61x77x11x11x1", "13x12x11x11x1"]  # loads of 4, 2 and 1 elements
    + ["505x40x17x1x1", "450x420x3x5x1", "700x650x3x5x1", "900x900x23x23x2"]  # other filters: few to many outputs
    + ["5x158647x3x5x2", "30011x5x3x3x1", "650x700x1x9x1"]  # few rows and few columns of outputs, a row of a filter
    + ["19x20001x12x1x1"],  # eight rows of outputs
    "11.2": ["70003x20000", "70001x57000", "70007x766", "70007x768"]  # up to all shared memory, 16 columns and one
    + ["10007x700", "5003x20000", "50003x5000", "70009x14000"]  # few samples, also for each of many bins
    + ["301x7", "100003x9", "40001x300"],  # very few samples, few bins, and neither
    "14.2": ["800", "1700", "2300", "5000"]  # warps that copy for themselves, with 4, 5, 6 and 8 images a thread
    + ["2050", "3300", "6401"],  # tensor cores, with 16, 32 and 64 images a block
    "15.3": ["16x8x16", "23x87x19", "33x427x154", "300x371x402", "65x1000x70"]  # tiles of 16 to 64, shared by blocks
    + ["2003x5x19", "1000x8x16", "700x11x1", "301x30x4", "5x16x70", "7x13x37"]  # a short common dimension
    + ["5x7x67701", "5x4x67604", "2100x9x1025", "5x16x67604", "40x12x1100"]  # few steps of many columns
    + ["3x30x5000", "1x40x1401", "3x530x1401", "12x70x1401", "500x300x2", "3x5000x5"]  # few rows, few columns
    + ["2x20x1401", "4x33x1500", "6x17x1337", "8x40x1400", "16x20x1330", "1x15700x64"]  # other numbers of rows
    + ["33803x9x10", "16901x12x37", "16901x7x22"]  # tall
    + ["5x17x8501", "19x13x8501", "25x7x41001"]  # few rows of many columns, by tiles
    + ["9x17x135200"]  # the same, for all multiprocessors
    + ["900x93x1126", "1100x100x900", "1255x357x60"]  # tiles of two warps and of one
    + ["8500x20x3", "8500x68x3", "8500x68x7"],  # short rows, columns, for all multiprocessors
    "17": ["40x7x50", "8x13x52", "3x500x1", "1100x320x5", "1x512x512", "2x100x50"]  # few steps, columns, rows
    + ["13x13x15", "29x47x79", "100x100x100"]  # small tiles without tensor cores
    + ["37x90x41", "16x16500x24", "64x2048x64", "200x130x301"]  # odd tiles, long sums, shared
    + ["2474x480x25", "330x277x448"]  # widened: b, and a
    + ["1144x344x19", "57x325x992"]  # the same by registers
    + ["40x1000x130", "263x1798x18", "602x34x884", "5981x102x154", "20x34x40"]  # copied by threads, in five forms
    + ["513x260x900", "70x4098x66"]  # by 8 and by 4 bytes, shared
    + ["8500x20x3", "3x13x134200"]  # short rows, many columns
    + ["4301x15x21", "8500x64x40", "4225x9x63", "4304x32x16", "4304x24x33"]  # one long matrix: a
    + ["4304x40x24", "4304x41x24", "4304x41x40"]
    + ["9x16x4304", "35x24x4304", "20x40x4300", "63x60x8500"]  # the same: b
    + ["35x17x16901", "13x40x16902"]  # the same, whose rows begin anywhere
    + ["300x40x500", "500x90x1000", "33x31x200"]  # tiles whose steps are fetched at once
    + ["1x70x1401", "5x300x1401", "16x40x1401", "2x20x77"]  # few rows of columns at any address
    + ["5x70x64", "1x133x72", "8x600x200", "9x65540x256"]  # few rows by tensor cores
    + ["9x16384x8", "2x200x24", "1x33000x16"]  # few columns by tensor cores
    + ["17x192x64", "24x2056x72", "17x120x8504"]  # at most 32 rows of a, in tiles of two widths
    + ["1537x40x3080"],  # more tiles than multiprocessors
}

# The choice depends on the multiprocessors, so fewer images reach kernels without tensor cores: few a block, 48 and 96.
# Columns for all of its multiprocessors are fewer, too.
SIZES_ON_T4 = {
    "08.3": [size for size in SIZES["08.3"] if size not in WIDE_ROWS],  # it has too little shared memory for these
    "14.2": ["300", "1900", "7300"],
    "15.3": ["640x400x1024", "640x301x1023"]  # large tiles
    + ["40x1000x256", "40x700x255", "256x48x768", "256x48x767"]  # middle tiles, shared and whole
    + ["1975x39x140", "3949x163x66", "2587x145x88", "2573x161x65"]  # tiles of 80 and 96 columns
    + ["1100x100x900", "1255x357x60", "16901x12x37", "500x300x2"]  # other tiles, tall, few columns
    + ["9x17x40961", "19x13x40961"],  # few rows of columns for all multiprocessors
}

ASK_THE_DEVICE = ("08.3", "11.2", "14.2", "15.3")  # how much shared memory it has
# On A100s it has tensor cores as on an H200, but less shared memory; those of RTX cards are no faster than other units.
SIZES_ON = {"h200": {}, "t4": SIZES_ON_T4, "a100": {"14.2": ["1700", "2700", "5300"]}, "rtx3090": {"14.2": ["3000"]}}
PAIRS = [(lab, "h200") for lab in SIZES] + [(lab, "t4") for lab in ASK_THE_DEVICE]
PAIRS += [("14.2", gpu) for gpu in ("a100", "rtx3090")]


def run_lab(folder, *arguments):
    return subprocess.run(
        [BUILD / "bin/lab", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)},
    )


@pytest.mark.parametrize("lab, gpu", PAIRS)
def test_an_encore_is_right_at_the_sizes_of_each_of_its_kernels(lab, gpu, tmp_path):
    sizes = SIZES_ON[gpu].get(lab, SIZES[lab])
    # So many sizes need more than the 30 s that a check has, on a slow machine; each case keeps its own limit.
    done = run_lab(tmp_path, "check", lab, "--encore", "--gpu", gpu, "--timeout", "1200", "--size", *sizes)
    text = " ".join(done.stdout.split())
    inputs = 1 if lab == "04" else 2  # of a size: the transpose has no rounding, so whole numbers are enough
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(rf"passed .* {inputs * len(sizes)} cases, no hazards", text), text


def test_the_kernel_for_the_largest_unaligned_matrices_is_right(tmp_path):
    """A run on inputs from a file is not traced, which takes minutes at this size."""
    case = tmp_path / "case.npz"
    assert run_lab(tmp_path, "gen", "04", "--size", "4099x4101", "-o", case).returncode == 0
    done = run_lab(tmp_path, "run", "04", "--encore", "--backend", "sim", "--input", case)
    assert done.returncode == 0 and "passed" in done.stdout, done.stdout + done.stderr
