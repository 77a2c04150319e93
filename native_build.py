"""Builds the native library of the kernel: translates the compiled functions to C and compiles them.

The C compiler is the system's where there is one (or the one that CC names), and otherwise zig's, from PyPI (ziglang).
The library runs on every CPU of the architecture and needs no other library, not even C's.  For x86-64 it holds each
function twice: once for any CPU, once for one with the instructions for bits that nearly every CPU since 2013 has.

`python native_build.py` puts the library into the package in a checkout, for an editable install: `make` calls it.
hatch_build.py calls `build` for a wheel, engine_build.py for browsers: there the library is WebAssembly.
FORETELL_CC=zig leaves the system's compiler aside; FORETELL_CC=none builds no library.
"""

import hashlib
import importlib
import importlib.util
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType

ZIG_WHEEL = "ziglang>=0.13; platform_machine in 'x86_64 AMD64 arm64 aarch64'"
ZIG_FOLDER = ".cache/zig"  # where a checkout keeps it: it is large, and only needed here
FOLDER = "src/foretell/kernel/backend/native"
WEB = "emscripten-wasm32"  # the machine of a browser, as Pyodide names it
STAMP = "done"  # a file that is written when a build has ended, with or without a library
SUFFIXES = {"Linux": ".so", "Darwin": ".dylib", "Windows": ".dll"}

# No -ffast-math and no fused multiply-add: floats must have the same bits as in Python.  -fwrapv makes whole numbers
# wrap around, as Numba's do.  -ffreestanding keeps the compiler from calling functions of C's library, such as memset.
FLAGS = [
    "-std=gnu11", "-O3", "-fPIC", "-ffreestanding", "-fno-builtin", "-fvisibility=hidden", "-fwrapv",
    "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables", "-w", "-DWITH_ENTRIES",
]  # fmt: skip
GCC_FLAGS = [
    "-fno-tree-loop-distribute-patterns",
    "-fno-tree-slp-vectorize",  # pairs of words in vector registers make the turn loop a tenth slower
]
# AVX2 is used where the sources ask for it: elsewhere it made the turn loop slower.
FAST = ["-msse4.2", "-mpopcnt", "-mlzcnt", "-mbmi", "-mbmi2", "-DWITH_AVX2"]

CPU_LEVEL = """
/* 1 if this CPU has the instructions of the level `fast`, 0 if not. */
#if defined(__x86_64__)
static void ask(unsigned leaf, unsigned* a, unsigned* b, unsigned* c, unsigned* d) {
  __asm__ volatile("cpuid" : "=a"(*a), "=b"(*b), "=c"(*c), "=d"(*d) : "0"(leaf), "2"(0));
}
static int saves_vectors(void) {
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6) == 6;
}
static int is_fast(void) {
  unsigned a, b, c, d, most, family, is_amd;
  ask(0, &most, &b, &c, &d);
  is_amd = b == 0x68747541;
  ask(1, &a, &b, &c, &d);
  family = ((a >> 8) & 15) + ((a >> 20) & 255);
  if (most < 7 || !(c >> 20 & 1) || !(c >> 23 & 1)) return 0; /* SSE4.2, POPCNT */
  if (!(c >> 27 & 1) || !saves_vectors()) return 0; /* the system keeps the registers of AVX */
  ask(7, &a, &b, &c, &d);
  if (!(b >> 3 & 1) || !(b >> 5 & 1) || !(b >> 8 & 1)) return 0; /* BMI1, AVX2, BMI2 */
  ask(0x80000001, &a, &b, &c, &d);
  if (!(c >> 5 & 1)) return 0; /* LZCNT */
  return !(is_amd && family < 0x19); /* before Zen 3, AMD's PDEP takes hundreds of cycles */
}
#else
static int is_fast(void) { return 0; }
#endif
#if defined(_WIN32)
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
int foretell_cpu_level(void) { return is_fast(); }
"""


class NoCompiler(Exception):
    """No C compiler could build the library; the message says what was tried."""


def system_compiler() -> list[str]:
    """The C compiler on PATH, or the one that CC names; empty if there is none, or if FORETELL_CC leaves it aside."""
    if os.environ.get("FORETELL_CC"):
        return []
    named = os.environ.get("CC")
    if named:
        words = shlex.split(named)
        return words if shutil.which(words[0]) else []
    # Measured: what clang makes is up to a third faster than what gcc makes.
    return [path for name in ("clang", "cc", "gcc") if (path := shutil.which(name))][:1]


def zig_compiler(root: Path) -> list[str]:
    """The C compiler of ziglang, if that is installed."""
    if os.environ.get("FORETELL_CC") == "none":
        return []
    found = importlib.util.find_spec("ziglang")
    folders = [Path(found.origin).parent] if found is not None and found.origin else []
    for folder in (*folders, root / ZIG_FOLDER / "ziglang"):
        zig = folder / ("zig.exe" if os.name == "nt" else "zig")
        if zig.exists():
            return [str(zig), "cc"]
    return []


def platform_tag() -> str:
    """The platform in the name of a wheel.  On Linux the library needs no C library, so it runs beside any."""
    machine = platform.machine()
    match platform.system():
        case "Linux":
            return f"manylinux_2_17_{machine}.manylinux2014_{machine}.musllinux_1_1_{machine}"
        case "Darwin":
            return f"macosx_11_0_{machine}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _translator(root: Path) -> tuple[ModuleType, ModuleType, ModuleType]:
    """The modules that translate, from this checkout, without running the package's own imports."""

    def own() -> list[str]:
        return [name for name in sys.modules if name.split(".")[0] == "foretell"]

    before = {name: sys.modules.pop(name) for name in own()}
    try:
        for name in ("foretell", "foretell.kernel"):
            package = ModuleType(name)
            package.__path__ = [str(root.joinpath("src", *name.split(".")))]
            sys.modules[name] = package
        names = ("c_source", "source_files", "library")
        found = [importlib.import_module(f"foretell.kernel.backend.{name}") for name in names]
    finally:
        for name in own():
            del sys.modules[name]
        sys.modules.update(before)
    return found[0], found[1], found[2]


def _run(commands: list[list[str]], scratch: Path) -> None:
    """Runs these commands at the same time; raises NoCompiler if one of them fails."""
    # zig keeps what it compiles for later; here there is no later, and a home may be read-only.
    cache = {
        "ZIG_GLOBAL_CACHE_DIR": str(scratch / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(scratch / "zig"),
    }
    running = [
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | cache,
        )
        for command in commands
    ]
    said = [one.communicate()[0] for one in running]
    for command, one, words in zip(commands, running, said, strict=True):
        if one.returncode:
            raise NoCompiler(f"{command[0]} failed: {words.strip()[-400:]}")


def _version(compiler: list[str]) -> str:
    done = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0].strip()


def _target(compiler: list[str], machine: str) -> tuple[list[str], list[str]]:
    """Options that say for which CPU and system to compile, and the command that links the library."""
    is_zig = compiler[-1] == "cc" and len(compiler) > 1
    if machine == WEB:
        # A module that Pyodide can load: it shares the memory of Python, and says so in a section of its own (dylink).
        link = [
            compiler[0],
            "wasm-ld",
            "-shared",
            "--experimental-pic",
            "--no-entry",
            "--strip-all",
        ]
        return ["-target", "wasm32-emscripten", "-msimd128"], link
    target = ["-mcpu=baseline"] if is_zig else []
    if platform.machine() in ("x86_64", "AMD64") and not is_zig:
        target = ["-march=x86-64", "-mtune=generic"]
    match platform.system():
        case "Darwin":
            target += [] if is_zig else ["-arch", platform.machine()]
            target += ["-mmacosx-version-min=11.0"]
            return target, [*compiler, *target, "-dynamiclib"]
        case "Windows":
            return target, [*compiler, *target, "-shared", "-nostdlib", "-Wl,--no-entry"]
    options = ["-shared", "-nostdlib", "-Wl,-z,defs", "-Wl,--build-id=none", "-s"]
    return target, [*compiler, *target, *options]


def _compile(
    compiler: list[str], text: str, levels: dict[str, list[str]], to: Path, machine: str
) -> None:
    """Compiles the text once for each level, and links everything into one library."""
    target, link = _target(compiler, machine)
    is_gcc = "clang" not in _version(compiler)
    options = [*target, *FLAGS, *(GCC_FLAGS if is_gcc else [])]
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        (scratch / "kernel.c").write_text(text, encoding="ascii")
        (scratch / "cpu.c").write_text(CPU_LEVEL, encoding="ascii")
        parts = [
            (level, "kernel.c", [*more, f"-DLEVEL=_{level}"]) for level, more in levels.items()
        ]
        parts.append(("cpu", "cpu.c", []))
        objects = [str(scratch / f"{name}.o") for name, _, _ in parts]
        _run(
            [
                [*compiler, *options, *more, "-c", str(scratch / source), "-o", made]
                for (_, source, more), made in zip(parts, objects, strict=True)
            ],
            scratch,
        )
        made = scratch / to.name
        _run([[*link, *objects, "-o", str(made)]], scratch)
        # A new file and not the old one changed: a process that has loaded the old one goes on with it.
        fresh = to.with_name(f"new-{os.getpid()}")
        shutil.copyfile(made, fresh)
        fresh.replace(to)


def build(root: Path, folder: Path, *, for_web: bool = False) -> str:
    """Builds the library into this folder and returns a line about it; raises NoCompiler where that is impossible.

    `for_web`: the library that a browser runs, as WebAssembly; only zig can build it.
    """
    c_source, source_files, library = _translator(root)
    sources = source_files.Sources(root / "src" / "foretell")
    machine: str = WEB if for_web else library.machine()
    levels: dict[str, list[str]] = {library.LEVELS[0]: []}
    if platform.machine() in ("x86_64", "AMD64") and not for_web:
        levels[library.LEVELS[1]] = FAST
    suffix = ".wasm" if for_web else SUFFIXES.get(platform.system(), ".so")
    path = folder / f"kernel{suffix}"
    folder.mkdir(exist_ok=True)
    for old in (folder / library.MANIFEST, path):
        old.unlink(missing_ok=True)
    tried: list[str] = []
    compilers = [[] if for_web else system_compiler(), zig_compiler(root)]
    for compiler in filter(None, compilers):
        try:
            _compile(compiler, c_source.c_source(sources), levels, path, machine)
        except (NoCompiler, OSError, subprocess.CalledProcessError) as error:
            tried.append(str(error))
            continue
        manifest = {
            "file": path.name,
            "machine": machine,
            "levels": list(levels),
            "compiler": _version(compiler),
            "fingerprint": source_files.fingerprint(root / "src" / "foretell"),
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "functions": c_source.signatures(sources.functions()),
        }
        text = json.dumps(manifest, indent=1) + "\n"
        (folder / library.MANIFEST).write_text(text, encoding="ascii")
        return f"{path.name}, {path.stat().st_size // 1024} kB, by {manifest['compiler']}"
    raise NoCompiler("; ".join(tried) or "There is no C compiler here")


def get_zig(root: Path) -> None:
    """Installs zig into this checkout."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet", "--target", str(root / ZIG_FOLDER), ZIG_WHEEL]
    subprocess.run(install, check=False)


def main() -> None:
    """Builds the library in this checkout.  Without a compiler it says so, and the kernel runs as plain Python."""
    root = Path(__file__).parent
    try:
        try:
            said = build(root, root / FOLDER)
        except NoCompiler as error:
            if os.environ.get("FORETELL_CC") == "none" or zig_compiler(root):
                raise
            print(f"{error}: getting one from PyPI (ziglang, about 100 MB).", flush=True)
            get_zig(root)
            said = build(root, root / FOLDER)
        print(f"Built {said}.")
    except NoCompiler as error:
        print(f"No native library: {error}.")
        print("The bots run as plain Python: slower, and the stronger levels think less.")
    (root / FOLDER / STAMP).touch()


if __name__ == "__main__":
    main()
