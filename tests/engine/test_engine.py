"""The engine of the page: small enough, complete, and with the same choices as the native library."""

import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from engine.running import ENGINE, ROOT, missing, run_on_engine
from foretell.bots.levels import NETS, STRONGEST
from foretell.i18n.catalogues import languages
from foretell.server.page_files import page_files

MOST = 7_000_000  # bytes, compressed, page included
COMPRESSED_ALREADY = (".zip", ".whl", ".png", ".woff2")
THINKING = ROOT / "tests" / "engine" / "thinking.py"
ANSWERING = ROOT / "tests" / "engine" / "answering.py"
# Only Numba's backend needs them, which nobody can choose in a browser; the kernel's fingerprint counts their text.
NEVER_IMPORTED = {
    "foretell.kernel.backend.cache": "No module named 'platformdirs'",
    "foretell.kernel.backend.numba_backend": "No module named 'numba'",
}


def engine_build() -> ModuleType:
    spec = spec_from_file_location("engine_build", ROOT / "engine_build.py")
    assert spec is not None
    assert spec.loader is not None
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_the_engine_has_all_it_imports_and_chooses_like_the_native_library() -> None:
    version, backend, choices, failed = json.loads(run_on_engine(THINKING).splitlines()[-1])
    assert version.startswith("3.14")
    assert failed == NEVER_IMPORTED
    assert backend == "native"  # compiled to WebAssembly
    here = subprocess.run(
        [sys.executable, str(THINKING)], capture_output=True, text=True, check=True
    )
    assert choices == json.loads(here.stdout)[2]
    assert all(choices.values())


def test_the_net_that_most_levels_need_is_kept_with_the_engine() -> None:
    needed = Counter(nets for level, nets in NETS.items() if level not in ("master", STRONGEST))
    assert list(needed) == [(engine_build().FIRST_NET,)]


def test_the_nets_answer_bit_for_bit_as_the_native_library_does() -> None:
    """In every kind of rule set: both nets that play, their chances, worlds drawn by the belief net, and values."""
    here = subprocess.run(
        [sys.executable, str(ANSWERING)], capture_output=True, text=True, check=True
    )
    _, _, expected = json.loads(here.stdout)
    platform, backend, found = json.loads(run_on_engine(ANSWERING).splitlines()[-1])
    assert (platform, backend) == ("emscripten", "native")  # compiled to WebAssembly
    assert len(expected) > 200
    assert found == expected


def test_the_engine_has_every_text_that_its_code_names() -> None:
    package = ROOT / "src" / "foretell"
    files = engine_build().package_files(package)
    texts = set(json.loads(files["foretell/i18n/en.json"]))
    every_text = set(json.loads((package / "i18n" / "en.json").read_bytes()))
    code = "\n".join(content.decode() for name, content in files.items() if name.endswith(".py"))
    named = set(re.findall(r'"([a-z]+\.[\w.]+)"', code)) & every_text
    assert len(named) > 50
    assert named <= texts
    # What follows a prefix is put together, such as `web.card.D`.
    begun = set(re.findall(r'f"([a-z]+\.(?:[\w]+\.)*)\{', code))
    assert not {key for key in every_text if key.startswith(tuple(begun))} - texts
    for language in languages():
        assert set(json.loads(files[f"foretell/i18n/{language}.json"])) == texts


def test_page_and_engine_are_small_enough() -> None:
    """With the net of all levels below `master`; the other nets are loaded when somebody needs them."""
    if not (ENGINE / "engine.json").exists():
        missing("the engine is not built: run `python hatch_build.py`, or `make test`")
    sizes = {}
    for name, path in page_files().items():
        if path.suffix == ".bin" and path.name != engine_build().FIRST_NET:
            continue
        copy = path.with_name(f"{path.name}.gz")
        if copy.exists() or path.suffix in COMPRESSED_ALREADY:
            sizes[name] = (copy if copy.exists() else path).stat().st_size
        else:
            sizes[name] = len(gzip.compress(path.read_bytes(), 9))
    print(f"page and engine: {sum(sizes.values()) / 1e6:.2f} MB compressed")
    assert sum(sizes.values()) < MOST, sizes


def test_the_same_sources_give_the_same_bytes() -> None:
    build = engine_build()
    files = build.package_files(ROOT / "src" / "foretell")
    backwards = dict(reversed(files.items()))
    assert build.zipped(files) == build.zipped(backwards)
    (built,) = ENGINE.glob("foretell.*.zip") if ENGINE.exists() else missing("no engine is built")
    assert build.content_hash(built.read_bytes()) in built.name


def test_without_the_wheel_there_is_no_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = engine_build()
    (tmp_path / build.LOCK).write_text("msgspec==0.0.1 --hash=sha256:" + "0" * 64 + "\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(build.NoEngine, match="msgspec's wheel for Pyodide cannot be downloaded"):
        build.build(tmp_path, "node", None)
