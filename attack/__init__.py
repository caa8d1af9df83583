"""Attacks on stagg that anyone can rerun: see SECURITY.md."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does: forks of this process stand for commands
os.environ.setdefault("OMP_NUM_THREADS", "1")  # a fork of a process with threads of OpenMP waits for them without end
