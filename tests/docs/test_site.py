"""The site of docs/ (`make docs`): it is built, its links lead somewhere, and it needs no other host."""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def build(source: Path, site: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-E"]
    return subprocess.run(
        [*command, source, site], capture_output=True, text=True, encoding="utf-8", check=False
    )


@dataclass
class Page(HTMLParser):
    """What a page links, what it loads, and what can be linked in it."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.ids.add(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") in ("stylesheet", "preload", "icon"):
            self.loads.append(found["href"])
        elif tag in ("script", "img", "source", "iframe") and "src" in found:
            self.loads.append(found["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = build(DOCS, folder)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    found = {}
    for path in sorted(site.rglob("*.html")):
        page = found[path] = Page()
        page.feed(path.read_text(encoding="utf-8"))
    return found


def test_every_page_of_the_docs_is_on_the_site(site: Path) -> None:
    for page in DOCS.rglob("*.md"):
        assert (site / page.relative_to(DOCS)).with_suffix(".html").exists(), page


def test_links_lead_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    seen = 0
    for path, page in pages.items():
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_relative_to(site), f"{path.name}: {link}"
            assert target.exists(), f"{path.name}: {link}"
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].ids | {""}, f"{path.name}: {link}"
            seen += 1
    assert seen > 1000


def test_nothing_is_loaded_from_another_host(site: Path, pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        for load in page.loads:
            assert not urlsplit(load).netloc, f"{path.name}: {load}"
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert "url(http" not in text, style
        assert "@import" not in text, style


def test_the_search_knows_the_rules_and_the_reference(site: Path) -> None:
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    names = index["docnames"]

    def pages_with(word: str) -> set[str]:
        found = index["terms"][word]
        return {names[place] for place in ([found] if isinstance(found, int) else found)}

    assert "rules" in pages_with("werewolf")
    assert "api/game" in pages_with("rulebook")
    assert any(name.startswith("foretell.engine") for name in index["objects"])


def test_tutorials_are_notebooks_too(site: Path) -> None:
    tutorials = sorted((DOCS / "tutorials").glob("*.md"))
    assert tutorials
    for page in tutorials:
        book = json.loads((site / "tutorials" / f"{page.stem}.ipynb").read_text(encoding="utf-8"))
        assert {cell["cell_type"] for cell in book["cells"]} == {"markdown", "code"}


@pytest.mark.parametrize(
    "link", ["missing.md", "index.md#no-such-heading", "../no-such-file.txt"], ids=str
)
def test_a_broken_link_stops_the_build(link: str, tmp_path: Path) -> None:
    source = tmp_path / "docs"
    source.mkdir()
    settings = (DOCS / "conf.py").read_text(encoding="utf-8")
    (source / "conf.py").write_text(settings, encoding="utf-8")
    (source / "style.css").touch()
    (source / "index.md").write_text("# Pages\n\n[There](#pages)\n", encoding="utf-8")
    assert build(source, tmp_path / "site").returncode == 0
    (source / "index.md").write_text(f"# Pages\n\n[Away]({link})\n", encoding="utf-8")
    refused = build(source, tmp_path / "site")
    assert refused.returncode != 0
    assert link.rsplit("#", maxsplit=1)[-1].removesuffix(".md") in refused.stderr
