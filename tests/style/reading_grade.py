"""The reading grade of a text by Flesch and Kincaid: the years of school that a reader of English needs for it.

Inline code, sizes and numbers count as words of one syllable, because the formula is about words.
"""

import re

from prose_text import sentences

SILENT_END = re.compile(r"(?:(?:[^laeiouy]|[aeiouy]l)e|[^aeiouytd]ed|[^aeiouyscxzhg]es)$")


def syllables(word):
    letters = re.sub(r"[^a-z]", "", word.lower())
    if not letters or re.fullmatch(r"(?:code|size)\d+", word):
        return 1
    groups = len(re.findall(r"[aeiouy]+", letters))
    return max(1, groups - (groups > 1 and SILENT_END.search(letters) is not None))


def reading_grade(markdown):
    """The grade of the whole sentences, without headings; 0 if there are none."""
    whole = [s.words() for s in sentences(markdown) if re.search(r"[.?!:;][*_)\"”]*$", s.text)]
    words = [word for words in whole for word in words]
    if not words:
        return 0
    return 0.39 * len(words) / len(whole) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59
