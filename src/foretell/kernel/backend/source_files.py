"""Reads the sources of the compiled functions: their syntax trees, the constants they use, and a fingerprint of all.

Nothing of the package is imported or run, except the expressions of constants.  So the build can translate the
functions before any dependency is installed.
"""

import ast
import builtins
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

__all__ = ["Compiled", "SourceModule", "Sources", "fingerprint"]

PACKAGE = "foretell"
_FOLDERS = ("kernel", "bots/net", "envs/loop")
_DECORATORS = ("jit", "inlined")


def _files(package: Path) -> list[Path]:
    """Every file that compiled functions, their constants or their translation come from."""
    return sorted(
        path
        for folder in _FOLDERS
        for path in (package / folder).rglob("*")
        if path.suffix in (".py", ".h")
    )


def fingerprint(package: Path) -> str:
    """A hash of all these files.  `package` is the folder of the package `foretell`."""
    digest = hashlib.sha256()
    for path in _files(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A function with the decorator `jit` or `inlined`."""

    module: "SourceModule"
    node: ast.FunctionDef
    is_inlined: bool

    @property
    def name(self) -> str:
        return self.node.name


class SourceModule:
    """One file of the package."""

    def __init__(self, sources: "Sources", name: str, path: Path) -> None:
        self.sources, self.name = sources, name
        self.tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        self._values: dict[str, Any] = {}

    def functions(self) -> Iterator[Compiled]:
        """The compiled functions of this file, in their order."""
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef):
                marks = [one.id for one in node.decorator_list if isinstance(one, ast.Name)]
                if any(mark in _DECORATORS for mark in marks):
                    yield Compiled(self, node, "inlined" in marks)

    @cached_property
    def _assigned(self) -> dict[str, tuple[ast.expr, int | None]]:
        """The expression behind each name of the module, and its place if several names share one expression."""
        found: dict[str, tuple[ast.expr, int | None]] = {}
        for node in self.tree.body:
            if isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
                found[node.target.id] = node.value, None
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        found[target.id] = node.value, None
                    elif isinstance(target, ast.Tuple):
                        for place, one in enumerate(target.elts):
                            if isinstance(one, ast.Name):
                                found[one.id] = node.value, place
        return found

    @cached_property
    def _imported(self) -> dict[str, tuple[str, str]]:
        """Where each imported name comes from: a module, and the name there."""
        return {
            one.asname or one.name: (node.module, one.name)
            for node in self.tree.body
            if isinstance(node, ast.ImportFrom) and node.module
            for one in node.names
        }

    def constant(self, name: str) -> Any:
        """The value of a constant; of an imported module, the module."""
        if name not in self._values:
            self._values[name] = self._evaluated(name)
        return self._values[name]

    def _evaluated(self, name: str) -> Any:
        if name in self._assigned:
            expression, place = self._assigned[name]
            used = {
                node.id: self.constant(node.id)
                for node in ast.walk(expression)
                if isinstance(node, ast.Name)
                and (node.id in self._assigned or node.id in self._imported)
            }
            code = compile(ast.Expression(expression), self.name, "eval")
            value = eval(code, {"__builtins__": builtins, **used})
            return value if place is None else tuple(value)[place]
        if name == "ONE":  # each backend has a ONE of its own type
            return 1
        if name in self._imported:
            where, called = self._imported[name]
            if called == "ONE":
                return 1
            return self.sources.module(f"{where}.{called}") or self._from(where).constant(called)
        raise NameError(f"{self.name} has no constant {name}")

    def _from(self, where: str) -> "SourceModule":
        found = self.sources.module(where)
        if found is None:
            raise NameError(f"{self.name}: {where} is not a file of the package")
        return found

    def __getattr__(self, name: str) -> Any:
        # For the expressions of constants: `in_state.SIZE`.
        if name.startswith("_"):
            raise AttributeError(name)
        return self.constant(name)


class Sources:
    """All files of the package that hold compiled functions, or constants of these."""

    def __init__(self, package: Path) -> None:
        self.package = package
        self._modules: dict[str, SourceModule] = {}

    def module(self, name: str) -> SourceModule | None:
        """The module with this name; None if it is no file of the package."""
        if name not in self._modules:
            path = self.package.parent.joinpath(*name.split(".")).with_suffix(".py")
            if not path.is_file():
                return None
            self._modules[name] = SourceModule(self, name, path)
        return self._modules[name]

    def functions(self) -> list[Compiled]:
        """Every compiled function.  No two may have the same name, because C has only one room for names."""
        found: dict[str, Compiled] = {}
        for path in _files(self.package):
            if path.suffix != ".py" or path.name.endswith("_backend.py"):
                continue  # what the backends define, C has in its prelude
            dotted = path.relative_to(self.package.parent).with_suffix("").as_posix()
            module = self.module(dotted.replace("/", "."))
            for function in module.functions() if module else ():
                if function.name in found:
                    raise SyntaxError(f"two compiled functions are called {function.name}")
                found[function.name] = function
        return list(found.values())
