"""Old import paths: where the modules and names of stagg 0.2 are now.

An old path still works, with a warning: ``from stagg.integrations.legs import search`` gives
``stagg.search.retrieve.search``. So do pickles that were written by 0.2. Old paths will go with 1.0.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

__all__ = ["NAMES", "OldPaths", "find_moved"]

MODULES: Final[dict[str, str]] = dict(
    line.split()
    for line in """
cli.compare cli.commands.compare
cli.completion cli.options.completion
cli.consensus_view cli.show.consensus_view
cli.convert cli.commands.convert
cli.demo cli.commands.demo
cli.elect cli.commands.elect
cli.evaluate cli.commands.evaluate
cli.explain cli.commands.explain
cli.explore cli.commands.explore
cli.features cli.commands.features
cli.flags say
cli.fuse cli.commands.fuse
cli.inspect cli.commands.inspect
cli.judging cli.options.judging
cli.learners cli.commands.learners
cli.listing cli.show.listing
cli.measures cli.commands.measures
cli.methods cli.commands.methods
cli.options cli.options.bundles
cli.output_options cli.options.output
cli.planning cli.options.planning
cli.reading cli.options.reading
cli.reporting cli.options.reporting
cli.reproduce cli.commands.reproduce
cli.robustness cli.commands.robustness
cli.simulate cli.commands.simulate
cli.table_output cli.show.table_output
cli.talk cli.show.talk
cli.train cli.commands.train
cli.watching cli.show.watching
data.arrow data.inputs.arrow
data.ballots elections.ballot_table
data.beside data.results.beside
data.construct data.inputs.construct
data.frames data.inputs.frames
data.given data.inputs.types
data.hits data.results.hits
data.listings data.inputs.lists
data.notebook data.results.notebook
data.pages data.results.paging
data.rounding data.large_numbers
evaluation.axioms elections.axioms
evaluation.election_words elections.words
evaluation.elections elections.elect
evaluation.headline elections.headline
evaluation.runoff elections.runoff
evaluation.standing elections.standing
evaluation.victory elections.victory
formats.base formats.format
formats.bounds formats.storage.size_limits
formats.cells formats.tables.cells
formats.csv_file formats.tables.sources.csv
formats.delimited formats.tables.sources.csv_rows
formats.excel formats.tables.sources.excel
formats.excel_cells formats.tables.sources.excel_cells
formats.excel_dates formats.tables.sources.excel_dates
formats.excel_parts formats.tables.sources.excel_archive
formats.excel_xml formats.tables.sources.excel_xml
formats.files formats.inputs
formats.json_file formats.documents.json
formats.json_lists formats.documents.json_lists
formats.jsonl formats.documents.jsonl
formats.letor formats.runs.letor
formats.listed_rows formats.tables.row_builder
formats.multiplicities formats.row_checks
formats.named_columns formats.tables.named_columns
formats.ordering formats.runs.rank_and_score
formats.ordinals formats.tables.ordinals
formats.output formats.storage.atomic
formats.parquet formats.tables.sources.parquet
formats.paths formats.storage.paths
formats.preflib formats.documents.ballots.preflib
formats.responses formats.documents.responses
formats.source formats.storage.source
formats.text formats.runs.row_text
formats.ties formats.tables.layouts.shared.written_ties
formats.trec formats.runs.trec
formats.voters formats.tables.layouts.shared.voters
formats.wide_numbers formats.tables.layouts.shared.direction
integrations.documents search.documents
integrations.fields search.fields
integrations.legs search.retrieve
integrations.threads threads
kernels.agreement kernels.agreement.order_agreement
kernels.apart threads
kernels.bootstrap kernels.lists.bootstrap
kernels.confidence kernels.agreement.confidence
kernels.contests kernels.stochastic.contests
kernels.cps kernels.orders.cps
kernels.expectations kernels.stochastic.expectations
kernels.expected_measures kernels.stochastic.expected_measures
kernels.expected_wins kernels.pairs.expected_wins
kernels.expertise kernels.fitting.expertise
kernels.first_ranks kernels.stochastic.first_rank_pmf
kernels.graphs kernels.pairs.graphs
kernels.hits kernels.lists.relevance
kernels.kemeny kernels.orders.kemeny
kernels.kemeny_exact kernels.orders.kemeny_exact
kernels.kemeny_moves kernels.orders.kemeny_moves
kernels.lambdas kernels.stochastic.lambdas
kernels.list_pairs kernels.agreement.list_pairs
kernels.local_kemeny kernels.orders.local_kemeny
kernels.majority kernels.pairs.majority
kernels.mallows kernels.orders.mallows
kernels.markov kernels.orders.markov
kernels.medians kernels.lists.medians
kernels.mixed_chains kernels.orders.mixed_chains
kernels.newton kernels.fitting.newton
kernels.normalise kernels.lists.normalise
kernels.order_statistics kernels.lists.order_statistics
kernels.pair_matrices kernels.pairs.pair_matrices
kernels.pair_models kernels.fitting.pair_models
kernels.pairwise kernels.pairs.pairwise
kernels.paths kernels.pairs.beatpaths
kernels.permutations kernels.orders.permutations
kernels.place_contests kernels.stochastic.place_contests
kernels.plackett_luce kernels.fitting.plackett_luce
kernels.positive kernels.fitting.cholesky
kernels.rank_pmf kernels.stochastic.rank_pmf
kernels.reliability kernels.agreement.reliability
kernels.runoffs kernels.lists.runoffs
kernels.sharing kernels.agreement.sharing
kernels.singular_values kernels.pairs.singular_values
kernels.tallies kernels.lists.tallies
kernels.threads threads
kernels.tool_norms kernels.lists.tool_norms
kernels.utilities kernels.stochastic.utilities
kernels.votes kernels.lists.votes
learning.bayesfuse learning.places.bayesfuse
learning.best_input learning.single.best_input
learning.blocks learning.single.blocks
learning.cps learning.single.stagewise
learning.descent learning.linear.descent
learning.feature_model learning.linear.feature_model
learning.linear_learner learning.linear.linear_learner
learning.linear_model learning.linear.linear_model
learning.mixed learning.places.mixed
learning.places learning.places.fuse_by_place
learning.rankagg learning.linear.rankagg
learning.scaled learning.linear.scaled
learning.segments learning.places.segments
learning.stochastic learning.linear.expected_measure
learning.supervised_mc learning.single.supervised_mc
learning.tables learning.places.place_tables
learning.theta_mpm learning.single.theta_mpm
learning.trees learning.trees.boosted_trees
learning.trees_boosting learning.trees.boosting
learning.trees_text learning.trees.forest_text
learning.trust_learner learning.single.trust_learner
learning.trust_prior learning.single.trust_prior
learning.weights learning.single.weights
methods.agreements methods.stochastic.agreements
methods.choices methods.voting.top_choices
methods.comb methods.positional.comb
methods.condorcet_rules methods.voting.condorcet_rules
methods.counted methods.positional.counted
methods.elimination methods.voting.elimination
methods.kemeny methods.pairwise.kemeny
methods.learned_shape methods.stochastic.learned_shape
methods.likelihood methods.models.likelihood
methods.local_kemeny methods.pairwise.local_kemeny
methods.majority methods.pairwise.majority
methods.mallows methods.models.mallows
methods.markov methods.pairwise.markov
methods.median_rank methods.positional.median_rank
methods.mpm methods.models.mpm
methods.pair_models methods.models.pair_models
methods.plackett_luce methods.models.plackett_luce
methods.positional methods.positional.rank_sums
methods.rra methods.positional.rra
methods.shapes methods.stochastic.shapes
methods.stochastic methods.stochastic.stagg
methods.svp methods.pairwise.svp
methods.trust methods.stochastic.trust
methods.uncertain methods.pairwise.uncertain
methods.uncertain_models methods.models.uncertain_models
paper.embedding paper.output.embedding
paper.experiment paper.experiments.base
paper.figure1 paper.experiments.figure1
paper.figure4 paper.experiments.figure4
paper.figures paper.output.figures
paper.files paper.output.folder
paper.jobs paper.work.jobs
paper.layouts paper.output.printed_tables
paper.pages paper.output.reproduction_page
paper.printed paper.experiments.printed
paper.processes paper.work.processes
paper.readings paper.experiments.readings
paper.store paper.work.store
paper.supervised paper.experiments.supervised
paper.supervised_claims paper.experiments.supervised_claims
paper.table1 paper.experiments.table1
paper.table1_claims paper.experiments.table1_claims
paper.trained paper.experiments.trained
report.charts report.charts.svg
report.commands report.copied_commands
report.comparison report.pages.comparison
report.election_page report.pages.election
report.explorer report.pages.explorer
report.explorer_data report.pages.explorer_data
report.flows report.charts.flows
report.fusion_page report.pages.fusion
report.plots report.charts.plots
report.settings report.pages.explorer_settings
""".strip().splitlines()
)
"""Modules: where each was and where it is, below stagg."""

NAMES: Final[dict[str, str]] = dict(
    line.split()
    for line in """
cli.flags.name_flags say.spell_in_line
cli.judging.labels_of cli.options.judging.find_labels
cli.reading.opened cli.options.reading.open_inputs
data.listings.read_list data.inputs.lists.read_listing
data.notebook.number_text data.results.notebook.cell_number
evaluation.Election elections.Election
evaluation.elect elections.elect
evaluation.runoff.winners_of elections.runoff.runoff_winners
features.borda.Borda features.borda.BordaFeatures
features.ranks.Ranks features.ranks.RankFeatures
formats.base.Duplicates formats.options.Duplicates
formats.base.IGNORE formats.options.IGNORE
formats.base.INTEGER formats.numbers.INTEGER
formats.base.LAYOUTS formats.options.LAYOUTS
formats.base.LEFT_OUT formats.row_checks.LEFT_OUT
formats.base.NUMBER formats.numbers.NUMBER
formats.base.Outer formats.options.Outer
formats.base.Problem formats.row_checks.Problem
formats.base.ROLES formats.options.ROLES
formats.base.ReadOptions formats.options.ReadOptions
formats.base.ReadingOptions formats.options.ReadingOptions
formats.base.assemble_rows formats.row_checks.assemble_rows
formats.base.check_columns formats.options.check_columns
formats.base.check_delimiter formats.options.check_delimiter
formats.base.find_long_id formats.row_checks.find_long_id
formats.base.hints formats.row_checks.hints
formats.base.id_refusal formats.row_checks.id_refusal
formats.base.label_problem formats.row_checks.label_problem
formats.base.list_ids formats.row_checks.list_ids
formats.base.note_large_ties formats.row_checks.note_large_ties
formats.base.number_text formats.numbers.number_text
formats.base.parse_number formats.numbers.parse_number
formats.base.parse_whole formats.numbers.parse_whole
formats.base.refuse_long_ids formats.row_checks.refuse_long_ids
formats.base.refuse_order_by formats.row_checks.refuse_order_by
formats.base.refuse_values formats.row_checks.refuse_values
formats.cells.NO_NUMBERS formats.tables.vocabulary.NO_NUMBERS
formats.cells.find_delimiter formats.tables.sources.dialects.find_delimiter
formats.cells.looks_like_table formats.tables.sources.dialects.looks_like_table
formats.cells.named_delimiter formats.tables.sources.dialects.named_delimiter
formats.cells.sample_lines formats.tables.sources.dialects.sample_lines
formats.bounds.Counted formats.storage.size_limits.CountedBytes
formats.delimited.Rows formats.tables.sources.csv_rows.CsvRows
formats.files.FORMATS formats.format.FORMATS
formats.files.check_writable formats.write.check_writable
formats.files.format_of_name formats.write.format_of_name
formats.files.pick_fused_format formats.write.pick_fused_format
formats.files.write formats.write.write
cli.fuse_parts.available_cores threads.available_cores
formats.delimited.is_text kernels.text.text.is_text
formats.files.write_stream formats.write.write_stream
formats.listed_rows.Rows formats.tables.row_builder.RowBuilder
formats.named_columns.check_values formats.tables.named_columns.check_values_option
formats.ordering.first_ranks formats.runs.rank_and_score.find_first_ranks
formats.voters.tell_apart formats.tables.layouts.shared.voters.tell_voters_apart
integrations.langchain.FuseOptions integrations.langchain.LangChainOptions
integrations.llamaindex.FuseOptions integrations.llamaindex.LlamaIndexOptions
integrations.threads.Job threads.LegCall
integrations.threads.Threads search.retrieve.Threads
kernels.cps.scale_down kernels.orders.cps.find_unit_scale
kernels.local_kemeny.inserted kernels.pairs.insertion.inserted
kernels.local_kemeny.inserted_in_python kernels.pairs.insertion.inserted_in_python
kernels.markov.shared_choices kernels.pairs.shared_choices.shared_choices
kernels.markov.shared_choices_in_numpy kernels.pairs.shared_choices.shared_choices_in_numpy
kernels.pairwise.order_scores kernels.pairs.pairwise.score_by_place
kernels.tallies.read_ballots kernels.lists.tallies.prepare_ballots
learning.descent.Leg learning.linear.descent.DescentLeg
learning.stochastic.Stochastic learning.linear.expected_measure.ExpectedMeasureLearner
learning.weights.WeightedMethod learning.single.weighted_method.WeightedMethod
learning.trees_boosting.Rows learning.trees.boosting.TreeRows
methods.likelihood.canonical methods.models.likelihood.canonical_query
paper.experiment.judge paper.experiments.base.judge_claim
paper.layouts.lay_out paper.output.printed_tables.lay_out_table
paper.readings.Reading paper.experiments.readings.PaperReading
paper.pages.summarise paper.output.reproduction_page.summarise_reproduction
report.Source report.PageSource
report.explorer_data.Source report.pages.explorer_data.PageSource
""".strip().splitlines()
)
"""Names that have gone elsewhere than their module, or are called otherwise now."""


def find_moved(module: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module, or of a package that was one: names that it had in 0.2, with a warning.

    >>> find_moved("stagg.evaluation")("elects")
    Traceback (most recent call last):
    AttributeError: module 'stagg.evaluation' has no attribute 'elects'
    """
    old = module.removeprefix("stagg.")

    def get(name: str) -> Any:
        home, _, new = NAMES.get(f"{old}.{name}", f"{MODULES.get(old, '')}.{name}").rpartition(".")
        if not home or name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        try:
            value = getattr(importlib.import_module(f"stagg.{home}"), new)
        except AttributeError:
            raise AttributeError(f"module {module!r} has no attribute {name!r}") from None
        warnings.warn(f"{module}.{name} is stagg.{home}.{new} now", DeprecationWarning, stacklevel=2)
        return value

    return get


class _OldModule(ModuleType):
    """An empty module that can be called as the function of its name: to import it puts it in the function's place.

    ``stagg.report.fusion_page`` was both, and the function stays in the package.
    """

    def __call__(self, *args: Any, **options: Any) -> Any:
        old = self.__name__.removeprefix("stagg.")
        return getattr(importlib.import_module(f"stagg.{MODULES[old]}"), old.rpartition(".")[2])(*args, **options)


class OldPaths:
    """A finder of modules that have moved: each is a module without content that looks names up where they are now."""

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        return ModuleSpec(name, cls) if name.removeprefix("stagg.") in MODULES else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        return _OldModule(spec.name)

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        module.__getattr__ = find_moved(module.__name__)  # type: ignore[method-assign]
