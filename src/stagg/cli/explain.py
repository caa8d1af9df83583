"""``stagg explain``: why an item stands where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from stagg.aggregate import Explanation, explain, prepare
from stagg.cli.planning import plan_options
from stagg.cli.reading import inputs, quiet_option, read_inputs, reading_options
from stagg.cli.talk import json_option, print_json, print_table, safe_cell
from stagg.formats import ReadOptions
from stagg.methods import Method
from stagg.methods.trust import Trust

__all__ = ["command"]

BAR = 40  # characters of the longest bar of a distribution
ROWS = 20


@click.command("explain")
@inputs
@click.option("--query", help="The query; may be left out when there is only one.")
@click.option("--item", required=True, help="The item to explain.")
@plan_options
@reading_options
@json_option
@quiet_option
def command(
    inputs: Sequence[str],
    query: str | None,
    item: str,
    method: Method,
    model: str | None,
    options: dict[str, Any],
    reading: tuple[str, ReadOptions],
    as_json: bool,
    quiet: bool,
) -> None:
    """Show what each ranker gave an item. Also show what changes when a ranker is left out.

    For St.Agg methods it also shows how likely each rank of the item is.

    \b
    stagg explain *.trec --query q1 --item d7
    stagg explain *.trec --query q1 --item d7 --method stagg_rrf --json
    stagg explain *.trec --query q1 --item d7 --model weights.json
    """
    prepare(method, **options)  # what is wrong with them is said before anything is read
    rankings = read_inputs(inputs, reading, quiet=quiet).rankings
    found = explain(rankings, method, item=item, query=query, **options)
    if as_json:
        plain = found.to_dict()
        print_json("explain", plain.pop("rankers"), **plain)
        return
    _print(found)


def _print(found: Explanation) -> None:
    where = f"rank {found.rank} of {found.n} in query {safe_cell(found.query)}"
    click.echo(f"{safe_cell(found.item)}: {where}, score {found.score:.6g} by {found.method}")
    rows = [
        [
            each.ranker,
            "-" if each.rank is None else f"{each.rank:g} of {each.length}",
            round(each.weight, 4),
            *([] if each.confidence is None else [f"{each.confidence:.3f}"]),
            "-" if each.contribution is None else f"{each.contribution:.6f}",
            "-" if each.share is None else f"{each.share:.1%}",
            each.rank_without,
        ]
        for each in found.rankers
    ]
    sure = any(each.confidence is not None for each in found.rankers)
    columns = ("ranker", "rank there", "weight", *(["confidence"] if sure else []), "gave", "share", "rank without it")
    note = "rank without it: the consensus rank when the ranker is left out."
    if sure:
        note += " confidence: how sure the list is in this query, by the spread of its scores; 1 is as usual."
    print_table("", columns, rows, note=note)
    if found.trust is not None:
        _print_trust(found.trust)
    if found.distribution is not None:
        _print_distribution(found)


def _print_trust(trust: Trust) -> None:
    rows = [
        [
            name,
            f"{each.reliability:.3f}",
            f"{each.share:.3f}",
            "-" if each.copy_of else f"{each.influence:.3f}",
            f"{each.confirmation:.2f}" if each.spreads else "no scores",
            f"the same as {each.copy_of}" if each.copy_of else ", ".join(f"{n} {by:.2f}" for n, by in each.relatives),
        ]
        for name, each in trust.rankers.items()
    ]
    note = (
        f"Learned from {trust.queries} queries in {len(trust.objective)} rounds"
        f"{'' if trust.converged else ' (not settled by then)'}, without labels. reliability: correlation with what"
        " is true; share: of the vote it has with its relatives; spread: how far the others agree more where its scores"
        " spread more; relatives: agreement beyond what quality explains. Consensus reliability"
        f" {trust.consensus:.2f}, so an item gets 1 / ({trust.c:.3g} + rank)."
    )
    columns = ("ranker", "reliability", "share", "influence", "spread", "relatives")
    print_table("Trust in each ranker", columns, rows, note=note)


def _print_distribution(found: Explanation) -> None:
    """The likely ranks as bars; what is too unlikely to show is left out."""
    chances = found.distribution if found.distribution is not None else np.zeros(0)
    shown_ranks = np.sort(np.argsort(-chances, kind="stable")[:ROWS])
    scale = BAR / max(float(chances.max(initial=0.0)), 1e-300)
    rows = [
        [int(r) + 1, f"{chances[r]:.4f}", "█" * round(float(chances[r]) * scale)] for r in shown_ranks if chances[r] > 0
    ]
    print_table("Rank distribution, averaged over the rankers", ("rank", "probability", ""), rows)
