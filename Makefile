# Everything sets itself up: a virtual environment in .venv, filled from requirements.lock, then reused.
# Needs git and Python 3.11 or newer with its venv module; on Debian: apt-get install git make python3 python3-venv.

PYTHON_IN_VENV := .venv/bin/python
PYTEST := $(PYTHON_IN_VENV) -m pytest -n 3 --dist worksteal --continue-on-collection-errors

# Official suites that others publish are run where they are at hand: in the folder that PROBATUM_SUITES names.
export PROBATUM_SUITES ?= $(abspath $(wildcard ../shared/data))

# Many tests start processes of their own: without byte code each of them compiles the whole package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help environment demo test test-all test-model check lint format types house documents docs site coverage hooks lock clean

help:
	@echo "make demo      verify and audit the examples, re-check and replay a proof, alter one byte of it"
	@echo "make test      run the tests, without what takes long"
	@echo "make test-all  run everything: the whole corpus, long attacks and crashes, all documents"
	@echo "make test-model  install a small language model, and have it read and advise"
	@echo "make check     ruff, mypy --strict and the rules of the house"
	@echo "make docs      write the outputs in README.md and docs/ again by running their commands"
	@echo "make site      build the documentation site in build/site; a broken link is an error"
	@echo "make coverage  run the tests of some packages and fail where they reach too few lines"
	@echo "make hooks     run the linters of .pre-commit-config.yaml on everything"
	@echo "make lock      resolve the dependencies again into requirements.lock"
	@echo "make clean     remove what these commands made"

environment:
	@scripts/make_environment.sh .venv

demo: environment
	@$(PYTHON_IN_VENV) scripts/demo.py

test: environment
	@$(PYTEST) tests $(PYTEST_ARGUMENTS)

test-all: environment
	@$(PYTEST) tests --everything $(PYTEST_ARGUMENTS)

test-model: environment
	@$(PYTHON_IN_VENV) scripts/test_model.py

check: lint format types house

lint: environment
	@.venv/bin/ruff check --output-format concise .

format: environment
	@.venv/bin/ruff format --check .

types: environment
	@.venv/bin/mypy

house: environment
	@$(PYTEST) tests/house $(PYTEST_ARGUMENTS)

documents: environment
	@$(PYTEST) tests/house/test_documents.py --everything $(PYTEST_ARGUMENTS)

docs: environment
	@$(PYTHON_IN_VENV) scripts/audit_schemas.py
	@$(PYTHON_IN_VENV) scripts/codes.py
	@$(PYTHON_IN_VENV) -m tests.house.architecture
	@$(PYTHON_IN_VENV) -m tests.house.documents

site: environment
	@$(PYTHON_IN_VENV) scripts/site.py build/site
	@echo "build/site/index.html"

# Tests that run in this process alone: what runs in processes of its own is judged by its verdicts, not by its lines.
COVERED := contracts report verification
coverage: environment
	@rm -rf build/coverage
	@mkdir -p build
	@$(PYTEST) $(COVERED:%=tests/%) --cov --cov-report=term:skip-covered --cov-report=html:build/coverage $(PYTEST_ARGUMENTS)

hooks: environment
	@.venv/bin/pre-commit run --all-files

lock:
	@python3.11 scripts/lock.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis src/*.egg-info
