"""Turns the source of tests into code whose assertions are recorded, and whose frameworks are stand-ins."""
import ast
import os

from observe import call_apart, compare, truth
from pytest_shim import pytest, unittest

STAND_INS = {"pytest": "__audit_pytest", "unittest": "__audit_unittest"}
GLOBALS = {"__audit_pytest": pytest, "__audit_unittest": unittest, "__audit_compare": compare, "__audit_truth": truth, "__audit_call": call_apart}



class _Rewriter(ast.NodeTransformer):
    def __init__(self, product):
        self.product = product

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

    def visit_Call(self, node):
        self.generic_visit(node)
        root = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id not in self.product:
            return node
        return ast.Call(ast.Name("__audit_call", ast.Load()), [node.func, *node.args], node.keywords)

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


def _product_names(tree, roots):
    """Names that a source imports from the product: modules and what is taken from them."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names if _stands_in(alias.name, roots))
        elif isinstance(node, ast.ImportFrom) and node.module and _stands_in(node.module, roots):
            names.update(alias.asname or alias.name for alias in node.names)
    return names


def _stands_in(module, roots):
    first = module.split(".")[0]
    return any(os.path.exists(os.path.join(root, name)) for root in roots for name in (first, f"{first}.py"))


def run_source(source, filename, namespace, roots):
    """Executes rewritten source in a namespace; `roots` are the folders in which the product's modules stand."""
    tree = ast.parse(source)
    tree = ast.fix_missing_locations(_Rewriter(_product_names(tree, roots)).visit(tree))
    namespace.update(GLOBALS)
    exec(compile(tree, filename, "exec"), namespace)
