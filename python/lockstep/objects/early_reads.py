"""Where statements read a variable before they have surely assigned it.

The order is that in which Python evaluates them, which is not always that of the fields of the syntax tree. What is
assigned in a branch, a loop or an operand that may not run is not sure, as in statements.py.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable


def early_reads(statements: list[ast.stmt], names: set[str]) -> list[ast.Name]:
    """The places that read one of the names although no statement has surely assigned it before."""
    reads = _Reads(names)
    reads.each(statements)
    return reads.found


class _Reads(ast.NodeVisitor):
    def __init__(self, names: set[str]) -> None:
        self.names, self.assigned = names, set[str]()
        self.found: list[ast.Name] = []

    def each(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def either(self, *paths: Iterable[ast.AST]) -> None:
        """One of the paths runs: what all of them assign is sure."""
        before, ends = self.assigned, []
        for path in paths:
            self.assigned = set(before)
            self.each(path)
            ends.append(self.assigned)
        self.assigned = set.intersection(*ends)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.stmt, ast.comprehension)) and not isinstance(node, (ast.Expr, ast.Assert)):
            self.either(ast.iter_child_nodes(node), [])  # not in the subset
        else:
            self.each(ast.iter_child_nodes(node))

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.assigned.add(node.id)
        elif node.id in self.names - self.assigned:
            self.found.append(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.each([node.value, *node.targets])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.each([node.value, node.target])

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id in self.names - self.assigned:
            self.found.append(node.target)
        self.each([node.value, node.target])

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.each([node.value, node.target])

    # What may not run

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self.either(node.body, node.orelse)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self.either([node.body], [node.orelse])

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        self.either(node.values[1:], [])

    def visit_Compare(self, node: ast.Compare) -> None:
        self.each([node.left, node.comparators[0]])
        self.either(node.comparators[1:], [])

    def visit_While(self, node: ast.While) -> None:
        self.visit(node.test)
        self.either(node.body, node.orelse, [])

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self.either([node.target, *node.body], node.orelse, [])

    def _ends(self, node: ast.stmt) -> None:
        """What follows cannot be reached, so that any variable may count as assigned."""
        self.each(ast.iter_child_nodes(node))
        self.assigned = self.assigned | self.names

    visit_Raise = visit_Break = visit_Continue = _ends
