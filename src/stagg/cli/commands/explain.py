"""``stagg explain``: explain why an item has its rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from stagg.aggregate import Explanation, explain, prepare
from stagg.cli.options.planning import plan_options
from stagg.cli.options.reading import inputs, quiet_option, read_inputs
from stagg.cli.options.titles import TitleFiles, titles_options
from stagg.cli.show.consensus_view import ABSENCE
from stagg.cli.show.table_output import plain_reading_options
from stagg.cli.show.talk import print_json, print_table, print_text, safe_cell
from stagg.data.strangers import warn_of_strangers
from stagg.errors import plural
from stagg.formats import ReadOptions
from stagg.formats.documents.texts import Titles
from stagg.methods import Method
from stagg.methods.stochastic.trust import Trust

__all__ = ["command"]

BAR = 40  # characters of the longest bar of a distribution
ROWS = 20


@click.command("explain")
@inputs
@click.option("--query", help="The query; may be left out when there is only one.")
@click.option("--item", help="The item to explain.  [default: the first one of the consensus]")
@titles_options
@plan_options
@plain_reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    query: str | None,
    item: str | None,
    titles: TitleFiles,
    method: Method,
    model: str | None,
    options: dict[str, Any],
    reading: tuple[str, ReadOptions],
    as_json: bool,
    quiet: bool,
) -> None:
    """Show what each ranker gave an item. Also show what changes when a ranker is left out.

    Without --item it explains the first item of the consensus. It also shows how each ranker ranks the item just above,
    or just below the first item, and says which items have the same score. For St.Agg methods it shows how
    likely each rank of the item is.

    \b
    stagg explain runs/*.trec --query q1
    stagg explain runs/*.trec --query q1 --item d7
    stagg explain runs/*.trec --query q1 --item d7 --method stagg_rrf --json
    stagg explain runs/*.trec --query q1 --item d7 --model weights.json
    """
    plan = prepare(method, **options)  # what is wrong with them is said before anything is read
    rankings = read_inputs(inputs, reading, quiet=quiet, to_fuse=True).rankings
    warn_of_strangers(rankings)
    found = explain(rankings, method, item=item, query=query, **options)
    beside = [] if found.neighbour is None else [found.neighbour.item]
    told = titles.find([found.item, *beside], [found.query], reading[1], quiet=quiet)
    if as_json:
        named = {"title": told.of_item(found.item), "query_text": told.of_query(found.query)}
        plain = found.to_dict() | {name: text for name, text in named.items() if text is not None}
        print_json("explain", plain.pop("rankers"), **plain)
        return
    meaning = plan.method.told_absence
    _print(found, "" if meaning is None else f" {ABSENCE[meaning]}", told)


def _print(found: Explanation, absence: str, titles: Titles) -> None:
    """``absence``: what it means that a list does not hold an item, where that can be said."""
    for what, text in (("query", titles.of_query(found.query)), ("item", titles.of_item(found.item))):
        if text is not None:
            print_text(f"{what}: {text}")
    where = f"rank {found.rank} of {found.n} in query {safe_cell(found.query)}"
    click.echo(f"{safe_cell(found.item)}: {where}, score {found.score:.6g} by {found.method}")
    tie = found.tell_tie()
    if tie is not None:
        click.echo(tie)
    columns = _list_columns(found)
    print_table("", list(columns), list(zip(*columns.values(), strict=True)), note=_write_note(found, absence, titles))
    if found.trust is not None:
        _print_trust(found.trust)
    if found.distribution is not None:
        _print_distribution(found)


def _list_columns(found: Explanation) -> dict[str, list[Any]]:
    """Columns about every ranker, by their heads; nothing changes if the only list is left out."""
    given = found.rankers
    columns: dict[str, list[Any]] = {"ranker": [each.ranker for each in given]}
    columns["rank there"] = ["-" if each.rank is None else f"{each.rank:g} of {each.length}" for each in given]
    if found.neighbour is not None:
        ranks = [found.neighbour.ranks[each.ranker] for each in given]
        columns[_side(found)] = ["-" if rank is None else f"{rank:g}" for rank in ranks]
    columns["weight"] = [round(each.weight, 4) for each in given]
    if _has_confidence(found):
        columns["confidence"] = ["-" if each.confidence is None else f"{each.confidence:.3f}" for each in given]
    columns["gave"] = ["-" if each.contribution is None else f"{each.contribution:.6f}" for each in given]
    columns["share"] = ["-" if each.share is None else f"{each.share:.1%}" for each in given]
    if len(given) > 1:
        columns["rank without it"] = [each.rank_without for each in given]
    return columns


def _write_note(found: Explanation, absence: str, titles: Titles) -> str:
    """The meaning of the columns."""
    one = "There is only one list, so nothing was fused."
    notes = [one if len(found.rankers) == 1 else "rank without it: the consensus rank when the ranker is left out."]
    if found.neighbour is not None:
        side, item = _side(found), safe_cell(str(found.neighbour.item))
        title = titles.of_item(found.neighbour.item)
        item += "" if title is None else f" ({safe_cell(title)})"
        notes.append(f"{side}: the rank there of {item}, the item just {side}; {_compare_scores(found)}.")
    beside = {} if found.neighbour is None else found.neighbour.ranks
    if any(each.rank is None or beside.get(each.ranker, 1) is None for each in found.rankers):
        notes.append(f"-: the list does not hold the item.{absence}")
    if _has_confidence(found):
        notes.append("confidence: how sure the list is in this query, by the spread of its scores; 1 is as usual.")
    return " ".join(notes)


def _side(found: Explanation) -> str:
    return "below" if found.above is None else "above"


def _compare_scores(found: Explanation) -> str:
    """How far the item just above is ahead, or the one just below is behind."""
    beside = found.neighbour
    if beside is None or beside.item in found.tied:
        return "its score is the same"
    more = beside.score - found.score
    return f"its score is {beside.score:.6g}, {abs(more):.3g} {'more' if more > 0 else 'less'}"


def _has_confidence(found: Explanation) -> bool:
    return any(each.confidence is not None for each in found.rankers)


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
        f"Learned from {plural(trust.queries, 'query', 'queries')} in {plural(len(trust.objective), 'round')}"
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
