#!/usr/bin/env bash
# Builds the package as `pip install` does and runs all of its tests, in a virtual environment that is thrown away: Python 3.9
# or later, the Rust toolchain and PyPI are all it needs. Arguments go to pytest. PYTHON names another Python. With SPARK=1 tables of
# Spark are tested as well, which takes Java 17 and half a gigabyte.
set -euo pipefail
cd "$(dirname "$0")"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"${PYTHON:-python3}" -m venv "$place/venv"
python="$place/venv/bin/python"
"$python" -m pip install --quiet --disable-pip-version-check --upgrade pip
# What is compiled stays in target/, as Cargo keeps it.
CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}" "$python" -m pip install --quiet --disable-pip-version-check ".[test${SPARK:+,spark}]"
# From elsewhere, so that what is tested is what was installed; and the examples in docstrings, too.
cp -r tests README.md "$place"
cd "$place"
"$python" -m pytest -q -p no:cacheprovider --rootdir "$place" --pyargs --doctest-modules tests pairgroup "$@"
