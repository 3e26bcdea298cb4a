#!/bin/sh
# Makes a virtual environment that holds exactly requirements.lock and this package in editable form.
# Usage: make_environment.sh FOLDER. PYTHON names the interpreter to use; without it the first of 3.11 to 3.14 is taken, else python3.
# A second call with nothing changed does nothing.
set -eu

folder=${1:?usage: make_environment.sh FOLDER}
cd "$(dirname "$0")/.."

is_recent() {
    # A pyenv shim that stands for no installed version fails here, and so does a Python that is too old.
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3}; do
        if is_recent "$candidate"; then
            "$candidate" -c 'import sys; print(sys.executable)'
            return
        fi
    done
    echo "error: no Python 3.11 or newer was found${PYTHON:+ at $PYTHON}." >&2
    echo "hint: on Debian: apt-get install python3 python3-venv; or name one: PYTHON=/path/to/python3 make …" >&2
    exit 1
}

state() {
    cat requirements.lock pyproject.toml scripts/make_environment.sh | cksum
    pwd
}

stamp=$folder/installed-from
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(state)" ] && is_recent "$folder/bin/python"; then
    exit 0
fi

python=$(find_python)
if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    echo "error: $python has no venv module." >&2
    echo "hint: on Debian: apt-get install python3-venv" >&2
    exit 1
fi

echo "Setting up $folder with $("$python" --version); this is done once."
"$python" -m venv --clear "$folder"
install="$folder/bin/python -m pip --disable-pip-version-check --quiet install"
$install --require-hashes --requirement requirements.lock
$install --no-build-isolation --no-deps --editable .
state >"$stamp"
