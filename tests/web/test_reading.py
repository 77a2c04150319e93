"""The reader of pages finds what it is there to find."""

from collections.abc import Callable

from web.playing import Player
from web.reading import problems_on

BOX = "style='width: 60px; overflow: hidden; white-space: nowrap'"


CASES: list[tuple[str, list[str]]] = [
    ("<p>Plååý ñõõw</p>", []),
    ("<p>Ada</p><p>7WNUJD</p><p>12</p>", []),
    ("<p>Play now</p>", ['a text is not in the catalogue: "Play now"']),
    ("<button aria-label='Close'>×</button>", ['the aria-label of button is not in the catalogue: "Close"']),
    ("<p>Plååý {name}</p>", ['a text has a gap: "Plååý {name}"']),
    ("<p>web.home.play åå</p>", ['a text has a gap: "web.home.play åå"']),
    (f"<p {BOX}>Plååý ñõõw ååñd tõõ</p>", ['cut at the side: "Plååý ñõõw ååñd tõõ" in p.']),
    ("<p style='height: 10px; line-height: 20px; overflow: hidden'>Plååý</p>", ['cut at the bottom: "Plååý" in p.']),
    ("<button style='width: 30px; white-space: nowrap; padding: 0'>Plååý ñõõw</button>", ['wider than its button: "Plååý ñõõw"']),
    ("<p style='width: 40px; overflow-wrap: anywhere'>Fõõréétééll</p>", ["a word is broken: Fõõréétééll"]),
    ("<select style='width: 70px'><option>Plååý ñõõw ååñd tõõ</option></select>", ['cut in its list: "Plååý ñõõw ååñd tõõ"']),
    ("<p style='position: absolute; left: 350px'>Plååý</p>", ["the page is", 'beyond the edge of the screen: "Plååý"']),
    ("<div style='overflow-x: auto; width: 60px'><p style='white-space: nowrap'>Plååý ñõõw ååñd</p></div>", []),
]  # fmt: skip


def test_what_is_wrong_with_a_text(browse: Callable[..., Player]) -> None:
    page = browse(360, 640).page
    for content, found in CASES:
        page.set_content(f"<html lang=en><title>Å</title>{content}")
        problems = problems_on(page, ["Ada"]).get("en", [])
        assert len(problems) == len(found), f"{content}: {problems}"
        for problem, expected in zip(problems, found, strict=True):
            assert problem.startswith(expected), content
