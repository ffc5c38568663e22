#!/bin/sh
# The report in a real browser: run.sh MBSBENCH STORE SCREENSHOTS, with the store of a quick run. Needs node, npm and its registry,
# sqlite3 and Debian's chromium; where the browser is absent it says so and does nothing, exit code 0.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 3 ] || { echo "usage: run.sh MBSBENCH STORE SCREENSHOTS" >&2; exit 2; }
for tool in node npm sqlite3 "${CHROMIUM:-chromium}"; do
  command -v "$tool" > /dev/null || { echo "browser tests SKIPPED: $tool was not found (packages nodejs, npm, sqlite3, chromium)"; exit 0; }
done
MBSBENCH=$(realpath "$1") STORE=$(realpath "$2") CHROMIUM=$(command -v "${CHROMIUM:-chromium}")
mkdir -p "$3"
SCREENSHOTS=$(realpath "$3")
export MBSBENCH STORE CHROMIUM SCREENSHOTS
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
export TMPDIR="$copy"
# next to the sources, which read the store's schema by a relative path
cd "$here"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error > /dev/null
node --test --test-concurrency=1 --test-reporter=spec ./*.test.mjs
