"""The rooms of common/ include only what the table in common/README.md lets them include, and only downward."""

import pathlib
import re

import pytest

COMMON = pathlib.Path(__file__).resolve().parent.parent.parent / "common"
ROW = re.compile(r"^\| `([a-z_/]+)` \|[^|]*\|([^|]*)\|")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
NOT_ROOMS = {"cli/new_lab", "cli/vscode", "cmake"}  # a template, an editor's settings and build files


def table(text):
    """Room -> the rooms that it may include, from top to bottom."""
    rows = (ROW.match(line) for line in text.splitlines())
    return {row[1]: [word.strip() for word in row[2].split(",") if word.strip()] for row in rows if row}


ROOMS = table((COMMON / "README.md").read_text())


def room_of(path):
    """The innermost room that holds a path relative to common/; nothing if none does."""
    folders = [str(parent) for parent in pathlib.PurePosixPath(path).parents]
    return next((folder for folder in folders if folder in ROOMS), None)


def included_by(file):
    """The paths, relative to common/, of the project's files that a source includes."""
    for line in file.read_text(errors="replace").splitlines():
        if found := INCLUDE.match(line):
            beside = (file.parent / found[1]).resolve()
            if beside.is_file():
                yield str(beside.relative_to(COMMON))
            elif (COMMON / found[1]).is_file():
                yield found[1]


def sources():
    for file in sorted(COMMON.rglob("*")):
        name = str(file.relative_to(COMMON))
        if file.suffix in (".hpp", ".cpp", ".h") and not any(name.startswith(f"{n}/") for n in NOT_ROOMS):
            yield name


def test_the_table_points_downward_only():
    order = list(ROOMS)
    assert len(order) > 15
    for room, allowed in ROOMS.items():
        for below in allowed:
            assert below in order, f"{room} may include {below}, which has no row"
            assert order.index(below) > order.index(room), f"{room} may include {below}, which stands above it"


def test_every_source_has_a_room():
    assert [name for name in sources() if room_of(name) is None] == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_includes_only_what_its_row_names(room):
    wrong = []
    for name in sources():
        if room_of(name) != room:
            continue
        for included in included_by(COMMON / name):
            below = room_of(included)
            if below != room and below not in ROOMS[room]:
                wrong.append(f"{name} includes {included}")
    assert wrong == []


def test_the_page_of_a_room_is_short():
    pages = [room / "README.md" for room in {COMMON / name for name in ROOMS} if (room / "README.md").is_file()]
    assert len(pages) > 15
    lengths = {str(page.relative_to(COMMON)): len(page.read_text().splitlines()) for page in pages}
    assert {page: lines for page, lines in lengths.items() if lines > 40} == {}, "reasons belong to docs/design"


def test_a_folder_holds_few_enough_files_to_read():
    for room in ROOMS:
        sources_here = [f for f in (COMMON / room).iterdir() if f.suffix in (".cpp", ".h", ".hpp")]
        # A header and its source are one thing to know; of the commands each is a file, however many there are.
        assert room == "cli/commands" or len({f.stem for f in sources_here}) <= 16, f"{room} has grown: split it"
