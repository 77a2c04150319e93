"""The part of Python's standard library that the package imports, as a zip file; run by Pyodide (standard-library.mjs).

Pyodide's own Python reads the modules: an older one on the machine that builds could not read the syntax of this one.
"""

import ast
import io
from collections.abc import Iterator
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

# What is imported in C or in functions: modules, and packages of which all modules may be needed.
BY_ITSELF = """
    _collections_abc _colorize _strptime _sysconfigdata__emscripten_wasm32-emscripten codecs copyreg encodings
    encodings.ascii encodings.cp437 encodings.idna encodings.latin_1 encodings.utf_8 encodings.utf_8_sig io linecache locale
    runpy site stat sysconfig tempfile tokenize traceback
""".split()
WHOLE = ("_pyodide", "concurrent", "importlib", "json", "logging", "pathlib", "pyodide", "string", "zipfile", "zoneinfo")
# What some of these would need in other programs: consoles, debuggers, servers, databases, tests.
NEVER = {
    "_pyrepl", "bdb", "cmd", "doctest", "http", "logging.config", "logging.handlers", "pdb", "pydoc",
    "pyodide._nodesock_transport", "pyodide.console", "rlcompleter", "sqlite3", "ssl", "_ssl", "unittest", "webbrowser",
}  # fmt: skip


def pruned(whole: bytes, others: list[bytes]) -> bytes:
    """Of the whole library what these zip files and Pyodide import, and what those modules import in turn."""
    files = _files(whole)
    modules = {_dotted(name): name for name in files if name.endswith(".py")}
    wanted = {*BY_ITSELF, *(name for name in modules if name.split(".")[0] in WHOLE)}
    for other in others:
        for name, source in _files(other).items():
            if name.endswith(".py"):
                wanted |= imported(source, deeply=True)
    kept: set[str] = set()
    while wanted:
        for one in _with_parents(wanted.pop()):
            if one in modules and one not in kept and not NEVER.intersection(_with_parents(one)):
                kept.add(one)
                package = one if modules[one].endswith("__init__.py") else one.rpartition(".")[0]
                wanted |= imported(files[modules[one]], package)
    return zipped({modules[one]: files[modules[one]] for one in kept})


def imported(source: bytes, package: str = "", *, deeply: bool = False) -> set[str]:
    """What a module imports when it is imported; `deeply`: also what its functions import."""
    found: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found.update(one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = parts[: len(parts) + 1 - node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            found |= {module, *(f"{module}.{one.name}" for one in node.names)}
        elif deeply or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def zipped(files: dict[str, bytes]) -> bytes:
    """These files as a zip file whose bytes depend on nothing else: no dates, no order of a disk."""
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        for name in sorted(files):
            info = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type, info.create_system, info.external_attr = ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(info, files[name], compresslevel=9)
    return out.getvalue()


def _files(archive: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:length]) for length in range(1, len(parts) + 1))
