# Everything runs in .venv, which the first target that needs it builds by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
comma := ,
NATIVE := $(shell find cpp -name '*.hpp' -o -name '*.cpp') CMakeLists.txt

.PHONY: demo test test-python test-cpp test-races lint types format tables kernels bench clean help

help:            ## what can be made
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/: .*##/:/'

$(VENV)/made: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet "scikit-build-core>=0.10" "nanobind>=2.4" "cmake>=3.22" "ninja>=1.11"
	@touch $@

# The package alone, for people who only want to use it.
$(VENV)/installed: $(VENV)/made $(NATIVE)
	@echo "building pathfront (about a minute the first time)"
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation --editable .
	@touch $@

# With everything that the tests and lints need.
$(VENV)/developing: $(VENV)/installed
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[dev]"
	@touch $@

demo: $(VENV)/installed  ## solve a road-like graph of a million arcs and show the result
	$(BIN)/pathfront demo

test: test-cpp test-races test-python  ## every test: C++ under sanitizers, then Python

test-python: $(VENV)/developing  ## the Python tests
	$(BIN)/python -m pytest -q

# Configures, builds and runs the C++ tests: $(call core_tests,folder,sanitizers,filter)
define core_tests
	@mkdir -p build
	$(BIN)/cmake -S . -B build/$(1) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCMAKE_BUILD_TYPE=Debug -DPATHFRONT_TESTS=ON -DPATHFRONT_WERROR=ON \
	  -DPATHFRONT_SANITIZE=$(2) -DPATHFRONT_TEST_FILTER=$(3) > build/$(1).log || (cat build/$(1).log; false)
	$(BIN)/cmake --build build/$(1)
	$(BIN)/ctest --test-dir build/$(1) --output-on-failure
endef

test-cpp: $(VENV)/developing  ## the C++ tests under AddressSanitizer and UBSan
	$(call core_tests,sanitized,address$(comma)undefined,)

test-races: $(VENV)/developing  ## the tests of threads under ThreadSanitizer
	$(call core_tests,races,thread,team)

lint: $(VENV)/developing  ## ruff and clang-format, without changing anything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(shell find cpp tests/cpp -name '*.hpp' -o -name '*.cpp')

types: $(VENV)/developing  ## mypy, strict
	$(BIN)/mypy

format: $(VENV)/developing  ## rewrite the sources in the project's format
	$(BIN)/ruff check --fix --quiet . || true
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(shell find cpp tests/cpp -name '*.hpp' -o -name '*.cpp')

tables: $(VENV)/developing  ## the README's tables from the registries
	$(BIN)/python docs/tables.py

kernels: $(VENV)/developing  ## compile all kernels for all GPUs, without one, and write the table in docs/kernels.md
	$(BIN)/python docs/kernels.py

bench: $(VENV)/developing  ## the foundation's figures, as ratios in one run
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[bench]"
	$(BIN)/pathfront bench foundation

clean:           ## remove the environment and everything built
	rm -rf $(VENV) build dist src/pathfront/_core.pyi
