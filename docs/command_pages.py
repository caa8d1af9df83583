"""A page for every command, made from the help that click prints."""

from __future__ import annotations

import inspect
import re

import click

from stagg.cli.main import COMMANDS, cli

__all__ = ["FOLDER", "NAMES", "pages"]

FOLDER = "reference/commands"
NAMES = tuple(COMMANDS)


def pages() -> dict[str, str]:
    """The pages as Markdown, by their path below docs/."""
    made = {f"{FOLDER}/{name}.md": _page(name) for name in NAMES}
    return {f"{FOLDER}/index.md": _index(), **made}


def _index() -> str:
    rows = [f"| [`stagg {name}`]({name}.md) | {_summary(name)} |" for name in NAMES]
    intro = "This is what `stagg COMMAND --help` prints. Tables, pipes and completion: [on the command line]"
    head = ["# Commands", "", *_text(cli), f"{intro}(../../howto/terminal.md).", ""]
    return "\n".join([*head, "| command | what it does |", "|---|---|", *rows, ""])


def _page(name: str) -> str:
    command = _command(name)
    context = click.Context(command, info_name=f"stagg {name}", **cli.context_settings)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    lines = [f"# stagg {name}", "", f"`{usage}`", "", *_text(command), "## Options", ""]
    return "\n".join([*lines, "| option | what it does |", "|---|---|", *_options(command, context), ""])


def _command(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None, name
    return command


def _summary(name: str) -> str:
    """The first paragraph of the help."""
    return _paragraphs(_command(name))[0]


def _text(command: click.Command) -> list[str]:
    """The help, its examples as a block."""
    lines = []
    for paragraph in _paragraphs(command):
        block = paragraph.startswith("\b")
        lines += ["```", paragraph.removeprefix("\b").strip(), "```", ""] if block else [_mark_flags(paragraph), ""]
    return lines


def _paragraphs(command: click.Command) -> list[str]:
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    return [each if each.startswith("\b") else " ".join(each.split()) for each in paragraphs]


def _options(command: click.Command, context: click.Context) -> list[str]:
    """One row per option."""
    options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
    records = [each.get_help_record(context) for each in options]
    return [f"| {_names(record[0])} | {_mark_flags(record[1])} |" for record in records if record is not None]


def _names(record: str) -> str:
    """The names of an option as code, and below them what it can be: a bar would end the cell."""
    names, bracket, choices = record.partition(" [")
    return f"`{names}`<br>{choices.rstrip(']').replace('|', ', ')}" if bracket else f"`{names}`"


def _mark_flags(text: str) -> str:
    """Text with its flags as code; what stands between backticks is code already."""
    parts = " ".join(text.split()).split("`")
    parts[::2] = [re.sub(r"(?<![\w-])(--?[a-z][a-z-]*)", r"`\1`", part) for part in parts[::2]]
    return "`".join(parts).replace("|", "\\|")
