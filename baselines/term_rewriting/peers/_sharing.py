"""Equal subterms of one right side, which are evaluated once: see common/term_rewriting/language/sharing.hpp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from baselines.term_rewriting.peers._system import Term, is_variable


def uses(terms: Sequence[Term]) -> Counter[Term]:
    """How often each distinct subterm is used, by these terms or by a distinct subterm of them."""
    found: Counter[Term] = Counter(terms)
    seen: set[Term] = set()

    def visit(term: Term) -> None:
        if is_variable(term) or term in seen:
            return
        seen.add(term)
        found.update(term[1:])
        for argument in term[1:]:
            visit(argument)

    for term in terms:
        visit(term)
    return found


def inside_first(term: Term) -> Iterator[Term]:
    if not is_variable(term):
        for argument in term[1:]:
            yield from inside_first(argument)
    yield term


def named(terms: Sequence[Term]) -> Sequence[Term]:
    """Subterms with arguments that are used more than once, each after its own subterms."""
    count = uses(terms)
    order = dict.fromkeys(subterm for term in terms for subterm in inside_first(term))
    return [term for term in order if count[term] > 1 and not is_variable(term) and len(term) > 1]
