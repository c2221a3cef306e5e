"""Texts that come from rows, paths or the command line, made safe for the place where they are written: a function per place.

HTML and SVG need none here: the template escapes what it is given, and matplotlib escapes what it writes as XML.
"""

from __future__ import annotations

import re

#: Characters that end a line, move a cursor, reorder text, or cannot be encoded.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: Markdown's own characters. `_` between letters, single brackets and ~ mean nothing in the Markdown that GitHub reads.
MARKS = re.compile(r"[\\`*<>&|$]|\](?=[(\[])|~~|__")


def line(text: str) -> str:
    """A line on a terminal, and of a message: other characters appear as \\n or \\x1b."""
    return UNPRINTABLE.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), text)


#: Characters of a word and of a message. harness/bench/one_line.cpp has the same limits.
MAX_WORD_LENGTH, MAX_MESSAGE_LENGTH = 300, 4000


def message(text: str) -> str:
    """A line, with the middle left out of long words and of a long text. A message ends with what to do, which stays."""
    # Bytes of the command line that are not UTF-8 are lone surrogates.
    shown = line(re.sub("[\udc80-\udcff]", lambda found: f"\\x{ord(found.group()) - 0xDC00:02x}", text))
    return _shortened(" ".join(_shortened(word, MAX_WORD_LENGTH) for word in shown.split(" ")), MAX_MESSAGE_LENGTH)


def _shortened(text: str, longest: int) -> str:
    end = longest // 3
    return text if len(text) <= longest else f"{text[: longest - end]}...{text[-end:]}"


def markdown(text: str) -> str:
    """A text in a paragraph or a cell of a table, without markup, HTML or mathematics."""
    return MARKS.sub(lambda found: "".join(f"\\{letter}" for letter in found.group()), line(text))


def mathtext(text: str) -> str:
    """A text that matplotlib draws as it is: two dollar signs would make it a formula."""
    return line(text).replace("$", r"\$")


def file_name(text: str) -> str:
    """A name without a folder: letters in lower case, digits, _, - and single dots."""
    kept = re.sub(r"[^a-z0-9_.-]+", "-", text.lower())
    return re.sub(r"\.+", ".", kept).strip(".-")[:64] or "device"
