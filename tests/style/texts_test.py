"""Texts of more than two lines are files beside the code that prints them, and not string literals in C++."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"(?m)//[^\"\n]*$")
LITERALS = re.compile(r'(\w*)R"(\w*)\((?P<raw>.*?)\)\2"|(?P<parts>(?:"(?:\\.|[^"\\\n])*"\s*)+)', re.DOTALL)
LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')


def texts(source):
    """What each group of adjacent string literals says; assembly and includes are no texts."""
    for found in LITERALS.finditer(COMMENT.sub("", source)):
        if found["raw"] is not None:
            yield found["raw"]
        else:
            yield "".join(LITERAL.findall(found["parts"])).replace("\\n", "\n")


def lines_of_prose(text):
    """The lines with four words or more. A placeholder is no word, and an example of a command no prose."""
    lines = (re.sub(r"\{[^{}]*\}|\\.", " ", line) for line in text.split("\n") if not line.startswith("Example:"))
    return [line for line in lines if len(re.findall(r"(?<![.\w])[A-Za-z]{2,}", line)) >= 4]


def long_texts(root):
    for path in sorted(root.rglob("*.[ch]pp")):
        for text in texts(path.read_text()):
            if len(lines_of_prose(text)) > 2:
                yield f"{path.relative_to(root)}: {text.strip()[:60]}"


def test_no_text_of_more_than_two_lines_stands_in_c_plus_plus():
    assert len(list((ROOT / "common").rglob("*.cpp"))) > 100
    assert list(long_texts(ROOT / "common")) == []


@pytest.mark.parametrize(
    "code",
    [
        '"one line of four words\\n"\n  "two is a line, too\\n"\n  "and three are too many\\n";',
        'R"(one line of four words\ntwo is a line, too\nand three are too many\n)";',
    ],
)
def test_a_long_text_is_found(tmp_path, code):
    (tmp_path / "bad.cpp").write_text(f"const char* text = {code}\n")
    assert len(list(long_texts(tmp_path))) == 1
