"""Tests that CMake verifies what it fetches: each archive has a pinned SHA-256 digest, and nothing else is fetched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plots.catalog import ROOT

#: Commands that read from the network, with their arguments.
FETCHES = re.compile(
    r"\b(FetchContent_Declare|FetchContent_Populate|ExternalProject_Add|file)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)",
    re.IGNORECASE,
)
PINNED = re.compile(r"\bURL\s+https://\S+\s+URL_HASH\s+SHA256=[0-9a-f]{64}\b")
#: CMake 3.25 passes SYSTEM on, where it becomes a part of the value before it: of the digest, unless it comes first.
LATE_SYSTEM = re.compile(r"\bURL\b.*\bSYSTEM\b", re.DOTALL)
OTHER_SOURCES = re.compile(r"\b(GIT_REPOSITORY|SVN_REPOSITORY|HG_REPOSITORY|CVS_REPOSITORY|DOWNLOAD_COMMAND)\b")


def cmake_files() -> list[Path]:
    found = [ROOT / "CMakeLists.txt", *ROOT.glob("cmake/*.cmake*")]
    for tree in ("harness", "common", "baselines", "kernels", "experiments", "reference_cpu", "tests", "examples"):
        found += [*(ROOT / tree).rglob("CMakeLists.txt"), *(ROOT / tree).rglob("*.cmake")]
    return found


def unverified(text: str) -> list[str]:
    """Returns each command that fetches something without a pinned digest."""
    text = re.sub(r"#.*", "", text)
    wrong = []
    for command, arguments in FETCHES.findall(text):
        if command.lower() == "file":
            is_download = re.match(r"\s*DOWNLOAD\b", arguments) is not None
            good = not is_download or re.search(r"\bEXPECTED_HASH\s+SHA256=[0-9a-f]{64}\b", arguments) is not None
        else:
            good = PINNED.search(arguments) is not None
            good = good and OTHER_SOURCES.search(arguments) is None and LATE_SYSTEM.search(arguments) is None
        if not good:
            wrong.append(f"{command}({' '.join(arguments.split())})")
    return wrong


def test_everything_that_is_fetched_is_verified() -> None:
    texts = [path.read_text(encoding="utf-8") for path in cmake_files()]
    assert sum(text.count("FetchContent_Declare(") for text in texts) >= 6
    assert [wrong for text in texts for wrong in unverified(text)] == []


DIGEST = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    "text",
    [
        "FetchContent_Declare(a URL https://a.org/a.tar.gz)",
        f"FetchContent_Declare(a URL http://a.org/a.tar.gz URL_HASH SHA256={DIGEST})",
        f"FetchContent_Declare(a URL https://a.org/a.tar.gz URL_HASH MD5={DIGEST[:32]})",
        f"FetchContent_Declare(a URL https://a.org/a.tar.gz URL_HASH SHA256={DIGEST[:60]})",
        f"FetchContent_Declare(a URL https://a.org/a.tar.gz # URL_HASH SHA256={DIGEST}\n)",
        "FetchContent_Declare(a\n    GIT_REPOSITORY https://a.org/a.git\n    GIT_TAG main\n)",
        f"FetchContent_Declare(a URL https://a.org/a.tar.gz URL_HASH SHA256={DIGEST} SYSTEM)",
        "ExternalProject_Add(a URL https://a.org/a.tar.gz)",
        "file(DOWNLOAD https://a.org/a.tar.gz a)",
    ],
)
def test_what_is_not_verified_is_found(text: str) -> None:
    assert len(unverified(text)) == 1


def test_what_is_verified_is_accepted() -> None:
    pinned = f"URL https://a.org/a.tar.gz\n    URL_HASH SHA256={DIGEST}"
    assert unverified(f"FetchContent_Declare(a\n    {pinned}\n    FIND_PACKAGE_ARGS 9 CONFIG\n)") == []
    assert unverified(f"FetchContent_Declare(a SYSTEM\n    {pinned})") == []
    assert unverified(f"file(DOWNLOAD https://a.org/a a EXPECTED_HASH SHA256={DIGEST})\nfile(READ a b)") == []
