"""Writes a system as an interaction net of HVM2.

A constructor is what Bend makes of one: a function that passes its number in the sort and its arguments to a match. A defined symbol is a
definition that matches one argument after another; each branch is a definition of its own, so that it is expanded only when it is taken.
A value that is used more than once is copied by a duplicator. Calls that are independent are marked as parallel.

A net of HVM2 evaluates only what is asked for, and printing a large normal form is slow. So the result of `main` is a checksum, which
visits the whole normal form: the sum over its symbols of their number in the sort, from 1, modulo 2^24.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from baselines.term_rewriting.peers._sharing import inside_first, uses
from baselines.term_rewriting.peers._system import Rule, Symbol, System, Term, is_variable

NUMBERS = 1 << 24


def constructors(system: System, sort: str) -> Sequence[Symbol]:
    return [symbol for symbol in system.of_sort(sort) if not system.is_defined(symbol.name)]


def weights(system: System) -> Mapping[str, int]:
    """What each constructor adds to the checksum, by the name that the user gave it."""
    return {
        symbol.own_name: number + 1 for sort in system.sorts for number, symbol in enumerate(constructors(system, sort))
    }


def checksum(system: System, normal_form: str) -> int:
    of = weights(system)
    found = Counter(re.findall(r"[^(),\s]+", normal_form))
    return sum(of[name] * count for name, count in found.items()) % NUMBERS


def chain(parts: Sequence[str], last: str) -> str:
    """(a (b (c last)))"""
    for part in reversed(parts):
        last = f"({part} {last})"
    return last


def copies(wires: Sequence[str]) -> str:
    """What a value is linked to that has these uses."""
    if not wires:
        return "*"
    text = wires[-1]
    for wire in reversed(wires[:-1]):
        text = f"{{{wire} {text}}}"
    return text


@dataclass(frozen=True)
class Row:
    """A rule within a match: what is still required of slots, and what its variables stand for."""

    required: Mapping[int, Term]
    bound: Mapping[int, Term]  # terms whose variables are slots
    right: Term

    def slots(self) -> set[int]:
        values = {part[0] for term in self.bound.values() for part in inside_first(term) if is_variable(part)}
        return values | set(self.required)


def replaced(term: Term, slot: int, by: Term) -> Term:
    if is_variable(term):
        return by if term[0] == slot else term
    return (term[0], *(replaced(argument, slot, by) for argument in term[1:]))


def substituted(term: Term, bound: Mapping[int, Term]) -> Term:
    if is_variable(term):
        return bound[term[0]]
    return (term[0], *(substituted(argument, bound) for argument in term[1:]))


def variables(term: Term) -> Iterator[int]:
    return (part[0] for part in inside_first(term) if is_variable(part))


class Writer:
    def __init__(self, system: System) -> None:
        self.system = system
        self.numbers = {name: number for number, name in enumerate(system.symbols)}
        self.tags = {symbol.name: tag for sort in system.sorts for tag, symbol in enumerate(constructors(system, sort))}
        self.definitions: list[str] = []
        self.slots = 0

    def book(self) -> str:
        for name, symbol in self.system.symbols.items():
            if self.system.is_defined(name):
                self.function(symbol)
            elif not symbol.arguments:
                self.define(f"k{self.numbers[name]}", f"(({self.tags[name]} r) r)")
        for sort in self.system.sorts:
            self.sum_of(sort)
        self.main()
        return "\n".join(self.definitions) + "\n"

    def define(self, name: str, net: str) -> None:
        self.definitions.append(f"@{name} = {net}")

    def fresh(self, count: int) -> list[int]:
        self.slots += count
        return list(range(self.slots - count, self.slots))

    # Functions

    def function(self, symbol: Symbol) -> None:
        slots = self.fresh(len(symbol.arguments))
        rows = [self.row(rule, slots) for rule in self.system.rules_of(symbol.name)]
        self.branch(f"f{self.numbers[symbol.name]}", dict(zip(slots, symbol.arguments)), rows)

    def row(self, rule: Rule, slots: Sequence[int]) -> Row:
        assert not rule.conditions, "a rule has conditions"
        return self.with_patterns(Row({}, {}, rule.right), slots, rule.left[1:])

    @staticmethod
    def with_patterns(row: Row, slots: Sequence[int], patterns: Sequence[Term]) -> Row:
        required, bound = dict(row.required), dict(row.bound)
        for slot, pattern in zip(slots, patterns):
            if is_variable(pattern):
                bound[pattern[0]] = (slot,)
            else:
                required[slot] = pattern
        return Row(required, bound, row.right)

    def branch(self, name: str, slots: Mapping[int, str], rows: Sequence[Row]) -> None:
        """Defines what takes these slots, of these sorts, in order, and applies the first row that matches."""
        if not rows:
            self.define(name, chain(["*"] * len(slots), "*"))  # stuck: no workload comes here
        elif not rows[0].required:
            self.leaf(name, list(slots), substituted(rows[0].right, rows[0].bound))
        else:
            slot = next(iter(rows[0].required))
            others = {other: sort for other, sort in slots.items() if other != slot and self.is_needed(other, rows)}
            wires = [f"s{other}" for other in others]
            value = chain([f"@{name}.m", *wires], "r")
            ports = [value if one == slot else f"s{one}" if one in others else "*" for one in slots]
            self.define(name, chain(ports, "r"))
            self.match(name, slots[slot], lambda case, symbol: self.case(case, symbol, slot, others, rows))

    @staticmethod
    def is_needed(slot: int, rows: Sequence[Row]) -> bool:
        return any(slot in row.slots() for row in rows)

    def match(self, name: str, sort: str, case: Callable[[str, Symbol], None]) -> None:
        """Defines name.m, which takes the number of a constructor, and the definition of each case."""
        found = constructors(self.system, sort)
        for tag, symbol in enumerate(found):
            here = f"{name}.m" if tag == 0 else f"{name}.m{tag}"
            if tag == len(found) - 1:
                self.define(here, f"(* @{name}.{tag})")
            else:
                self.define(here, f"(?((@{name}.{tag} @{name}.m{tag + 1}) r) r)")
            case(f"{name}.{tag}", symbol)

    def case(self, name: str, symbol: Symbol, slot: int, others: Mapping[int, str], rows: Sequence[Row]) -> None:
        """One constructor at a slot: its arguments become slots in front of the others."""
        fields = self.fresh(len(symbol.arguments))
        rebuilt: Term = (symbol.name, *((field,) for field in fields))
        kept = []
        for row in rows:
            pattern = row.required.get(slot)
            if pattern is None or pattern[0] == symbol.name:
                required = {one: term for one, term in row.required.items() if one != slot}
                bound = {variable: replaced(term, slot, rebuilt) for variable, term in row.bound.items()}
                patterns = () if pattern is None else pattern[1:]
                kept.append(self.with_patterns(Row(required, bound, row.right), fields, patterns))
        self.branch(name, {**dict(zip(fields, symbol.arguments)), **others}, kept)

    # Terms

    def leaf(self, name: str, slots: Sequence[int], term: Term) -> None:
        body = Body(self, term)
        root = body.value(term, "r")
        ports = [copies(body.wires.get((slot,), [])) for slot in slots]
        self.define(name, " ".join([chain(ports, root), *body.redexes()]))

    # The checksum

    def sum_of(self, sort: str) -> None:
        name = f"sum{self.system.sorts.index(sort)}"
        if constructors(self.system, sort):
            self.define(name, f"((@{name}.m r) r)")
            self.match(name, sort, self.sum_case)

    def sum_case(self, name: str, symbol: Symbol) -> None:
        weight = self.tags[symbol.name] + 1
        if not symbol.arguments:
            self.define(name, str(weight))
            return
        mark = "&!" if len(symbol.arguments) > 1 else "&"
        redexes: list[str] = []
        result = f"$([+{weight}] r)"
        for i, sort in enumerate(symbol.arguments):
            own = result if i == 0 else f"n{i}"
            if i > 0:
                redexes[0] = redexes[0].replace(result, f"$([+] $(n{i} {result}))", 1)
            redexes.append(f"{mark} @sum{self.system.sorts.index(sort)} ~ (s{i} {own})")
        self.define(name, " ".join([chain([f"s{i}" for i in range(len(symbol.arguments))], "r"), *redexes]))

    def main(self) -> None:
        body = Body(self, self.system.input)
        value = body.value(self.system.input, "v")
        sort = self.system.sorts.index(self.system.symbols[self.system.input[0]].result)
        # Adding 0 asks for the sum even if it is a constant.
        self.define("main", " ".join(["r", f"& @sum{sort} ~ ({value} $([+0] r))", *body.redexes()]))


class Body:
    """The net of a right side. Equal subterms are evaluated once."""

    def __init__(self, writer: Writer, term: Term) -> None:
        self.writer = writer
        self.count = uses([term])
        self.wires: dict[Term, list[str]] = {(slot,): [] for slot in variables(term)}
        self.calls: dict[Term, str] = {}
        self.shared: list[tuple[Term, str]] = []
        self.next = 0

    def wire(self) -> str:
        self.next += 1
        return f"w{self.next}"

    def value(self, term: Term, result: str | None = None) -> str:
        """The tree of a use of the term. A call at the root is linked to `result`."""
        system = self.writer.system
        if is_variable(term):
            self.wires[term].append(self.wire())
            return self.wires[term][-1]
        if len(term) == 1:
            return f"@{'f' if system.is_defined(term[0]) else 'k'}{self.writer.numbers[term[0]]}"
        if self.count[term] > 1:
            return self.use_of_shared(term)
        return self.made(term, result)

    def made(self, term: Term, result: str | None = None) -> str:
        arguments = [self.value(argument) for argument in term[1:]]
        own = result if result and self.writer.system.is_defined(term[0]) else self.wire()
        if not self.writer.system.is_defined(term[0]):
            return f"({chain([str(self.writer.tags[term[0]]), *arguments], own)} {own})"
        self.calls[term] = f"@f{self.writer.numbers[term[0]]} ~ {chain(arguments, own)}"
        return own

    def use_of_shared(self, term: Term) -> str:
        first = term not in self.wires
        own = self.wires.setdefault(term, [])
        own.append(self.wire())
        used = own[-1]
        if first:
            self.shared.append((term, self.made(term)))
        return used

    def redexes(self) -> Iterator[str]:
        parallel = self.parallel()
        for term, text in self.calls.items():
            yield f"{'&!' if term in parallel else '&'} {text}"
        for term, made in self.shared:
            yield f"& {copies(self.wires[term])} ~ {made}"

    def parallel(self) -> set[Term]:
        """Calls in different arguments of one symbol, or at the same level of a constructor."""
        found: set[Term] = set()
        for term in self.count:
            if not is_variable(term):
                inner = [{part for part in inside_first(argument) if part in self.calls} for argument in term[1:]]
                if sum(bool(calls) for calls in inner) > 1:
                    found.update(*inner)
        return found


def net(system: System) -> str:
    return Writer(system).book()
