"""``stagg train``: labels in, a model file out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from stagg.aggregate import prepare
from stagg.cli.options.completion import complete_name
from stagg.cli.options.judging import conventions_option, find_labels, qrels_option
from stagg.cli.options.reading import inputs, quiet_option, read_inputs, reading_options, refuse_own_input
from stagg.cli.show.talk import say
from stagg.cli.show.watching import INTERRUPTED, watching
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.data.strangers import warn_of_strangers
from stagg.errors import InvalidParameter, plural
from stagg.formats import ReadOptions
from stagg.learning.base import Model
from stagg.learning.training import learner_of, train
from stagg.measures import Conventions
from stagg.measures.unjudged import REACH, round_share, share_by_ranker, tell_uneven

__all__ = ["command"]

MOST_LINES = 20  # about single rankers


@click.command("train")
@inputs
@qrels_option
@click.option(
    "--learner",
    "-l",
    default="few_labels",
    show_default=True,
    shell_complete=complete_name("learner"),
    help="The learner; `stagg learners` lists them.",
)
@click.option("--output", "-o", required=True, type=click.Path(dir_okay=False), help="Where to write the model (JSON).")
@click.option(
    "--validation",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A file with other queries and the same rankers, to choose the best model by. You can give it several times.",
)
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Set aside this share of the queries, to choose the best model by.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the hold-out.")
@conventions_option
@reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    qrels: str | None,
    learner: str,
    output: str,
    validation: Sequence[str],
    holdout: float | None,
    seed: int,
    conventions: Conventions,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Train a learner on labelled rankings. It saves a model, which `stagg fuse --model` uses.

    The default, `few_labels`, starts at the weights that `stagg_trust` finds without labels, and moves them as far as
    the labels ask. It prints in one sentence whether they ask for other weights, and each weight with an interval.
    The labels may be whole judged lists or a few judgments of many queries.

    The learner `trust` needs no labels: it learns from agreement how far each ranker can be trusted.

    What was learned of the rankers is printed: weights, the best input, or how far each is trusted.

    The progress is shown as a bar; in a log, iterations 1, 2, 4, 8, ... are reported. The mean at the end is over the
    training queries, on which the model looks better than on others: `stagg compare --folds 5 --learners` measures it
    on queries that it has not seen. Ctrl-C ends the training and keeps the best model so far; a second Ctrl-C ends the
    command.

    \b
    stagg train runs/*.trec --qrels qrels.txt -o model.json
    stagg train A1.txt A2.txt A3.txt --validation A4.txt --learner "stagg_ndcg(features='ranks')" -o model.json
    stagg train runs/*.trec --qrels qrels.txt --learner "weights(method='rrf(c=60)')" -o weights.json
    stagg train runs/*.trec --learner trust -o trust.json
    stagg fuse runs/*.trec --model weights.json -o fused.trec
    """
    chosen = learner_of(learner)
    if not chosen.needs_labels and (qrels or validation or holdout is not None):
        raise InvalidParameter(f"{chosen.name} learns without labels: --qrels, --validation and --holdout have no use")
    if validation and holdout is not None:
        raise InvalidParameter("--validation and --holdout exclude each other")
    refuse_own_input(output, [*inputs, *validation], qrels)
    if output.endswith((".gz", ".bz2", ".xz", ".zst")):
        raise InvalidParameter(f"{output}: a model is plain JSON")
    if not Path(output).parent.is_dir():
        raise InvalidParameter(f"{output}: there is no such folder")  # said before the training, not after it
    loaded = read_inputs(inputs, reading, quiet=quiet, to_fuse=True)
    warn_of_strangers(loaded.rankings)
    labels = find_labels(loaded, qrels, reading[1], quiet=quiet) if chosen.needs_labels else None
    if labels is not None and not chosen.unjudged_counts and not quiet:  # the others are warned of it
        _say_uneven(loaded.rankings, labels)
    part = None
    if validation:
        other = read_inputs(validation, reading, quiet=quiet)
        part = (other.rankings, find_labels(other, qrels, reading[1], quiet=True))
    with watching(f"fitting {chosen!r}", quiet=quiet) as watcher:
        model = train(
            loaded.rankings, chosen, labels,
            validation=part, holdout=holdout, seed=seed, conventions=conventions, watch=watcher,
        )  # fmt: skip
    model.save(output)
    if watcher.interrupted:
        say(f"interrupted: the best model so far is written to {output}")
        raise click.exceptions.Exit(INTERRUPTED)
    if not quiet:
        lines = model.tell_rankers()
        for line in lines[:MOST_LINES]:
            say(line)
        if len(lines) > MOST_LINES:
            say(f"and {plural(len(lines) - MOST_LINES, 'more ranker')}, which the model holds")
        judged = "" if labels is None else _tell_judged(model, loaded.rankings, labels)
        say(f"{model.label} trained ({model.tell_training()}{judged}); written to {output}")


def _tell_judged(model: Model, rankings: Rankings, labels: Labels) -> str:
    """How much of what the model fuses is judged, to stand beside the mean; nothing where all of the input is."""
    if set(share_by_ranker(rankings, labels).values()) <= {1.0}:
        return ""
    shares = share_by_ranker(prepare(model).fuse(rankings).consensus, labels)
    return "".join(f", judged@{REACH} {round_share(share):.2f}" for share in shares.values())


def _say_uneven(rankings: Rankings, labels: Labels) -> None:
    uneven = tell_uneven(rankings, labels, left_out=True)
    if uneven is not None:
        say(uneven)
