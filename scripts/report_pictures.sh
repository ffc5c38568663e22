#!/bin/sh
# Makes the picture of the report in README.md: report_pictures.sh REPORT.html [FOLDER=docs/images]. It is an unedited screenshot of the
# overview by Debian's chromium, 1400 x 900.
set -eu
[ $# -ge 1 ] || { echo "usage: report_pictures.sh REPORT.html [FOLDER=docs/images]" >&2; exit 2; }
browser=${CHROMIUM:-chromium}
command -v "$browser" > /dev/null || { echo "report_pictures.sh: $browser was not found; install the package chromium" >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
report=$(realpath "$1") folder=$(realpath -m "${2:-$here/docs/images}")
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
mkdir -p "$folder"
printf '<body style="margin:0"><iframe src="file://%s" style="border:0;width:1400px;height:900px"></iframe>' "$report" > "$profile/frame.html"
"$browser" --headless=new --no-sandbox --disable-gpu --disable-background-networking --hide-scrollbars --user-data-dir="$profile" \
  --window-size=1400,900 --virtual-time-budget=6000 --screenshot="$folder/overview.png" "file://$profile/frame.html" 2> /dev/null
echo "$folder/overview.png: $(($(wc -c < "$folder/overview.png") / 1000)) kB"
