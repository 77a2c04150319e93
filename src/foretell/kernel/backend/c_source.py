"""Translates the compiled functions of the kernel and of the nets to C.

The same text is compiled to a native library, to WebAssembly, and as `__device__` functions of CUDA.  It needs no
header and no library.  Every integer is 64 bits wide and every array is a pointer; the annotation of a parameter says
which it is.  Only the elements of an array may be narrower (Ints8, Ints16, Ints32), as the weights of the net are.
Only a small part of Python is supported: tests/kernel/test_subset.py says which.

No two arrays that a function is given may be the same array: the pointers are `restrict`.  Parts of one array (`part`)
may be given together if the function keeps to words that are in one of them alone.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from foretell.kernel.backend.source_files import Compiled, Sources

__all__ = ["c_source", "signatures"]

PRELUDE = Path(__file__).with_name("prelude.h")
TYPES = {
    "int": "i64", "bool": "i64", "float": "double", "Ints": "i64*", "Floats": "double*",
    "Ints8": "i8*", "Ints16": "i16*", "Ints32": "i32*",
}  # fmt: skip
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.Invert: "~", ast.USub: "-", ast.Not: "!", ast.And: "&&", ast.Or: "||",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
# The functions of the prelude, with the type of their answer; None: the type of their arguments.
GIVEN = {
    "popcount": "i64", "lowest": "i64", "kth": "i64", "exponent": "i64", "scaled": "double",
    "sqrt": "double", "min": None, "max": None, "abs": None, "int": "i64",
    "add_rows8": "void", "add_rows16": "void", "part": "array",
}  # fmt: skip
FLOAT_FORM = {
    "min": "least_float", "max": "most_float", "abs": "size_float", "sqrt": "square_root",
}  # fmt: skip
INT_FORM = {"min": "least", "max": "most", "abs": "size"}
PREFIX = "kernel_"
"""Before the names of the functions, since some are words of C, such as `do`."""


class _Function:
    """One function, and its translation."""

    def __init__(self, source: Compiled, answers: dict[str, str]) -> None:
        self.source, self.node = source, source.node
        self.answers = answers  # the type of what each function returns
        self.loops = self.pairs = 0
        self.arguments = {one.arg: _type(one.annotation) for one in self.node.args.args}
        self.locals: dict[str, str] = {}
        self.sizes: dict[str, int] = {}  # of the local variables that hold several values
        self._find_locals()

    def head(self) -> str:
        kind = "INLINED" if self.source.is_inlined else "FN"
        given = _parameters(self.arguments.items())
        return f"{kind} {self.answers[self.node.name]} {PREFIX}{self.node.name}({given})"

    def text(self) -> str:
        body = "".join(self._statement(one, 1) for one in self.node.body)
        declared = "".join(f"  {kind} {name} = 0;\n" for name, kind in sorted(self.locals.items()))
        return f"{self.head()} {{\n{declared}{body}}}\n"

    def entry(self) -> str:
        """The function as the library shows it: its numbers first, then its arrays (native_backend.py says why)."""
        answer = self.answers[self.node.name]
        order = _in_order(list(self.arguments.values()))
        named = list(self.arguments.items())
        given = _parameters(named[place] for place in order)
        call = f"{PREFIX}{self.node.name}({', '.join(self.arguments)})"
        body = f"{call};" if answer == "void" else f"return {call};"
        return f"ENTRY {answer} NAMED({self.node.name})({given}) {{ {body} }}\n"

    # Local variables and the types of expressions.

    def _find_locals(self) -> None:
        """The type of each local variable: a float if any value assigned to it is one."""
        given: dict[str, list[ast.expr]] = {}
        for node in ast.walk(self.node):
            match node:
                case ast.Assign(targets=[target], value=value):
                    for one, its in _parts(target, value):
                        given.setdefault(one, []).extend(its)
                        if isinstance(value, ast.Tuple) and isinstance(target, ast.Name):
                            self.sizes[one] = len(value.elts)
                case ast.AnnAssign(target=ast.Name(id=name), value=value):
                    given.setdefault(name, []).extend([value] if value else [])
                case ast.AugAssign(target=ast.Name(id=name), value=value):
                    given.setdefault(name, []).append(value)
                case ast.For(target=ast.Name(id=name)):
                    given.setdefault(name, [])
        found = {name: values for name, values in given.items() if name not in self.arguments}
        self.locals = {name: "i64" for name in found if name not in self.sizes}
        self.locals |= {
            f"{name}_{place}": "i64" for name, size in self.sizes.items() for place in range(size)
        }
        for _ in found:
            for name, values in found.items():
                if name in self.locals and any(map(self._is_float, values)):
                    self.locals[name] = "double"

    def _is_float(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=value):
                return isinstance(value, float)
            case ast.Name(id=name) if name in self.locals or name in self.arguments:
                return "double" in (self.locals.get(name), self.arguments.get(name))
            case ast.Name(id=name):
                return isinstance(self.source.module.constant(name), float)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                return isinstance(getattr(self.source.module.constant(module), name), float)
            case ast.Subscript(value=ast.Name(id=name)):
                return self.arguments.get(name) == "double*"
            case ast.Call(func=ast.Name(id=name), args=given):
                answer = self.answers.get(name) or GIVEN[name]
                return any(map(self._is_float, given)) if answer is None else answer == "double"
            case ast.BinOp(left=left, op=op, right=right):
                return isinstance(op, ast.Div) or self._is_float(left) or self._is_float(right)
            case ast.UnaryOp(operand=operand):
                return self._is_float(operand)
            case ast.IfExp(body=body, orelse=orelse):
                return self._is_float(body) or self._is_float(orelse)
        return False

    # Expressions.

    def _expression(self, node: ast.expr) -> str:
        to = self._expression
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return _number(value)
            case ast.Name(id=name) if name in self.locals or name in self.arguments:
                return name
            case ast.Name(id=name):
                return _number(self.source.module.constant(name))
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                return _number(getattr(self.source.module.constant(module), name))
            case ast.Subscript(value=value, slice=place):
                return f"{to(value)}[{to(place)}]"
            case ast.BinOp():
                return self._operation(node)
            case ast.UnaryOp(op=op, operand=operand):
                return f"({OPERATORS[type(op)]}{to(operand)})"
            case ast.BoolOp(op=op, values=values):
                return "(" + f" {OPERATORS[type(op)]} ".join(map(to, values)) + ")"
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return f"({to(left)} {OPERATORS[type(op)]} {to(right)})"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({to(test)} ? {to(body)} : {to(orelse)})"
            case ast.Call(func=ast.Name(id=name), args=given, keywords=[]):
                return self._call(node, name, given)
        raise self._unknown(node)

    def _operation(self, node: ast.BinOp) -> str:
        left, right = self._expression(node.left), self._expression(node.right)
        are_floats = self._is_float(node.left) or self._is_float(node.right)
        match node.op:
            case ast.Div():
                return f"((double){left} / (double){right})"
            case ast.Mult() if are_floats:
                return f"({left} * {right})"
            case ast.Mult():
                return f"product({left}, {right})"
            case ast.FloorDiv() if not are_floats:
                shift = _power_of_two(right)
                return f"quotient({left}, {right})" if shift is None else f"({left} >> {shift})"
            case ast.Mod() if not are_floats:
                shift = _power_of_two(right)
                part = f"({left} & {(1 << (shift or 0)) - 1}LL)"
                return f"remainder_of({left}, {right})" if shift is None else part
        if type(node.op) not in OPERATORS:
            raise self._unknown(node)
        return f"({left} {OPERATORS[type(node.op)]} {right})"

    def _call(self, node: ast.expr, name: str, given: Sequence[ast.expr]) -> str:
        arrays = [
            one.id
            for one in given
            if isinstance(one, ast.Name) and self.arguments.get(one.id, "").endswith("*")
        ]
        if len(set(arrays)) < len(arrays):
            raise SyntaxError(f"{self.node.name}, line {node.lineno}: one array is passed twice")
        words = ", ".join(map(self._expression, given))
        if name == "part":
            array, start = map(self._expression, given)
            return f"({array} + {start})"
        if name in self.answers:
            return f"{PREFIX}{name}({words})"
        if name == "int":
            return f"((i64){words})"
        if name in GIVEN:
            forms = FLOAT_FORM if any(map(self._is_float, given)) else INT_FORM
            return f"{forms.get(name, name)}({words})"
        raise self._unknown(node)

    # Statements.

    def _statement(self, node: ast.stmt, depth: int) -> str:
        to, space = self._expression, "  " * depth

        def block(body: Sequence[ast.stmt]) -> str:
            return "{\n" + "".join(self._statement(one, depth + 1) for one in body) + space + "}"

        match node:
            case ast.Assign(targets=[target], value=value):
                return "".join(f"{space}{one}\n" for one in self._assignments(target, value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return f"{space}{to(target)} = {to(value)};\n"
            case ast.AugAssign(target=target, op=op, value=value):
                whole = ast.copy_location(ast.BinOp(target, op, value), node)
                return f"{space}{to(target)} = {to(whole)};\n"
            case ast.If(test=test, body=body, orelse=orelse):
                other = f" else {block(orelse)}" if orelse else ""
                return f"{space}if ({to(test)}) {block(body)}{other}\n"
            case ast.While(test=test, body=body, orelse=[]):
                return f"{space}while ({to(test)}) {block(body)}\n"
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range"), args=span),
                body=body,
                orelse=[],
            ):
                return self._loop(name, [to(one) for one in span], block(body), space)
            case ast.Return(value=None):
                return f"{space}return;\n"
            case ast.Return(value=ast.expr() as value):
                return f"{space}return {to(value)};\n"
            case ast.Break():
                return f"{space}break;\n"
            case ast.Continue():
                return f"{space}continue;\n"
            case ast.Expr(value=ast.Constant()):
                return ""
            case ast.Expr(value=value):
                return f"{space}{to(value)};\n"
        raise self._unknown(node)

    def _assignments(self, target: ast.expr, value: ast.expr) -> Iterator[str]:
        """One assignment, or several at once: all values are computed before the first is assigned."""
        to = self._expression
        match target, value:
            case ast.Name(id=name), ast.Tuple(elts=values):
                for place, one in enumerate(values):
                    yield f"{name}_{place} = {to(one)};"
            case ast.Tuple(elts=targets), ast.Name(id=name):
                for place, one in enumerate(targets):
                    yield f"{to(one)} = {name}_{place};"
            case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                self.pairs += 1
                for place, one in enumerate(values):
                    kind = "double" if self._is_float(one) else "i64"
                    yield f"{kind} new{self.pairs}_{place} = {to(one)};"
                for place, one in enumerate(targets):
                    yield f"{to(one)} = new{self.pairs}_{place};"
            case _:
                yield f"{to(target)} = {to(value)};"

    def _loop(self, name: str, span: Sequence[str], body: str, space: str) -> str:
        """As in Python, the bounds are computed once, and the variable is set at the start of each iteration."""
        self.loops += 1
        i, end = f"i{self.loops}", f"end{self.loops}"
        first = span[0] if len(span) > 1 else "0LL"
        last = span[1] if len(span) > 1 else span[0]
        step = span[2] if len(span) > 2 else "1LL"
        goes_on = ">" if step.startswith("(-") else "<"
        head = f"for (i64 {i} = {first}, {end} = {last}; {i} {goes_on} {end}; {i} += {step})"
        return f"{space}{head} {{ {name} = {i};\n{space}{body}\n{space}}}\n"

    def _unknown(self, node: ast.expr | ast.stmt) -> SyntaxError:
        return SyntaxError(f"{self.node.name}, line {node.lineno}: {ast.unparse(node)}")


def _parts(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, list[ast.expr]]]:
    """The names that an assignment sets, each with the expressions that it may get its type from."""
    match target, value:
        case ast.Name(id=name), ast.Tuple():
            yield name, []
        case ast.Name(id=name), _:
            yield name, [value]
        case ast.Tuple(elts=targets), ast.Tuple(elts=values):
            for one, its in zip(targets, values, strict=True):
                yield from _parts(one, its)


def _number(value: object) -> str:
    if isinstance(value, float):
        return repr(value) if value >= 0 else f"({value!r})"
    if not isinstance(value, int):
        raise SyntaxError(f"{value!r} is not a number")
    return f"{int(value)}LL" if value >= 0 else f"({int(value)}LL)"


def _power_of_two(constant: str) -> int | None:
    """The exponent if this text is a constant that is a power of two."""
    digits = constant.removesuffix("LL")
    if not digits.isdecimal() or int(digits).bit_count() != 1:
        return None
    return int(digits).bit_length() - 1


def _parameters(named: Iterable[tuple[str, str]]) -> str:
    """Parameters with their types, as C writes them."""
    return ", ".join(
        f"{one} RESTRICT {name}" if one.endswith("*") else f"{one} {name}" for name, one in named
    )


def _type(annotation: ast.expr | None) -> str:
    return TYPES[ast.unparse(annotation)] if annotation is not None else "i64"


def _answer(function: Compiled) -> str:
    returns = function.node.returns
    is_nothing = isinstance(returns, ast.Constant) and returns.value is None
    return "void" if is_nothing else _type(returns)


def _in_order(types: Sequence[str]) -> list[int]:
    """The places of the parameters in the order in which the library takes them: numbers before arrays."""
    return sorted(range(len(types)), key=lambda place: types[place].endswith("*"))


def signatures(functions: Iterable[Compiled]) -> dict[str, str]:
    """By name: a letter for each parameter, and one for the answer.

    q is an integer, d a float; Q and D are arrays of these, and B, H and I are arrays of narrower integers.
    """
    letters = {
        "i64": "q", "double": "d", "void": "-", "bool": "b",
        "i64*": "Q", "double*": "D", "i8*": "B", "i16*": "H", "i32*": "I",
    }  # fmt: skip
    found = {}
    for one in functions:
        given = "".join(letters[_type(word.annotation)] for word in one.node.args.args)
        is_bool = isinstance(one.node.returns, ast.Name) and one.node.returns.id == "bool"
        found[one.name] = given + ">" + letters["bool" if is_bool else _answer(one)]
    return found


def c_source(sources: Sources) -> str:
    """All compiled functions as C."""
    functions = sources.functions()
    answers = {one.name: _answer(one) for one in functions}
    made = [_Function(one, answers) for one in functions]
    heads = "".join(f"{one.head()};\n" for one in made)
    bodies = "".join(one.text() for one in made)
    entries = "".join(one.entry() for one in made)
    entries = f"#ifdef WITH_ENTRIES\n{entries}#endif\n"
    return PRELUDE.read_text(encoding="ascii") + heads + bodies + entries
