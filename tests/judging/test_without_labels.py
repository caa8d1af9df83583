"""The sentence for inputs without labels."""

from __future__ import annotations

from stagg import Rankings
from stagg.judging.judge import first_forecast, forecast_line
from stagg.judging.without_labels import tell_without_labels


def test_it_says_what_nobody_can_tell_and_what_judgments_would_show() -> None:
    rng_runs = {
        name: {f"q{q}": {f"d{(i * k + q) % 97}": -float(i) for i in range(40)} for q in range(40)}
        for name, k in (("bm25", 3), ("dense", 5), ("late", 7))
    }
    given = Rankings.from_runs(rng_runs)
    found = first_forecast(given)
    assert found is not None
    said = tell_without_labels(given)
    assert said.startswith("Without labels nobody can tell which of these is better; 50 judgments would show")
    assert f"{found.widths[50]:.2f} between rrf and bm25: `stagg judge`." in said
    assert forecast_line(given) == found.text


def test_where_there_is_no_forecast_it_says_the_rest() -> None:
    said = tell_without_labels(Rankings.from_lists([["a", "b"], ["b", "a"], ["a"]]))
    assert (
        said == "Without labels nobody can tell which of these is better: `stagg judge` says which documents to judge."
    )
