"""`foretell rules`: lists the rulebooks, what a table may decide and what clashes, or explains one rule."""

import click

from foretell.handbook import SECTIONS, Section, section_of
from foretell.i18n import say as _say
from foretell.rules import DECISIONS, Decision, Setting, excluded_by
from foretell.rules.presets import PRESETS, Preset

_WIDTH = 80  # columns of a terminal


@click.command("rules", help="cli.rules.help")
@click.argument("rule", required=False, metavar="[RULE]")
def command(rule: str | None) -> None:
    if rule is not None:
        _explain(rule)
        return
    click.echo(_say("rules.books"))
    for preset in PRESETS.values():
        click.echo(_book(preset))
    click.echo()
    click.echo(_say("rules.decisions"))
    for one in DECISIONS:
        click.echo(f"\n  --{one.key.replace('_', '-')}  {_say(f'rules.{one.key}.about')}")
        for line in _choices(one):
            click.echo(line)


def _explain(rule: str) -> None:
    """Prints the section of the players' rules about `P3`, or the section `cloud`."""
    section = section_of(rule.upper()) or section_of(rule.lower())
    if section is None:
        names = ", ".join(one.key for one in SECTIONS)
        raise click.ClickException(_say("rules.unknown", rule=rule, sections=names))
    click.echo(_say(f"handbook.{section.key}.title"))
    for text in _paragraphs(section):
        click.echo(f"\n{click.wrap_text(text, _WIDTH)}")


def _paragraphs(section: Section) -> list[str]:
    texts = []
    for place, rules in enumerate(section.paragraphs, start=1):
        ids = f" ({' '.join(rules)})" if rules else ""
        texts.append(_say(f"handbook.{section.key}.{place}") + ids)
    if section.has_note:
        note = _say(f"handbook.{section.key}.note")
        texts.append(f"{_say('handbook.about_books')}. {note}")
    return texts


def _book(preset: Preset) -> str:
    offers = ", ".join(preset.variants) or _say("rules.no_variants")
    specials = f", {_say('rules.specials.any')}" if preset.offers_specials else ""
    return f"  {preset.key:<6} {_say(f'rules.book.{preset.key}')}\n         {_say('rules.offers')}: {offers}{specials}"


def _choices(one: Decision) -> list[str]:
    if one.form == "subset":
        lines = [
            f"    {c.name:<13} {c.rule}  {_say(f'rules.{one.key}.{c.name}')}" for c in one.choices
        ]
        return [*lines, *_excludes(Setting(one.key, "any"))]
    lines = []
    for choice in one.choices:
        lines.append(
            f"    {choice.name:<13} {choice.rule}  {_say(f'rules.{one.key}.{choice.name}.about')}"
        )
        lines += _excludes(Setting(one.key, choice.value))
    return lines


def _excludes(setting: Setting) -> list[str]:
    names = [f"{_say(other.term)} ({other.rule})" for other in excluded_by(setting)]
    return [f"{'':18}    {_say('rules.excludes')}: {', '.join(names)}"] if names else []
