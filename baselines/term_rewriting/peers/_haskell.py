"""Writes a system as a Haskell module: a type per sort, a strict function per defined symbol, rules in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from baselines.term_rewriting.peers._sharing import named
from baselines.term_rewriting.peers._system import Rule, Symbol, System, Term, is_variable

#: As in emit_ocaml.cpp, whose inputs the program reads.
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+,-./:;<=>?@[]^_{|}"


class Writer:
    def __init__(self, system: System) -> None:
        self.system = system
        self.numbers = {name: number for number, name in enumerate(system.symbols)}

    def suffix(self, name: str) -> str:
        return f"{self.numbers[name]}_{re.sub(r'[^0-9A-Za-z]', '_', name)}"

    def type(self, sort: str) -> str:
        return f"T{self.system.sorts.index(sort)}"

    def constructor(self, name: str) -> str:
        return "K" + self.suffix(name)

    def lines(self) -> Iterator[str]:
        for sort in self.system.sorts:
            yield self.data(sort)
        for name, symbol in self.system.symbols.items():
            if self.system.is_defined(name):
                yield from self.function(symbol)
        for sort in self.system.sorts:
            yield from self.printer(sort)
        yield from self.tables()

    def data(self, sort: str) -> str:
        alternatives = [
            " ".join([self.constructor(symbol.name), *(self.type(argument) for argument in symbol.arguments)])
            for symbol in self.system.of_sort(sort)
        ]
        return f"data {self.type(sort)} = {' | '.join(alternatives)} deriving Eq\n"

    def function(self, symbol: Symbol) -> Iterator[str]:
        name = "f" + self.suffix(symbol.name)
        types = [self.type(argument) for argument in symbol.arguments] or ["()"]
        yield f"{name} :: {' -> '.join([*types, self.type(symbol.result)])}"
        for rule in self.system.rules_of(symbol.name):
            yield self.clause(name, rule)
        stuck = [f"x{i}" for i in range(len(symbol.arguments))]
        yield f"{name} {' '.join(stuck) or '()'} = {' '.join([self.constructor(symbol.name), *stuck])}\n"

    def clause(self, name: str, rule: Rule) -> str:
        patterns = " ".join(map(self.pattern, rule.left[1:])) or "()"
        tests = [self.test(one.left, one.right, one.equal) for one in rule.conditions]
        guard = f" | {', '.join(tests)}" if tests else ""
        return f"{name} {patterns}{guard} = {self.shared([rule.right])}"

    def test(self, left: Term, right: Term, equal: bool) -> str:
        return self.shared([left, right], " == " if equal else " /= ")

    def pattern(self, term: Term) -> str:
        if is_variable(term):
            return f"y{term[0]}"
        return f"({' '.join([self.constructor(term[0]), *map(self.pattern, term[1:])])})"

    def shared(self, terms: Sequence[Term], between: str = "") -> str:
        """Terms whose equal subterms are evaluated once."""
        names = {term: f"s{i}" for i, term in enumerate(named(terms))}
        bindings = "; ".join(f"{name} = {self.call(term, names)}" for term, name in names.items())
        body = between.join(names.get(term) or self.call(term, names) for term in terms)
        return f"(let {{ {bindings} }} in {body})" if names else body

    def call(self, term: Term, names: dict[Term, str]) -> str:
        if is_variable(term):
            return f"y{term[0]}"
        arguments = [names.get(argument) or self.call(argument, names) for argument in term[1:]]
        if self.system.is_defined(term[0]):
            return f"(f{self.suffix(term[0])} {' '.join(arguments) or '()'})"
        return f"({' '.join([self.constructor(term[0]), *arguments])})"

    def printer(self, sort: str) -> Iterator[str]:
        name = "p" + self.type(sort)[1:]
        yield f"{name} :: {self.type(sort)} -> Builder"
        for symbol in self.system.of_sort(sort):
            arguments = [f"a{i}" for i in range(len(symbol.arguments))]
            printed = [f"p{self.type(of)[1:]} {argument}" for of, argument in zip(symbol.arguments, arguments)]
            quoted = symbol.own_name.replace('"', '\\"')
            text = f'string7 "{quoted}{"(" if arguments else ""}"'
            text += "".join(f"{' <> char7 COMMA' if i else ''} <> {part}" for i, part in enumerate(printed))
            text = text.replace("COMMA", "','") + (" <> char7 ')'" if arguments else "")
            yield f"{name} ({' '.join([self.constructor(symbol.name), *arguments])}) = {text}"
        yield ""

    def tables(self) -> Iterator[str]:
        symbols = list(self.system.symbols.values())
        yield "apply :: Int -> [Any] -> Any"
        for number, symbol in enumerate(symbols):
            names = [f"a{i}" for i in range(len(symbol.arguments))]
            values = [f"(unsafeCoerce {name} :: {self.type(of)})" for name, of in zip(names, symbol.arguments)]
            defined = self.system.is_defined(symbol.name)
            head = "f" + self.suffix(symbol.name) if defined else self.constructor(symbol.name)
            if defined and not values:
                values = ["()"]
            yield f"apply {number} [{', '.join(names)}] = unsafeCoerce ({' '.join([head, *values])})"
        yield 'apply _ _ = error "not a symbol"\n'
        yield "printed :: Int -> Any -> Builder"
        for number, symbol in enumerate(symbols):
            yield f"printed {number} value = p{self.type(symbol.result)[1:]} (unsafeCoerce value)"
        yield 'printed _ _ = error "not a symbol"\n'
        yield "arities :: Int -> Int"
        for number, symbol in enumerate(symbols):
            yield f"arities {number} = {len(symbol.arguments)}"
        yield 'arities _ = error "not a symbol"\n'
        defined_numbers = [self.numbers[name] for name in self.system.symbols if self.system.is_defined(name)]
        yield f"isDefined :: Int -> Bool\nisDefined symbol = symbol `elem` {defined_numbers}\n"
        yield f'alphabet :: Text.ByteString\nalphabet = Text.pack "{ALPHABET}"\n'
        yield f"wide :: Bool\nwide = {len(symbols) > len(ALPHABET)}"


def haskell(system: System) -> str:
    return "\n".join(Writer(system).lines()) + "\n"
