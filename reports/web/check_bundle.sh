#!/bin/sh
# Rebuilds dist/ from src/ and package-lock.json in a temporary copy and compares it byte for byte with what is committed.
# Needs node 18 or later, npm and the npm registry. `check_bundle.sh --update` copies the result over dist/ instead.
set -eu
web=$(cd "$(dirname "$0")" && pwd)
for tool in node npm; do
  command -v "$tool" > /dev/null || { echo "check_bundle.sh: $tool was not found; install the packages nodejs and npm" >&2; exit 2; }
done
# A lock file names packages, versions and hashes; where they come from is each machine's own configuration.
if grep -nE '"resolved"|https?://' "$web/package-lock.json"; then
  echo "check_bundle.sh: package-lock.json names a host; remake it with omit-lockfile-registry-resolved=true" >&2
  exit 1
fi
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R "$web/src" "$web/package.json" "$web/package-lock.json" "$web/build.mjs" "$web/.npmrc" "$copy"
cd "$copy"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
node build.mjs
for file in report.js report.css paper.cjs; do
  if [ "${1:-}" = --update ]; then
    mkdir -p "$web/dist" && cp "dist/$file" "$web/dist/$file"
  elif ! cmp "dist/$file" "$web/dist/$file"; then
    echo "check_bundle.sh: dist/$file is not what src/ gives; run reports/web/check_bundle.sh --update and commit it" >&2
    exit 1
  fi
done
echo "dist/ is what src/ gives"
