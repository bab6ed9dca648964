#!/usr/bin/env bash
# Instructions of one solve per family, counted by callgrind: the same on every run of one build, so a change of a
# percent is a change. Usage: benches/instructions.sh [FAMILY:N ...]
set -euo pipefail
cd "$(dirname "$0")/.."
command -v valgrind > /dev/null || { echo "valgrind is not installed" >&2; exit 1; }

instances=("$@")
if [ ${#instances[@]} -eq 0 ]; then
    instances=(grid:10000 random10:10000 random10-small:10000 delaunay:10000 unit-disk:10000 max-cut:10000
        nested-triangles:10000 chain:10000 eomm:300 uniform:300)
fi

cargo build --quiet --release -p benches --example instructions
program="${CARGO_TARGET_DIR:-target}/release/examples/instructions"
echo "| family | n | instructions |"
echo "| --- | ---: | ---: |"
for instance in "${instances[@]}"; do
    family=${instance%%:*}
    n=${instance##*:}
    log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*counted_solve*' \
        "$program" "$family" "$n" 2>&1 > /dev/null)
    count=$(sed -n 's/^==[0-9]*== Collected : //p' <<< "$log")
    echo "| $family | $n | $count |"
done
