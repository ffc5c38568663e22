#!/usr/bin/env python3
"""Turns the sign of one term of the equations at a time, builds, and expects a test to fail.

Works in a copy of the sources and goes on where the state says; what no test noticed is a survivor: exit 1. A term that is
no longer found, or found twice, is an error: exit 2.
"""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Term:
    def __init__(self, line):
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) != 4:
            sys.exit(f"signs.txt: four parts are needed: {line}")
        self.file, self.old, self.new, programs = parts
        self.programs = programs.split()
        self.key = f"{self.file} | {self.old}"

    def turned(self, text):
        # What stands there may be broken over lines, as the formatter likes it.
        pieces, at, words = [], 0, self.old.split()
        while (start := text.find(words[0], at)) >= 0:
            end = start + len(words[0])
            for word in words[1:]:
                begin = end + len(text[end:]) - len(text[end:].lstrip())
                if not text.startswith(word, begin) or begin == end:
                    break
                end = begin + len(word)
            else:
                pieces.append((start, end))
            at = start + 1
        if len(pieces) != 1:
            print(f"{self.file}: found {len(pieces)} times: {self.old}", file=sys.stderr)
            sys.exit(2)
        start, end = pieces[0]
        return text[:start] + self.new + text[end:]


def terms():
    lines = (ROOT / "tests/campaigns/signs.txt").read_text().splitlines()
    return [Term(line) for line in lines if line and not line.startswith("#")]


def run(command, folder, log, limit=None):
    with open(log, "a") as out:
        try:
            return subprocess.run(command, cwd=folder, stdout=out, stderr=out, timeout=limit).returncode
        except subprocess.TimeoutExpired:
            return -1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--state", type=pathlib.Path, default=ROOT / "build/campaigns/signs", help="copy, build and results")
    parser.add_argument("--minutes", type=float, default=1e9, help="of this sitting")
    parser.add_argument("--only", type=int, nargs="+", help="numbers of terms, from 1")
    parser.add_argument("--list", action="store_true", help="print the terms with their numbers")
    parser.add_argument("--cmake", default="-DCMAKE_BUILD_TYPE=Release", help="arguments of the configuration")
    options = parser.parse_args()
    todo = list(enumerate(terms(), 1))
    for _, term in todo:
        term.turned((ROOT / term.file).read_text())
    if options.list:
        for number, term in todo:
            print(number, term.key)
        return 0
    copy, build, log = options.state / "tree", options.state / "build", options.state / "log"
    copy.mkdir(parents=True, exist_ok=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    for name in filter(None, (os.fsdecode(f) for f in files)):
        source, target = ROOT / name, copy / name
        if source.is_file() and (not target.exists() or target.read_bytes() != source.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
            target.chmod(source.stat().st_mode)
    if run(["cmake", "-S", copy, "-B", build, *shlex.split(options.cmake)], ROOT, log) != 0:
        sys.exit(f"the copy cannot be configured: {log}")
    results_file = options.state / "results.json"
    results = json.loads(results_file.read_text()) if results_file.exists() else {}
    end = time.monotonic() + 60 * options.minutes
    for number, term in todo:
        if (options.only and number not in options.only) or (not options.only and term.key in results):
            continue
        if time.monotonic() > end:
            break
        path = copy / term.file
        sound = path.read_text()
        path.write_text(term.turned(sound))
        noticed = None
        for program in term.programs:
            if run(["cmake", "--build", build, "--parallel", str(os.cpu_count()), "--target", program], ROOT, log) != 0:
                noticed = "does not compile"
                break
            command = [build / "tests" / program, "--gtest_fail_fast", "--gtest_brief=1"]
            code = run(command, build / "tests", log, 300)
            if code != 0:
                noticed = program
                break
        path.write_text(sound)
        results[term.key] = noticed
        results_file.write_text(json.dumps(results, indent=1))
        print(f"{number:3} {noticed or 'SURVIVES'}: {term.key}", flush=True)
    known = {term.key for _, term in todo}
    results = {key: noticed for key, noticed in results.items() if key in known}
    survivors = [key for key, noticed in results.items() if noticed in (None, "does not compile")]
    print(f"{len(results)} of {len(todo)} terms turned, {len(results) - len(survivors)} noticed by a test")
    for key in survivors:
        print(f"{results[key] or 'SURVIVES'}: {key}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
