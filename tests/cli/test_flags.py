"""Messages of the library name Python options; the command line shows its own flags."""

from __future__ import annotations

import pytest

from stagg.cli.show.flags import name_flags


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("if '#' lines are comments, say comments=True", "if '#' lines are comments, say --comments"),
        ("order_by='rank' takes the rank column", "--order-by rank takes the rank column"),
        ("name the encoding (encoding='latin-1', ...)", "name the encoding (--encoding latin-1, ...)"),
        ("the option 'split_by_tag': split it first", "--split-by-tag: split it first"),
        ("JSON: say format='json'", "JSON: say --input-format json"),
        ("ask for them: intervals=0.9", "ask for them: --intervals 0.9"),
        ("no labels; give them as labels", "no labels; give them as --qrels"),
        ("borda(missing='skip') says so", "borda(missing='skip') says so"),
        ("threads=1 in a learner", "threads=1 in a learner"),
    ],
)  # fmt: skip
def test_options_become_flags_and_texts_of_methods_stay(message: str, shown: str) -> None:
    assert name_flags(message) == shown
