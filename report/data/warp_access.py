"""One warp's access to memory: which lane touches which sector of global memory, which bank of shared memory."""

import dataclasses

SECTOR, WORD, BANKS = 32, 4, 32


@dataclasses.dataclass(frozen=True)
class Access:
    """`width` bytes of each lane at its offset; None for an idle lane."""

    width: int
    offsets: tuple

    def lanes(self):
        """(lane, offset) of each active lane."""
        return [(lane, offset) for lane, offset in enumerate(self.offsets) if offset is not None]


@dataclasses.dataclass(frozen=True)
class Sector:
    """32 bytes of global memory, and how many of them the warp uses."""

    number: int
    used: int


def sectors(access):
    """The sectors that are touched, in the order of their addresses."""
    used = {}
    for _, offset in access.lanes():
        for byte in range(offset, offset + access.width):
            used.setdefault(byte // SECTOR, set()).add(byte)
    return [Sector(number, len(used[number])) for number in sorted(used)]


def lanes_to_sectors(access):
    """(lane, place of its sector in sectors()) for every sector that a lane touches."""
    places = {sector.number: place for place, sector in enumerate(sectors(access))}
    return [
        (lane, places[number])
        for lane, offset in access.lanes()
        for number in range(offset // SECTOR, (offset + access.width - 1) // SECTOR + 1)
    ]


def words_of_banks(access):
    """For each bank how many different words the warp wants from it."""
    words = {word for _, offset in access.lanes() for word in _words(access, offset)}
    return [sum(1 for word in words if word % BANKS == bank) for bank in range(BANKS)]


def lanes_to_banks(access):
    """(lane, bank) for every bank that a lane touches."""
    return [(lane, word % BANKS) for lane, offset in access.lanes() for word in _words(access, offset)]


def _words(access, offset):
    return range(offset // WORD, (offset + access.width - 1) // WORD + 1)
