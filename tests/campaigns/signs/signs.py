#!/usr/bin/env python3
"""Flips the sign of one term at a time, in the methods and the reference, and expects a test to fail.

  signs.py [--only N]... [--minutes M] [--state FOLDER] [--flags FLAGS] [--define NAME=VALUE]... [--list]

Each row of terms.tsv is a term: file, source line, what takes its place, test target, gtest filter. The line is found by its text,
which has to stand in the file once; a row whose line is not found is an error before anything is built. The tree is copied to
FOLDER/tree (build/campaigns/signs), where each term is flipped, the target built, its tests run and the line restored. Before
the first term of a target its tests have to pass unflipped. A term is killed where a test fails, or where the
tests take more than 300 s. FOLDER/state.json holds the outcomes: the next sitting goes on where the last one ended; a row that
was edited since is tried again. --minutes starts no further term after that time. --only N tries row N, again if need be.

Exit code 0: every term tried so far was killed; 1: one survived; 2: bad usage or table, or a test that fails unflipped.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
TABLE = pathlib.Path(__file__).with_name("terms.tsv")
FIELDS = ("file", "line", "flipped", "target", "filter")
LIMIT_S = 300


def fail(sentence):
    print(f"signs.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def terms():
    rows = []
    for text in TABLE.read_text().splitlines():
        if not text or text.startswith("#"):
            continue
        fields = [field.strip() for field in text.split("\t")]
        if len(fields) != len(FIELDS):
            fail(f"row {len(rows) + 1} of '{TABLE.name}' has {len(fields)} fields in place of {len(FIELDS)}.")
        rows.append(dict(zip(FIELDS, fields)))
    return rows


def place_of(number, term):
    """The index of the row's line in its file; a message if it does not occur exactly once."""
    path = ROOT / term["file"]
    if not path.is_file():
        return f"row {number}: the file '{term['file']}' does not exist."
    if term["line"] == term["flipped"]:
        return f"row {number}: nothing is flipped."
    lines = path.read_text().splitlines()
    places = [i for i, line in enumerate(lines) if line.strip() == term["line"]]
    if len(places) != 1:
        return f"row {number}: '{term['line']}' stands {len(places)} times in '{term['file']}', in place of once."
    return places[0]


def run(command, log, **options):
    with open(log, "w") as out:
        return subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False, **options).returncode


class Tree:
    def __init__(self, state, flags, defines):
        self.root, self.build, self.log = state / "tree", state / "build", state / "log"
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        for name in files.decode().split("\0"):
            if name:
                self.restore(name)
        if not (self.build / "build.ninja").is_file():
            command = ["cmake", "-S", self.root, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                       f"-DCMAKE_CXX_FLAGS_RELEASE={flags}", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON"]
            command += [f"-D{define}" for define in defines]
            if shutil.which("ccache"):
                command.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
            if run(command, self.log) != 0:
                fail(f"the copy cannot be configured: see '{self.log}'.")

    def restore(self, name):
        """Copies a file if it differs, so that nothing else is rebuilt."""
        source, copy = ROOT / name, self.root / name
        if not source.is_file():
            return
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not copy.is_file() or copy.read_bytes() != source.read_bytes():
            shutil.copyfile(source, copy)
            shutil.copymode(source, copy)

    def flip(self, term, place):
        lines = (ROOT / term["file"]).read_text().split("\n")
        indent = lines[place][:len(lines[place]) - len(lines[place].lstrip())]
        lines[place] = indent + term["flipped"]
        (self.root / term["file"]).write_text("\n".join(lines))

    def outcome(self, term):
        """The result of building the target and running its tests."""
        environment = dict(os.environ, CCACHE_BASEDIR=str(self.root))
        if run(["cmake", "--build", self.build, "--parallel", "1", "--target", term["target"]], self.log,
               env=environment) != 0:
            return "not built"
        command = [self.build / "tests" / term["target"], f"--gtest_filter={term['filter']}"]
        try:
            code = run(command, self.log, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return "killed: it takes too long"
        text = self.log.read_text(errors="replace")
        if code == 0:
            return "no test" if "[  PASSED  ] 0 tests" in text else "survived"
        failed = [line.split()[3].rstrip(",") for line in text.splitlines() if line.startswith("[  FAILED  ] ")]
        return f"killed: {failed[0]}" if failed else f"killed: exit code {code}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, action="append", default=[], metavar="N")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--state", type=pathlib.Path, default=ROOT / "build/campaigns/signs")
    parser.add_argument("--flags", default="-O1 -march=x86-64-v3 -DNDEBUG", help="of the compiler (%(default)s)")
    parser.add_argument("--define", action="append", default=[], metavar="NAME=VALUE", help="of CMake, for the copy")
    parser.add_argument("--list", action="store_true", help="show the rows by number, and check them")
    options = parser.parse_args()

    rows = list(enumerate(terms(), 1))
    places = {number: place_of(number, term) for number, term in rows}
    wrong = [place for place in places.values() if isinstance(place, str)]
    if wrong:
        fail("\n".join(wrong))
    unknown = [number for number in options.only if number not in places]
    if unknown:
        fail(f"--only is {unknown[0]}: a number from 1 to {len(rows)} is needed.")
    if options.list:
        for number, term in rows:
            print(f"{number:3} {term['file']}: {term['flipped']}  [{term['target']} {term['filter']}]")
        return 0

    options.state = options.state.resolve()
    options.state.mkdir(parents=True, exist_ok=True)
    record = options.state / "state.json"
    state = json.loads(record.read_text()) if record.is_file() else {}
    identity = {number: hashlib.sha1("\t".join(term.values()).encode()).hexdigest() for number, term in rows}

    tree = Tree(options.state, options.flags, options.define)
    began, sound = time.monotonic(), set()
    for number, term in rows:
        if options.only and number not in options.only:
            continue
        if not options.only and identity[number] in state:
            continue
        if time.monotonic() - began > 60 * options.minutes:
            break
        control = (term["target"], term["filter"])
        if control not in sound:
            outcome = tree.outcome(term)
            if outcome != "survived":
                fail(f"row {number}: '{term['target']}' with nothing flipped: {outcome}; see '{tree.log}'.")
            sound.add(control)
        try:
            tree.flip(term, places[number])
            outcome = tree.outcome(term)
        finally:
            tree.restore(term["file"])
        if outcome == "not built":
            fail(f"row {number}: the flipped line does not compile; see '{tree.log}'.")
        state[identity[number]] = outcome
        temporary = record.with_suffix(".new")
        temporary.write_text(json.dumps(state, indent=1))
        temporary.replace(record)
        print(f"{number:3} {outcome}  {term['file']}: {term['flipped']}", flush=True)

    outcomes = [(number, term, state[identity[number]]) for number, term in rows if identity[number] in state]
    survivors = [(number, term) for number, term, outcome in outcomes if outcome == "survived"]
    print(f"{len(outcomes)} of {len(rows)} terms tried, {len(survivors)} survived")
    for number, term in survivors:
        print(f"{number:3} survived  {term['file']}: {term['flipped']}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
