"""The page from a plain static host, at any path, and without a network: kept, updated and repaired by its service worker."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from web.hosting import Host, kept, newer_version, site
from web.playing import waited

READY = "A new version is ready."
LOADED = 60_000  # milliseconds, for a whole version with its engine on a busy machine
HAND = "() => [...document.querySelectorAll('.piece.hand')].map((one) => one.dataset.card).sort()"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    site(tmp_path / "site")
    found = Host(tmp_path / "site")
    found.start()
    yield found
    found.stop()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    found = chromium.new_context(locale="en", reduced_motion="reduce")
    yield found
    found.close()


def visited(context: BrowserContext, host: Host, path: str = "") -> Page:
    """A new page of the site; it is shown."""
    page = context.new_page()
    page.goto(host.address + path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def end_service_workers(context: BrowserContext) -> None:
    """A worker compares each file once while it runs.  It starts again, as it does after a while."""
    cdp = context.browser.new_browser_cdp_session()  # type: ignore[union-attr]
    for target in cdp.send("Target.getTargets")["targetInfos"]:
        if target["type"] == "service_worker":
            cdp.send("Target.closeTarget", {"targetId": target["targetId"]})


def test_after_one_visit_the_page_and_the_engine_work_without_a_network(
    context: BrowserContext, host: Host
) -> None:
    page = visited(context, host)
    kept(page, host, "page", "engine")
    page.close()
    outside = {path for path in host.asked if path.startswith("/")}
    assert all(path.startswith(("/api/", "/ws")) for path in outside), outside  # is there a server?
    host.stop()

    page = visited(context, host, "#/rules")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    files = page.evaluate(
        """async () => {
            const { files } = await (await fetch('engine/engine.json')).json()
            const lengths = files.filter((one) => !one.into).map(async ({ path, bytes }) => {
                const found = await fetch(`engine/${path}`)
                return [path, (await found.arrayBuffer()).byteLength, bytes]
            })
            return Promise.all(lengths)
        }"""
    )
    assert len(files) >= 6
    assert [file for file in files if file[1] != file[2]] == []
    page.goto(host.address + "#/pad")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_a_new_version_waits_until_it_is_asked_for_and_replaces_the_whole_old_one(
    context: BrowserContext, host: Host, tmp_path: Path
) -> None:
    page = visited(context, host)
    kept(page, host, "page")
    other = context.new_page()
    other.goto(
        host.address + "#/t/game"
    )  # a page in a game is never taken away from under the player

    newer_version(host.folder, tmp_path / "newer", "Version B")
    host.folder = tmp_path / "newer"
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    expect(page.get_by_text(READY)).to_be_visible(timeout=LOADED)
    page.reload()  # nobody has asked for it, and another page is open
    expect(page).to_have_title("Foretell")
    expect(page.get_by_text(READY)).to_be_visible(timeout=LOADED)

    page.get_by_role("button", name="Use it now").click()
    expect(page).to_have_title("Version B")
    expect(page.get_by_text(READY)).to_have_count(0)
    expect(other).to_have_title("Foretell")  # not reloaded
    host.stop()
    page.reload()
    expect(page).to_have_title("Version B")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_the_next_visit_has_the_new_version(
    context: BrowserContext, host: Host, tmp_path: Path
) -> None:
    page = visited(context, host)
    kept(page, host, "page")
    newer_version(host.folder, tmp_path / "newer", "Version B")
    host.folder = tmp_path / "newer"
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    expect(page.get_by_text(READY)).to_be_visible(timeout=LOADED)
    page.reload()
    expect(page).to_have_title("Version B")


def test_a_version_that_is_only_half_uploaded_is_not_taken(
    context: BrowserContext, host: Host, tmp_path: Path
) -> None:
    page = visited(context, host)
    kept(page, host, "page")
    newer_version(host.folder, tmp_path / "newer", "Version B")
    half = (host.folder / "index.html").read_bytes()  # still the old page, beside the new list
    (tmp_path / "newer" / "index.html").write_bytes(half)
    # The browser may look for a new version by itself at any moment, so this listens before there is one.
    page.evaluate(
        """async () => {
            window.newVersion = ''
            const found = await navigator.serviceWorker.ready
            found.addEventListener('updatefound', () => {
                const worker = found.installing
                worker.addEventListener('statechange', () => (window.newVersion = worker.state))
            })
        }"""
    )
    host.folder = tmp_path / "newer"
    page.evaluate(
        "navigator.serviceWorker.ready.then((found) => void found.update().catch(() => {}))"
    )
    page.wait_for_function("window.newVersion === 'redundant'")
    page.reload()
    expect(page).to_have_title("Foretell")
    expect(page.get_by_text(READY)).to_have_count(0)


def test_a_damaged_cache_repairs_itself(context: BrowserContext, host: Host) -> None:
    page = visited(context, host)
    kept(page, host, "page")
    damaged = page.evaluate(
        """async () => {
            const name = (await caches.keys())[0]
            const cache = await caches.open(name)
            const requests = await cache.keys()
            const type = { 'Content-Type': 'text/javascript' }
            for (const { url } of requests.filter(({ url }) => url.includes('assets/')))
                await cache.put(url, new Response('damaged', { headers: type }))
            await cache.delete(requests.find(({ url }) => url.endsWith('icon.svg')).url)
            return requests.length
        }"""
    )
    assert damaged > 20
    page.close()
    end_service_workers(context)
    page = visited(context, host)
    kept(page, host, "page")
    host.stop()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_a_damaged_engine_in_the_cache_repairs_itself(context: BrowserContext, host: Host) -> None:
    """Half of one file, another file with other bytes, and one that is gone: the game starts all the same."""
    page = visited(context, host)
    kept(page, host, "page", "engine")
    damaged = page.evaluate(
        """async () => {
            const cache = await caches.open((await caches.keys())[0])
            const urls = (await cache.keys()).map(({ url }) => url)
            const one = (name) => urls.find((url) => url.includes(name))
            const half = (await (await cache.match(one('.wasm'))).arrayBuffer()).slice(0, 100_000)
            await cache.put(one('.wasm'), new Response(half, { headers: { 'Content-Type': 'application/wasm' } }))
            await cache.put(one('foretell.'), new Response('damaged'))
            await cache.delete(one('python_stdlib'))
            return ['.wasm', 'foretell.', 'python_stdlib'].map((name) => one(name).split('/').at(-1))
        }"""
    )
    page.close()
    end_service_workers(context)
    host.asked.clear()
    page = visited(context, host)
    page.get_by_role("button", name="Play now").click()
    page.locator(".stage").wait_for(timeout=60_000)
    assert set(damaged) <= {path.rpartition("/")[2] for path in host.asked}
    # What has been fetched again is kept.
    host.stop()
    page.close()
    end_service_workers(context)
    page = visited(context, host)
    page.get_by_role("button", name="Play now").click()
    page.locator(".stage").wait_for(timeout=60_000)


def test_a_game_on_this_device_goes_on_with_a_new_version(
    context: BrowserContext, host: Host, tmp_path: Path
) -> None:
    page = visited(context, host)
    kept(page, host, "page", "engine")
    page.get_by_role("button", name="Play now").click()
    page.locator(".stage").wait_for(timeout=60_000)
    table = page.url.partition("#")[2].partition("?")[0]
    page.locator("[data-asked]").wait_for(timeout=60_000)
    hand = page.evaluate(HAND)
    assert hand
    newer_version(host.folder, tmp_path / "newer", "Version B")
    host.folder = tmp_path / "newer"
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    waited(page, "navigator.serviceWorker.ready.then((found) => found.waiting !== null)")
    assert page.title() != "Version B"  # nobody takes the page away during a game
    page.goto(host.address)
    page.get_by_role("button", name="Use it now").click()
    expect(page).to_have_title("Version B")
    page.goto(f"{host.address}#{table}")
    page.locator("[data-asked]").wait_for(timeout=60_000)
    assert page.evaluate(HAND) == hand


def test_the_page_can_be_installed(context: BrowserContext, host: Host) -> None:
    page = visited(context, host)
    kept(page, host, "page")
    devtools = context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].startswith(host.address)
    told = json.loads(manifest["data"])
    assert {"name", "icons", "start_url", "display"} <= set(told)
    problems = [
        one["errorId"]
        for one in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    ]
    # A test's browser keeps nothing: Chromium installs no page there.
    assert set(problems) <= {"in-incognito"}


def test_with_save_data_the_engine_is_not_loaded_unasked(chromium: Browser, host: Host) -> None:
    context = chromium.new_context(locale="en")
    context.add_init_script(
        "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
    )
    page = visited(context, host)
    kept(page, host, "page")
    expect(
        page.get_by_text(re.compile(r"Playing on this device loads \d+ MB, once."))
    ).to_be_visible()
    page.wait_for_timeout(1000)
    unasked = {path for path in host.asked if path.startswith("engine/")}
    assert unasked <= {"engine/engine.json"}
    page.get_by_role("button", name="Load it").click()
    expect(page.get_by_text(re.compile("for this device: |Starting the game"))).to_be_visible()
    page.reload()  # who has agreed is not asked again
    expect(page.get_by_text(re.compile("for this device: |Starting the game"))).to_be_visible()
    context.close()


def test_over_plain_http_the_page_says_so_once(chromium: Browser, host: Host) -> None:
    context = chromium.new_context(locale="en")
    # What the browser reports at an address in a home network; this machine's own counts as secure.
    context.add_init_script("Object.defineProperty(self, 'isSecureContext', { value: false })")
    page = visited(context, host)
    expect(page.get_by_text("This address is not encrypted")).to_be_visible()
    page.wait_for_function("localStorage.getItem('foretell.plain-http') === 'true'")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("This address is not encrypted")).to_have_count(0)
    context.close()
