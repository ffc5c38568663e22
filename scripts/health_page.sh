#!/bin/sh
# Writes a health card into docs/health.md, after its line "<!-- card -->": health_page.sh MBSBENCH [MODELS=10000] [SEED=48]. A call that
# was interrupted continues when it is repeated.
set -eu
[ $# -ge 1 ] || { echo "usage: health_page.sh MBSBENCH [MODELS=10000] [SEED=48]" >&2; exit 2; }
page=$(cd "$(dirname "$0")/.." && pwd)/docs/health.md
card=$(mktemp)
trap 'rm -f "$card"' EXIT
"$1" health --models "${2:-10000}" --seed "${3:-48}" > "$card" || [ $? -eq 3 ]  # 3: the card has faults, and is complete
sed -i '/^<!-- card -->$/q' "$page"
sed '/^| kind of models/,/^$/d' "$card" >> "$page"  # the table of the kinds is in the card alone
