#!/usr/bin/env bash
# Installs the missing Debian packages of packages.txt, or of the given FILEs, without recommended packages.
# usage: install_packages.sh [FILE...]
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- packages.txt

mapfile -t wanted < <(sed 's/#.*//' -- "$@" | awk 'NF { print $1 }')
missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get > /dev/null; then
  echo "These packages are missing, and this system has no apt-get to install them: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "These packages are missing; install them as root, or install sudo: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  "${as_root[@]}" apt-get update > "$log" 2>&1 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install --yes --no-install-recommends "${missing[@]}" >> "$log" 2>&1
}
if ! install; then
  tail -n 20 "$log" >&2
  echo "Installing the packages failed; the last lines of apt-get are above." >&2
  exit 1
fi
