# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
BIN = .venv/bin
PAIRS = eng-spa eng-cat en-gl eo-en spa-cat es-gl eo-es eo-ca
MORE_PAIRS = es-pt fr-es
# Named so that pip does not look for a newer one, which would bring GPU libraries along.
TORCH = 2.13.0
APERTIUM = apertium $(addprefix apertium-,$(PAIRS))

# The browser of the tests, and fonts for scripts that it would otherwise draw as boxes.
BROWSER = chromium fonts-noto-core fonts-wqy-microhei

# How many processes share the tests.
PROCESSES ?= 2

.PHONY: demo test check unit bench docs clean

demo: .venv/installed
	@tools/debian $(APERTIUM) 2>/dev/null || true
	@$(BIN)/concord demo

test: .venv/developing
	@tools/debian $(APERTIUM) $(addprefix apertium-,$(MORE_PAIRS)) apertium-apy $(BROWSER)
	@$(MAKE) --no-print-directory check unit

check:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

unit:
	$(BIN)/pytest --numprocesses $(PROCESSES) --dist worksteal

bench: .venv/developing
	@tools/debian $(APERTIUM)
	$(BIN)/python -m bench

docs: .venv/developing
	$(BIN)/python docs/generate.py

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || tools/debian python3 python3-venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Concord needs Python 3.11 or newer: make PYTHON=python3.11 ..."; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	@echo "Installing Concord into .venv"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/developing: .venv/installed
	@echo "Installing what the tests need into .venv"
	@$(BIN)/pip install --quiet --disable-pip-version-check torch==$(TORCH)
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
