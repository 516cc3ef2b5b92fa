#!/usr/bin/env python3
"""--statistics on sequential traces: every pattern in every scope against its definition, however the trace is cut.

    statistics_test.py ROOT PROGRAM [CASES [SEED]]

Random traces; tests/oracle/sequential_patterns.py says what is true.  By hand: more CASES than the tests take.
"""

import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

ROOT = pathlib.Path(sys.argv[1])
PROGRAM = sys.argv[2]
CASES = int(sys.argv[3]) if len(sys.argv) > 3 else 3
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
import json_schema  # noqa: E402
import sequential_patterns as patterns  # noqa: E402

SCHEMA = json.loads((ROOT / "docs" / "trace_report.schema.json").read_text(encoding="utf-8"))
NO_FIGURES = {"events", "automaton_states", "pattern", "conditions", "seconds", "memory_bytes"}


def run(arguments, text=None):
    return subprocess.run([PROGRAM, "trace", *map(str, arguments)], capture_output=True, check=False,
                          input=text.encode() if text is not None else None)


class Trace:
    """A random trace over time, a, b, c, d: as text, and as lists of values."""

    def __init__(self, seed):
        chance = random.Random(seed)
        names = ["a", "b", "c", "d"]
        self.has_time = chance.random() < 0.8
        step = chance.choice([("1", "2", "0"), ("0.001", "1.5", "0.25"), ("0.000000001", "7"), ("1", "-1", "2.5")])
        begin = chance.choice(["0", "1763495489.123456789", "1763495489123456789", "-5.5"])
        filled = chance.choice([1.0, 0.8, 0.4])
        likely = {name: chance.choice([0.1, 0.3, 0.6]) for name in names}
        time = Fraction(begin)
        now = dict.fromkeys(names, 0)
        stamp = Fraction(0)
        self.values = {name: [] for name in names}
        self.times = []
        self.lines = []
        rows = []
        line = 2
        for _ in range(chance.choice([0, 1, 2, 5, 12, 30, 80])):
            time += Fraction(chance.choice(step))
            cells = []
            if chance.random() < filled:
                stamp = time
                cells.append(text_of(time))
            else:
                cells.append("")
            for name in names:
                if chance.random() < filled:
                    now[name] = 1 if chance.random() < likely[name] else 0
                    cells.append(str(now[name]))
                else:
                    cells.append("")
                self.values[name].append(now[name] == 1)
            if chance.random() < 0.1:  # a text that nobody asks about, over two lines
                cells.append('"two\nlines"')
            else:
                cells.append("")
            self.times.append(stamp)
            self.lines.append(line)
            line += 1 + ("\n" in cells[-1])
            rows.append(cells)
        if not any(cells[0] for cells in rows):
            self.has_time = False
        if not self.has_time:
            rows = [cells[1:] for cells in rows]
        self.columns = (["time"] if self.has_time else []) + names + ["note"]
        self.csv = "".join(",".join(cells) + "\n" for cells in [self.columns, *rows])


def text_of(number):
    """Exact: the numbers here are decimals with at most nine places."""
    sign = "-" if number < 0 else ""
    whole = abs(number) * 10**9
    assert whole.denominator == 1
    digits = str(whole.numerator).rjust(10, "0")
    return (sign + digits[:-9] + "." + digits[-9:]).rstrip("0").rstrip(".")


def figures_of(statistics):
    return {name: Fraction(str(value)) for name, value in statistics.items() if name not in NO_FIGURES}


class Statistics(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_bytes(text.encode())
        return path

    def report(self, arguments, text=None):
        result = run([*arguments, "--format", "json"], text)
        self.assertIn(result.returncode, (0, 1), (arguments, result.stderr.decode()))
        document = json.loads(result.stdout)
        self.assertEqual(list(json_schema.findings(document, SCHEMA)), [])
        return document

    def test_every_pattern_in_every_scope_is_counted_as_defined(self):
        p, s, q, r = "a = 1", "b = 1", "c = 1", "d = 1"
        catalogue = list(patterns.formulas(p, s, q, r))
        asked = [word for _, _, formula in catalogue for word in ("--ltl", formula)] + ["--statistics"]
        for number in range(CASES):
            seed = SEED * 1000003 + number
            trace = Trace(seed)
            path = self.write("t.csv", trace.csv)
            expected = []
            for kind, scope, _ in catalogue:
                expected.append(patterns.figures(
                    kind.split(" (")[0], scope, *(trace.values[name] for name in "abcd"),
                    trace.times if trace.has_time else None, trace.lines))
            chance = random.Random(seed)
            for more in ([], ["--jobs", 2, "--piece-size", 1], ["--jobs", chance.randint(3, 8), "--piece-size", 40],
                         ["--jobs", 3, "--piece-size", chance.randint(2, 200)]):
                report = self.report([path, *asked, *more])
                for (kind, scope, formula), right, one in zip(catalogue, expected, report["properties"]):
                    self.assertEqual((one["statistics"]["pattern"], figures_of(one["statistics"])),
                                     (f"{kind}, {scope}", right), (seed, formula, more, trace.csv))
            stream = self.report(["-", "--input", "csv", *asked, "--jobs", 3, "--piece-size", 7], trace.csv)
            for (_, _, formula), right, one in zip(catalogue, expected, stream["properties"]):
                self.assertEqual(figures_of(one["statistics"]), right, (seed, formula, "stream", trace.csv))
            parts = [pathlib.Path(self.folder.name) / f"part{i}" for i in (1, 2, 3)]
            for i, part in enumerate(parts):
                self.assertEqual(run([path, *asked, "--piece", f"{i + 1}/3", "--out", part]).returncode, 0)
            merged = self.report(["--merge", *parts])
            for (_, _, formula), right, one in zip(catalogue, expected, merged["properties"]):
                self.assertEqual(figures_of(one["statistics"]), right, (seed, formula, "merge", trace.csv))

    def test_a_time_interval_is_counted_between_changes(self):
        for number in range(CASES):
            seed = SEED * 2000003 + number
            trace = Trace(seed)
            if not trace.has_time or not trace.lines:
                continue
            path = self.write("t.csv", trace.csv)
            # A change is a cell that is not empty.
            rows = list(csv.reader(trace.csv.splitlines(keepends=True)))[1:]
            changes = [row[1] != "" for row in rows]
            never = [False] * len(changes)
            right = patterns.figures("time interval", "globally", changes, never, never, never, trace.times,
                                     trace.lines)
            for more in ([], ["--jobs", 2, "--piece-size", 1], ["--jobs", 4, "--piece-size", 50]):
                one = self.report([path, "--ltl", "G(a?T - a?1?T <= 5)", "--statistics", *more])["properties"][0]
                self.assertEqual((one["statistics"]["pattern"], figures_of(one["statistics"])),
                                 ("time interval, globally", right), (seed, more, trace.csv))

    def test_a_report_says_what_was_counted(self):
        path = self.write("log.csv", "time,req,ack\n1,0,0\n2,1,\n3,,1\n4,0,0\n5,1,0\n")
        asked = [path, "--ltl", "G(req = 1 -> F ack = 1)", "--ltl", "G(req = 1 -> X ack = 1)", "--statistics"]
        one, other = self.report(asked)["properties"]
        self.assertEqual(one["statistics"]["conditions"], {"p": "req = 1", "s": "ack = 1"})
        self.assertEqual(other["statistics"]["pattern"], "none")
        for jobs in (1, 2):
            text = run([*asked, "--jobs", jobs, "--piece-size", 1]).stdout.decode()
            self.assertEqual(text.split("\n", 1)[1], """ltl1: fails
  unanswered from line 6 on, position 4, time 5
    req = 1  (before: 0)
    ack = 0  (before: 0)
  response, globally
    p: req = 1
    s: ack = 1
    triggers            3
    answered            2
    unanswered          1
    shortest_positions  0
    longest_positions   1
    mean_positions      0.5
    shortest_time       0
    longest_time        1
    mean_time           0.5
    first_position      1
    first_line          3
    first_time          2
    last_position       4
    last_line           6
    last_time           5
ltl2: fails
  lost in line 5, position 3, time 4
    req = 0  (before: 1)
    ack = 0  (before: 1)
  no statistics: the formula is none of the patterns
""")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
