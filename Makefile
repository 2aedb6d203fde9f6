# Two commands do everything on a fresh machine: `make demo` and `make test`.
PY      ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
KB      := $(BIN)/kb
STAMP   := $(VENV)/.installed

.PHONY: setup demo test lint browser bench acceptance ships schemas gallery clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing $(VENV) && uv pip install --quiet --python $(BIN)/python -e '.[dev]'; \
	else \
	  $(PY) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'; \
	fi
	@touch $@

demo: setup
	@BIN=$(BIN) sh demo.sh

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(KB) schema --check
	$(KB) lint --quiet

browser:
	@sh tests/site/chromium.sh

test: lint browser
	$(BIN)/python -m pytest -n 2

schemas: setup
	$(KB) schema

# Pictures of the site of our own records for docs/gallery.md.
gallery: setup browser
	$(BIN)/python -m tests.site.gallery

bench: setup
	$(BIN)/python -m benchmarks

# Real vLLM releases from the package index, some 400 MB the first time; writes docs/scan-acceptance.md.
acceptance: setup
	$(BIN)/python -m acceptance.scan

# Where the changes' `ships` turn, by tables and artifacts; NIXL's wheels are some gigabytes: name distributions to look at.
ships: setup
	$(BIN)/python -m acceptance.ships vllm sglang lmcache ai-dynamo aiperf vllm-router

clean:
	rm -rf $(VENV) .kb
