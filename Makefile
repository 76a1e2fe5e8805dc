# Everything runs in .venv, which the first target that needs it builds by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
comma := ,
JOBS ?= $(shell nproc)
QUICK := ON
CPP_FILES = $(shell find cpp tests/cpp fuzz -name '*.hpp' -o -name '*.cpp')
NATIVE := $(shell find cpp -name '*.hpp' -o -name '*.cpp') CMakeLists.txt

.PHONY: demo oldest-scipy test test-all interrupts test-fast test-python test-cpp test-races fuzz fuzz-parsers coverage lint tidy types format tables kernels bench clean help

help:            ## what can be made
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/: .*##/:/'

$(VENV)/made: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --group build
	@touch $@

# The package alone, for people who only want to use it.
$(VENV)/installed: $(VENV)/made $(NATIVE)
	@echo "building pathfront (about a minute the first time)"
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation --editable .
	@touch $@

# With everything that the tests and lints need.
$(VENV)/developing: $(VENV)/made $(NATIVE)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[gpu,tables]" --group dev
	@touch $(VENV)/installed $@

demo: $(VENV)/installed  ## solve a road-like graph of a million arcs and show the result
	$(BIN)/pathfront demo

test: test-cpp test-races test-python  ## C++ under sanitizers, then Python; large grids by a pairwise cover

test-all: QUICK := OFF
test-all: test-cpp test-races  ## every test there is: whole grids, more random examples, optimised C++ tests
	$(call python_tests,--full --hypothesis-profile=thorough)
	$(BIN)/python tests/interrupts.py --times 5 --cpu

TIMES := 100
interrupts: $(VENV)/developing  ## how soon Ctrl-C is noticed in every long phase: TIMES=100 times each, PHASES="..." for some
	$(BIN)/python tests/interrupts.py --times $(TIMES) $(PHASES)

oldest-scipy:    ## the tests of csgraph, scipy's own among them, with the oldest scipy that is supported, in an environment of its own
	$(PYTHON) -m venv build/oldest-scipy
	build/oldest-scipy/bin/python -m pip install --quiet . "scipy==1.12.*" "numpy==1.26.*" pytest hypothesis
	build/oldest-scipy/bin/python tests/scipys_tests.py
	PYTHONPATH=tests build/oldest-scipy/bin/python -m pytest -q --override-ini addopts= --noconftest tests/test_csgraph.py

test-fast: $(VENV)/developing  ## for the inner loop: Python tests without GPU kernels and sanitizers
	$(BIN)/python -m pytest -q -n $(JOBS) -m "not gpu and not serial and not slow"

test-python: $(VENV)/developing  ## the Python tests
	$(call python_tests,)

# Side by side, then those that need the machine for themselves: $(call python_tests,options)
define python_tests
	$(BIN)/python -m pytest -q -n $(JOBS) -m "not serial" $(1)
	$(BIN)/python -m pytest -q -m serial $(1)
endef

# Configures, builds and runs the C++ tests: $(call core_tests,folder,sanitizers,tag)
define core_tests
	@mkdir -p build
	$(BIN)/cmake -S . -B build/$(1) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCMAKE_BUILD_TYPE=Debug -DPATHFRONT_TESTS=ON -DPATHFRONT_WERROR=ON \
	  -DPATHFRONT_SANITIZE=$(2) -DPATHFRONT_TEST_TAG=$(3) $(4) > build/$(1).log || (cat build/$(1).log; false)
	$(BIN)/cmake --build build/$(1)
	$(BIN)/ctest --test-dir build/$(1) --output-on-failure --parallel $(JOBS)
endef

test-cpp: $(VENV)/developing  ## the C++ tests under AddressSanitizer and UBSan
	$(call core_tests,sanitized,address$(comma)undefined,,-DPATHFRONT_TEST_QUICK_BUILD=$(QUICK))

test-races: $(VENV)/developing  ## the C++ tests tagged `threads` under ThreadSanitizer
	$(call core_tests,races,thread,threads,)

# $(call option,name,value): --name value, or nothing if there is no value
option = $(if $(2),--$(1) $(2))

fuzz: $(VENV)/developing  ## random cases against independent oracles: MINUTES= COUNT= WHAT= SEED= PROCESSES=
	$(BIN)/python -m fuzz $(call option,minutes,$(MINUTES)) $(call option,count,$(COUNT)) \
	  $(call option,what,$(WHAT)) $(call option,seed,$(SEED)) $(call option,processes,$(PROCESSES))

# libFuzzer is part of clang; in Debian's packages its runtime is one of its own.
CLANG ?= $(firstword $(shell for name in clang++ clang++-21 clang++-20 clang++-19 clang++-18; do command -v $$name; done; true))
PARSERS := build/parsers
SECONDS_EACH = $(shell $(BIN)/python -c 'print(int(60 * float("$(or $(MINUTES),2)") / 2))')
FUZZED = -max_total_time=$(SECONDS_EACH) -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
  -max_len=4000 -artifact_prefix=$(PARSERS)/

fuzz-parsers: $(VENV)/developing  ## the parsers, guided by coverage, in two halves of MINUTES=; needs clang
	@test -n "$(CLANG)" || (echo "fuzz-parsers needs clang with libFuzzer: on Debian and Ubuntu" \
	  "apt install clang-19 libclang-rt-19-dev; or set CLANG=" && false)
	@mkdir -p $(PARSERS)/text $(PARSERS)/readers
	$(CLANG) -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Icpp -pthread \
	  -o $(PARSERS)/parsers fuzz/parsers/parsers.cpp
	$(BIN)/python -m fuzz.parsers.seeds $(PARSERS)/text
	$(PARSERS)/parsers $(FUZZED) -dict=fuzz/parsers/text.dict $(PARSERS)/text
	$(BIN)/python -m pip install --quiet --group fuzz
	$(BIN)/python -m fuzz.parsers.readers $(FUZZED) $(PARSERS)/readers

# Some lines run more than 2^32 times, which gcovr takes for an error unless its threshold is 0.
coverage: $(VENV)/developing  ## which lines the tests run: build/coverage/{python,cpp}/index.html
	$(BIN)/python -m pip install --quiet --group coverage
	@mkdir -p build/coverage/cpp
	$(BIN)/python -m pytest -q -n $(JOBS) -m "not serial" --cov --cov-report=term --cov-report=html:build/coverage/python
	$(call core_tests,covered,,,-DPATHFRONT_COVERAGE=ON)
	$(BIN)/gcovr --root . --filter cpp/ --gcov-suspicious-hits-threshold=0 --print-summary --html-details build/coverage/cpp/index.html build/covered

lint: $(VENV)/developing  ## ruff, clang-format and codespell, without changing anything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)
	$(BIN)/codespell src cpp tests fuzz tools docs *.md

tidy: $(VENV)/developing  ## clang-tidy over all of cpp/, by the checks in .clang-tidy
	$(BIN)/python -m pip install --quiet --group tidy
	$(BIN)/cmake -S . -B build/tidy -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DPATHFRONT_TESTS=ON > build/tidy.log
	printf '%s\n' tests/cpp/*.cpp | xargs -P $(JOBS) -n 1 $(BIN)/clang-tidy --quiet -p build/tidy

types: $(VENV)/developing  ## mypy, strict
	$(BIN)/mypy

format: $(VENV)/developing  ## rewrite the sources in the project's format
	$(BIN)/ruff check --fix --quiet . || true
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP_FILES)

tables: $(VENV)/developing  ## the tables of docs/ from the registries
	$(BIN)/python docs/tables.py

kernels: $(VENV)/developing  ## compile all kernels for all GPUs, without one, and write the table in docs/kernels.md
	$(BIN)/python -m docs.kernels

bench: $(VENV)/developing  ## the foundation's figures, as ratios in one run
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[bench]"
	$(BIN)/pathfront bench foundation

clean:           ## remove the environment and everything built
	rm -rf $(VENV) build dist src/pathfront/_core.pyi
