"""Hostile words: numbers at and over boundaries, and texts that are code, markup, control sequences or no text at all."""

from __future__ import annotations

import random

from tests.hostile.help_texts import Option

#: A word of a command line cannot be longer than 128 KiB on Linux.
LONGEST = 130_000

POWERS = [str((1 << bits) + add) for bits in (5, 6, 8, 10, 16, 31, 32, 53, 63, 64, 128) for add in (-1, 0, 1)]
NUMBERS: tuple[str, ...] = (
    *("0", "-0", "1", "-1", "2", "3", "7", "100", "101", *POWERS),
    *("1e3", "1e30", "1e308", "1e309", "1e-320", "0.5", "1.5", "-0.5", "0x10", "010", "+5", "1e", "1e+", "5.", ".5"),
    *("nan", "NaN", "-nan", "inf", "-inf", "infinity", "1,5", "1_000", "1'000", " 7", "7 ", "\u0663", "\uff11", "--1"),
    *("9" * 40, "9" * 5000, "0." + "0" * 400 + "1", "1" + "0" * 400, "0" * 1000 + "1", "-" + "9" * 30),
    *(
        "32x32",
        "0x0",
        "1x0",
        "99999x99999",
        "4294967296x4294967296",
        "-1x5",
        "1x1x1x1",
        "x",
        "71,70",
        "0,0",
        ",",
        "1,,2",
    ),
    *(
        "0/1",
        "1/1",
        "1/0",
        "-1/2",
        "0/18446744073709551616",
        "1/",
        "/2",
        "0/99999",
        "half",
        "mixed",
        "lanes:0",
        "lanes:99",
    ),
)
SIZES: tuple[str, ...] = (
    "0",
    "1",
    "1K",
    "1k",
    "1G",
    "1kb",
    "1T",
    "1E",
    "99999999999999999999G",
    "-1K",
    "K",
    "1 K",
    "1.5K",
)

TEXTS: tuple[bytes, ...] = (
    *(
        b"",
        b" ",
        b"-",
        b"--",
        b"---",
        b"=",
        b"==",
        b".",
        b"..",
        b"../x",
        b"../../x",
        b"./x",
        b"x/",
        b"//",
        b"~",
        b"~root",
    ),
    *(
        b"a\nb",
        b"\n",
        b"\r",
        b"\r\nx",
        b"\t",
        b"\x1b[2J\x1b]0;t\x07",
        b"\x7f",
        b"\x01\x02",
        b"\xc2\x9b31m",
        b"\xe2\x80\xae",
    ),
    *(
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"a\xffb",
        "\u00e9\u6f22".encode(),
        "\U0001f600".encode(),
    ),
    *(b"%s%n%x%d", b"%99999999s", b"{}", b"{0}", b"{0:99999999}", b"${HOME}", b"$(id)", b"`id`", b";id", b"|id", b"&"),
    *(
        b'";system("id");"',
        b"*/ int x; /*",
        b"//",
        b"??/",
        b"\\",
        b"\\n",
        b"'",
        b'"',
        b'"""',
        b"#include </etc/passwd>",
    ),
    *(b"<script>alert(1)</script>", b"$x_{$", b"[a](b)", b"a|b", b"&amp;", b"'; DROP TABLE x; --"),
    *(b"a" * 300, b"a" * 5000, b"a" * LONGEST, b"\n" * 2000, b"a/" * 3000, ("\u6f22" * 4000).encode(), b"\xff" * 3000),
    *(
        b"(" * 5000,
        b"(.*)*(.*)*x",
        b"(a|a)*" * 50,
        b"[",
        b"[z-a]",
        b"a{1000000}",
        b"a{1,99999}{1,99999}",
        b"*",
        b".*",
        b"?",
    ),
    *(b"(?=a)", b"\\1", b"a" * 1000 + b"*", b"|" * 1000, b"x" * 64, b"x" * 256, b"con", b"null", b"None", b"true"),
    *(b"auto", b"cpu", b"emulator", b"cuda", b"cpu,cpu", b"cpu,", b"all", b"random_grids", b"sequential", b"list"),
    *(b"@", b"@x", b"@tree_merge_sort", b"@tree_merge_sort,depth=3", b"@tree_merge_sort,depth=nan", b"@a,b", b"@,=,="),
    *(b"zip=", b"=x", b"a=b", b"numpy=.", b"imaginary-gpu-x", b"imaginary-gpu-x\n", b"quick", b"quick,quick", b"paper"),
)
#: Files that nobody may write to, or that never end. Not for root, who may.
SYSTEM_PATHS: tuple[bytes, ...] = (
    *(b"/", b"/dev/full", b"/dev/zero", b"/dev/null", b"/dev/null/x", b"/dev/stdout", b"/dev/fd/1", b"/proc/self/mem"),
    *(b"/proc/1/environ", b"/proc/self/fd/0", b"/proc/self/maps", b"/sys/kernel/x", b"/etc/shadow", b"/etc/passwd/x"),
)

#: Not a number for any reader: what an option that takes a number must refuse.
NO_NUMBER = frozenset(
    (
        "nan",
        "NaN",
        "-nan",
        "1e",
        "1e+",
        "1,5",
        "--1",
        "x",
        ",",
        "1,,2",
        "1/",
        "/2",
        "1x1x1x1",
        "-1x5",
        "\u0663",
        "\uff11",
    )
)


def number(chance: random.Random) -> bytes:
    return chance.choice(NUMBERS).encode()


def text(chance: random.Random, system_paths: bool) -> bytes:
    if system_paths and chance.random() < 0.1:
        return chance.choice(SYSTEM_PATHS)
    word = chance.choice(TEXTS)
    if chance.random() < 0.1:
        word = (word + chance.choice(TEXTS))[:LONGEST]
    return word


def value(chance: random.Random, option: Option, system_paths: bool) -> bytes:
    """A hostile value, more often of the kind that the option wants."""
    share = chance.random()
    if option.allowed and share < 0.3:
        return chance.choice(option.allowed).encode()
    if option.kind in ("integer", "float", "axis") and share < 0.75:
        return number(chance)
    if option.kind == "size" and share < 0.75:
        return chance.choice(SIZES).encode()
    return number(chance) if share > 0.9 else text(chance, system_paths)


def is_refused(option: Option, word: bytes) -> bool:
    """True if no reading of the word is a value of this option. Words that some reader may accept give False."""
    shown = word.decode("utf-8", "replace")
    if option.allowed and option.kind == "text":
        return shown not in option.allowed and "," not in shown
    if option.kind not in ("integer", "float", "axis"):
        return False
    unlike = shown in NO_NUMBER or not any(letter.isdigit() for letter in shown) and "inf" not in shown.lower()
    if option.kind == "integer":
        return unlike or shown.startswith("-") and shown != "-0" or shown in ("inf", "infinity", "1e309")
    if option.kind == "axis" and "," in shown:  # several values
        return False
    return unlike if not (option.kind == "axis" and shown in ("half", "mixed")) else False
