# Everything runs in .venv, which `make env` builds from requirements.lock. `make` alone teaches.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

CORES ?= 2## cores for Snakemake and pytest
BASE ?= main## `check` looks at what was changed since this branch or commit
RUN ?= full## which run `dry` looks at: quick or full
V ?=## 1 shows all that Snakemake says; else that stands in .snakemake/log
TARGETS ?=## what to build; empty means everything (e.g. ncgs, claims, a figure's path)
PAPER ?= *## which paper `reference` copies; * means all in reports/full

TIMES ?= 50## how many times as many cases as `test` `torture` tries

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TOOLS := $(VENV)/.tools
PAGES := $(VENV)/.pages
PEERS := $(VENV)/.peers
LOCKER := .venv-lock/bin
SNAKEMAKE := $(BIN)/snakemake --cores $(CORES)
SHOWN := $(if $(V),,--logger projfree)
PYTEST := $(BIN)/python -m pytest
SPREAD := -n $(CORES) --dist loadfile --no-loadscope-reorder

# One thread per run: seconds are comparable, and CORES alone decides how much runs at once.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
export NUMBA_NUM_THREADS := 1
# The environment and its caches stand in this folder, whatever the home folder holds.
export PYTHONNOUSERSITE := 1
export MPLCONFIGDIR := $(CURDIR)/.cache/matplotlib
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Compiled Python is kept, whatever the shell says: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help env quick taste replicate dry check test test-all coverage torture lint format reference pages site screenshots bench lock wheels clean

help: ## this page
	@echo "usage: make <target> [VARIABLE=value]"; echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile; echo
	@awk -F ' \\?= ?|## ' '/^[A-Z]+ \?=.*## / { printf "  %-12s %s\n", $$1 "=" $$2, $$3 }' Makefile; echo
	@echo "start with: make taste, then make quick   (docs: README.md, docs/running.md)"

env: $(STAMP) ## what the runs need, in .venv, pinned and hashed (instant when up to date)

# What tests, checks and benchmarks need beside it comes when one of them is called.
test test-all coverage check lint format torture: $(TOOLS)
bench: $(PEERS)
site: $(PAGES)

taste: env ## one figure of one paper to its page, in seconds
	@$(SNAKEMAKE) $(SHOWN) --config run=taste 'papers=[ncgs]' -- ncgs

quick: env ## the whole study in small, offline, minutes; tells what it made
	@$(SNAKEMAKE) $(SHOWN) --config run=quick -- $(TARGETS)

replicate: env ## the full run at the papers' sizes, computed from the data on (README.md says how long)
	@$(SNAKEMAKE) $(SHOWN) --config run=full -- $(TARGETS)

dry: env ## what RUN would do, and why, without doing it
	$(SNAKEMAKE) --config run=$(RUN) --dry-run -- $(TARGETS)

check: env ## while you work: the tests that your changes since BASE can have touched (under 3 minutes)
	$(PYTEST) $(SPREAD) --changed "$$(git merge-base $(BASE) HEAD)" || test $$? = 5  # 5: no test is touched

test: env ## the whole test suite, slow forms with a share of their cases
	$(PYTEST) $(SPREAD)

test-all: env ## the whole test suite, slow forms in full, as every night
	$(PYTEST) $(SPREAD) --long

coverage: env ## the lines of src that the fast tests reach, in per cent (half as long again as those tests)
	$(PYTEST) $(SPREAD) -m "not slow" --cov=src --cov-report=term:skip-covered

torture: env ## break jobs, downloads and data files on purpose, many times
	TORTURE=$(TIMES) $(PYTEST) $(SPREAD) tests/torture --long

lint: env ## style, formatting, import direction, types, workflow lint, house rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check workflow
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/mypy
	$(PYTEST) tests/house/test_repository.py

format: env ## rewrite Python and Snakemake files in the house's format, and the schemas from the types
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt workflow
	$(BIN)/python -m referee.study.schemas

reference: env ## publish reports/full/<paper> as reports/reference/<paper>, renew what the README says of it
	@for claims in reports/full/$(PAPER)/claims.json; do $(BIN)/projfree publish $$(basename $$(dirname $$claims)); done

pages: env ## pages and README.md of the published reports, from their published tables, without a run
	$(BIN)/projfree page --from reports/reference

site: env ## the public site: reports, documentation, gallery, reference, search; into site/index.html
	$(BIN)/python docs/site/make.py site

screenshots: pages ## the pictures of docs/screenshots, from the published pages, by a Chromium
	$(BIN)/python docs/site/screenshots.py

bench: env ## speed and memory against peers, as ratios (a few minutes; keep the machine quiet)
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python "$$script"; done

lock: $(LOCKER)/pip-compile ## resolve pyproject.toml, extras and all, into requirements.lock again (needs a package index)
	$< --quiet --allow-unsafe --generate-hashes --strip-extras --no-emit-index-url \
	    --no-emit-find-links --no-emit-trusted-host --no-emit-options --all-extras --all-build-deps \
	    --output-file=requirements.lock pyproject.toml
	@$(MAKE) --no-print-directory wheels

wheels: $(LOCKER)/pip-compile ## whether each Python that is promised can install the lock (needs a package index)
	@for python in $(PROMISED); do \
	    $(LOCKER)/python workflow/envs/needed.py $(TOOL_EXTRAS) | grep -oE '^[^ ]+==[^ ]+' > .venv-lock/pins.txt; \
	    $(LOCKER)/pip install --quiet --dry-run --no-deps --target .venv-lock/none --only-binary :all: --no-binary $(WITHOUT_WHEEL) $(BUILT) \
	        --python-version $$python -r .venv-lock/pins.txt \
	        || { echo "Python $$python cannot install what is named above: resolve with that Python," \
	        "make lock PYTHON=…, or bound it in pyproject.toml"; exit 1; }; \
	    echo "Python $$python: $$(wc -l < .venv-lock/pins.txt) packages"; \
	done

$(LOCKER)/pip-compile:
	"$(PYTHON)" -m venv .venv-lock && $(LOCKER)/python -m pip install --quiet --upgrade pip pip-tools

clean: ## remove runs and their reports; keeps .venv, downloads and reports/reference
	rm -rf results .snakemake .pytest_cache .ruff_cache .hypothesis .cache reports/quick reports/full site

# The Pythons that README.md promises, from the very first patch of the lowest.
PROMISED := 3.11.0 3.12 3.13 3.14
# The first interpreter that is new enough and can make environments (Debian has that in a package of its own);
# a pyenv shim may exist and yet fail, so each is tried.
NEW_ENOUGH := -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3.14 python3; do \
    $$python $(NEW_ENOUGH) && { echo $$python; break; }; done)

# What tests and checks need beside what the runs need; peers are left to the benchmarks.
TOOL_EXTRAS := workflow estimators dev docs distributed
# Two packages of pure Python have no wheel anywhere: connection-pool, which snakemake asks for, and copt, a peer of
# the tests; immutables, which snakemake asks for too, has none for Python 3.14. The pinned setuptools builds them.
WITHOUT_WHEEL := connection-pool,copt,immutables
BUILT := --no-build-isolation --use-pep517
# Packages as they are found, then what pip says at the end: a line each 20 packages.
INSTALL = $(BIN)/python -m pip install --require-hashes -r $(1) $(2) | awk -v all="$$(grep -c '^[a-z]' $(1))" \
    '/^(Collecting|Requirement already) / { if (++n % 20 == 0 || n == all) print "  " n " of " all " packages" } \
    /^Installing/ { print "  installing what was new" }'
NEEDED = $(BIN)/python workflow/envs/needed.py

# setuptools comes from the lock and comes first, so what is packed here, the project too, reaches for nothing.
$(STAMP): requirements.lock pyproject.toml harness/pyproject.toml
	@"$(PYTHON)" $(NEW_ENOUGH) || { echo "projfree needs Python 3.11 or newer that can make environments (on Debian and" \
	    "Ubuntu: python3-venv), and found '$(PYTHON)' among python3.11 to python3.14 and python3. Install it, or say" \
	    "where it is: make env PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@echo "1/3 what the runs need, into $(VENV): wheels pinned in requirements.lock (once, about a minute)"
	@sed -n '/^setuptools==/,/# via/p' requirements.lock > $(VENV)/setuptools.txt
	@$(BIN)/python -m pip install --quiet --require-hashes -r $(VENV)/setuptools.txt
	@$(NEEDED) workflow > $(VENV)/needed.txt && $(call INSTALL,$(VENV)/needed.txt,$(BUILT))
	@echo "2/3 this project"
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e . -e ./harness
	@echo "3/3 compiling its kernels into .cache (once, half a minute)"
	@$(BIN)/projfree compile
	@touch $@

$(TOOLS): $(STAMP)
	@echo "tools for tests and checks, into $(VENV) (once)"
	@$(NEEDED) $(TOOL_EXTRAS) > $(VENV)/tools.txt && $(call INSTALL,$(VENV)/tools.txt,$(BUILT))
	@touch $@

$(PAGES): $(STAMP)
	@echo "what builds the public site, into $(VENV) (once)"
	@$(NEEDED) workflow estimators docs > $(VENV)/pages.txt && $(call INSTALL,$(VENV)/pages.txt,$(BUILT))
	@touch $@

$(PEERS): $(TOOLS)
	@echo "peers that the benchmarks compare with, into $(VENV) (once; some are built from their sources)"
	@$(call INSTALL,requirements.lock)
	@touch $@
