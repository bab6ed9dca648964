#!/usr/bin/env bash
# Installs SciPy, QuantEcon and Storm from PyPI into the build directory and runs them beside `markov`. Options are those of
# the example `markov_compare`. Usage: benches/markov_peers.sh [OPTION ...]
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 > /dev/null || { echo "python3 is not installed" >&2; exit 1; }

packages="${CARGO_TARGET_DIR:-target}/markov-peers"
[ -x "$packages/bin/python" ] || python3 -m venv "$packages"
"$packages/bin/pip" install --quiet scipy quantecon
# There are wheels for few platforms; without it, its rows say so.
"$packages/bin/pip" install --quiet stormpy || echo "stormpy is left out" >&2
exec cargo run --release -p benches --example markov_compare -- --python "$packages/bin/python" "$@"
