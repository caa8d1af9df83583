"""Gene sets (.gmt of MSigDB and Enrichr): a name, a description and genes in each line, with tabs between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stagg.errors import plural, shown
from stagg.formats.format import ONE_QUERY, Loaded, ReadOnly, Understood
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_order_by, refuse_values

__all__ = ["GeneSets"]

LINK: Final = pattern(rb"(?i)(?:> ?)?https?://\S+")
WEIGHTED: Final = pattern(r"(.*[^,]),([0-9]+(?:\.[0-9]*)?)")
"""A gene of Enrichr's libraries with its weight: TP53,1.0."""
FEWEST: Final = 2  # lines that show it without the ending
UNRANKED: Final = "sets without an order: the genes of each are tied"


class GeneSets(ReadOnly):
    """Gene sets (.gmt): every line is a ranker, whose genes are one tied group."""

    name = "gmt"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        """Lines whose second cell is a link, as MSigDB writes them, or na, or nothing, as Enrichr does."""
        lines = first_bytes.split(b"\n")
        rows = [line.split(b"\t") for line in lines[: max(len(lines) - 1, 1)] if line.strip()]
        if len(rows) < FEWEST or not all(len(row) > 2 and row[0].strip() and row[2].strip() for row in rows):
            return False
        told = {row[1].strip().lower() for row in rows}
        named = len({row[0] for row in rows}) == len(rows)
        if named and told <= {b"na", b""}:
            return b"" not in told or len({len(row) for row in rows}) > 1
        return named and all(map(LINK.fullmatch, told))

    def read(self, reading: Reading) -> Loaded:
        refuse_values(reading, "gene sets have no numbers")
        refuse_order_by(reading, "gene sets have no numbers")
        sets = list(_read_sets(reading))
        _cut_weights([genes for _, _, genes in sets], reading)
        from stagg.formats.tables.row_builder import RowBuilder  # here: all tables ask whether they are gene sets

        rows, names = RowBuilder(), [name for _, name, _ in sets]
        for line, name, genes in sets:
            for gene in dict.fromkeys(genes):
                rows.add(ONE_QUERY, name, gene, 0, line)
        again = sum(len(genes) - len({*genes}) for _, _, genes in sets)
        if again:
            reading.note(f"genes that come twice in a set count once ({plural(again, 'gene')})")
        rankings = rows.assemble(reading, [ONE_QUERY] if sets else [], names)
        return Loaded(rankings, names_rankers=True, understood=Understood("gene sets", UNRANKED))


def _read_sets(reading: Reading) -> Iterator[tuple[int, str, list[str]]]:
    """(line, name, genes) of every set."""
    seen: set[str] = set()
    for number, line in reading.source.lines():
        cells = [cell.strip() for cell in line.split("\t")]
        if not any(cells) or (reading.options.comments and line.startswith("#")):
            continue
        if len(cells) < 2:
            raise reading.error(
                f"expected a set, its description and its genes, with tabs between, found {shown(line)}", number
            )
        name = cells[0]
        if not name or name in seen:
            raise reading.error(f"two sets are named {shown(name)}" if name else "the name of the set is empty", number)
        seen.add(name)
        yield number, name, [cell for cell in cells[2:] if cell]


def _cut_weights(sets: Sequence[list[str]], reading: Reading) -> None:
    """Leave out the weights behind genes, TP53,1.0, where all are the same; others would order the genes."""
    matches = [WEIGHTED.fullmatch(gene) for genes in sets for gene in genes]
    if not matches or not all(matches):
        return
    weights = {float(match[2]) for match in matches if match}
    if len(weights) > 1:
        raise reading.error(
            "the genes have weights, which a table can hold: write one row for each, under set,gene,weight, and say "
            "which column is the ranker, the item and the score"
        )
    for genes in sets:
        genes[:] = [gene.rpartition(",")[0] for gene in genes]
    reading.note("the weights behind the genes, which are all the same, were left out")
