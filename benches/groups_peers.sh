#!/usr/bin/env bash
# Installs HiGHS, CBC and SCIP from PyPI into the build directory and runs them beside `matching-lp`. Options are those of
# benches/peers/groups_peers.py. Usage: benches/groups_peers.sh [OPTION ...]
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 > /dev/null || { echo "python3 is not installed" >&2; exit 1; }

build="${CARGO_TARGET_DIR:-target}"
packages="$build/groups-peers"
[ -x "$packages/bin/python" ] || python3 -m venv "$packages"
# PuLP is here for the CBC that it brings along.
"$packages/bin/pip" install --quiet highspy pulp pyscipopt
cargo build --quiet --release -p matching-lp --features good_lp --example all_teams
exec "$packages/bin/python" benches/peers/groups_peers.py "$build/release/examples/all_teams" "$@"
