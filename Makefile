# The first command that needs it sets up everything in .venv; only Python 3.11 or later is required.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: help demo test quick lint types check docs site screens system browser terminal clean

help:
	@echo "make demo     reduce a bundled failing input"
	@echo "make test     run all tests"
	@echo "make quick    run the tests that start no processes"
	@echo "make check    all tests, ruff and mypy"
	@echo "make docs     rerun the commands in README.md and docs/, and update their output"
	@echo "make site     build the documentation as a site in build/site"
	@echo "make screens  take pictures of the display, the report and the site into build/screens"
	@echo "make clean    remove .venv and caches"

demo: .venv/installed
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: .venv/installed-for-development .venv/node/installed | browser terminal
	$(BIN)/pytest tests -m "not browser and not cluster"
	$(BIN)/pytest tests -m "browser or cluster" --numprocesses 2  # one browser, one cluster

quick: .venv/installed-for-development
	$(BIN)/pytest

lint: .venv/installed-for-development
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/installed-for-development
	$(BIN)/mypy

check: test lint types

docs: .venv/installed-for-development
	$(BIN)/python tools/man_page.py
	$(BIN)/python -m tests.documentation.consoles README.md docs/*.md
	$(BIN)/python tools/record_terminal.py

site: .venv/installed-for-development
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "The site is in build/site/index.html"

screens: .venv/installed-for-development site | browser terminal
	$(BIN)/python tools/screens.py build/screens

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis

# $(call needed,a command that succeeds where it is there,the Debian package that brings it)
define needed
	@$(1) >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -qqy $(2); } \
		|| { echo "Please install $(2) and try again."; exit 1; }
endef

system:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "minrepro needs Python 3.11 or later. Use another one:  make PYTHON=python3.12"; exit 1; }
	$(call needed,$(PYTHON) -c 'import ensurepip',python3-venv)

terminal:
	$(call needed,command -v tmux,tmux)

browser:
	$(call needed,command -v chromium && command -v chromedriver,chromium chromium-driver)
	$(call needed,command -v Xvfb && command -v xdotool && command -v xcalc,xvfb xdotool x11-apps)

.venv/bin/pip: | system
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/installed-for-development: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch .venv/installed $@

# The tools whose exported tests are run, and what checks pages for accessibility; none of them needs a browser of its own.
.venv/node/installed: Makefile | .venv/bin/pip
	$(call needed,command -v node && command -v npm,nodejs npm)
	@mkdir -p $(@D)
	PUPPETEER_SKIP_DOWNLOAD=1 npm install --silent --no-audit --no-fund --prefix $(@D) \
		@playwright/test puppeteer-core @puppeteer/replay axe-core
	@touch $@
