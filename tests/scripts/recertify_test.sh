#!/usr/bin/env bash
# Tests the promises of scripts/recertify.sh with a substitute for the executable that records its arguments.
set -u
script=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/scripts" "$folder/reference/certified"
cp "$script" "$folder/scripts/"
cd "$folder" || exit 1
git init -q . && git config user.email test@example.org && git config user.name test
names=(a b c d e f g flyball)
for name in "${names[@]}"; do printf '{\n "problem": "%s",\n}\n' "$name" > "reference/certified/$name.json"; done
cat > executable <<'STAND_IN'
#!/usr/bin/env bash
echo "$2 $3" >> "$(dirname "$0")/asked"
[ ! -e "$(dirname "$0")/slow" ] || sleep 20
if [ -e "$(dirname "$0")/wrong_$2" ]; then
  echo "compared        differs by 1e-3: more than the error estimates"
  exit 1
fi
echo "compared        differs by 1e-20"
STAND_IN
chmod +x executable
git add -A && git commit -qm one

failures=0
expect() { # what, condition...
  local what=$1
  shift
  "$@" || { echo "FAILED: $what"; failures=$((failures + 1)); }
}
asked() { if [ -e asked ]; then wc -l < asked; else echo 0; fi; }
run() { scripts/recertify.sh "$PWD/executable" state "$@" > output 2>&1; }

run
expect 'all are solved, and agree' [ $? -eq 0 ]
expect 'each once, wholly' [ "$(sort asked | uniq | grep -c -- --recompute)" = 8 ]
expect 'the total is printed' grep -q '^8 of 8 took [0-9]* s of processor time in all$' output
rm asked
run
expect 'what is done is not solved again' [ "$(asked)" = 0 ]
expect 'and the total is still that of all' grep -q '^8 of 8 took' output
rm state/c.done
run
expect 'what is missing alone is solved' [ "$(cat asked)" = 'c --recompute' ]
rm asked
echo >> reference/certified/d.json
run
expect 'a certificate that has changed is solved again' [ "$(cat asked)" = 'd --recompute' ]
rm asked
echo '# another build' >> executable
touch wrong_e
run
expect 'one that differs fails' [ $? -eq 1 ]
expect 'by another executable all are solved again' [ "$(asked)" = 8 ]
expect 'and the failed one is named' grep -q '^e .*more than the error estimates' output
rm asked wrong_e
run
expect 'the failed one alone is tried again' [ "$(cat asked)" = 'e --recompute' ]
rm -rf asked state

run --part 60
expect 'a part is solved by the second formulation' [ "$(grep -c -- --second asked)" = 7 ]
expect 'and leaves out what takes long' [ "$(grep -c flyball asked)" = 0 ]
first=$(head -n 1 asked)
rm -rf asked state
git commit -q --allow-empty -m two
run --part 60
expect 'it begins with another one at another commit' [ "$(head -n 1 asked)" != "$first" ]
rm -rf asked state
touch slow
began=$SECONDS
run --part 2
expect 'it ends in its time' [ $((SECONDS - began)) -lt 10 ]
expect 'and none solved is a failure' [ "$(tail -n 1 output | grep -c 'took')" = 0 ]

[ "$failures" -eq 0 ] && echo 'all as promised'
exit "$failures"
