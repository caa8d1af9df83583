"""The cases of bench/outputs.py: lines of shell and calls of the public library, each with a name that stays."""

# ruff: noqa: E501 (a case is a line)

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

INPUTS = {
    "SAMPLE": "in/sample/bm25.trec in/sample/dense.trec in/sample/sparse.trec",
    "QRELS": "in/sample/qrels.txt",
    "DL": "in/dl19/BM25.trec in/dl19/D_BERT_KD_TASB.trec in/dl19/SPLADE_P_P_ENSEMBLE_DISTIL.trec",
    "JUDGED": "in/dl19/qrels.txt",
    "PARTS": " ".join(f"in/letor/MQ2008-agg/A{part}.txt" for part in range(1, 6)),
    "PART": "in/letor/MQ2008-agg/A1.txt",
    "NEXT": "in/letor/MQ2008-agg/A2.txt",
    "SKATE": "in/skate/00006-00000001.toc",
    "H": "in/hostile",
    "F": "in/formats",
    "PACKED": "{|.gz|.bz2|.xz|.zst}",
    "AS": "--format {table|md|latex|csv|json}",
    "ALL": "ndcg@5,ndcg(gain='linear'),err@10,rbp(p=0.8),map,p@5,recall@10,mrr,success@3,judged@10,kendall_tau,footrule",
}

PRELUDE = """
import json, sys, warnings
import stagg
from stagg import Labels, Rankings, compare, evaluate, explain, fuse, rank_distribution, read, read_labels, write
warnings.showwarning = lambda message, *rest: print(message, file=sys.stderr)
sample = ["in/sample/bm25.trec", "in/sample/dense.trec", "in/sample/sparse.trec"]
lists = [["a", "b", "c"], ["b", ["a", "d"]], ["e", "b", "d", "a"]]
runs = {"x": {"q1": {"a": 3, "b": 2.5, "c": 2.5}, "q2": {"é": 1}}, "y": {"q1": {"b": 9, "d": -1e300}, "q3": {"z": 0}}}
def show(value):
    if isinstance(value, Rankings):
        print(repr(value), json.dumps(value.to_columns()), value.weights.tolist(), value.multiplicities.tolist())
        if value.intervals is not None:
            print(*(getattr(value.intervals, name).tolist() for name in ("low", "high", "top", "group")))
    else:
        print(value)
def refused(call):
    try:
        show(call())
    except Exception as error:
        print(type(error).__name__)
        print(error, file=sys.stderr)
"""


@dataclasses.dataclass(frozen=True)
class Case:
    """One thing to run: commands of stagg with `` ; `` between, or Python; ``draws``: its bytes hang on seeded draws.

    In commands ``$NAME`` is one of the inputs, ``{a|b}`` one command for each, in which % is a or b, and ``< FILE``
    standard input. ``plain``: each in a new process, not in a copy of one that has imported everything.
    """

    name: str
    code: str
    library: bool = False
    draws: bool = False

    @property
    def plain(self) -> bool:
        return self.name.startswith(("pure.", "plain.", "reproduce."))

    def scripts(self) -> list[str]:
        """The code of a library case behind its prelude; the commands of another, all alternatives written out."""
        if self.library:
            return [PRELUDE + self.code.replace("BAD", repr(BAD))]
        given = re.sub(r"\$([A-Z]+)", lambda found: INPUTS[found[1]], self.code)
        return [each for command in given.split(" ; ") for each in alternatives(command)]


def alternatives(command: str) -> list[str]:
    """A command with ``{a|b}`` in it as several, one for each.

    >>> alternatives("fuse x --top {1|2} -o %.csv")
    ['fuse x --top 1 -o 1.csv', 'fuse x --top 2 -o 2.csv']
    """
    found = re.search(r"\{([^{}]*)\}", command)
    if found is None:
        return [command]
    before, after = command[: found.start()], command[found.end() :]
    return [one for each in found[1].split("|") for one in alternatives(before + each + after.replace("%", each))]


def all_cases(methods: list[str]) -> Iterator[Case]:
    for method in methods:
        yield from cases_of_method(method)
    for text in VARIANTS.split():
        name = text.replace("'", "")
        yield Case(f"variant.{name}", f'fuse $SAMPLE -m "{text}" -o out.csv', draws="cranking" in text)
        yield Case(f"variant.letor.{name}", f'fuse $PART -m "{by_rank(text)}"', draws="cranking" in text)
    for line in LEARNERS.split("\n"):
        yield from cases_of_learner(line)
    for text in COMMANDS.strip().splitlines():
        yield listed(text, library=False)
    for name in BAD.split():
        yield Case(f"bad.{name}", f"fuse $H/{name} -o out.csv")
        yield Case(f"lenient.{name}", f"fuse $H/{name} --lenient -o out.csv")
    for text in CALLS.strip().replace("\n    ", "\n").split("\n\n"):
        yield listed(text, library=True)


def listed(line: str, *, library: bool) -> Case:
    """A case from ``name | code``; the name begins with ~ where there are draws."""
    name, _, code = line.partition("|")
    plain = name.strip().removeprefix("~")
    group = "call." if library else ""
    return Case(group + plain, code.strip(), library=library, draws=name.startswith("~"))


def by_rank(method: str) -> str:
    """The method in a form that needs no scores."""
    name, _, parameters = method.partition("(")
    return method if parameters or not (name.startswith("comb") or name.endswith("mnz")) else f"{name}(norm='rank')"


def cases_of_method(name: str) -> Iterator[Case]:
    """What every method is given: each kind of input, each meaning of absence, intervals, an explanation, a call."""
    of_ranks, draws = by_rank(name), name == "cranking"
    ties = "$H/ties.trec $H/near.trec $H/blanks.trec $H/order.trec"
    absences = f"fuse $SAMPLE -m {name} --missing {{below|neutral|skip}} -o %.csv"
    item = "--query repot-an-orchid --item root-rot-rescue"
    yield Case(f"fuse.sample.{name}", f"fuse $SAMPLE -m {name} -o out.csv", draws=draws)
    yield Case(f"fuse.letor.{name}", f'fuse $PART -m "{of_ranks}" -o out.csv', draws=draws)
    yield Case(f"fuse.skate.{name}", f'fuse $SKATE -m "{of_ranks}" -o out.json', draws=draws)
    yield Case(f"fuse.dl19.{name}", f"fuse $DL -m {name} --depth 8 --top 9 --weights 2,1,0.5", draws=draws)
    yield Case(f"fuse.ties.{name}", f"fuse {ties} -m {name}", draws=draws)
    yield Case(f"fuse.missing.{name}", absences, draws=draws)
    resampled = f"fuse $SAMPLE -m {name} --intervals 0.9 --draws 5 --seed 3 -o out.csv"
    yield Case(f"intervals.sample.{name}", resampled, draws=True)
    yield Case(f"explain.sample.{name}", f"explain $SAMPLE -m {name} {item} --json", draws=draws)
    call = f'show(fuse(lists, "{of_ranks}", weights=[2, 1, 0.5]))\nshow(explain(lists, "{of_ranks}", item="b"))'
    yield Case(f"call.method.{name}", call, library=True, draws=draws)


def cases_of_learner(text: str) -> Iterator[Case]:
    """Train on LETOR, choose on another part, fuse a third with the model."""
    name, draws = text.replace("'", ""), text.startswith("cps")
    labels = "" if text.startswith("trust") else "--validation $NEXT"
    train = f'train $PART {labels} -l "{text}" -o model.json'
    yield Case(f"learn.{name}", f"{train} ; fuse $NEXT --model model.json -o out.csv", draws=draws)


VARIANTS = """rrf(c=10) rrf(c=0.5) rrf(compat='llamaindex')
rrf(compat='haystack') rrf(compat='qdrant') rrf(c=9,compat='pyterrier') rbc(phi=0.5) combsum(norm='max') combsum(norm='sum') combsum(norm='z-score')
combsum(norm='rank') combsum(norm='borda') combsum(norm='none') combmnz(norm='rank') combmed(norm='borda')
stagg_bc(shape='paper') stagg_bc(shape='harmonic(2)') stagg_rrf(shape='linear',c=10) stagg_rrf(shape='paper')
stagg(utility='borda') stagg(utility='list_borda') stagg(utility='rbp(0.5)') stagg(utility='isr')
stagg(utility='top(3)') stagg(shape='linear',utility='rrf(c=5)') stagg_trust(confidence=False) stagg_trust(shape='linear',ridge=0.5)
plackett_luce(solver='mm') plackett_luce(prior=1) mpm(counts='binary') mpm(spread=0.5) bradley_terry(prior=1)
thurstone(prior=0.5) mc1(teleport=0.05) mc4(teleport=0.5) local_kemeny(start='mc4') local_kemeny(start='rrf(c=10)')
mclk(chain='mc1') kemeny(exact=False) svp(form='geometric') svp(form='binary') svp(form='logodds',step=1.0)
cranking(theta=0.5,sweeps=100,seed=7)"""

LEARNERS = """best_input
best_input(measure='err')
weights
weights(method='borda',measure='map')
trust
trust(method='stagg_trust(ridge=1)')
stagg_ndcg(iterations=5)
stagg_ndcg(iterations=5,optimiser='gradient',sigma=0.5)
stagg_ndcg(iterations=3,approximation='normal')
stagg_err(iterations=5,features='ranks')
stagg_rbp(iterations=5,features='svd')
rankagg_ndcg(iterations=5)
rankagg_err(iterations=5,features='ranks')
rankagg_rbp(iterations=5)
cps(iterations=5)
cps(iterations=3,distance='footrule',stages='decided')
theta_mpm
supervised_mc(iterations=3)
lambdamart(trees=10)
stagg_trees(trees=10)"""

COMMANDS = r"""
version | --version
plain.version | --version
plain.fuse | fuse $SAMPLE -m stagg_rrf ; fuse $PART -m mc4 -o out.csv ; fuse in/none.trec
plain.evaluate | evaluate $SAMPLE --qrels $QRELS ; methods ; nothing
help | --help ; {fuse|explain|evaluate|compare|train|convert|simulate} --help
~demo | demo --report out.html ; demo --query repot-an-orchid -m borda --save saved
list.methods | methods ; methods --json
list.measures | measures ; measures --json
list.learners | learners ; learners --json
list.features | features ; features --json
list.one | methods rrf ; measures ndcg ; learners weights ; features svd
list.unknown | {methods rff|measures ndgc|learners weight|features sdv}
inspect.sample | inspect $SAMPLE ; inspect $SAMPLE --json
inspect.dl19 | inspect $DL ; inspect $DL --json
inspect.letor | inspect $PARTS --json
inspect.whole | inspect in/whole/A1.txt --json
inspect.letor.score | inspect $PART --values score
inspect.dots | inspect in/dots/*.soc ; inspect in/dots/*.soc --json --names
inspect.skate | inspect in/skate/*.toc --json
convert.trec | convert $SAMPLE out.{csv|tsv|json|parquet|letor|toc|trec|csv.gz}
convert.run | convert in/sample/bm25.trec out.{csv|tsv|json|parquet|letor|soc|trec|run.gz}
convert.csv | convert in/formats/all.csv out.{csv|tsv|json|parquet|letor|toc|trec|json.gz}
convert.tsv | convert in/formats/all.tsv out.{csv|tsv|json|parquet}
convert.json | convert in/formats/all.json out.{csv|tsv|json|parquet|letor|toc|trec|tsv.gz}
convert.parquet | convert in/formats/all.parquet out.{csv|tsv|json|parquet|letor|toc|trec}
convert.letor | convert $PART out.{csv|tsv|json|parquet|letor|toc|trec|letor.gz}
convert.letor.score | convert $PART out.letor --values score ; convert out.letor out.csv --values score
convert.toc | convert $SKATE out.{csv|tsv|json|parquet|letor|toc|soc|trec|toc.gz}
convert.toc.names | convert $SKATE out.{csv|json|toc} --names
convert.toi | convert $H/votes.toi out.{csv|json|parquet|toi|toc|soi}
convert.soc | convert in/dots/00024-00000001.soc out.{csv|json|soc|toi}
convert.parts | convert $PARTS all.parquet ; convert all.parquet all.json
convert.qrels | convert $SAMPLE out.letor --qrels $QRELS ; convert $PART out.letor --qrels $QRELS
convert.to | convert $SAMPLE out --to csv ; convert out back --format csv --to json
convert.unicode | convert $H/unicode.trec out.{csv|tsv|json|parquet|letor|trec}
convert.quotes | convert $H/quotes.csv out.{csv|tsv|json|parquet|trec}
convert.copies | convert $H/copies.csv out.{csv|json|parquet|toc|trec}
convert.dl19 | convert $DL out.parquet ; convert out.parquet out.csv.gz
read.csv | fuse $F/all.csv$PACKED
read.tsv | fuse $F/all.tsv$PACKED
read.json | fuse $F/all.json$PACKED
read.parquet | fuse $F/all.parquet$PACKED
read.trec | fuse $F/all.trec$PACKED --split-by-tag
read.letor | fuse $F/part.letor$PACKED -m borda
read.toc | fuse $F/skate.toc$PACKED -m borda
read.mixed | fuse in/sample/dense.trec in/formats/bm25.json ; fuse $SAMPLE $PART
read.stdin | fuse - < in/formats/all.csv ; inspect - < $PART
read.stdin.gz | fuse - --format trec --split-by-tag < in/formats/all.trec.gz
read.stdin.one | fuse in/sample/dense.trec - --format trec < in/sample/bm25.trec
read.values | fuse in/formats/all.json --values {rank|score} ; fuse $PART --values {rank|score}
read.order_by | fuse {$H/order.trec|in/formats/all.csv} --order-by rank ; fuse {$H/order.trec|in/formats/all.csv}
read.order_by.letor | fuse $PART --order-by rank ; fuse $SAMPLE --values rank
read.order_by.dl19 | fuse $DL --order-by rank ; evaluate $DL --qrels $JUDGED --order-by rank --json
read.header | fuse $H/noted.trec {--header --comments|--header|--comments}
read.comments | fuse $H/comments.trec --comments ; fuse $H/comments.trec
read.names | fuse $SKATE --names -m borda -o out.csv ; fuse $H/votes.toi --names -m copeland -o votes.csv
read.encoding | fuse $H/latin.trec ; fuse $H/latin.trec --encoding latin-1
read.format | fuse {$PART --format letor|$PART --format trec|in/no.trec|in/sample}
read.stems | fuse in/stems/a/run.trec in/stems/b/run.trec -o out.csv
read.votes | fuse $H/copies.csv -m borda ; fuse $H/votes.toi -m borda ; inspect $H/copies.csv
hostile.ties | fuse $H/ties.trec $H/near.trec -o out.csv ; inspect $H/ties.trec $H/near.trec --json
hostile.unicode | fuse $H/unicode.trec -o out.{trec|csv|json|parquet}
hostile.quotes | fuse $H/quotes.csv -o out.{csv|tsv|json|parquet|trec}
hostile.order | fuse $H/order.trec $H/ties.trec -o out.{trec|csv}
hostile.missing_file | fuse in/none.trec -o out.csv
hostile.letor | fuse $H/part.letor -m borda -o out.csv ; evaluate $H/part.letor
hostile.qrels | evaluate $H/ties.trec --qrels $H/{fractions|twice}.qrels
hostile.float_labels | evaluate $H/ties.trec --qrels $H/fractions.qrels --float-labels --json
hostile.all_bad | fuse $H/{empty|nan|comma}.trec --lenient -o %.csv
hostile.output | fuse $SAMPLE -o none/out.csv ; fuse $SAMPLE -o out.doc ; fuse $SAMPLE -o .
hostile.replace | convert $H/ties.trec out.csv ; fuse $H/twice.trec -o out.csv
hostile.replaced | convert $H/ties.trec out.csv ; fuse $SAMPLE -o out.csv
options.weights.name | fuse $SAMPLE --weights bm25=2,dense=0.25 -o out.csv
options.weights.place | fuse $SAMPLE --weights 2,0.25,1 -o out.csv ; fuse $SAMPLE --weights 2,0.25,1 -m borda
options.weights.zero | fuse $SAMPLE -m {rrf|votecount|mc4|stagg_rrf|combmnz|stagg_trust} --weights dense=0
options.weights.dl19 | fuse $DL --weights BM25=0.3 ; fuse $DL --weights 0,1,2 -m combsum
options.weights.letor | fuse $PART --weights 3=2,7=0 -m stagg_rrf ; fuse $PART --weights 5=0.5 -m copeland
options.weights.bad | fuse $SAMPLE --weights {1,2|bm52=1|bm25=-1|bm25=x|0,0,0|bm25=1,bm25=2}
options.depth | fuse $SAMPLE --depth {1|3|100} ; fuse $PART -m borda --depth {1|3|100}
options.depth.ties | fuse $H/ties.trec $H/near.trec --depth {1|2} ; fuse $SKATE -m borda --depth {1|2}
options.top | fuse $SAMPLE --top {1|5|100} -o out%.csv ; fuse $SAMPLE --top {1|5|100}
options.top.ties | fuse $H/ties.trec -m votecount --top 1 ; fuse $SKATE -m votecount --top 2 -o out.json
options.threads | fuse $DL --threads {1|2|3}
options.threads.csv | fuse $DL --threads {1|2} -m stagg_rrf -o out%.csv
options.threads.weights | fuse $DL --threads {1|2} --weights 1,0,2 --depth 20 --top 5 -o out%.trec.gz
options.missing.letor | fuse $PART -m stagg_bc --missing {below|neutral|skip} --top 5
options.missing.bad | fuse $SAMPLE -m rrf --missing below ; fuse $SAMPLE --missing belw
options.outputs | fuse $SAMPLE -o out.{trec|csv|tsv|json|parquet|trec.gz|csv.gz|json.gz}
options.outputs.soc | fuse $SAMPLE -o out.{toc|soc|letor|run}
options.quiet | fuse $SAMPLE -q ; inspect $SAMPLE -q ; evaluate $SAMPLE --qrels $QRELS -q
options.bad | fuse $SAMPLE {-m rff|-m rrf(d=3)|-m rrf(c=-1)|--top 0|--depth x}
options.bad.intervals | fuse $SAMPLE {--intervals 2|--draws 5|--intervals 0.9 -o o.trec}
options.grammar | fuse $SAMPLE -m "{rrf( c = 60 )|rrf|rrf()|stagg_rrf(c=60, shape='paper')}"
options.grammar.new | fuse $SAMPLE -m "{rrf(20)|RRF(c=20)|rrf(C=20)|rrf(k=20)|combsum('max')}"
options.dl19.all | fuse in/dl19/*.trec -o out.trec ; fuse in/dl19/*.trec -m stagg_rrf --top 30
options.dl19.trust | fuse in/dl19/*.trec -m stagg_trust --depth 50 -o out.csv
options.compat | fuse $DL -m rrf(compat=\'{ranx|haystack|qdrant}\') --weights 2,1,0.5 --top 9 ; fuse $DL -m rrf(compat=\'x\')
options.whole | fuse in/whole/A1.txt -m stagg_rrf -o out.csv
options.whole.parts | fuse in/whole/A?.txt -m borda -o out.trec
options.skate.all | fuse in/skate/*.toc -m kemeny -o out.csv ; fuse in/skate/*.soc -m mc4
~intervals.json | fuse $SAMPLE --intervals 0.5 --seed 1 -o out.json
~intervals.parquet | fuse $SAMPLE --intervals 0.95 --draws 50 --top 3 -o out.parquet
~intervals.dl19 | fuse $DL --intervals 0.9 --draws 50 --top 10 -m stagg_rrf -o out.csv
~intervals.letor | fuse $PART --intervals 0.8 --draws 30 -m borda --weights 1=3 -o out.csv
~intervals.skate | fuse $SKATE --intervals 0.9 -m borda -o out.csv ; fuse $H/votes.toi --intervals 0.9 -o v.csv
~intervals.unicode | fuse $H/unicode.trec $H/ties.trec --intervals 0.9 -o out.csv
~report.sample | fuse $SAMPLE --report out.html -o out.csv
~report.stagg | fuse $SAMPLE -m stagg_rrf --intervals 0.9 --draws 50 --report out.html -o out.csv
report.copeland | fuse $SAMPLE -m copeland --report out.html -o out.csv
~report.trust | fuse $SAMPLE -m stagg_trust --report out.html -o out.csv
~report.weights | fuse $SAMPLE --weights bm25=0,dense=2 --depth 5 --top 4 --report out.html -o out.csv
~report.dl19 | fuse $DL --depth 20 --report out.html -o out.trec
~report.skate | fuse $SKATE -m borda --names --report out.html -o out.csv
~report.unicode | fuse $H/unicode.trec --report out.html -o out.csv
~report.plots | fuse $H/ties.trec $H/near.trec --plots figures -o out.csv
explain.table | explain $SAMPLE --query repot-an-orchid --item root-rot-rescue
explain.stagg | explain $SAMPLE --query repot-an-orchid --item root-rot-rescue -m stagg_rrf
explain.trust | explain $SAMPLE --query repot-an-orchid --item root-rot-rescue -m stagg_trust
explain.weights | explain $SAMPLE --query repot-an-orchid --item root-rot-rescue --weights bm25=2,dense=0 --json
explain.depth | explain $SAMPLE --query repot-an-orchid --item repot-a-snake-plant --depth 3 -m borda --json
explain.missing | explain $SAMPLE --query repot-an-orchid --item root-rot-rescue -m stagg_bc --missing skip --json
explain.letor | explain $PART --query 10002 --item GX008-86-4444840 -m {borda|stagg_rrf} --json
explain.dl19 | explain $DL --query 19335 --item 8412684 -m stagg_rrf --depth 30
explain.skate | explain $SKATE --item 3 -m borda ; explain $SKATE --item 3 -m kemeny --json
explain.bad | explain $SAMPLE {--item a|--query x --item a|--query repot-an-orchid --item a}
evaluate.sample | evaluate $SAMPLE --qrels $QRELS $AS
evaluate.sample.all | evaluate $SAMPLE --qrels $QRELS --measures "$ALL" --json
evaluate.sample.queries | evaluate $SAMPLE --qrels $QRELS --per-query --measures ndcg@5,map $AS
evaluate.dl19 | evaluate $DL --qrels $JUDGED --measures "$ALL" --format csv
evaluate.dl19.queries | evaluate $DL --qrels $JUDGED --measures "$ALL" --per-query --format csv
evaluate.letor | evaluate $PART --measures "$ALL" --json ; evaluate $PARTS
evaluate.letor4 | evaluate $PARTS --measures "ndcg@5,ndcg@10,map,p@5" --conventions letor4 --per-query --format csv
evaluate.whole | evaluate in/whole/A2.txt --conventions letor4 --values score --json
evaluate.common | evaluate $H/ties.trec $H/near.trec --qrels $H/qrels.txt --json {|--only-common}
evaluate.ties | evaluate $H/ties.trec $H/near.trec --qrels $H/qrels.txt --measures "$ALL" --per-query --json
evaluate.csv | evaluate in/formats/all.csv --qrels $QRELS --input-format csv --json
evaluate.bad | evaluate $SAMPLE ; evaluate $SAMPLE --qrels $QRELS --measures ndgc ; evaluate $SKATE
compare.sample | compare $SAMPLE --qrels $QRELS -m "rrf(c=60);borda;stagg_rrf" $AS
compare.sample.all | compare $SAMPLE --qrels $QRELS -m "combsum;mc4;kemeny;condorcet" --measures "$ALL" --json
compare.dl19 | compare $DL --qrels $JUDGED -m "rrf;combsum;isr" --measures ndcg@10,map --baseline combsum
compare.dl19.json | compare $DL --qrels $JUDGED -m "rrf;combmnz;votecount" --seed 5 --threads 2 --json
compare.letor | compare $PARTS -m "borda;rrf(c=10);mean_rank" --measures ndcg@5,err --conventions letor4 --json
compare.missing | compare $PART -m "stagg_bc;stagg_rrf;copeland" --missing skip --json
compare.common | compare $H/ties.trec $H/near.trec --qrels $H/qrels.txt -m "rrf;borda" --only-common --json
compare.folds.letor | compare $PARTS --folds letor -m borda --tune "rrf(c=[10,20,40])" --conventions letor4 --json
compare.folds.each | compare $PARTS --folds letor -m "borda;rrf" --per-fold
compare.folds.learners | compare $PARTS --folds letor -m borda --learners "best_input;rankagg_ndcg(iterations=3)" --json
compare.folds.grid | compare $PARTS --folds letor -m rrf --learners "stagg_ndcg(iterations=3,sigma=[1.0,0.25])" --json
~compare.folds.hash | compare $DL --qrels $JUDGED --folds 4 -m rrf --tune "rrf(c=[1,10,100])" --per-fold --format csv
~compare.folds.seed | compare $PARTS --folds 3 -m borda --learners best_input --seed 9 --json
compare.learners | compare $SAMPLE --qrels $QRELS -m rrf --learners "best_input;weights" --json
~compare.rankers | compare $PARTS -m "borda;rrf" --rankers 5,10 --draws 3 --seed 1 --measures ndcg@10 --json
~compare.rankers.table | compare $PARTS -m "borda;rrf" --rankers 5 --draws 3 --measures ndcg@10 --report out.html
compare.report | compare $DL --qrels $JUDGED -m "rrf;combsum;borda" --report out.html --json
compare.report.folds | compare $PARTS --folds letor -m borda --tune "rrf(c=[10,20])" --report out.html -q
compare.plots | compare $SAMPLE --qrels $QRELS -m "rrf;borda" --plots figures --json
compare.bad | compare $SAMPLE --qrels $QRELS -m "{rrf|rrf;rrf|rff;borda|}"
train.sample | train $SAMPLE --qrels $QRELS -l weights -o m.json ; fuse $SAMPLE --model m.json
train.trust | train $SAMPLE -l trust -o m.json ; fuse $SAMPLE --model m.json -o out.csv
~train.holdout | train $PART --holdout 0.3 --seed 4 -l "stagg_ndcg(iterations=3)" -o m.json
train.letor4 | train $PART -l best_input --conventions letor4 -o m.json ; evaluate $PART
train.dl19 | train $DL --qrels $JUDGED -l "weights(method='combsum')" -o m.json ; fuse $DL --model m.json --top 5
train.options | train $PART -l "weights(method='borda')" -o m.json ; fuse $PART --model m.json {--depth 5 --top 3|--missing below|--weights 1=2}
~train.intervals | train $SAMPLE --qrels $QRELS -l weights -o m.json ; fuse $SAMPLE --model m.json --intervals 0.9 --draws 20 -o out.csv --report out.html
train.bad | train $SAMPLE -l "{weight|weights(x=1)|weights}" -o m.json
train.bad.model | fuse $SAMPLE --model {$H/lists.json|$H/torn.json|none.json}
train.bad.rankers | train $PART -l "rankagg_ndcg(iterations=2)" -o m.json ; fuse $SAMPLE --model m.json
~simulate.csv | simulate -o out.csv --truth truth.csv --qrels qrels.txt --seed 3
~simulate.mallows | simulate -o out.json --model mallows --quality 0.3 --keep 0.4 --seed 7 --queries 3
~simulate.scores | simulate -o out.parquet --scores --spread 0.5 --copies 2 --depth 5
simulate.bad | simulate -o out.csv {--keep 2|--copies 9|--quality x|--items 0}
reproduce.table1 | reproduce --data in/letor --out out --only table1 --quick --threads 1
~reproduce.figure1 | reproduce --data in/letor --out out --only figure1 --quick --threads 1
~reproduce.figure2 | reproduce --data in/letor --out out --only figure2 --quick --threads 1
~reproduce.figure3 | reproduce --data in/letor --out out --only figure3 --quick --threads 1
~reproduce.figure4 | reproduce --data in/letor --out out --only figure4 --quick --threads 1
pure.sample | fuse $SAMPLE -m {rrf|borda|stagg_rrf|mc4|plackett_luce|combsum} -o %.csv
pure.dl19 | fuse $DL --depth 10 -m {rrf|combsum|stagg_bc|copeland} -o %.trec
pure.dl19.whole | fuse $DL ; evaluate $DL --qrels $JUDGED --json
pure.letor | fuse $PART -m {borda|stagg_rrf|stagg_trust|local_kemeny|mc1} -o %.csv
pure.skate | fuse $SKATE -m {kemeny|bradley_terry|median_rank|rra} -o %.csv
pure.ties | fuse $H/ties.trec $H/near.trec $H/blanks.trec ; fuse $H/unicode.trec ; --version
pure.bad | fuse $H/{twice|short|nan|comma|empty}.trec ; fuse $H/{twice|short|nan|comma|empty}.trec --lenient
pure.train | train $PART -l "stagg_ndcg(iterations=3)" -o m.json ; fuse $PART --model m.json
~pure.intervals | fuse $SAMPLE --intervals 0.9 --draws 50 -o out.csv
pure.compare | compare $DL --qrels $JUDGED -m "rrf;combsum" --json
"""

BAD = "twice.trec short.trec nan.trec comma.trec empty.trec noted.trec badrow.csv badhead.csv bad.json torn.json bad.letor bad.soc torn.trec.gz latin.trec"

CALLS = r"""
fuse.lists | show(fuse(lists)); show(fuse({"x": ["a", "b"], "y": ["b"]}, "borda"))

fuse.runs | show(fuse(runs)); show(fuse(list(runs.values()), "combsum"))

fuse.files | show(fuse(read(sample)))

fuse.frame | import pandas
    frame = pandas.read_csv("in/formats/all.csv")
    show(fuse(frame)); show(fuse(frame.drop(columns="score"), "borda"))

fuse.polars | import polars
    show(fuse(polars.read_csv("in/formats/all.csv"), "stagg_rrf"))

fuse.weights | for w in ([2, 1, 0], {"1": 0.5}, [1, 1, 1], {}): show(fuse(lists, weights=w))

fuse.options | show(fuse(read(sample), "borda", depth=4, top=3, missing="below"))

~fuse.intervals | show(fuse(lists, intervals=0.9)); show(fuse(lists, "mc4", intervals=0.5, draws=20, seed=7, top=2))

~fuse.intervals.sample | show(fuse(read(sample), intervals=0.9, draws=200))

fuse.letor | show(fuse(read("in/letor/MQ2008-agg/A1.txt"), "stagg_rrf", top=5))

fuse.whole | show(fuse(read("in/whole/A1.txt"), "copeland", top=3))

fuse.bad | for bad in (3, None, [], [[]], "abc", {"x": 1}, [["a", "a"]], [["a", None]]): refused(lambda: fuse(bad))

fuse.bad.options | for bad in ({"top": 0}, {"depth": 1.5}, {"missing": "belw"}, {"weights": [1]}, {"intervals": 1},
        {"weights": {"9": 1}}, {"seed": -1, "intervals": 0.9}, {"draws": 0, "intervals": 0.9}):
        refused(lambda: fuse(lists, **bad))

fuse.bad.method | for bad in ("rff", "rrf(", "rrf(d=1)", "rrf(c='x')", "rrf(1, 2)", "", "combsum", "stagg(shape='x')"):
        refused(lambda: fuse(lists, bad))

explain.lists | show(explain(lists, item="a")); show(explain(lists, "stagg_rrf", item="d").to_dict())

explain.options | show(explain(read(sample), "stagg_bc", query="repot-an-orchid", item="root-rot-rescue",
        weights={"bm25": 2}, missing="skip", depth=7).to_dict())

explain.all | for item in fuse(lists).best_first(): show(explain(lists, "borda", item=item, weights=[1, 0, 2]).to_dict())

explain.bad | refused(lambda: explain(lists, item="z")); refused(lambda: explain(runs, item="a"))

distribution.lists | for name in ("stagg_rrf", "stagg_bc", "stagg_bc(missing='neutral', shape='paper')", "stagg_trust"):
        found = rank_distribution(lists, name)["1"]
        show(found); show([(item, found.of(item).tolist()) for item in "abcde"]); show(found.expected_ranks)

distribution.sample | for found in rank_distribution(read(sample), weights=[2, 1, 0], missing="skip"):
        show(found.expected_ranks)

distribution.bad | refused(lambda: rank_distribution(lists, "borda")); refused(lambda: rank_distribution(lists)["9"])

read.formats | for name in ("all.csv", "all.tsv", "all.json", "all.parquet", "bm25.json", "skate.toc", "part.letor", "all.csv.xz"):
        show(read("in/formats/" + name))

read.options | show(read("in/formats/all.trec", split_by_tag=True)); show(read("in/hostile/order.trec", order_by="rank"))
    show(read("in/hostile/votes.toi", names=True)); show(read("in/hostile/twice.trec", lenient=True))

read.hostile | for name in BAD.split():
        refused(lambda: read("in/hostile/" + name)); refused(lambda: read("in/hostile/" + name, lenient=True))

read.bad | refused(lambda: read([])); refused(lambda: read("in/none.trec")); refused(lambda: read(sample, hader=True))
    refused(lambda: read(sample, format="trek")); refused(lambda: read(sample, values="x"))

labels.qrels | for name in ("sample", "dl19", "hostile"):
        found = read_labels(f"in/{name}/qrels.txt")
        show(found); show([(query, dict(found[query])) for query in found]); show(found.largest)

labels.letor | found = read_labels("in/letor/MQ2008-agg/A1.txt"); show([(query, dict(found[query])) for query in found])

labels.bad | for name in ("fractions.qrels", "twice.qrels", "ties.trec", "none"): refused(lambda: read_labels("in/hostile/" + name))

write.formats | for name in ("csv", "tsv", "json", "parquet", "trec", "letor", "toc", "csv.gz"):
        refused(lambda: write(fuse(read(sample)), "out." + name)); refused(lambda: write(read(sample), "all." + name))

write.lists | for name in ("csv", "tsv", "json", "parquet", "trec", "letor", "toc", "toi", "soc"):
        refused(lambda: write(Rankings.from_lists(lists), "out." + name))

write.labels | write(read(sample).with_rankers(["1", "2", "3"]), "out.letor", labels=read_labels("in/sample/qrels.txt"))

~write.intervals | for name in ("csv", "json", "parquet", "trec"):
        refused(lambda: write(fuse(lists, intervals=0.9, draws=20), "out." + name))

evaluate.sample | table = evaluate(read(sample), read_labels("in/sample/qrels.txt"), per_query=True)
    show(table); show(table.to_json()); show(table.to_csv()); show(table.to_markdown()); show(table.to_latex())

evaluate.mapping | show(evaluate(runs, {"q1": {"a": 1, "d": 2}, "q3": {"y": 1}}, "ndcg,map,p@1").to_json())

evaluate.single | table = evaluate(read("in/hostile/near.trec"), {"q1": {"b": 1}}, "mrr", single_precision=True)
    show(table.to_json()); show(table._repr_html_())

evaluate.bad | for bad in ("ndgc", "ndcg@0", "rbp(p=2)", ""): refused(lambda: evaluate(runs, {"q1": {"a": 1}}, bad))

compare.sample | found = compare(read(sample), read_labels("in/sample/qrels.txt"), ["rrf", "borda", "stagg_rrf"])
    show(found); show(found.details.to_json()); show(found._repr_html_())

compare.parts | data, labels = read("in/letor/MQ2008-agg/A1.txt"), read_labels("in/letor/MQ2008-agg/A1.txt")
    parts = [data.queries[start::3] for start in range(3)]
    show(compare(data, labels, "borda", tune="rrf(c=[1, 60])", folds=parts, measures="ndcg@5").by_fold.to_json())

~compare.folds | show(compare(read(sample), read_labels("in/sample/qrels.txt"), "borda", learners="best_input", folds=3))

rankings.lists | for given in (lists, {"x": [["a", "b"], "c"]}): show(Rankings.from_lists(given, query="ü"))

rankings.runs | found = Rankings.from_runs(runs)
    show(found); show(found.to_lists()); show(found.to_runs()); show(found.summary()); show(found.canonical())

rankings.scores | show(Rankings.from_scores({"x": {"a": 1, "b": 1}, "y": {"b": 0}}))

rankings.take | data = read(sample)
    show(data.take_rankers([2, 0])); show(data.take_queries([1])); show(data.cut(2)); show(data.with_rankers(["a", "b", "c"]))
    show(data.with_weights({"bm25": 0}).active()); show(data.best_first("repot-an-orchid", ranker="bm25"))

rankings.arrays | data = read("in/hostile/votes.toi")
    for name in ("item_offsets", "list_offsets", "list_rankers", "entry_offsets", "entries", "tied", "sizes", "list_lengths",
        "list_counts", "list_queries", "list_weights", "entry_lists", "positions", "mean_positions", "voters", "item_queries"):
        show((name, getattr(data, name).tolist()))

rankings.bad | refused(lambda: Rankings.from_lists([["a", ["a"]]])); refused(lambda: Rankings.from_runs({"x": {"q": {"a": "1"}}}))
    refused(lambda: read(sample)["x"]); refused(lambda: read(sample).best_first()); refused(lambda: Rankings.from_frame({}))

errors | print(sorted(name for name in dir(stagg) if name[0].isupper()))
"""
