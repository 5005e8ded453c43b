"""Turns the source of tests into code whose assertions are recorded, and whose frameworks are stand-ins."""
import ast

from observe import compare, truth
from pytest_shim import pytest, unittest

STAND_INS = {"pytest": "__audit_pytest", "unittest": "__audit_unittest"}
GLOBALS = {"__audit_pytest": pytest, "__audit_unittest": unittest, "__audit_compare": compare, "__audit_truth": truth}


class _Rewriter(ast.NodeTransformer):
    def visit_Import(self, node):
        kept = [alias for alias in node.names if alias.name not in STAND_INS]
        bound = [_assign(alias.asname or alias.name, ast.Name(STAND_INS[alias.name], ast.Load())) for alias in node.names if alias.name in STAND_INS]
        return [*([ast.Import(kept)] if kept else []), *bound]

    def visit_ImportFrom(self, node):
        if node.module not in STAND_INS or node.level:
            return node
        return [
            _assign(alias.asname or alias.name, ast.Attribute(ast.Name(STAND_INS[node.module], ast.Load()), alias.name, ast.Load()))
            for alias in node.names
        ]

    def visit_Assert(self, node):
        self.generic_visit(node)
        return ast.Expr(_recorded(node.test))


def _recorded(test, negated=False):
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Compare) and not negated:
        return _recorded(test.operand, True)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        operator = ast.Constant(type(test.ops[0]).__name__)
        return _call("__audit_compare", test.left, operator, test.comparators[0], ast.Constant(negated))
    return _call("__audit_truth", test)


def _call(name, *given):
    return ast.Call(ast.Name(name, ast.Load()), list(given), [])


def _assign(name, value):
    return ast.Assign([ast.Name(name, ast.Store())], value)


def run_source(source, filename, namespace):
    """Executes rewritten source in a namespace."""
    tree = ast.fix_missing_locations(_Rewriter().visit(ast.parse(source)))
    namespace.update(GLOBALS)
    exec(compile(tree, filename, "exec"), namespace)
