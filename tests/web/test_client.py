"""The page as a package: its lock file, and its place in the wheel.  test_units.py runs its unit tests."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"


def test_the_lock_names_no_address() -> None:
    text = (WEB / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in text
    assert all("integrity" in one for name, one in json.loads(text)["packages"].items() if name)


def test_the_wheel_holds_the_page(tmp_path: Path) -> None:
    if not (ROOT / "src/foretell/server/static/index.html").exists():
        pytest.skip("the page is not built: run `python hatch_build.py`, or `make test`")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "FORETELL_SKIP_WEB": "1"},
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "foretell/server/static/index.html" in names
    assert any(name.endswith(".js") for name in names if name.startswith("foretell/server/static/"))
    assert not any("node_modules" in name for name in names)
    scripts = [one for one in names if "/assets/" in one and one.endswith((".js", ".css"))]
    assert scripts
    assert all(f"{name}.br" in names for name in scripts)
