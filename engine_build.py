"""Builds the folder `engine` beside the page: what a browser needs to run the package itself, without a server.

    pyodide-HASH/       Python compiled to WebAssembly, from npm (web/package.json)
    python_stdlib, msgspec, foretell   its standard library, as far as it is imported; the one dependency; the package,
                        with its kernel compiled to WebAssembly where zig is installed
    engine.json         all of them: name, path, size; the nets of the bots, which stay in the package; `first_bytes`,
                        what most levels of bots need, compressed; and `lock`, Pyodide's `lockFileContents`

Then it writes the service worker, which has a list of all files of the page and the engine, with their hashes.

A path has a hash of its content, so browsers may keep a file for good.  The same sources give the same bytes.  Where
msgspec's wheel cannot be had, there is no engine, and the page needs a server.

hatch_build.py calls `build`, after the page has been built.
"""

import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

STATIC = "src/foretell/server/static"
FOLDER = f"{STATIC}/engine"
PYODIDE = "web/node_modules/pyodide"
LOCK = "requirements-browser.lock"  # msgspec's wheel for Pyodide, which no other lock can have
WHEELS = ".cache/engine"
PLATFORM = ["--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14"]

# Of the package, what no browser runs: the command line, what needs sockets, a disk or a compiler, texts of the page,
# and what is for research. The loop of the environments stays: the library is compiled from its text, too.
LEFT_OUT = re.compile(
    r"__pycache__/|server/(static|network)/|server/page_files|client/|terminal/|commands/|arena/|scorepad/page/"
    r"|server/store/(?!(__init__|bus|interface|memory)\.py)"
    r"|(datasets|one_card|openspiel|workers)/|envs/(?!(__init__\.py|loop/))"
    r"|(cli|__main__|options)\.py|i18n/(handbook/|translate|checking)|wire/(generate|typescript|openapi)"
    r"|kernel/backend/native/|\.(bin|typed|md)$"
)
# Of the catalogues, what only the page or the command line says. The page brings its own texts.
TEXTS = re.compile(r"i18n/[\w-]+\.json$")
TEXTS_LEFT_OUT = re.compile(r"web\.(?!card\.)|(bench|cli|click)\.")
# The nets are large, and only some levels need them: they are loaded on demand, into their folder of the package.
NETS = "bots/net/*.bin"
FIRST_NET = "small.bin"  # most levels play with it (bots/levels.py), so it is kept with the engine

# What the server does not want to compress itself, since it would take seconds.
COMPRESSED = ("pyodide.asm.mjs", "pyodide.asm.wasm")
WORKER = "service-worker.js"


class NoEngine(Exception):
    """A part of the engine cannot be had; the message says which."""


def build(root: Path, node: str, native: ModuleType) -> str:
    """Builds the folder and returns a line about it; raises NoEngine where that is impossible.

    `native` is the module native_build.
    """
    into = root / FOLDER
    shutil.rmtree(into, ignore_errors=True)
    pyodide, wheel, package = root / PYODIDE, _wheel(root), root / "src" / "foretell"
    if not (pyodide / "package.json").exists():
        raise NoEngine("Pyodide is not installed (npm ci, in web)")
    library = _library(native, root)
    own = zipped(package_files(package) | library)
    parts = {
        "python_stdlib.zip": _standard_library(root, node, wheel, own),
        "msgspec.whl": wheel.read_bytes(),
        "foretell.zip": own,
    }
    # Pyodide looks for its files by their plain names, so the hash is in the name of their folder.
    loaders = {
        name: (pyodide / name).read_bytes()
        for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
    }
    home = f"pyodide-{content_hash(b''.join(loaders.values()))}"
    paths = {name: f"{home}/{name}" for name in loaders} | {
        name: _hashed(name, content) for name, content in parts.items()
    }
    files: list[dict[str, object]] = []
    for name, content in (loaders | parts).items():
        path = into / paths[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if name in COMPRESSED:
            path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(content, 9, mtime=0))
        files.append({"name": name, "path": paths[name], "bytes": len(content)})
    first = [*loaders.values(), *parts.values()]
    # These stay where they are: the server reads them there.
    for path in sorted(package.glob(NETS)):
        content = path.read_bytes()
        if path.name == FIRST_NET:
            first.append(content)
        files.append(
            {
                "name": path.name,
                "path": _hashed(path.name, content),
                "bytes": len(content),
                "compressed": len(gzip.compress(content, 6, mtime=0)),
                "into": f"foretell/{path.relative_to(package).as_posix()}",
                "is_first": path.name == FIRST_NET,
            }
        )
    version = content_hash("".join(str(one["path"]) for one in files).encode())
    info = json.loads((pyodide / "pyodide-lock.json").read_bytes())["info"]
    # Pyodide wants a list of the packages that it may load by itself: there are none.
    lock = {"info": info, "packages": {}}
    first_bytes = sum(len(gzip.compress(content, 6, mtime=0)) for content in first)
    listed = {"version": version, "first_bytes": first_bytes, "lock": lock, "files": files}
    text = json.dumps(listed, indent=1) + "\n"
    (into / "engine.json").write_text(text, encoding="ascii")
    size = sum(len(content) for content in (loaders | parts).values())
    kernel = "" if library else "; without zig (ziglang, from PyPI) its bots run as plain Python"
    return f"engine {version}, {size / 1e6:.1f} MB{kernel}"


def write_service_worker(root: Path) -> None:
    """Writes the service worker of the site as it has been built, with or without the engine."""
    static = root / STATIC
    files = {
        path.relative_to(static).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(static.rglob("*"))
        if path.is_file() and path.suffix not in (".br", ".gz") and path.name != WORKER
    }
    parts = {path: "engine" if path.startswith("engine/") else "page" for path in files}
    if (static / "engine" / "engine.json").exists():
        for one in json.loads((static / "engine" / "engine.json").read_bytes())["files"]:
            if "into" in one:
                path = f"engine/{one['path']}"
                files[path] = hashlib.sha256((root / "src" / one["into"]).read_bytes()).hexdigest()
                parts[path] = "engine" if one["is_first"] else "nets"
    listed = {path: [files[path], parts[path]] for path in sorted(files)}
    source = (root / "web" / WORKER).read_text(encoding="utf-8")
    version = content_hash(json.dumps(listed).encode() + source.encode())
    site = json.dumps({"version": version, "files": listed}, indent=1)
    made = source.replace("__SITE__", site, 1)
    (static / WORKER).write_text(made, encoding="utf-8")


def zipped(files: dict[str, bytes]) -> bytes:
    """These files as a zip file that depends on nothing else: no dates, no order of a disk."""
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        for name in sorted(files):
            info = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type, info.create_system, info.external_attr = (
                ZIP_DEFLATED,
                3,
                0o644 << 16,
            )
            archive.writestr(info, files[name], compresslevel=9)
    return out.getvalue()


def content_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _hashed(name: str, content: bytes) -> str:
    stem, _, suffix = name.rpartition(".")
    return f"{stem}.{content_hash(content)}.{suffix}"


def _wheel(root: Path) -> Path:
    """Msgspec's wheel for Pyodide, as the lock has it; kept in the checkout."""
    version = re.search(r"^msgspec==(\S+)", (root / LOCK).read_text(encoding="ascii"), re.MULTILINE)
    assert version is not None
    folder = root / WHEELS
    if not (found := sorted(folder.glob(f"msgspec-{version[1]}-*.whl"))):
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
        options = ["--no-deps", "--only-binary=:all:", *PLATFORM, "--require-hashes"]
        asked = [*pip, *options, "--dest", str(folder), "--requirement", str(root / LOCK)]
        subprocess.run(asked, check=False, stdout=sys.stderr, stderr=subprocess.DEVNULL)
        found = sorted(folder.glob(f"msgspec-{version[1]}-*.whl"))
    if not found:
        raise NoEngine("msgspec's wheel for Pyodide cannot be downloaded")
    return found[0]


def package_files(package: Path) -> dict[str, bytes]:
    """The files of the package that a browser may run, by their path in the archive."""
    return {
        f"foretell/{name}": _texts(path.read_bytes()) if TEXTS.search(name) else path.read_bytes()
        for path in package.rglob("*")
        if path.is_file() and not LEFT_OUT.search(name := path.relative_to(package).as_posix())
    }


def _texts(catalogue: bytes) -> bytes:
    """A catalogue without what the engine never says."""
    texts = json.loads(catalogue)
    kept = {key: text for key, text in texts.items() if not TEXTS_LEFT_OUT.match(key)}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode()


def _library(native: ModuleType, root: Path) -> dict[str, bytes]:
    """The kernel's library as WebAssembly, and its manifest; nothing where it cannot be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            native.build(root, Path(folder), for_web=True)
        except native.NoCompiler:
            return {}
        into = native.FOLDER.removeprefix("src/")
        return {f"{into}/{path.name}": path.read_bytes() for path in Path(folder).iterdir()}


def _standard_library(root: Path, node: str, wheel: Path, package: bytes) -> bytes:
    """The modules of the standard library that the package and msgspec import; Pyodide's own Python finds them."""
    with tempfile.TemporaryDirectory() as folder:
        out, own = Path(folder, "python_stdlib.zip"), Path(folder, "foretell.zip")
        own.write_bytes(package)
        script = root / "web" / "engine" / "standard-library.mjs"
        done = subprocess.run(
            [node, str(script), f"{root / PYODIDE}/", str(out), str(own), str(wheel)],
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise NoEngine(f"Pyodide does not run: {done.stderr.decode()[-500:]}")
        return out.read_bytes()
