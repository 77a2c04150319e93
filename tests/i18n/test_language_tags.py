"""Which language a person gets, from their browser, their terminal or a name."""

import pytest

from foretell.i18n import accepted_language, best_language, language_tags, terminal_language


@pytest.fixture(autouse=True)
def seven_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if all of them had a catalogue."""
    offered = ("en", "de", "es", "fr", "hu", "pt", "pt-BR")
    monkeypatch.setattr(language_tags, "languages", lambda: offered)


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ("fr", "fr"),
        ("fr-CA", "fr"),
        ("pt", "pt"),
        ("pt-PT", "pt"),
        ("pt-AO", "pt"),
        ("pt-BR", "pt-BR"),
        ("PT-br", "pt-BR"),
        ("pt_BR.UTF-8", "pt-BR"),
        ("de_AT@euro", "de"),
        ("ja", "en"),
        ("../../etc/passwd", "en"),
        ("", "en"),
    ],
)
def test_a_language_by_its_name(wanted: str, chosen: str) -> None:
    assert best_language([wanted]) == chosen


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("", "en"),
        ("hu", "hu"),
        ("ja, fr;q=0.8, en;q=0.5", "fr"),
        ("en;q=0.1, de;q=0.9", "de"),
        ("fr;q=0, es", "es"),
        ("*", "en"),
        ("fr;q=much, hu", "hu"),
        ("," * 1000, "en"),
    ],
)
def test_a_language_by_the_header_of_a_request(header: str, chosen: str) -> None:
    assert accepted_language(header) == chosen


@pytest.mark.parametrize(
    ("environment", "chosen"),
    [
        ({}, "en"),
        ({"LANG": "hu_HU.UTF-8"}, "hu"),
        ({"LANG": "hu_HU.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"}, "de"),
        ({"LANG": "hu_HU.UTF-8", "LC_ALL": "pt_BR.UTF-8"}, "pt-BR"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "fr"),
    ],
)
def test_a_language_by_the_environment(environment: dict[str, str], chosen: str) -> None:
    assert terminal_language(environment) == chosen
