"""`foretell rules`: lists the rulebooks, what a table may decide, and what does not go together."""

import click

from foretell.i18n import say as _say
from foretell.rules import DECISIONS, Decision, Setting, excluded_by
from foretell.rules.presets import PRESETS, Preset


@click.command("rules", help="cli.rules.help")
def command() -> None:
    click.echo(_say("rules.books"))
    for preset in PRESETS.values():
        click.echo(_book(preset))
    click.echo()
    click.echo(_say("rules.decisions"))
    for one in DECISIONS:
        click.echo(f"\n  --{one.key.replace('_', '-')}  {_say(f'rules.{one.key}.about')}")
        for line in _choices(one):
            click.echo(line)


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
