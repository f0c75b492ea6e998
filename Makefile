# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
BIN = .venv/bin
PAIRS = eng-spa eng-cat en-gl eo-en spa-cat es-gl eo-es eo-ca
MORE_PAIRS = es-pt fr-es
# The torch that `make renew` pins, named because pip then takes a local CPU build of this very version where there is
# one; the newest of the registry would bring gigabytes of GPU libraries along.
TORCH = 2.13.0
# What pip installs is pinned, and so is what it builds with: old versions of pip read the first variable for both,
# new ones need the second.
PINNED = PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
# With --use-pep517 the pip of Debian 12, too, builds packages without wheels by what is pinned.
PIP_INSTALL = pip install --quiet --disable-pip-version-check --use-pep517
APERTIUM = apertium $(addprefix apertium-,$(PAIRS))

# The browser of the tests, what its driver needs, and fonts for scripts that it would otherwise draw as boxes.
BROWSER = chromium-headless-shell libatomic1 fonts-noto-core fonts-wqy-microhei
# Some tests look at processes with `ps`, which procps has.
TESTED = $(APERTIUM) $(addprefix apertium-,$(MORE_PAIRS)) apertium-apy procps $(BROWSER)

# How many processes share the tests: one more than two cores have, since many of them wait.
PROCESSES ?= 3

.PHONY: demo test test-newest renew check unit stress packages bench docs clean

demo: .venv/installed
	@tools/debian $(APERTIUM) 2>/dev/null || true
	@$(BIN)/concord demo

test: packages
	@$(MAKE) --no-print-directory check unit

packages: .venv/developing
	@tools/debian $(TESTED)

# The suite with the newest versions that pyproject.toml allows, in an environment of its own. Run it by hand.
test-newest:
	@tools/debian $(TESTED)
	@tools/newest .venv-newest $(TORCH)
	@$(MAKE) --no-print-directory check unit BIN=.venv-newest/bin

# Pin the newest versions that pyproject.toml allows, and test with them.
renew:
	@tools/newest .venv-newest $(TORCH)
	@tools/pins .venv-newest >constraints.new
	@mv constraints.new constraints.txt
	@$(MAKE) --no-print-directory test

check:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# Tests start the program some hundred times: it would be compiled each time where nothing is kept.
unit: export PYTHONDONTWRITEBYTECODE =
unit:
	$(BIN)/pytest --numprocesses $(PROCESSES) --dist worksteal -m 'not large'
	grep -rl --include='test_*.py' mark.large tests | sort | xargs -n 1 -P $(PROCESSES) $(BIN)/pytest -m large

stress: packages
	tools/stress $(MAKE) --no-print-directory unit

bench: .venv/developing
	@tools/debian $(APERTIUM)
	$(BIN)/python -m bench

docs: .venv/developing
	$(BIN)/python docs/generate.py

.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || tools/debian python3 python3-venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Concord needs Python 3.11 or newer: make PYTHON=python3.11 ..."; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	@echo "Installing Concord into .venv"
	@$(PINNED) $(BIN)/$(PIP_INSTALL) --editable .
	@touch $@

.venv/developing: .venv/installed
	@echo "Installing what the tests need into .venv"
	@$(PINNED) $(BIN)/$(PIP_INSTALL) --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv .venv-newest .mypy_cache .pytest_cache .ruff_cache .hypothesis
