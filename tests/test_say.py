"""Messages that name options: as Python spells them, and as the command line does."""

from __future__ import annotations

import pickle
import shlex
from typing import Any

import pytest

from stagg.errors import DataError
from stagg.say import BREAK, Either, Say, Told, join_told, mention, name_option, spell_flags, spell_in_line, tell


@pytest.mark.parametrize(
    ("options", "python", "flags"),
    [
        ({"header": True}, "header=True", "--header"),
        ({"header": False}, "header=False", "--no-header"),
        ({"order_by": "rank"}, "order_by='rank'", "--order-by rank"),
        ({"delimiter": " ", "lenient": True}, "delimiter=' ', lenient=True", "--delimiter ' ' --lenient"),
        ({"format": "csv", "labels": "q"}, "format='csv', labels='q'", "--input-format csv --qrels q"),
        ({"lower": ["ppl", "a b"]}, "lower=['ppl', 'a b']", "--lower 'ppl,a b'"),
        ({"lower": ""}, "lower=''", "--lower ''"),
        ({"columns": {"item": "a", "rank": "b"}}, "columns={'item': 'a', 'rank': 'b'}", "--columns item=a,rank=b"),
        ({"columns": {"f": {"item": "a", "rank": "b"}}}, "columns={'f': {'item': 'a', 'rank': 'b'}}",
         "--columns f:item=a,rank=b"),
        ({"grades": {"good": 2}}, "grades={'good': 2}", "--grades good=2"),
    ],
)  # fmt: skip
def test_options_are_spelled_as_python_and_as_a_shell_take_them(
    options: dict[str, Any], python: str, flags: str
) -> None:
    say = Say(**options)
    assert (str(say), say.flags(), repr(say)) == (python, flags, f"Say({python})")
    assert eval(f"dict({python})") == options
    assert len(shlex.split(flags)) == sum(1 + (not isinstance(value, bool)) for value in options.values())
    assert say == Say(**options) == pickle.loads(pickle.dumps(say))
    assert hash(say) == hash(Say(**options))
    assert say != Say(other=1)
    assert say != python


def test_long_names_can_be_copied_up_to_1000_characters() -> None:
    assert "a" * 900 in str(Say(columns={"item": "a" * 900}))
    assert len(str(Say(columns={"item": "a" * 5000}))) < 1100


def test_a_message_keeps_its_remedies_and_spells_them_both_ways() -> None:
    said = Say(header=True)
    told = tell("a ", said, tell(" b ", name_option("order_by")), 7, DataError("bad", file="x", line=3))
    assert told == "a header=True b the option 'order_by'7x:3: bad"
    assert told.flags() == "a --header b --order-by7x:3: bad"
    assert told.says == (said,)
    both = "before " + (told + " after")
    assert isinstance(both, Told)
    assert both.flags() == f"before {told.flags()} after"
    again = pickle.loads(pickle.dumps(both))
    assert (again, again.flags(), again.says) == (both, both.flags(), both.says)
    assert tell(ValueError("one")) == "one"
    assert mention(header=True).flags() == "--header"
    assert tell("x", mention(header=True)).says == ()
    assert repr(Either("python", "flags")) == "Either(python)"


def test_parts_are_joined_with_a_text_between_them() -> None:
    says = [Say(header=True), Say(header=False), "none"]
    assert join_told(", ", says) == "header=True, header=False, none"
    assert join_told(", ", says).flags() == "--header, --no-header, none"
    assert join_told(", ", []) == ""
    assert join_told(", ", [says[0]]).says == (says[0],)


def test_a_line_ends_in_the_terminal_and_nowhere_else() -> None:
    told = tell("say", BREAK, Say(lenient=True), BREAK, "now")
    assert told == "say lenient=True now"
    assert spell_flags("warning: ", told) == ["warning: say", "  --lenient", "  now"]
    assert spell_in_line("warning: ", told) == "warning: say --lenient now"
