"""Positive definite systems: SciPy's numbers to the last bit, without holding what others need."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.linalg import lapack

from stagg.kernels.fitting import cholesky as positive
from stagg.kernels.fitting.cholesky import solve_positive


def make_system(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    root = rng.normal(size=(n, n))
    return root @ root.T + np.eye(n), rng.normal(size=n)


@pytest.mark.parametrize("n", [1, 2, 7, 64, positive.SOON, positive.SOON + 1, 333])
def test_the_solution_is_that_of_scipy_to_the_last_bit(n: int) -> None:
    matrix, right = make_system(n)
    _, expected, failed = lapack.dposv(matrix.T.copy(order="F"), right, lower=1)
    assert not failed
    before = right.copy()
    assert solve_positive(matrix, right).tobytes() == expected.tobytes()
    assert right.tobytes() == before.tobytes()


@pytest.mark.parametrize("n", [2, 300])
def test_a_matrix_that_is_not_positive_definite_is_refused(n: int) -> None:
    assert solve_positive(-np.eye(n), np.ones(n)) is None


def test_an_interrupt_does_not_wait_for_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    solving, may_end, ended = threading.Event(), threading.Event(), threading.Event()
    main = threading.main_thread().ident
    assert main is not None

    def take_long(matrix: np.ndarray) -> np.ndarray:
        solving.set()
        may_end.wait(60)
        ended.set()
        return matrix

    def interrupt() -> None:
        solving.wait(60)
        signal.pthread_kill(main, signal.SIGINT)

    system = make_system(positive.SOON + 1)
    monkeypatch.setattr(np.linalg, "cholesky", take_long)
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        solve_positive(*system)
    assert not ended.is_set()
    may_end.set()


@pytest.fixture
def no_switches() -> Iterator[None]:
    """Threads leave the interpreter to others only of their own accord."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("no_switches")
def test_other_threads_run_while_lapack_solves() -> None:
    """A thread that counts keeps on counting: a call that held the interpreter would stop it."""
    matrix, right = make_system(400)  # NumPy copies up to 500 numbers without letting go of the interpreter
    counts, over = [0], threading.Event()

    def count() -> None:
        while not over.is_set():
            counts[0] += 1
            time.sleep(0)

    counting = threading.Thread(target=count)
    counting.start()
    held = []
    for _ in range(100):
        before = counts[0]
        assert solve_positive(matrix, right) is not None
        held.append(counts[0] == before)
    over.set()
    counting.join()
    assert not all(held)
