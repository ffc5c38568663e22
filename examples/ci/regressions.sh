#!/usr/bin/env bash
# Finds what a change made worse: regressions.sh BASE CANDIDATE RESULTS, two checkouts and a folder for the results.
# Exit codes: 0 nothing got worse, 1 something did, 2 to 4 something failed, 5 no verdict on instructions or times.
set -eu
if [ $# -ne 3 ]; then
  echo "usage: regressions.sh BASE CANDIDATE RESULTS" >&2
  exit 2
fi
base=$(cd "$1" && pwd) candidate=$(cd "$2" && pwd)
mkdir -p "$3"
results=$(cd "$3" && pwd)

# Preset ci: no -march=native, so that valgrind can count instructions on every processor.
for tree in "$base" "$candidate"; do
  make -C "$tree" configure PRESET=ci
  cmake --build "$tree/build/ci" --parallel "$(nproc)" --target mbsbench
done
old=$base/build/ci/mbsbench new=$candidate/build/ci/mbsbench

for build in old new; do
  rm -f "$results/$build.sqlite"
  # 3: methods disagree, which is a valid result here.
  "${!build}" run --quick --store "$results/$build.sqlite" || [ $? -eq 3 ]
done

worst=0
note() {  # the gravest exit code: 1 to 4 before 5
  local code=$1
  if [ "$code" -ne 0 ] && { [ $worst -eq 0 ] || [ $worst -eq 5 ]; }; then worst=$code; fi
}
"$new" compare "$results/old.sqlite" "$results/new.sqlite" --markdown --junit "$results/compare.xml" > "$results/compare.md" || note $?
cat "$results/compare.md"
"$new" bench --gate --run "$results/new.sqlite" || note $?
"$new" bench --against "$old" --store "$results/paired.sqlite" || note $?
exit $worst
