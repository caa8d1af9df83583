"""The cases of bench/outputs.py: lines of shell and calls of the public library, each with a name that stays."""

# ruff: noqa: E501 (a case is a line)

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

SHELL = """
stagg() { "$PYTHON" -m stagg "$@"; }
try() { "$@"; echo "status $?"; }
convert_to() { for x in $1; do try stagg convert $2 out.$x $3; done; }
unpack() { for z in "" .gz .bz2 .xz .zst; do try stagg fuse in/formats/$1$z $2 $3; done; }
show_as() { for x in table md latex csv json; do try stagg "$@" --format $x; done; }
SAMPLE="in/sample/bm25.trec in/sample/dense.trec in/sample/sparse.trec"
QRELS=in/sample/qrels.txt
DL="in/dl19/BM25.trec in/dl19/D_BERT_KD_TASB.trec in/dl19/SPLADE_P_P_ENSEMBLE_DISTIL.trec"
JUDGED=in/dl19/qrels.txt
LETOR=in/letor/MQ2008-agg
PART=$LETOR/A1.txt
PARTS="$LETOR/A1.txt $LETOR/A2.txt $LETOR/A3.txt $LETOR/A4.txt $LETOR/A5.txt"
SKATE=in/skate/00006-00000001.toc
H=in/hostile
ALL="ndcg@5,ndcg(gain='linear'),err@10,rbp(p=0.8),map,p@5,recall@10,mrr,success@3,judged@10,kendall_tau,footrule"
"""

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
    """One thing to run: ``code`` is shell, or Python behind the prelude; ``draws``: its bytes hang on seeded draws."""

    name: str
    code: str
    library: bool = False
    draws: bool = False
    pure: bool = False

    def command(self, python: str) -> list[str]:
        return (
            [python, "-c", PRELUDE.replace("BAD", repr(BAD)) + self.code]
            if self.library
            else ["sh", "-c", SHELL + self.code]
        )


def all_cases(methods: list[str]) -> Iterator[Case]:
    for method in methods:
        yield from cases_of_method(method)
    for text in VARIANTS.split():
        yield Case(f"variant.{text}", f'stagg fuse $SAMPLE -m "{text}" -o out.csv', draws="cranking" in text)
        yield Case(f"variant.letor.{text}", f'stagg fuse $PART -m "{by_rank(text)}"', draws="cranking" in text)
    for line in LEARNERS.split("\n"):
        yield from cases_of_learner(line)
    for text in COMMANDS.strip().replace("\n    ", " ").splitlines():
        yield listed(text, library=False)
    for name in BAD.split():
        yield Case(f"bad.{name}", f"stagg fuse $H/{name} -o out.csv")
        yield Case(f"lenient.{name}", f"stagg fuse $H/{name} --lenient -o out.csv")
    for text in CALLS.strip().replace("\n    ", "\n").split("\n\n"):
        yield listed(text, library=True)


def listed(line: str, *, library: bool) -> Case:
    """A case from ``name | code``; the name begins with ~ where there are draws."""
    name, _, code = line.partition("|")
    plain = name.strip().removeprefix("~")
    group = "call." if library else ""
    return Case(
        group + plain, code.strip(), library=library, draws=name.startswith("~"), pure=plain.startswith("pure.")
    )


def by_rank(method: str) -> str:
    """The method in a form that needs no scores."""
    name, _, parameters = method.partition("(")
    return method if parameters or not name.startswith("comb") else f"{name}(norm='rank')"


def cases_of_method(name: str) -> Iterator[Case]:
    """What every method is given: each kind of input, each meaning of absence, intervals, an explanation, a call."""
    of_ranks, draws = by_rank(name), name == "cranking"
    ties = "$H/ties.trec $H/near.trec $H/blanks.trec $H/order.trec"
    absences = f"for x in below neutral skip; do try stagg fuse $SAMPLE -m {name} --missing $x -o $x.csv; done"
    item = "--query repot-an-orchid --item root-rot-rescue"
    yield Case(f"fuse.sample.{name}", f"stagg fuse $SAMPLE -m {name} -o out.csv", draws=draws)
    yield Case(f"fuse.letor.{name}", f'stagg fuse $PART -m "{of_ranks}" -o out.csv', draws=draws)
    yield Case(f"fuse.skate.{name}", f'stagg fuse $SKATE -m "{of_ranks}" -o out.json', draws=draws)
    yield Case(f"fuse.dl19.{name}", f"stagg fuse $DL -m {name} --depth 8 --top 9 --weights 2,1,0.5", draws=draws)
    yield Case(f"fuse.ties.{name}", f"stagg fuse {ties} -m {name}", draws=draws)
    yield Case(f"fuse.missing.{name}", absences, draws=draws)
    resampled = f"stagg fuse $SAMPLE -m {name} --intervals 0.9 --draws 5 --seed 3 -o out.csv"
    yield Case(f"intervals.sample.{name}", resampled, draws=True)
    yield Case(f"explain.sample.{name}", f"stagg explain $SAMPLE -m {name} {item} --json", draws=draws)
    call = f'show(fuse(lists, "{of_ranks}", weights=[2, 1, 0.5]))\nshow(explain(lists, "{of_ranks}", item="b"))'
    yield Case(f"call.method.{name}", call, library=True, draws=draws)


def cases_of_learner(text: str) -> Iterator[Case]:
    """Train on LETOR, choose on another part, fuse a third with the model."""
    name, draws = text.replace("'", ""), text.startswith("cps")
    labels = "" if text.startswith("trust") else "--validation $LETOR/A2.txt"
    train = f'stagg train $PART {labels} -l "{text}" -o model.json'
    yield Case(f"train.{name}", f"{train} && stagg fuse $LETOR/A3.txt --model model.json -o out.csv", draws=draws)


VARIANTS = """rrf(c=10) rrf(20) rrf(c=0.5) rbc(phi=0.5) combsum(norm='max') combsum(norm='sum') combsum(norm='zmuv')
combsum(norm='rank') combsum(norm='borda') combsum(norm='none') combmnz(norm='rank') combmed(norm='borda')
stagg_bc(shape='paper') stagg_bc(shape='harmonic(2)') stagg_rrf(shape='linear',c=10) stagg_rrf(shape='paper')
stagg(utility='borda') stagg(utility='list_borda') stagg(utility='rbp(0.5)') stagg(utility='isr')
stagg(utility='top(3)') stagg(shape='linear',utility='rrf(c=5)') stagg_trust(utility='dcg',contrast=1) stagg_trust(shape='linear',ridge=0.5)
plackett_luce(solver='mm') plackett_luce(prior=1) mpm(counts='binary') mpm(spread=0.5) bradley_terry(prior=1)
thurstone(prior=0.5) mc1(teleport=0.05) mc4(teleport=0.5) local_kemeny(start='mc4') local_kemeny(start='rrf(c=10)')
mclk(chain='mc1') kemeny(exact=False) svp(form='geometric') svp(form='binary') svp(form='logodds',step=1.0)
cranking(theta=0.5,sweeps=100,seed=7)"""

LEARNERS = """best_input
best_input(measure='err')
weights
weights(method='borda',measure='map')
trust
trust(method='stagg_trust(utility=\\'dcg\\')')
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
version | stagg --version
help | stagg --help; for c in fuse explain evaluate compare train convert simulate; do stagg $c --help; done
~demo | stagg demo
list.methods | stagg methods; stagg methods --json
list.measures | stagg measures; stagg measures --json
list.learners | stagg learners; stagg learners --json
list.features | stagg features; stagg features --json
list.one | stagg methods rrf; stagg measures ndcg; stagg learners weights; stagg features svd
list.unknown | for x in "methods rff" "measures ndgc" "learners weight" "features sdv"; do try stagg $x; done
inspect.sample | stagg inspect $SAMPLE; stagg inspect $SAMPLE --json
inspect.dl19 | stagg inspect $DL; stagg inspect $DL --json
inspect.letor | stagg inspect $PARTS --json
inspect.whole | stagg inspect in/whole/A1.txt --json
inspect.letor.score | stagg inspect $PART --values score
inspect.dots | stagg inspect in/dots/*.soc; stagg inspect in/dots/*.soc --json --names
inspect.skate | stagg inspect in/skate/*.toc --json
convert.trec | convert_to "csv tsv json parquet letor toc trec csv.gz" "$SAMPLE"
convert.run | convert_to "csv tsv json parquet letor soc trec run.gz" in/sample/bm25.trec
convert.csv | convert_to "csv tsv json parquet letor toc trec json.gz" in/formats/all.csv
convert.tsv | convert_to "csv tsv json parquet" in/formats/all.tsv
convert.json | convert_to "csv tsv json parquet letor toc trec tsv.gz" in/formats/all.json
convert.parquet | convert_to "csv tsv json parquet letor toc trec" in/formats/all.parquet
convert.letor | convert_to "csv tsv json parquet letor toc trec letor.gz" $PART
convert.letor.score | stagg convert $PART out.letor --values score && stagg convert out.letor out.csv --values score
convert.toc | convert_to "csv tsv json parquet letor toc soc trec toc.gz" $SKATE
convert.toc.names | convert_to "csv json toc" $SKATE --names
convert.toi | convert_to "csv json parquet toi toc soi" $H/votes.toi
convert.soc | convert_to "csv json soc toi" in/dots/00024-00000001.soc
convert.parts | stagg convert $PARTS all.parquet && stagg convert all.parquet all.json
convert.qrels | stagg convert $SAMPLE out.letor --qrels $QRELS && stagg convert out.letor back.csv
convert.to | stagg convert $SAMPLE out --to csv && stagg convert out back --format csv --to json
convert.unicode | convert_to "csv tsv json parquet letor trec" $H/unicode.trec
convert.quotes | convert_to "csv tsv json parquet trec" $H/quotes.csv
convert.copies | convert_to "csv json parquet toc trec" $H/copies.csv
convert.dl19 | stagg convert $DL out.parquet && stagg convert out.parquet out.csv.gz
read.csv | unpack all.csv
read.tsv | unpack all.tsv
read.json | unpack all.json
read.parquet | unpack all.parquet
read.trec | unpack all.trec --split-by-tag
read.letor | unpack part.letor -m borda
read.toc | unpack skate.toc -m borda
read.mixed | try stagg fuse in/sample/dense.trec in/formats/bm25.json; try stagg fuse $SAMPLE $PART
read.stdin | stagg fuse - < in/formats/all.csv; stagg inspect - < $PART
read.stdin.gz | stagg fuse - --format trec --split-by-tag < in/formats/all.trec.gz
read.stdin.one | stagg fuse in/sample/dense.trec - --format trec < in/sample/bm25.trec
read.values | for v in rank score; do stagg fuse in/formats/all.json --values $v; stagg fuse $PART --values $v; done
read.order_by | for f in $H/order.trec in/formats/all.csv; do stagg fuse $f --order-by rank; stagg fuse $f; done
read.order_by.letor | try stagg fuse $PART --order-by rank; try stagg fuse $SAMPLE --values rank
read.order_by.dl19 | stagg fuse $DL --order-by rank; stagg evaluate $DL --qrels $JUDGED --order-by rank --json
read.header | for x in "--header --comments" --header --comments; do try stagg fuse $H/noted.trec $x; done
read.comments | try stagg fuse $H/comments.trec --comments; try stagg fuse $H/comments.trec
read.names | stagg fuse $SKATE --names -m borda; stagg fuse $H/votes.toi --names -m copeland
read.encoding | try stagg fuse $H/latin.trec; try stagg fuse $H/latin.trec --encoding latin-1
read.format | for x in "$PART --format letor" "$PART --format trec" in/no.trec in/sample; do try stagg fuse $x; done
read.stems | mkdir a b; cp in/sample/bm25.trec a/r.trec; cp in/sample/dense.trec b/r.trec; stagg fuse a/r.trec b/r.trec
read.votes | stagg fuse $H/copies.csv -m borda; stagg fuse $H/votes.toi -m borda; stagg inspect $H/copies.csv
hostile.ties | stagg fuse $H/ties.trec $H/near.trec -o out.csv; stagg inspect $H/ties.trec $H/near.trec --json
hostile.unicode | for x in trec csv json parquet; do stagg fuse $H/unicode.trec -o out.$x; done
hostile.quotes | for x in csv tsv json parquet trec; do try stagg fuse $H/quotes.csv -o out.$x; done
hostile.order | for x in trec csv; do stagg fuse $H/order.trec $H/ties.trec -o out.$x; done
hostile.missing_file | stagg fuse in/none.trec -o out.csv
hostile.letor | stagg fuse $H/part.letor -m borda -o out.csv; stagg evaluate $H/part.letor
hostile.qrels | for q in fractions twice; do try stagg evaluate $H/ties.trec --qrels $H/$q.qrels; done
hostile.float_labels | stagg evaluate $H/ties.trec --qrels $H/fractions.qrels --float-labels --json
hostile.all_bad | for x in empty nan comma; do try stagg fuse $H/$x.trec --lenient -o $x.csv; done
hostile.output | try stagg fuse $SAMPLE -o none/out.csv; try stagg fuse $SAMPLE -o out.doc; try stagg fuse $SAMPLE -o .
hostile.replace | echo old > out.csv; try stagg fuse $H/twice.trec -o out.csv; try stagg fuse $H/ties.trec -o out.csv
options.weights.name | stagg fuse $SAMPLE --weights bm25=2,dense=0.25 -o out.csv
options.weights.place | stagg fuse $SAMPLE --weights 2,0.25,1 -o out.csv; stagg fuse $SAMPLE --weights 2,0.25,1 -m borda
options.weights.zero | for m in rrf votecount mc4 stagg_rrf combmnz stagg_trust; do stagg fuse $SAMPLE -m $m --weights dense=0; done
options.weights.dl19 | stagg fuse $DL --weights BM25=0.3; stagg fuse $DL --weights 0,1,2 -m combsum
options.weights.letor | stagg fuse $PART --weights 3=2,7=0 -m stagg_rrf; stagg fuse $PART --weights 5=0.5 -m copeland
options.weights.bad | for w in 1,2 bm52=1 bm25=-1 bm25=x 0,0,0 bm25=1,bm25=2; do try stagg fuse $SAMPLE --weights $w; done
options.depth | for k in 1 3 100; do stagg fuse $SAMPLE --depth $k; stagg fuse $PART -m borda --depth $k; done
options.depth.ties | for k in 1 2; do stagg fuse $H/ties.trec $H/near.trec --depth $k; stagg fuse $SKATE -m borda --depth $k; done
options.top | for k in 1 5 100; do stagg fuse $SAMPLE --top $k -o out$k.csv; stagg fuse $SAMPLE --top $k; done
options.top.ties | stagg fuse $H/ties.trec -m votecount --top 1; stagg fuse $SKATE -m votecount --top 2 -o out.json
options.threads | for n in 1 2 3; do stagg fuse $DL --threads $n; done
options.threads.csv | for n in 1 2; do stagg fuse $DL --threads $n -m stagg_rrf -o out$n.csv; done
options.threads.weights | for n in 1 2; do stagg fuse $DL --threads $n --weights 1,0,2 --depth 20 --top 5 -o out$n.trec.gz; done
options.missing.letor | for x in below neutral skip; do stagg fuse $PART -m stagg_bc --missing $x --top 5; done
options.missing.bad | try stagg fuse $SAMPLE -m rrf --missing below; try stagg fuse $SAMPLE --missing belw
options.outputs | for x in trec csv tsv json parquet trec.gz csv.gz json.gz; do stagg fuse $SAMPLE -o out.$x; done
options.outputs.soc | for x in toc soc letor run; do try stagg fuse $SAMPLE -o out.$x; done
options.quiet | stagg fuse $SAMPLE -q; stagg inspect $SAMPLE -q; stagg evaluate $SAMPLE --qrels $QRELS -q
options.bad | for x in "-m rff" "-m rrf(d=3)" "-m rrf(c=-1)" "--top 0" "--depth x"; do try stagg fuse $SAMPLE $x; done
options.bad.intervals | for x in "--intervals 2" "--draws 5" "--intervals 0.9 -o o.trec"; do try stagg fuse $SAMPLE $x; done
options.grammar | for m in RRF(60) "rrf( c = 60 )" "rrf" "rrf()" "combsum('max')"; do try stagg fuse $SAMPLE -m "$m"; done
options.dl19.all | stagg fuse in/dl19/*.trec -o out.trec; stagg fuse in/dl19/*.trec -m stagg_rrf --top 30
options.dl19.trust | stagg fuse in/dl19/*.trec -m stagg_trust --depth 50 -o out.csv
options.whole | stagg fuse in/whole/A1.txt -m stagg_rrf -o out.csv
options.whole.parts | stagg fuse in/whole/A?.txt -m borda -o out.trec
options.skate.all | stagg fuse in/skate/*.toc -m kemeny -o out.csv; stagg fuse in/skate/*.soc -m mc4
~intervals.json | stagg fuse $SAMPLE --intervals 0.5 --seed 1 -o out.json
~intervals.parquet | stagg fuse $SAMPLE --intervals 0.95 --draws 50 --top 3 -o out.parquet
~intervals.dl19 | stagg fuse $DL --intervals 0.9 --draws 50 --top 10 -m stagg_rrf -o out.csv
~intervals.letor | stagg fuse $PART --intervals 0.8 --draws 30 -m borda --weights 1=3 -o out.csv
~intervals.skate | stagg fuse $SKATE --intervals 0.9 -m borda -o out.csv; stagg fuse $H/votes.toi --intervals 0.9 -o v.csv
~intervals.unicode | stagg fuse $H/unicode.trec $H/ties.trec --intervals 0.9 -o out.csv
~report.sample | stagg fuse $SAMPLE --report out.html -o out.csv
~report.stagg | stagg fuse $SAMPLE -m stagg_rrf --intervals 0.9 --draws 50 --report out.html -o out.csv
report.copeland | stagg fuse $SAMPLE -m copeland --report out.html -o out.csv
~report.trust | stagg fuse $SAMPLE -m stagg_trust --report out.html -o out.csv
~report.weights | stagg fuse $SAMPLE --weights bm25=0,dense=2 --depth 5 --top 4 --report out.html -o out.csv
~report.dl19 | stagg fuse $DL --depth 20 --report out.html -o out.trec
~report.skate | stagg fuse $SKATE -m borda --names --report out.html -o out.csv
~report.unicode | stagg fuse $H/unicode.trec --report out.html -o out.csv
~report.plots | stagg fuse $SAMPLE --plots figures -o out.csv
explain.table | stagg explain $SAMPLE --query repot-an-orchid --item root-rot-rescue
explain.stagg | stagg explain $SAMPLE --query repot-an-orchid --item root-rot-rescue -m stagg_rrf
explain.trust | stagg explain $SAMPLE --query repot-an-orchid --item root-rot-rescue -m stagg_trust
explain.weights | stagg explain $SAMPLE --query repot-an-orchid --item root-rot-rescue --weights bm25=2,dense=0 --json
explain.depth | stagg explain $SAMPLE --query repot-an-orchid --item repot-a-snake-plant --depth 3 -m borda --json
explain.missing | stagg explain $SAMPLE --query repot-an-orchid --item root-rot-rescue -m stagg_bc --missing skip --json
explain.letor | for m in borda stagg_rrf; do stagg explain $PART --query 10002 --item GX008-86-4444840 -m $m --json; done
explain.dl19 | stagg explain $DL --query 19335 --item 8412684 -m stagg_rrf --depth 30
explain.skate | stagg explain $SKATE --item 3 -m borda; stagg explain $SKATE --item 3 -m kemeny --json
explain.bad | for x in "--item a" "--query x --item a" "--query repot-an-orchid --item a"; do try stagg explain $SAMPLE $x; done
evaluate.sample | show_as evaluate $SAMPLE --qrels $QRELS
evaluate.sample.all | stagg evaluate $SAMPLE --qrels $QRELS --measures "$ALL" --json
evaluate.sample.queries | show_as evaluate $SAMPLE --qrels $QRELS --per-query --measures ndcg@5,map
evaluate.dl19 | stagg evaluate $DL --qrels $JUDGED --measures "$ALL" --format csv
evaluate.dl19.queries | stagg evaluate $DL --qrels $JUDGED --measures "$ALL" --per-query --format csv
evaluate.letor | stagg evaluate $PART --measures "$ALL" --json; stagg evaluate $PARTS
evaluate.letor4 | stagg evaluate $PARTS --measures "ndcg@5,ndcg@10,map,p@5" --conventions letor4 --per-query --format csv
evaluate.whole | stagg evaluate in/whole/A2.txt --conventions letor4 --values score --json
evaluate.common | for x in "" --only-common; do stagg evaluate $H/ties.trec $H/near.trec --qrels $H/qrels.txt --json $x; done
evaluate.ties | stagg evaluate $H/ties.trec $H/near.trec --qrels $H/qrels.txt --measures "$ALL" --per-query --json
evaluate.csv | stagg evaluate in/formats/all.csv --qrels $QRELS --input-format csv --json
evaluate.bad | try stagg evaluate $SAMPLE; try stagg evaluate $SAMPLE --qrels $QRELS --measures ndgc; try stagg evaluate $SKATE
compare.sample | show_as compare $SAMPLE --qrels $QRELS -m "rrf(c=60);borda;stagg_rrf"
compare.sample.all | stagg compare $SAMPLE --qrels $QRELS -m "combsum;mc4;kemeny;condorcet" --measures "$ALL" --json
compare.dl19 | stagg compare $DL --qrels $JUDGED -m "rrf;combsum;isr" --measures ndcg@10,map --baseline combsum
compare.dl19.json | stagg compare $DL --qrels $JUDGED -m "rrf;combmnz;votecount" --seed 5 --threads 2 --json
compare.letor | stagg compare $PARTS -m "borda;rrf(c=10);mean_rank" --measures ndcg@5,err --conventions letor4 --json
compare.missing | stagg compare $PART -m "stagg_bc;stagg_rrf;copeland" --missing skip --json
compare.common | stagg compare $H/ties.trec $H/near.trec --qrels $H/qrels.txt -m "rrf;borda" --only-common --json
compare.folds.letor | stagg compare $PARTS --folds letor -m borda --tune "rrf(c=[10,20,40])" --conventions letor4 --json
compare.folds.each | stagg compare $PARTS --folds letor -m "borda;rrf" --per-fold
compare.folds.learners | stagg compare $PARTS --folds letor -m borda --learners "best_input;weights(method='borda')" --json
compare.folds.grid | stagg compare $PARTS --folds letor -m rrf --learners "stagg_ndcg(iterations=3,sigma=[1.0,0.25])" --json
~compare.folds.hash | stagg compare $DL --qrels $JUDGED --folds 4 -m rrf --tune "rrf(c=[1,10,100])" --per-fold --format csv
~compare.folds.seed | stagg compare $PARTS --folds 3 -m borda --learners best_input --seed 9 --json
compare.learners | stagg compare $SAMPLE --qrels $QRELS -m rrf --learners "best_input;weights" --json
~compare.rankers | stagg compare $PARTS -m "borda;rrf" --rankers 5,10 --draws 3 --seed 1 --measures ndcg@10 --json
~compare.rankers.table | stagg compare $PARTS -m "borda;rrf" --rankers 5 --draws 3 --measures ndcg@10 --report out.html
compare.report | stagg compare $DL --qrels $JUDGED -m "rrf;combsum;borda" --report out.html --json
compare.report.folds | stagg compare $PARTS --folds letor -m borda --tune "rrf(c=[10,20])" --report out.html -q
compare.plots | stagg compare $SAMPLE --qrels $QRELS -m "rrf;borda" --plots figures --json
compare.bad | for m in rrf "rrf;rrf" "rff;borda" ""; do try stagg compare $SAMPLE --qrels $QRELS -m "$m"; done
train.sample | stagg train $SAMPLE --qrels $QRELS -l weights -o m.json && stagg fuse $SAMPLE --model m.json
train.trust | stagg train $SAMPLE -l trust -o m.json && stagg fuse $SAMPLE --model m.json -o out.csv
~train.holdout | stagg train $PART --holdout 0.3 --seed 4 -l "stagg_ndcg(iterations=3)" -o m.json
train.letor4 | stagg train $PART -l best_input --conventions letor4 -o m.json && stagg evaluate $PART
train.dl19 | stagg train $DL --qrels $JUDGED -l "weights(method='combsum')" -o m.json && stagg fuse $DL --model m.json --top 5
train.options | stagg train $PART -l "weights(method='borda')" -o m.json;
    stagg fuse $PART --model m.json --depth 5 --top 3; stagg fuse $PART --model m.json --missing below --weights 1=2
~train.intervals | stagg train $SAMPLE --qrels $QRELS -l weights -o m.json;
    stagg fuse $SAMPLE --model m.json --intervals 0.9 --draws 20 -o out.csv --report out.html
train.bad | for l in weight "weights(x=1)" weights; do try stagg train $SAMPLE -l "$l" -o m.json; done
train.bad.model | echo "{}" > m.json; try stagg fuse $SAMPLE --model m.json; try stagg fuse $SAMPLE --model none.json
train.bad.rankers | stagg train $PART -l "rankagg_ndcg(iterations=2)" -o m.json; try stagg fuse $SAMPLE --model m.json
~simulate.csv | stagg simulate -o out.csv --truth truth.csv --qrels qrels.txt --seed 3
~simulate.mallows | stagg simulate -o out.json --model mallows --quality 0.3 --keep 0.4 --seed 7 --queries 3
~simulate.scores | stagg simulate -o out.parquet --scores --spread 0.5 --copies 2 --depth 5
simulate.bad | for x in "--keep 2" "--copies 9" "--quality x" "--items 0"; do try stagg simulate -o out.csv $x; done
~reproduce.table1 | stagg reproduce --data in/letor --out out --only table1 --quick --threads 1
~reproduce.figure4 | stagg reproduce --data in/letor --out out --only figure4 --quick --threads 1
pure.sample | for m in rrf borda stagg_rrf mc4 plackett_luce combsum; do stagg fuse $SAMPLE -m $m -o $m.csv; done
pure.dl19 | for m in rrf combsum stagg_bc copeland; do stagg fuse $DL --depth 10 -m $m -o $m.trec; done
pure.dl19.whole | stagg fuse $DL; stagg evaluate $DL --qrels $JUDGED --json
pure.letor | for m in borda stagg_rrf stagg_trust local_kemeny mc1; do stagg fuse $PART -m $m -o $m.csv; done
pure.skate | for m in kemeny bradley_terry median_rank rra; do stagg fuse $SKATE -m $m -o $m.csv; done
pure.ties | stagg fuse $H/ties.trec $H/near.trec $H/blanks.trec; stagg fuse $H/unicode.trec; stagg --version
pure.bad | for x in twice short nan comma empty; do try stagg fuse $H/$x.trec; try stagg fuse $H/$x.trec --lenient; done
pure.train | stagg train $PART -l "stagg_ndcg(iterations=3)" -o m.json && stagg fuse $PART --model m.json
~pure.intervals | stagg fuse $SAMPLE --intervals 0.9 --draws 50 -o out.csv
pure.compare | stagg compare $DL --qrels $JUDGED -m "rrf;combsum" --json
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
        show(found); show([(item, found.of(item).tolist()) for item in "abcde"]); show(found.expected_ranks())

distribution.sample | for found in rank_distribution(read(sample), weights=[2, 1, 0], missing="skip"):
        show(found.expected_ranks())

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
        show(found); show([(query, dict(found[query])) for query in found]); show(found.largest())

labels.letor | found = read_labels("in/letor/MQ2008-agg/A1.txt"); show([(query, dict(found[query])) for query in found])

labels.bad | for name in ("fractions.qrels", "twice.qrels", "ties.trec", "none"): refused(lambda: read_labels("in/hostile/" + name))

write.formats | for name in ("csv", "tsv", "json", "parquet", "trec", "letor", "toc", "csv.gz"):
        refused(lambda: write(fuse(read(sample)), "out." + name)); refused(lambda: write(read(sample), "all." + name))

write.lists | for name in ("csv", "tsv", "json", "parquet", "trec", "letor", "toc", "toi", "soc"):
        refused(lambda: write(Rankings.from_lists(lists), "out." + name))

write.labels | write(read(sample), "out.letor", labels=read_labels("in/sample/qrels.txt"))

~write.intervals | for name in ("csv", "json", "parquet", "trec"):
        refused(lambda: write(fuse(lists, intervals=0.9, draws=20), "out." + name))

evaluate.sample | table = evaluate(read(sample), read_labels("in/sample/qrels.txt"), per_query=True)
    show(table); show(table.to_json()); show(table.to_csv()); show(table.to_markdown()); show(table.to_latex())

evaluate.mapping | show(evaluate(runs, {"q1": {"a": 1, "d": 2}, "q3": {"y": 1}}, "ndcg,map,p@1").to_json())

evaluate.single | table = evaluate(read("in/hostile/near.trec"), {"q1": {"b": 1}}, "mrr", single_precision=True)
    show(table.to_json()); show(table._repr_html_())

evaluate.bad | for bad in ("ndgc", "ndcg@0", "rbp(p=2)", ""): refused(lambda: evaluate(runs, {"q1": {"a": 1}}, bad))

compare.sample | found = compare(read(sample), read_labels("in/sample/qrels.txt"), ["rrf", "borda", "stagg_rrf"])
    show(found); show(found.details().to_json()); show(found._repr_html_())

compare.parts | data, labels = read("in/letor/MQ2008-agg/A1.txt"), read_labels("in/letor/MQ2008-agg/A1.txt")
    parts = [data.queries[start::3] for start in range(3)]
    show(compare(data, labels, "borda", tune="rrf(c=[1, 60])", folds=parts, measures="ndcg@5").by_fold().to_json())

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
