"""Numbers that look measured or counted and that no reference follows."""

import re

from readmes.references import NUMBER, REFERENCE, Mismatch

BETWEEN_MARKS = re.compile(r"<!-- (\w+) -->\n.*?<!-- end of \1 -->", re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
ONE_OR_RANGE = rf"{NUMBER}(?:\s+to\s+{NUMBER})?"
RATE = r"[KMGTP]?(?:B|FLOP)/s"
DURATION = r"(?:ns|µs|us|ms|(?:nano|micro|milli)?seconds?)"
COUNTED = r"(?:sectors?|wavefronts?|requests?|conflicts?|atomics?|stores?|loads?)"
MANY = rf"(?:{NUMBER}\s+(?:million|billion)|\d{{1,3}}(?:,\d{{3}})+|\d{{4,}}|10\^\d+)"
WORDS = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|twenty|hundred|thousand)"
MORE = r"(?:as|the|that|those|more|fewer|less|faster|slower|longer|larger|smaller|better|higher|lower)"
PATTERNS = [
    re.compile(pattern)
    for pattern in (
        rf"{ONE_OR_RANGE}\s*(?:{RATE}|{DURATION}|[KMG]Hz)(?!\w)",
        rf"{ONE_OR_RANGE}\s*(?:%|per\s?cent\b)",
        rf"{NUMBER}\s*×(?!\s*\d)",
        rf"(?:{NUMBER}|\b{WORDS})\s+times\s+{MORE}\b",
        r"(?<![\w.,^])\d[\d,]*\.\d+\s+times\b",
        r"(?<![\w.,^])\d[\d,]*\.\d\d+(?![\w.])",
        rf"(?<![\w.,^]){MANY}(?:\s+\w+)?\s+{COUNTED}\b",
    )
]


def unreferenced(text):
    """A mismatch for each number without a reference that has a unit of time, rate or share, compares two things, has
    two decimals or more, or is a large count of accesses. What stands between marks is generated."""
    rest = text
    for hidden in (BETWEEN_MARKS, REFERENCE, COMMENT, CODE):
        rest = hidden.sub(_blanks, rest)
    found = {match.start(): match for pattern in PATTERNS for match in pattern.finditer(rest)}
    return [
        Mismatch(text.count("\n", 0, start) + 1, f"no reference follows {' '.join(found[start][0].split())}")
        for start in sorted(found)
    ]


def _blanks(match):
    return re.sub(r"[^\n]", " ", match[0])
