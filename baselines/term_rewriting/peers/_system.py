"""A system as Python values, read from `lockstep rewrite --emit maude`, for the generators of Haskell and HVM2.

Terms are tuples: a variable is (number,), a symbol with its arguments is (name, argument, ...).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: Terms nest, which mypy 1.0 cannot say of tuples.
Term = tuple[Any, ...]

TOKEN = re.compile(r"[(),]|[^\s(),]+")
SYMBOL = re.compile(r"  op (\S+) :(.*) -> (\S+) \.")
RULE = re.compile(r"  c?eq (.*?) = (.*?)(?: if (.*))? \.")


def is_variable(term: Term) -> bool:
    return isinstance(term[0], int)


def read_term(text: str) -> Term:
    """Without recursion, because numerals are deep."""
    open_terms: list[list[Any]] = [[""]]
    for token in TOKEN.findall(text):
        if token == "(":
            open_terms.append(open_terms[-1].pop())
        elif token in ")":
            done = open_terms.pop()
            open_terms[-1].append(done)
        elif token != ",":
            name = re.fullmatch(r"V(\d+):\S+", token)
            open_terms[-1].append([int(name.group(1)) if name else token])
    return frozen(open_terms[0][1])


def frozen(term: list[Any]) -> Term:
    """Nested lists as tuples, without recursion."""
    work: list[tuple[list[Any], bool]] = [(term, False)]
    found: list[Term] = []
    while work:
        node, visited = work.pop()
        if visited:
            arity = len(node) - 1
            arguments = found[len(found) - arity :]
            del found[len(found) - arity :]
            found.append((node[0], *arguments))
        else:
            work.append((node, True))
            work.extend((argument, False) for argument in reversed(node[1:]))
    return found[0]


@dataclass(frozen=True)
class Symbol:
    name: str  # in Maude's spelling
    arguments: Sequence[str]
    result: str

    @property
    def own_name(self) -> str:
        """As the user wrote it; see maude_name in emit_maude.cpp."""
        text = re.sub(r"-r$", "", self.name)
        return text.replace("-u", "_").replace("-q", "'").replace("-d", '"')


@dataclass(frozen=True)
class Condition:
    left: Term
    right: Term
    equal: bool


@dataclass(frozen=True)
class Rule:
    left: Term
    right: Term
    conditions: Sequence[Condition]


@dataclass(frozen=True)
class System:
    symbols: Mapping[str, Symbol]  # in the order of Lockstep's numbers
    rules: Sequence[Rule]
    input: Term

    @property
    def sorts(self) -> Sequence[str]:
        return list(dict.fromkeys(symbol.result for symbol in self.symbols.values()))

    def of_sort(self, sort: str) -> Sequence[Symbol]:
        return [symbol for symbol in self.symbols.values() if symbol.result == sort]

    def rules_of(self, name: str) -> Sequence[Rule]:
        return [rule for rule in self.rules if rule.left[0] == name]

    def is_defined(self, name: str) -> bool:
        return any(rule.left[0] == name for rule in self.rules)


def read_conditions(text: str | None) -> Iterator[Condition]:
    for part in text.split(" /\\ ") if text else []:
        found = re.fullmatch(r"(.*?) (=|=/=) (.*)", part)
        assert found is not None, part
        yield Condition(read_term(found.group(1)), read_term(found.group(3)), found.group(2) == "=")


def read_system(text: str) -> System:
    symbols: dict[str, Symbol] = {}
    rules = []
    term = ""
    for line in text.splitlines():
        if found := SYMBOL.fullmatch(line):
            symbols[found.group(1)] = Symbol(found.group(1), found.group(2).split(), found.group(3))
        elif found := RULE.fullmatch(line):
            left, right, conditions = found.groups()
            rules.append(Rule(read_term(left), read_term(right), list(read_conditions(conditions))))
        elif line.startswith("reduce "):
            term = line[len("reduce ") : -len(" .")]
    return System(symbols, rules, read_term(term))
