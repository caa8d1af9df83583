"""Start the command line: Ctrl-C and failing imports end it with one line, even before anything is loaded.

Only what Python itself has loaded is imported above: whatever took time here could be interrupted without an answer.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what ``signal`` is made of
import gc
import itertools
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["loading", "main", "serve"]

FAILED, INTERRUPTED = 1, 130
LOADER = "<frozen importlib._bootstrap>"
SHOW_CURSOR = "\x1b[?25h\n"


def main() -> None:
    """Entry point of the command ``stagg``."""
    try:
        _prepare()
        _run()
    except KeyboardInterrupt:  # between two steps that both have an answer to it
        _quit()


def _prepare() -> None:
    """Set what has to be set before NumPy is loaded.

    One thread for BLAS: its threads wait for each other by turning round, so a machine that has other work is slowed
    down many times over, and how many there are changes the last bits of what is solved.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.excepthook, sys.unraisablehook = _tell_failure, _judge_unraisable
    import warnings

    warnings.showwarning = _tell_warning  # until the command line has its own


def _tell_failure(kind: Any, error: Any, trace: Any) -> None:
    """``python -m stagg`` loads the package before it calls anything of ours."""
    if issubclass(kind, (ImportError, OSError, MemoryError)):
        _tell(f"stagg: error: stagg cannot be loaded: {error}\n")
    else:
        sys.__excepthook__(kind, error, trace)


def _tell_warning(message: Any, *_: Any, **__: Any) -> None:
    """Print a warning from while the package is loaded, such as that kernels were not compiled."""
    _tell(f"stagg: warning: {message}\n")


def _judge_unraisable(ignored: Any) -> None:
    """A thread that found no memory for its first step is no news: its work is done by another.

    A Ctrl-C that met a ``__del__`` would be lost: Python goes on behind it.
    """
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        _leave()
    if not issubclass(ignored.exc_type, MemoryError):
        sys.__unraisablehook__(ignored)


def _run() -> None:
    try:
        with loading():
            from stagg.cli.main import main as run
    except (ImportError, OSError, MemoryError) as error:
        _tell(f"stagg: error: stagg cannot be loaded: {error}\n")
        sys.exit(FAILED)
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _interrupt)
    try:
        run()
    except SystemExit as ended:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # all is done; only the interpreter has to end
        gc.freeze()  # it would look for garbage in everything that is left, for nothing
        _drop_unheard_messages()
        if ended.code == INTERRUPTED:
            _end_at_once()
        raise


def _drop_unheard_messages() -> None:
    """Let go of messages that nobody can hear: Python would end with status 120 for them, whatever was done."""
    if sys.stderr is not None:
        try:
            sys.stderr.flush()
        except (OSError, ValueError):
            sys.stderr = None


def _end_at_once() -> None:
    """End after Ctrl-C without waiting for threads that still compute; what was half written is removed."""
    import atexit

    atexit._run_exitfuncs()
    os._exit(INTERRUPTED)


class loading:
    """While modules are loaded, Ctrl-C ends the process at once: an exception would be taken for a failed import.

    The search for garbage waits: modules are there to stay, and to go through them again and again takes time.
    """

    def __enter__(self) -> None:
        self.collects = gc.isenabled()
        gc.disable()
        self.before = _signal.getsignal(_signal.SIGINT)
        self.usual = self.before in (_signal.default_int_handler, _interrupt, _quit)
        if self.usual:
            try:
                _signal.signal(_signal.SIGINT, _quit)
            except ValueError:  # only the main thread hears of signals
                self.usual = False

    def __exit__(self, *_: object) -> None:
        if self.collects:
            gc.freeze()
            gc.enable()
        if self.usual:
            after = _interrupt if self.before is _interrupt else _signal.default_int_handler
            _signal.signal(_signal.SIGINT, after)


def _interrupt(number: int, frame: Any) -> None:
    """Ctrl-C in a command raises an exception. While a module is loaded, it ends the process.

    There a library may take the exception for a failed import that it can do without, and go on.
    """
    while frame is not None:
        if frame.f_code.co_filename == LOADER:
            _leave()
        frame = frame.f_back
    raise KeyboardInterrupt


def _leave() -> None:
    """End after Ctrl-C where no exception can say so."""
    if os.isatty(2):
        _tell(SHOW_CURSOR)  # a progress bar has hidden it
    _tell("stagg: interrupted\n")
    _end_at_once()


def _quit(*_: Any) -> None:
    _tell("stagg: interrupted\n")
    os._exit(INTERRUPTED)


def _tell(message: str) -> None:
    try:
        os.write(2, message.encode(errors="backslashreplace"))
    except OSError:
        return


def serve(module: str, function: str) -> None:
    """Call a function with the arguments of a process that was started for it and ends as soon as its parent is gone.

    The parent may be killed while modules are loaded here, so that is looked after first.
    """
    import _thread
    import importlib

    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    _thread.start_new_thread(_end_with_parent, ())
    try:
        work = getattr(importlib.import_module(module), function)
    except (ImportError, OSError, MemoryError):
        os._exit(FAILED)  # the parent notices, and tells
    work(*sys.argv[1:])


def _end_with_parent() -> None:
    """Standard input is a pipe that the parent holds and never writes to."""
    try:
        os.read(0, 1)
    finally:
        os._exit(FAILED)


def _is_module() -> bool:
    """Whether this is ``python -m stagg``, and the package is about to be loaded."""
    given = sys.orig_argv
    return sys.argv[:1] == ["-m"] and ("-mstagg" in given or ("-m", "stagg") in itertools.pairwise(given))


if _is_module():
    _prepare()
    _signal.signal(_signal.SIGINT, _quit)
