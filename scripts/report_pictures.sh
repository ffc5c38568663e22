#!/bin/sh
# Makes the pictures of the report in README.md: report_pictures.sh REPORT.html [FOLDER=docs/images]. They are unedited screenshots
# of Debian's chromium: the answers in words on the overview, and the page of a problem.
set -eu
[ $# -ge 1 ] || { echo "usage: report_pictures.sh REPORT.html [FOLDER=docs/images]" >&2; exit 2; }
browser=${CHROMIUM:-chromium}
command -v "$browser" > /dev/null || { echo "report_pictures.sh: $browser was not found; install the package chromium" >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
report=$(realpath "$1") folder=$(realpath -m "${2:-$here/docs/images}")
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
mkdir -p "$folder"
picture() {  # NAME HEIGHT ADDRESS; in a frame, because a screenshot ignores the scroll position of the page
  printf '<body style="margin:0"><iframe src="file://%s#/%s" style="border:0;width:1280px;height:%spx"></iframe>' "$report" "$3" "$2" > "$profile/frame.html"
  "$browser" --headless=new --no-sandbox --disable-gpu --disable-background-networking --hide-scrollbars --user-data-dir="$profile" \
    --window-size="1280,$2" --virtual-time-budget=6000 --screenshot="$folder/$1.png" "file://$profile/frame.html" 2> /dev/null
  echo "$folder/$1.png: $(($(wc -c < "$folder/$1.png") / 1000)) kB"
}
picture overview 940 "overview?at=answers"
picture problem 880 "problem/branch4?t=1.3&at=problem-branch4"
