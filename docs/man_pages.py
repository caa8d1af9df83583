"""The manual pages of the commands, and what shells need to complete them, made from click.

`python docs/man_pages.py DIR` writes man1/stagg.1, man1/stagg-fuse.1 and so on, and completions/stagg.bash, _stagg and
stagg.fish; `make man` writes them into build/.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import get_completion_class

import stagg
from stagg.cli.main import cli

SHELLS = {"bash": "stagg.bash", "zsh": "_stagg", "fish": "stagg.fish"}


def pages() -> dict[str, str]:
    """Every manual page by the name of its file."""
    with click.Context(cli, info_name="stagg") as context:
        made = {"stagg.1": page(cli, context)}
        for name in cli.list_commands(context):
            command = cli.get_command(context, name)
            if command is not None:
                made[f"stagg-{name}.1"] = page(command, click.Context(command, info_name=f"stagg {name}"))
    return made


def page(command: click.Command, context: click.Context) -> str:
    """One page in the language of man(7)."""
    title = str(context.info_name).replace(" ", "-")
    usage = " ".join([str(context.info_name), *command.collect_usage_pieces(context)])
    parts = [
        f'.TH "{title.upper()}" "1" "" "stagg {stagg.__version__}" "stagg manual"',
        ".SH NAME",
        f"{roff(title)} \\- {roff(command.get_short_help_str(200))}",
        ".SH SYNOPSIS",
        f".B {roff(usage)}",
        ".SH DESCRIPTION",
        *paragraphs(command.help or ""),
        ".SH OPTIONS",
        *options(command, context),
    ]
    if isinstance(command, click.Group):
        parts += [".SH COMMANDS", *commands(command, context)]
    return "\n".join(parts) + "\n"


def paragraphs(text: str) -> Iterator[str]:
    r"""The paragraphs of a help text; those that begin with \b keep their lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        kept = paragraph.startswith("\b")
        lines = [roff(line) for line in paragraph.removeprefix("\b").strip("\n").splitlines()]
        yield "\n".join([".PP", *([".nf", *lines, ".fi"] if kept else lines)])


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    for each in command.get_params(context):
        record = each.get_help_record(context)
        if record and record[1]:
            yield f".TP\n\\fB{roff(record[0])}\\fR\n{roff(' '.join(record[1].split()))}"


def commands(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            yield f".TP\n\\fBstagg\\-{roff(name)}\\fR(1)\n{roff(command.get_short_help_str(200))}"


def roff(text: str) -> str:
    """Text as man prints it: backslashes and dashes as they are, no line taken for a request."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + safe if safe.startswith((".", "'")) else safe


def completions() -> dict[str, str]:
    """What each shell reads, by the name of its file."""
    classes = {shell: get_completion_class(shell) for shell in SHELLS}
    return {
        SHELLS[shell]: made(cli, {}, "stagg", "_STAGG_COMPLETE").source() for shell, made in classes.items() if made
    }


def main(folder: Path) -> None:
    for below, texts in (("man1", pages()), ("completions", completions())):
        (folder / below).mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / below / name).write_text(text, encoding="utf-8")
        print(f"{folder / below}: {len(texts)} files")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
