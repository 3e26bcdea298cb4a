# Everything sets itself up: a virtual environment in .venv, filled from requirements.lock, then reused.
# Needs git and Python 3.11 or newer with its venv module; on Debian: apt-get install git make python3 python3-venv.

PYTHON_IN_VENV := .venv/bin/python

.PHONY: help environment demo test check docs lock clean

help:
	@echo "make demo    verify the examples, re-check and replay the proof, alter one byte of it"
	@echo "make test    run all tests"
	@echo "make check   ruff, mypy --strict and the rules of the house"
	@echo "make docs    write the outputs in README.md and docs/ again by running their commands"
	@echo "make lock    resolve the dependencies again into requirements.lock"
	@echo "make clean   remove what these commands made"

environment:
	@scripts/make_environment.sh .venv

demo: environment
	@$(PYTHON_IN_VENV) scripts/demo.py

test: environment
	@$(PYTHON_IN_VENV) -m pytest tests -n 2 --dist worksteal $(PYTEST_ARGUMENTS)

check: environment
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check --quiet .
	@.venv/bin/mypy
	@$(PYTHON_IN_VENV) -m pytest tests/house -n 2 --dist worksteal

docs: environment
	@$(PYTHON_IN_VENV) -m tests.house.documents

lock:
	@python3.11 scripts/lock.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis src/*.egg-info
