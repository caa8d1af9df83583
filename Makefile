# Everything there is to remember: make demo, make test, make check, make bench, make docs, make oracles, make integrations, make spark, make cluster, make dist, make attack, make pins, make test-quick, make test-long, make mutants, make versions, make newer-versions, make pure, make release-check, make prose, make man.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
QUIET_INSTALL := install --quiet --no-input
COMPILE := $(BIN)/uv pip compile $(addprefix --find-links=,$(PIP_FIND_LINKS)) --quiet --no-deps --generate-hashes --no-header --no-annotate
python = $(firstword $(wildcard $(HOME)/.pyenv/versions/$(1).*/bin/python) $(shell command -v python$(1)))
HASHED := $(QUIET_INSTALL) --require-hashes -r requirements/hashed
# Two workers, a file to each at a time, so that what a file prepares is prepared once. The compiled form of the tests is kept,
# whatever the environment says: to make it takes long.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist loadfile

.PHONY: install demo test test-long check bench bench-check bench-formats bench-parts bench-peers sanitize docs oracles integrations spark cluster dist clean fuzz pins attack attack-slice attack-long test-quick versions newer-versions pure release-check prose man

install: .venv/installed
demo: .venv/installed
	$(BIN)/stagg demo

test: .venv/installed-dev
	$(PYTEST)

# The same with everything that `make test` thins in full: before a release.
test-long: .venv/installed-dev
	STAGG_LONG=1 $(PYTEST)

# The inner loop: data, registry, kernels against their oracles, files, worked numbers, the front door. It leaves out the
# laws, learning, the paper, the pages, the browser, the documentation and the integrations.
QUICK_TESTS := tests/data tests/test_fuse.py tests/test_registry.py tests/kernels/test_twins.py tests/kernels/test_compiled.py \
    tests/formats/test_roundtrip.py tests/methods/test_worked_numbers.py tests/methods/test_comb.py tests/methods/test_markov.py \
    tests/cli/test_flags.py tests/measures/test_values.py tests/measures/test_notation.py tests/evaluation/test_tables.py \
    tests/door/test_results.py tests/aggregate/test_plan.py
test-quick: .venv/installed-dev
	$(PYTEST) -q $(QUICK_TESTS)

# The same without compiled kernels.
pure: .venv/installed-dev
	STAGG_PURE=1 $(PYTEST) -q $(QUICK_TESTS)

# The same on every Python at hand: one wheel, the oldest NumPy and SciPy that are allowed, the newest that there are.
# Their warnings, of deprecation too, are errors.
versions: $(foreach version,3.11 3.12 3.13 3.14,$(if $(call python,$(version)),.venv-$(version)/installed))
	set -e; for one in $(^D); do echo "$$one"; $$one/bin/python -m pytest -q $(QUICK_TESTS); done

# The same on Python 3.14, and a smoke test on 3.15, from a later Debian; needs root and debootstrap.
newer-versions: build/abi3/wheel
	sh bench/newer_pythons.sh build/abi3/*.whl $(QUICK_TESTS)

fuzz: .venv/installed-dev
	$(BIN)/python -m pytest -n 2 tests/formats/test_fuzz.py --fuzz-cases 200000

check: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Everybody against everybody in one run, the peers in an environment of their own; about 15 minutes, QUICK=--quick 5.
bench: .venv/installed-dev .venv-bench/installed
	$(BIN)/python bench/run.py --peers .venv-bench/bin/python --json bench/results.json --page $(QUICK)
	$(BIN)/python bench/scaling.py $(QUICK)

# Whether something of ours got slower: ratios of a quick run against the recorded ones.
bench-check: .venv/installed-dev
	$(BIN)/python bench/run.py --quick --rounds 5 --check

# Wall and CPU seconds by format and order of the rows, beside Polars and DuckDB (those of the dev environment): on a quiet machine, about 15 minutes; ARGS=--quick 3.
bench-formats: .venv/installed-dev
	$(BIN)/python bench/formats.py $(ARGS)

# What single parts cost against their own neighbours.
bench-parts: .venv/installed-dev
	$(BIN)/python bench/comparison.py
	$(BIN)/python bench/stochastic.py --rows moderate
	$(BIN)/python bench/expected_measures.py
	$(BIN)/python bench/twins.py
	$(BIN)/python bench/explorer.py

# The compiled reader and writer under AddressSanitizer.
sanitize: .venv/installed-dev
	sh bench/sanitize.sh

# The site; pages of the reference are made from the registries on the way (docs/generate.py).
docs: .venv/installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/python docs/links.py site

# Manual pages, and what bash, zsh and fish read to complete commands, into build/man1 and build/completions.
man: .venv/installed
	$(BIN)/python docs/man_pages.py build

# The words of the pages: proselint, and the words of this house.
prose: .venv/installed-docs
	$(BIN)/python docs/prose.py

# Tests against other people's libraries, in an environment of their own: they are heavy, and not ours to ship.
oracles: .venv-oracles/installed .venv-elections/installed
	.venv-oracles/bin/python -m pytest tests/oracles -p no:cacheprovider -o addopts="--import-mode=importlib" -o norecursedirs= -o filterwarnings=
	.venv-elections/bin/python -m pytest tests/oracles/test_elections.py tests/oracles/test_seats.py -p no:cacheprovider -o addopts="--import-mode=importlib" -o norecursedirs= -o filterwarnings=

# The adapters with the packages that they adapt to, their doctests and the blocks of the pages on them; none may skip.
# MTEB brings torch, and has an environment of its own. Databases are started by the tests, and stopped. Without
# SCIPY_ARRAY_API scikit-learn would skip one of its checks of estimators.
INTEGRATED := docs/integrations.md docs/migration.md docs/databases.md docs/howto/databases.md docs/howto/production.md
PAGE_TEST := tests/test_docs.py::test_python_blocks_run_and_print_what_their_comments_say
INTEGRATION_WARNINGS := -o filterwarnings="error:::stagg" -W "ignore:stagg_trust has nothing to learn from" -W "ignore:trust='learned' has nothing to learn from"
integrations: .venv-integrations/installed .venv-mteb/installed
	SCIPY_ARRAY_API=1 HAYSTACK_TELEMETRY_ENABLED=False STAGG_INTEGRATIONS=all .venv-integrations/bin/python -m pytest tests/integrations src/stagg/integrations $(foreach page,$(INTEGRATED),"$(PAGE_TEST)[$(page)]") --ignore=tests/integrations/test_mteb.py $(INTEGRATION_WARNINGS)
	STAGG_INTEGRATIONS=mteb .venv-mteb/bin/python -m pytest tests/integrations/test_mteb.py src/stagg/integrations/mteb.py $(foreach page,$(INTEGRATED),"$(PAGE_TEST)[$(page)]") $(INTEGRATION_WARNINGS)

# The Spark engine on a cluster of two executors on this machine; needs Java 17. None may skip for want of pyspark or Java.
# One thread for BLAS, as Spark's workers have: on some processors (AVX-512) its threads change the last bits of what it solves.
spark: .venv-spark/installed
	OPENBLAS_NUM_THREADS=1 STAGG_SPARK=all PYSPARK_PYTHON=$(CURDIR)/.venv-spark/bin/python .venv-spark/bin/python -m pytest tests/engines "tests/test_docs.py::test_python_blocks_run_and_print_what_their_comments_say[docs/scale.md]" -o filterwarnings="error:::stagg" -W "ignore:stagg_trust has nothing to learn from" -W "ignore:trust='learned' has nothing to learn from"

# A standalone cluster (a master and two workers, each in a network of its own where root allows) and what goes wrong with one:
# needs Java 17, and root with iproute2 for the faults of networks and disks. None may skip where these are there.
cluster: .venv-spark/installed .venv-cluster/environment.tar.gz
	STAGG_CLUSTER=all STAGG_ENVIRONMENT=$(CURDIR)/.venv-cluster/environment.tar.gz .venv-spark/bin/python -m pytest tests/cluster -rs --durations=0 -o filterwarnings="error:::stagg"

# Plackett-Luce and MC4 against choix and PyFLAGR, which live in the oracles' environment.
bench-peers: .venv-oracles/installed
	.venv-oracles/bin/python bench/unsupervised.py

# The wheel and the source archive, each tried in an empty environment.
dist: .venv/installed-dev
	$(PYTHON) -c "import shutil; [shutil.rmtree(d, True) for d in ('dist', 'build')]"
	$(BIN)/python -m build --outdir dist . > /dev/null
	sh bench/try_dist.sh dist/*.whl
	sh bench/try_dist.sh dist/*.tar.gz

# A release, before anybody uploads it: sdist and wheels built twice with the same bytes, audited, installed without a compiler
# on every Python at hand, tried by bench/smoke.py.
release-check: .venv/installed-dev .venv-release/installed
	$(BIN)/python bench/release.py

# The hashes of everything that the targets above install, from the pins in requirements/*.txt: run it when you change one.
pins: .venv/bin/python
	$(PIP) $(QUIET_INSTALL) -r requirements/pins.txt
	mkdir -p requirements/hashed
	set -e; for name in build core dev docs integrations mteb oracles elections spark cluster attack oldest release; do $(COMPILE) requirements/$$name.txt -o requirements/hashed/$$name.txt; done
	$(COMPILE) --python-version 3.12 requirements/newest.txt -o requirements/hashed/newest.txt
	$(COMPILE) bench/requirements.txt -o requirements/hashed/bench.txt
	grep -- --hash requirements/mteb.txt | while read -r pin hash; do sed -i "s|^$$pin$$|$$pin $$hash|" requirements/hashed/mteb.txt; done

# What SECURITY.md promises, under attack; SEED=N repeats a run. attack-slice takes 3 minutes.
attack: .venv/installed-dev .venv/installed-attack
	$(BIN)/python -m attack --minutes 10 $(if $(SEED),--seed $(SEED))
attack-slice: .venv/installed-dev .venv/installed-attack
	$(BIN)/python -m attack --minutes 3 $(if $(SEED),--seed $(SEED))
attack-long: .venv/installed-dev .venv/installed-attack
	$(BIN)/python -m attack --minutes 60 $(if $(SEED),--seed $(SEED))

# Whether the tests notice small mistakes in src: N mutants drawn by SEED, about an hour; ONLY='formats/*' takes one package.
.PHONY: mutants
mutants: .venv/installed-dev
	$(BIN)/python bench/mutants.py $(or $(N),150) --seed $(or $(SEED),0) --only '$(or $(ONLY),*)'

clean:
	rm -rf .venv .venv-bench .venv-oracles .venv-elections .venv-integrations .venv-mteb .venv-spark .venv-cluster .venv-release .venv-debian .venv-3.* build dist site docs/reference src/stagg/kernels/*.c src/stagg/kernels/*/*.c src/stagg/kernels/*.so src/stagg/kernels/*/*.so src/*.egg-info .hypothesis .mypy_cache .ruff_cache

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: requirements/hashed/core.txt requirements/hashed/build.txt pyproject.toml setup.py $(wildcard src/stagg/kernels/*.pyx src/stagg/kernels/*/*.pyx src/stagg/kernels/*.pxd src/stagg/kernels/*/*.pxd) | .venv/bin/python
	$(PIP) $(HASHED)/core.txt -r requirements/hashed/build.txt
	$(PIP) $(QUIET_INSTALL) --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q src  # pip does so for a wheel; an editable install would leave it to the first start
	touch $@

.venv/installed-dev: .venv/installed requirements/hashed/dev.txt
	$(PIP) $(HASHED)/dev.txt
	touch $@

.venv/installed-attack: requirements/hashed/attack.txt | .venv/bin/python
	$(PIP) $(HASHED)/attack.txt
	touch $@

# The checker of accessibility that one test of the pages uses; without npm that test skips and says so.
.venv/installed-axe: requirements/axe.txt | .venv/bin/python
	npm install --silent --no-save --no-audit --no-fund --prefix .venv $$(cat requirements/axe.txt)
	touch $@

.venv/installed-docs: .venv/installed requirements/hashed/docs.txt
	$(PIP) $(HASHED)/docs.txt
	touch $@

.venv-bench/installed: requirements/hashed/bench.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip --disable-pip-version-check $(HASHED)/bench.txt
	touch $@

# pref_voting and VoteKit want an older numba than ranx
.venv-elections/installed: requirements/hashed/elections.txt pyproject.toml setup.py
	$(PYTHON) -m venv .venv-elections
	.venv-elections/bin/python -m pip --disable-pip-version-check $(HASHED)/elections.txt
	.venv-elections/bin/python -m pip --disable-pip-version-check $(QUIET_INSTALL) --no-deps -e .
	touch $@

# All that they want is pinned, so nothing is looked for: rbo asks for an older NumPy than the others, and runs with theirs.
.venv-oracles/installed: requirements/hashed/oracles.txt pyproject.toml setup.py
	$(PYTHON) -m venv .venv-oracles
	.venv-oracles/bin/python -m pip --disable-pip-version-check $(HASHED)/oracles.txt --no-deps
	.venv-oracles/bin/python -m pip --disable-pip-version-check $(QUIET_INSTALL) --no-deps -e .
	touch $@

.venv-integrations/installed: requirements/hashed/integrations.txt pyproject.toml setup.py
	$(PYTHON) -m venv .venv-integrations
	.venv-integrations/bin/python -m pip --disable-pip-version-check $(HASHED)/integrations.txt
	.venv-integrations/bin/python -m pip --disable-pip-version-check $(QUIET_INSTALL) --no-deps -e .
	touch $@

# PyTorch without CUDA, which would be gigabytes: pip finds this wheel where PIP_FIND_LINKS or PyTorch's own index has it
.venv-mteb/installed: requirements/hashed/mteb.txt pyproject.toml setup.py
	$(PYTHON) -m venv .venv-mteb
	.venv-mteb/bin/python -m pip --disable-pip-version-check $(HASHED)/mteb.txt
	.venv-mteb/bin/python -m pip --disable-pip-version-check $(QUIET_INSTALL) --no-deps -e .
	touch $@

.venv-spark/installed: requirements/hashed/spark.txt pyproject.toml setup.py
	$(PYTHON) -m venv .venv-spark
	.venv-spark/bin/python -m pip --disable-pip-version-check $(HASHED)/spark.txt
	.venv-spark/bin/python -m pip --disable-pip-version-check $(QUIET_INSTALL) --no-deps -e .
	touch $@

# What spark-submit ships to executors that have no stagg: a wheel of this tree and what it needs, packed as docs/scale.md tells.
.venv-cluster/environment.tar.gz: requirements/hashed/cluster.txt $(shell find src/stagg -name '*.py' -o -name '*.pyx' -o -name '*.pxd') | .venv/installed
	$(PYTHON) -m venv --clear .venv-cluster
	.venv-cluster/bin/python -m pip --disable-pip-version-check $(HASHED)/cluster.txt
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir .venv-cluster/wheel .
	.venv-cluster/bin/python -m pip --disable-pip-version-check $(QUIET_INSTALL) --no-deps .venv-cluster/wheel/*.whl
	.venv-cluster/bin/venv-pack --quiet --force --compress-level 1 --prefix .venv-cluster --output $@

.venv-release/installed: requirements/hashed/release.txt
	$(PYTHON) -m venv .venv-release
	.venv-release/bin/python -m pip --disable-pip-version-check $(HASHED)/release.txt
	touch $@

# The wheel for all Pythons, and environments in which it meets the oldest and the newest of what it needs.
build/abi3/wheel: .venv/installed-dev $(shell find src/stagg -name '*.py' -o -name '*.pyx' -o -name '*.pxd')
	rm -rf build/abi3 build/lib* build/temp*
	STAGG_ABI3=1 STAGG_COMPILED=1 $(BIN)/python -m build --no-isolation --wheel --outdir build/abi3 . > /dev/null
	touch $@

.venv-3.%/installed: build/abi3/wheel requirements/hashed/oldest.txt requirements/hashed/newest.txt
	$(call python,3.$*) -m venv --clear .venv-3.$*
	.venv-3.$*/bin/python -m pip --disable-pip-version-check $(HASHED)/$(if $(filter 11,$*),oldest,newest).txt
	.venv-3.$*/bin/python -m pip --disable-pip-version-check $(QUIET_INSTALL) --no-deps build/abi3/*.whl
	touch $@
