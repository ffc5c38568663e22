#!/usr/bin/env bash
# The size of the project: lines of code of each room (.cc and .h, without blank and comment lines), and the files that
# name a joint type outside tests, catalogue, reference, engines and readers.
set -eu
cd "$(dirname "$0")/.."
lines() {  # files... on standard input
  xargs -r cat | grep -cvE '^[[:space:]]*(//.*)?$' || true
}
sources() { find "$@" -name '*.cc' -o -name '*.h' | sort; }
for room in problems reference methods/interface methods/steady methods/growth methods/thresholds methods/kinematics methods/numerics methods/tree_motion methods/loops methods/coordinates harness reports commands tests; do
  [ -d $room ] && printf '%-32s %7d\n' "$room" "$(sources $room | lines)"
done
printf '%-32s %7d\n' 'methods without engines' "$(sources methods | grep -v '^methods/engines/' | lines)"
printf '%-32s %7d\n' 'files that name a joint type' \
  "$(sources problems/model methods harness reports commands | grep -v '^methods/engines/' | xargs grep -l 'JointType::' | wc -l)"
for folder in methods/*/; do
  folder=${folder%/}
  printf '%-32s %7d\n' "$folder" "$(sources "$folder" | lines)"
done
