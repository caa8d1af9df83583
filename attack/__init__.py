"""Attacks on stagg that anyone can rerun: see SECURITY.md."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does: forks of this process stand for commands
