#!/usr/bin/env python3
"""Compares the machine code of kernels in two folders of cubins, kernel by kernel.

The code of a kernel is the section `.text.<name>` of a cubin (an ELF file), its register count and its constants.
Kernels are matched by their demangled names over all cubins of a folder, so a kernel may move to another file. Kernels
without a partner of the same name are matched by equal code: they were renamed. The exit code is 1 if code differs or
if a kernel is on one side only.

    machine_code.py OLD NEW
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import pathlib
import struct
import subprocess
import sys
from typing import Iterator

TEXT = ".text."
CONSTANTS = ".nv.constant"
REGISTER_COUNT = 0x2F  # an attribute of .nv.info
SYMBOL_SIZE = 24


@dataclasses.dataclass(frozen=True)
class Code:
    """What a kernel executes. `constants` holds the name and the contents of each constant bank."""

    text: bytes
    registers: int
    constants: tuple[tuple[str, bytes], ...]

    def __str__(self) -> str:
        constants = sum(len(contents) for _, contents in self.constants)
        return f"{len(self.text)} bytes, {self.registers} registers, {constants} bytes of constants"


@dataclasses.dataclass(frozen=True)
class Section:
    name: str
    contents: bytes


def sections(path: pathlib.Path) -> Iterator[Section]:
    """The sections of a 64-bit little-endian ELF file."""
    image = path.read_bytes()
    if image[:6] != b"\x7fELF\x02\x01":
        raise SystemExit(
            f"{path} is not a cubin (it does not start like a 64-bit ELF file). Remove it and compile again."
        )
    (offset,) = struct.unpack_from("<Q", image, 0x28)
    entry_size, count, names_index = struct.unpack_from("<HHH", image, 0x3A)
    if count == 0 and offset != 0:  # for more than 65279 sections the first entry holds the count
        (count,) = struct.unpack_from("<Q", image, offset + 0x20)
        (names_index,) = struct.unpack_from("<I", image, offset + 0x28)
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, offset + i * entry_size) for i in range(count)]
    if not headers:
        return
    names_at = headers[names_index][4]
    for name, kind, _, _, begin, size, _, _, _, _ in headers:
        at = names_at + name
        text = string_at(image, at)
        yield Section(text, b"" if kind == 8 else image[begin : begin + size])


def string_at(table: bytes, at: int) -> str:
    return table[at : table.index(b"\0", at)].decode()


def registers(found: dict[str, bytes]) -> dict[str, int]:
    """Registers per thread by function, from the section .nv.info: records of format, attribute, size and value."""
    info, symbols, names = found.get(".nv.info", b""), found.get(".symtab", b""), found.get(".strtab", b"")
    counts: dict[str, int] = {}
    at = 0
    while at + 4 <= len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        if form == 4 and attribute == REGISTER_COUNT:
            symbol, count = struct.unpack_from("<II", info, at + 4)
            (name,) = struct.unpack_from("<I", symbols, symbol * SYMBOL_SIZE)
            counts[string_at(names, name)] = count
        at += 4 + (size if form == 4 else 0)
    return counts


def kernels(path: pathlib.Path) -> Iterator[tuple[str, Code]]:
    """The kernels and called functions of a cubin, by mangled name."""
    found = {section.name: section.contents for section in sections(path)}
    counts = registers(found)
    constants: dict[str, list[tuple[str, bytes]]] = collections.defaultdict(list)
    for section, contents in found.items():
        if section.startswith(CONSTANTS):
            bank, _, name = section[len(CONSTANTS) :].partition(".")
            constants[name].append((bank, contents))
    for section, contents in found.items():
        if section.startswith(TEXT):
            name = section[len(TEXT) :]
            yield name, Code(contents, counts.get(name, 0), tuple(sorted(constants[name])))


def demangled(names: list[str]) -> list[str]:
    """The C++ names. They omit the hash that nvcc gives an anonymous namespace, which depends on the file."""
    if not names:
        return []
    lines = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return lines.splitlines()


Kernels = dict[str, collections.Counter[Code]]


def read_folder(folder: pathlib.Path) -> Kernels:
    paths = sorted(folder.rglob("*.cubin"))
    if not paths:
        raise SystemExit(f"nothing to compare (no *.cubin in {folder}). Give a folder of cubins.")
    found = [pair for path in paths for pair in kernels(path)]
    all_kernels: Kernels = collections.defaultdict(collections.Counter)
    for name, (_, code) in zip(demangled([mangled for mangled, _ in found]), found):
        all_kernels[name][code] += 1
    return all_kernels


@dataclasses.dataclass
class Comparison:
    equal: int
    renamed: list[tuple[str, str]]
    different: list[tuple[str, Code, Code]]
    only_old: list[tuple[str, Code]]
    only_new: list[tuple[str, Code]]

    def is_clean(self) -> bool:
        return not (self.different or self.only_old or self.only_new)


def compare(old: Kernels, new: Kernels) -> Comparison:
    result = Comparison(0, [], [], [], [])
    for name in sorted(old.keys() | new.keys()):
        before = old.get(name, collections.Counter())
        after = new.get(name, collections.Counter())
        result.equal += sum((before & after).values())
        rest_before = list((before - after).elements())
        rest_after = list((after - before).elements())
        pairs = min(len(rest_before), len(rest_after))
        result.different += [(name, *pair) for pair in zip(rest_before, rest_after)]
        result.only_old += [(name, code) for code in rest_before[pairs:]]
        result.only_new += [(name, code) for code in rest_after[pairs:]]
    by_code: dict[Code, list[str]] = collections.defaultdict(list)
    for name, code in result.only_new:
        by_code[code].append(name)
    left: list[tuple[str, Code]] = []
    for name, code in result.only_old:
        if by_code[code]:
            result.renamed.append((name, by_code[code].pop(0)))
        else:
            left.append((name, code))
    result.only_old = left
    result.only_new = [(name, code) for code, names in by_code.items() for name in names]
    return result


def report(result: Comparison) -> None:
    for old_name, new_name in result.renamed:
        print(f"renamed: {old_name}\n      -> {new_name}")
    for name, before, after in result.different:
        print(f"differs: {name}\n         {before}\n      -> {after}")
    for name, code in result.only_old:
        print(f"only in the old tree: {name} ({code})")
    for name, code in result.only_new:
        print(f"only in the new tree: {name} ({code})")
    print(
        f"{result.equal} equal, {len(result.renamed)} equal but renamed, {len(result.different)} different, "
        f"{len(result.only_old)} in the old tree only, {len(result.only_new)} in the new tree only"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the machine code of kernels in two folders of cubins.")
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    arguments = parser.parse_args()
    result = compare(read_folder(arguments.old), read_folder(arguments.new))
    report(result)
    return 0 if result.is_clean() else 1


if __name__ == "__main__":
    sys.exit(main())
