#!/usr/bin/env python3
"""Durations of the trials of a finished run, for tests/harness/runner/forecast_test.cc.

usage: record_durations.py STORE > durations.tsv
"""
import json
import math
import sqlite3
import sys

store = sqlite3.connect(sys.argv[1])
bodies = {name: json.loads(text)['bodies'] for name, text in store.execute('SELECT name, json FROM problem')}
finished = {'ok', 'inaccurate', 'no_reference'}
cells, rows, processes = {}, [], {}
for (problem, method, integrator, tolerance, step, end, kind, outcome, seconds, process, what) in store.execute(
        "SELECT problem, method, integrator, tolerance, step, end_time, kind, outcome,"
        " json_extract(record, '$.process_seconds'), json_extract(record, '$.process'), json_extract(record, '$.what')"
        ' FROM trial ORDER BY rowid'):
    cell = (problem, method, integrator, tolerance, step)
    number = cells.setdefault(cell, len(cells))
    digits = -math.log10(tolerance) if tolerance else math.log10(end / step) if step else 0
    row = dict(kind=kind, passed=1, problem=problem, method=method, integrator=what or integrator,
               bodies=bodies[problem], digits=digits, cell=number, rounds=1, seconds=seconds or 0,
               finished=int(outcome in finished))
    if kind == 'time':
        row['passed'] = 4 if process else 1
        known = processes.get((number, process))
        if known is not None:  # the rounds of a process share its seconds
            known['rounds'] += 1
            known['seconds'] += row['seconds']
            continue
        processes[number, process] = row
    rows.append(row)
for r in rows:
    print('\t'.join([r['kind'], str(r['passed']), r['problem'], r['method'], r['integrator'], str(r['bodies']),
                     f"{r['digits']:.2f}", str(r['cell']), str(r['rounds']), f"{r['seconds']:.4f}", str(r['finished'])]))
