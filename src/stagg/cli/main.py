"""``stagg``: the group of commands, exit statuses, and the handling of errors, warnings and Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import importlib
import io
import os
import sys
import warnings
from typing import Any, NoReturn

import click

from stagg._version import __version__
from stagg.errors import DataWarning, InvalidParameter, StaggError, UnknownName, printable
from stagg_start import loading

__all__ = ["cli", "main"]

GROUPS = {
    "Fuse and look": ("demo", "inspect", "fuse", "explain", "explore"),
    "Evaluate and decide": ("evaluate", "compare", "judge", "gate", "diff", "train", "robustness"),
    "Elections and leaderboards": ("elect", "leaderboard"),
    "Lists of names": ("methods", "measures", "learners", "features"),
    "Files and the paper": ("convert", "simulate", "reproduce"),
}
"""The commands as ``stagg --help`` shows them."""
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
NEAR = 0.7  # how like an unknown option another must be to be proposed: --top is not like --method
FEW_OWNERS = 4  # an option of more commands says little about what was meant
OTHER_WORDS = {
    **dict.fromkeys(("vote", "votes", "voting", "election", "count", "poll", "winner"), "elect"),
    **dict.fromkeys(("board", "benchmark", "ranks"), "leaderboard"),
    **dict.fromkeys(("merge", "combine", "aggregate", "rank"), "fuse"),
}
DATA_ERROR, USAGE_ERROR, INTERRUPTED = 1, 2, 130


class LazyGroup(click.Group):
    """Imports a command's file only when it is called, so that ``stagg --version`` costs nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group of commands."""
        widest = max(map(len, COMMANDS))
        limit = formatter.width - widest - 6
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), self._describe(ctx, name, limit)) for name in names])

    def _describe(self, ctx: click.Context, name: str, limit: int) -> str:
        command = self.get_command(ctx, name)
        return "" if command is None else command.get_short_help_str(limit)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        with loading():
            command: click.Command = importlib.import_module(f"stagg.cli.commands.{name}").command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            ctx.fail(_explain_no_command(name))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; that its reader has gone (``stagg ... | head``) is met here: to click it is an error."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _silence_stdout()
            return None
        except KeyboardInterrupt:  # click would add an empty line, which only a terminal needs: it shows ^C
            if sys.stderr.isatty():
                click.echo(err=True)
            ctx.exit(_say(INTERRUPTED, "interrupted"))
        return result


def _explain_no_command(name: str) -> str:
    """Words to type instead: the command that is meant, or the commands that take a file."""
    from stagg.formats.storage.source import strip_endings
    from stagg.registry import near_names

    there = os.path.exists(name)
    if there or strip_endings(name) != name:
        what = "is a file" if there else "looks like a file"
        return (
            f"{name!r} {what}, not a command: stagg elect FILE counts votes, stagg fuse FILE fuses rankings, "
            "stagg inspect FILE shows how it is read"
        )
    meant = OTHER_WORDS.get(name.casefold())
    return f"there is no command {name!r}" + (f"; did you mean {meant!r}?" if meant else near_names(name, COMMANDS))


def _print_version(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
    """The version, and which twin of the hot kernels does the work: it is what an odd timing hangs on."""
    if not asked or ctx.resilient_parsing:
        return
    from stagg.kernels.compiled import TWINS, built

    state = {0: "pure Python", len(TWINS): "compiled"}.get(len(built()), f"compiled: {', '.join(built())}")
    click.echo(f"stagg {__version__} ({state} kernels)")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version, and whether the kernels are compiled.",
)
def cli() -> None:
    """Fuse many rankings into one: search runs, votes, surveys, gene lists.

    Try `stagg demo` first. `stagg COMMAND --help` explains a command and shows examples.

    Results go to stdout or to files, messages go to stderr. Exit status: 0 success, 1 bad data, 2 bad usage,
    130 interrupted.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit; a StaggError is one line on stderr, never a traceback."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # Arrow's own keeps what it has freed
    if not os.environ.get("SOURCE_DATE_EPOCH", "0").isdecimal():
        del os.environ["SOURCE_DATE_EPOCH"]  # no moment; NumPy's f2py, which SciPy loads, would end with a traceback
    try:
        _prepare_streams()
        with warnings.catch_warnings():
            warnings.simplefilter("always", DataWarning)
            warnings.showwarning = _say_warning
            code = cli.main(arguments, prog_name="stagg", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        code = exit_.exit_code
    except click.Abort:
        code = _say(INTERRUPTED, "interrupted")
    except KeyboardInterrupt:
        code = _say(INTERRUPTED, "interrupted")
    except click.ClickException as error:
        code = _show_usage(error)
    except (InvalidParameter, UnknownName) as error:
        code = _say(USAGE_ERROR, "error: ", error)
    except StaggError as error:
        code = _say(DATA_ERROR, "error: ", error)
    except MemoryError:
        code = _say(DATA_ERROR, "error: there is not enough memory for this")
    except ImportError as error:  # a package that is damaged, or files that cannot be opened any more
        code = _say(DATA_ERROR, f"error: a part of stagg cannot be loaded: {error}")
    except OSError as error:  # a full disk behind stdout, say
        code = _say(DATA_ERROR, f"error: {_describe(error)}")
        _silence_stdout()
    sys.exit(code or 0)


def _describe(error: OSError) -> str:
    """The system's message, with its file."""
    if isinstance(error, FileNotFoundError) and error.filename is None:  # of all that we ask for, this has no name
        return "the current folder does not exist any more; change to another one"
    place = "" if error.filename is None else f"{error.filename}: "
    return f"{place}{error.strerror or error}"


def _prepare_streams() -> None:
    """A terminal that lacks a letter gets its escape; a result for a closed stdout is an error, a message is none."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  it lives as long as the process
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_ClosedOutput()))
    elif sys.stdout is sys.__stdout__ and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _write_all(sys.stdout)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _write_all(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """The same stream, but nothing is lost when its reader is slow or PYTHONUNBUFFERED is set.

    Without a buffer Python writes once and takes what was written, on a full disk or into a full pipe, for all of it.
    """
    stream.flush()
    raw = getattr(stream.buffer, "raw", stream.buffer)
    return io.TextIOWrapper(
        io.BufferedWriter(_PatientOutput(raw)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
    )


class _PatientOutput(io.RawIOBase):
    """Standard output that waits for its reader, also where another program told the pipe not to."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self.raw.fileno())

    def isatty(self) -> bool:
        return bool(self.raw.isatty())

    def write(self, block: Any) -> int:
        try:
            while (written := self.raw.write(block)) is None:
                import select  # here: few readers make us wait

                select.select([], [self.raw], [])
        except OSError as error:
            raise OSError(error.errno, f"standard output cannot be written: {error.strerror}") from None
        return int(written)


class _ClosedOutput(io.RawIOBase):
    """Standard output that was closed before we came: whatever is written is an error."""

    def writable(self) -> bool:
        return True

    def write(self, block: Any) -> NoReturn:
        raise OSError(errno.EBADF, "standard output is closed")


def _show_usage(error: click.ClickException) -> int:
    """Print what click found wrong, escaped line by line: it quotes what the user typed."""
    shown = io.StringIO()
    (_suggest_option(error) if isinstance(error, click.NoSuchOption) else error).show(file=shown)
    with contextlib.suppress(OSError):
        click.echo("\n".join(printable(line) for line in shown.getvalue().splitlines()), err=True)
    return USAGE_ERROR


def _suggest_option(error: click.NoSuchOption) -> click.UsageError:
    """An unknown option with the nearest ones, best first; else with the commands that have it."""
    import difflib

    known = [] if error.ctx is None else _list_flags(error.ctx.command)
    bare = {name.lstrip("-"): name for name in known}
    near = [bare[each] for each in difflib.get_close_matches(error.option_name.lstrip("-"), bare, n=3, cutoff=NEAR)]
    hint = f"Did you mean {' or '.join(near)}?" if near else _name_owners(error.option_name)
    return click.UsageError(f"There is no option {error.option_name}. {hint}".strip(), ctx=error.ctx)


def _list_flags(command: click.Command) -> list[str]:
    return [name for each in command.params if not getattr(each, "hidden", False) for name in each.opts if "--" in name]


def _name_owners(option: str) -> str:
    """The commands that have an option, if there are few."""
    group = click.Context(cli)
    commands = [command for name in COMMANDS if (command := cli.get_command(group, name)) is not None]
    owners = [str(each.name) for each in commands if option in _list_flags(each)]
    return f"It is an option of stagg {' and stagg '.join(owners)}." if 0 < len(owners) < FEW_OWNERS else ""


def _say_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning of the library, as a line of talk."""
    _say(0, "warning: ", message)


def _say(code: int, *parts: object) -> int:
    from stagg.cli.show.talk import say

    say(*parts)
    return code


def _silence_stdout() -> None:
    """Nothing more goes out, also not what the interpreter flushes when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  it lives as long as the process
