#!/usr/bin/env python3
"""Sequential traces: the program against the definition, however the trace is cut.

    sequential_test.py ROOT PROGRAM [CASES [SEED]]

Random traces as CSV (quotes with line breaks, CRLF, byte-order marks, empty cells, decimals, long numbers) and as JSON
lines; random formulas with arithmetic, history and regular expressions.  tests/oracle/sequential_words.py says what is
true.  By hand: more CASES than the tests take.
"""

import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

ROOT = pathlib.Path(sys.argv[1])
PROGRAM = sys.argv[2]
CASES = int(sys.argv[3]) if len(sys.argv) > 3 else 25
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
import sequential_words as words  # noqa: E402

NOTES = ["", 'a"b', "a,b", "l1\nl2", "ü\"\n", "plain", '"', "\r\n"]


def run(arguments, text=None):
    return subprocess.run([PROGRAM, "trace", *map(str, arguments)], capture_output=True, check=False,
                          input=text.encode() if text is not None else None)


def without_time(document):
    """A report without what differs from run to run."""
    for one in document["inputs"]:
        one.pop("seconds")
    for one in document["properties"]:
        for name in ("seconds", "memory_bytes"):
            one["statistics"].pop(name, None)
    return document


class Case:
    """A random trace: rows of changes, the same as CSV and as JSON lines, and its states."""

    def __init__(self, seed, with_note=None):
        self.random = random.Random(seed)
        chance = self.random
        self.note = chance.random() < 0.5 if with_note is None else with_note
        self.columns = ["time", *words.VARS, *(["note"] if self.note else [])]
        chance.shuffle(self.columns)
        self.rows = []
        time = 0
        for _ in range(chance.choice([1, 2, 3, 5, 9, 20])):
            time += chance.choice([0, 1, 2])
            row = {}
            if chance.random() < 0.8:
                row["time"] = str(time)
            for name in words.VARS:
                if chance.random() < chance.choice([0.2, 0.9]):
                    row[name] = words.rnum(chance)
            if self.note:
                row["note"] = chance.choice(NOTES)
            self.rows.append(row)
        self.states = []
        values, changes = {}, {}
        for row in self.rows:
            if "time" in row:
                values["time"] = Fraction(row["time"])
            for name in ["time", *words.VARS]:
                if name in row:
                    values[name] = Fraction(row[name])
                    changes.setdefault(name, []).append((values[name], values.get("time", Fraction(0))))
            self.states.append({"val": dict(values), "ch": {k: list(v) for k, v in changes.items()}})

    def csv(self):
        chance = self.random
        end = chance.choice(["\n", "\r\n"])

        def cell(text):
            if any(c in text for c in '",\n\r') or chance.random() < 0.15:
                return '"' + text.replace('"', '""') + '"'
            return " " + text + " " if chance.random() < 0.05 else text

        lines = [",".join(self.columns)]
        lines += [",".join(cell(row.get(name, "")) for name in self.columns) for row in self.rows]
        text = ("\ufeff" if chance.random() < 0.2 else "") + "".join(line + end for line in lines)
        return text[: -len(end)] if chance.random() < 0.2 else text

    def line_of(self, position):
        return 2 + position + sum(row.get("note", "").count("\n") for row in self.rows[:position])

    def json_lines(self):
        def member(name, value):
            return f'"{name}": {json.dumps(value) if name == "note" else value}'
        return "".join("{" + ", ".join(member(*item) for item in row.items()) + "}\n" for row in self.rows)

    def mentions(self, name):
        return any(name in row for row in self.rows)


class Sequential(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def report(self, arguments, text=None):
        result = run([*arguments, "--format", "json"], text)
        self.assertIn(result.returncode, (0, 1, 3), (arguments, text, result.stderr.decode()))
        return without_time(json.loads(result.stdout))

    def test_verdicts_are_those_of_the_definition_however_the_trace_is_cut(self):
        for number in range(CASES):
            seed = SEED * 1000003 + number
            case = Case(seed)
            chance = case.random
            history = chance.random() < 0.5
            formulas = [words.form(chance, history) for _ in range(chance.choice([1, 3]))]
            loop = chance.random() < 0.3 and not any(words.hasrx(tree) for _, tree in formulas)
            expected = ["holds" if words.Ev(case.states, loop).ev(tree, 0) else "fails" for _, tree in formulas]
            text = case.csv()
            path = self.write("t.csv", text)
            asked = [word for formula, _ in formulas for word in ("--ltl", formula)]
            if loop:
                asked += ["--extend", "loop"]
            fault = words.first_fault([tree for _, tree in formulas], case.states)
            if fault is not None:
                self.check_fault(path, asked, case.line_of(fault), (seed, [formula for formula, _ in formulas], text))
                continue
            alone = self.report([path, *asked])
            context = (seed, [formula for formula, _ in formulas], text)
            # The automaton of a random formula can be too large.
            expected = ["unknown" if p["verdict"] == "unknown" and "too large" in p["reason"] else verdict
                        for p, verdict in zip(alone["properties"], expected)]
            self.assertEqual([p["verdict"] for p in alone["properties"]], expected, context)
            if "fails" in expected and not any("evidence" not in p for p in alone["properties"]
                                               if p["verdict"] == "fails"):
                judged = subprocess.run([PROGRAM, "replay", path, self.write("e.json", json.dumps(alone))],
                                        capture_output=True, check=False)
                self.assertEqual(judged.returncode, 0, (context, alone, judged.stdout, judged.stderr))
            for jobs, size in ((2, 1), (5, 3), (3, 20)):
                cut = self.report([path, *asked, "--jobs", jobs, "--piece-size", size])
                self.assertEqual(cut, alone, (context, jobs, size))
            stream = self.report(["-", "--input", "csv", *asked, "--jobs", 2, "--piece-size", 1], text)
            self.assertEqual(stream["properties"], alone["properties"], context)
            names = ["time", *words.VARS]
            if all(case.mentions(name) for name in names):
                other = self.report([self.write("t.jsonl", case.json_lines()), *asked, "--jobs", 2,
                                     "--piece-size", 1])
                self.assertEqual([p["verdict"] for p in other["properties"]], expected, context)

    def check_fault(self, path, asked, line, context):
        seen = set()
        for more in ([], ["--jobs", 2, "--piece-size", 1], ["--jobs", 5, "--piece-size", 20], "stdin", "merge"):
            if more == "stdin":
                result = run(["-", "--input", "csv", *asked, "--jobs", 2, "--piece-size", 3], path.read_text())
            elif more == "merge":
                parts = [pathlib.Path(self.folder.name) / f"fault{i}.json" for i in (1, 2, 3)]
                for i, part in enumerate(parts):
                    run([path, *asked, "--piece", f"{i + 1}/3", "--out", part])
                result = run(["--merge", *parts])
            else:
                result = run([path, *asked, *more])
            text = result.stderr.decode().replace("-:", f"{path}:", 1) if more == "stdin" else result.stderr.decode()
            self.assertEqual(result.returncode, 2, (context, more, line, text))
            self.assertIn(f":{line}: error: division by zero in '", text, (context, more))
            seen.add(text)
        self.assertEqual(len(seen), 1, (context, seen))

    def test_pieces_put_together_are_one_run(self):
        for number in range(max(4, CASES // 4)):
            seed = SEED * 2000003 + number
            case = Case(seed)
            chance = case.random
            formulas = [words.form(chance, chance.random() < 0.5)[0] for _ in range(2)]
            formulas.append("G(x >= 1 -> F y >= 1)")
            formulas = [formula for formula in formulas if "/" not in formula and "%" not in formula]
            path = self.write("t.csv", case.csv())
            asked = [word for formula in formulas for word in ("--ltl", formula)] + ["--statistics"]
            alone = self.report([path, *asked])
            pieces = chance.choice([1, 2, 3, 7])
            parts = []
            for i in range(1, pieces + 1):
                parts.append(pathlib.Path(self.folder.name) / f"part{i}.json")
                result = run([path, *asked, "--piece", f"{i}/{pieces}", "--out", parts[-1]])
                self.assertEqual((result.returncode, result.stderr), (0, b""), (seed, formulas))
            chance.shuffle(parts)
            merged = run(["--merge", *parts, "--format", "json"])
            self.assertEqual(without_time(json.loads(merged.stdout)), alone, (seed, formulas, path.read_text()))

    def test_evidence_shows_what_the_formula_asks_of_the_past(self):
        path = self.write("t.csv", "time,x,y\n1,5,a\n2,,a\n4,7,a\n8,,b\n9,20,a\n")
        asked = [path, "--ltl", "G(x - x?1 < 10 | x?C <= 2 | y?2?T = 1)"]
        for more in ([], ["--jobs", 3, "--piece-size", 1]):
            evidence = self.report([*asked, *more])["properties"][0]["evidence"]
            self.assertEqual((evidence["line"], evidence["past"]), (6, {"x?1": 7, "x?C": 3, "y?2?T": 4}))
            text = run([*asked, *more]).stdout.decode()
            self.assertIn("    x     = 20  (before: 7)\n    y     = \"a\"  (before: \"b\")\n    x?1   = 7\n"
                          "    x?C   = 3\n    y?2?T = 4\n", text)

    def test_every_byte_can_be_a_cut(self):
        # A byte-order mark, CRLF, characters of several bytes, quotes with commas, quotes and line breaks in them.
        text = ("\ufefftime,näme,x,note\r\n1,ü,1,\"a \"\"b\"\", ü\"\r\n2,,2,\"two\r\nlines, 3,ü,9,\n\"\r\n"
                "3,\"ü\"\"\n\",0.5,\r\n4,𝄞,-1,\"\"\r\n,,1e2,\"\r\n\r\n\"\r\n6,ü,1,x")
        path = self.write("t.csv", text)
        asked = ["--ltl", "G(x = 1 -> X[!] x = 2)", "--ltl", 'F(note = "a ""b"", ü")'.replace('""', '\\"'), "--ltl", "G(x?1 + x < 100)",
                 "--ltl", "G(x?C - time <= 0)", "--ltl", "G(x = 2 -> F x = -1)", "--statistics"]
        alone = self.report([path, *asked])
        self.assertEqual([(p["verdict"], p.get("evidence", {}).get("line")) for p in alone["properties"]],
                         [("fails", 12), ("holds", None), ("fails", 12), ("fails", 9), ("holds", None)])
        size = len(text.encode())
        for jobs, least in ((128, 1), (128, 2), (64, 3), (16, 5), (2, size // 2)):
            cut = self.report([path, *asked, "--jobs", jobs, "--piece-size", least])
            self.assertEqual(cut, alone, (jobs, least))
        parts = [pathlib.Path(self.folder.name) / f"byte{i}.json" for i in range(1, 41)]
        for i, part in enumerate(parts):
            run([path, *asked, "--piece", f"{i + 1}/{len(parts)}", "--out", part])
        merged = run(["--merge", *parts, "--format", "json"])
        self.assertEqual(without_time(json.loads(merged.stdout)), alone)

    def test_parts_that_do_not_belong_together_are_refused(self):
        one = self.write("one.csv", "x\n" + "1\n" * 50)
        two = self.write("two.csv", "x\n" + "2\n" * 50)

        def part(path, formula, which, name):
            out = pathlib.Path(self.folder.name) / name
            self.assertEqual(run([path, "--ltl", formula, "--piece", which, "--out", out]).returncode, 0)
            return out

        first = part(one, "G x = 1", "1/2", "a")
        for parts, message in (
                ([first, part(two, "G x = 1", "2/2", "b")], "parts of different files"),
                ([first, part(one, "G x = 2", "2/2", "c")], "parts of different properties"),
                ([first], "piece 2 of 2 is missing"),
                ([first, first], "piece 1 is there twice"),
                ([first, part(one, "G x = 1", "2/3", "d")], "parts of different numbers of pieces")):
            result = run(["--merge", *parts])
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr.decode())
        old = self.write("old", first.read_text().replace('"version": "', '"version": "0'))
        self.assertEqual(run(["--merge", old]).returncode, 2)

    def test_statistics_do_not_depend_on_the_cuts(self):
        p, s, q, r = "x = 1", "y = 1", "z = 1", "z = 2"
        formulas = [f"G(!({p}))", f"F({p})", f"G F {p}", f"G({p} -> F {s})", f"!({p}) W {s}",
                    f"F {r} -> !({p}) U {r}", f"G({q} -> G({p} -> F {s}))",
                    f"G(({q} & !({r}) & F {r}) -> (({p} -> (!({r}) U ({s} & !({r})))) U {r}))",
                    f"G({q} & !({r}) -> (!({p}) W ({s} | {r})))",
                    f"!({p}) W ({p} W (!({p}) W ({p} W G !({p}))))",
                    "G(x?T - x?1?T <= 100)"]
        asked = [word for formula in formulas for word in ("--ltl", formula)] + ["--statistics"]
        for number in range(max(4, CASES // 4)):
            chance = random.Random(SEED * 3000003 + number)
            text = "time,x,y,z\n"
            for time in range(chance.choice([5, 30, 60])):
                text += f"{time if chance.random() < 0.9 else ''}," + ",".join(
                    str(chance.randint(0, 2)) if chance.random() < 0.7 else "" for _ in range(3)) + "\n"
            path = self.write("t.csv", text)
            alone = self.report([path, *asked])
            for one in alone["properties"]:
                self.assertIn("pattern", one["statistics"], one["formula"])
            for jobs, size in ((2, 1), (4, 10), (3, 100)):
                self.assertEqual(self.report([path, *asked, "--jobs", jobs, "--piece-size", size]), alone,
                                 (number, text))

    def test_a_response_is_counted_right(self):
        path = self.write("r.csv", "time,p,s\n0,0,0\n1,1,0\n3,1,0\n6,0,1\n8,1,0\n9,0,0\n")
        report = self.report([path, "--ltl", "G(p = 1 -> F s = 1)", "--statistics"])
        figures = report["properties"][0]["statistics"]
        for name, value in {"pattern": "response, globally", "triggers": 3, "answered": 2, "unanswered": 1,
                            "shortest_positions": 1, "longest_positions": 2, "mean_positions": 1.5,
                            "shortest_time": 3, "longest_time": 5, "mean_time": 4, "first_line": 3,
                            "last_line": 6, "last_time": 8}.items():
            self.assertEqual(figures[name], value, name)
        evidence = report["properties"][0]["evidence"]
        self.assertEqual((evidence["line"], evidence["position"], evidence["time"]), (6, 4, 8))

    def test_errors_have_the_line_wherever_a_worker_finds_them(self):
        for bad, message in (("1,2,3", "expected 2 cells, found 3"), ('1,a"b', "a quote inside a cell"),
                             ('1,"a"b', "behind a closing quote"), ("1,abc", "is a text")):
            text = "x,y\n" + "1,2\n" * 20 + '1,"5"\n' + "1,2\n" * 20 + bad + "\n" + "1,2\n" * 20
            path = self.write("bad.csv", text)
            for more in ([], ["--jobs", 4, "--piece-size", 10]):
                result = run([path, "--ltl", "G y >= 0", *more])
                self.assertEqual(result.returncode, 2)
                self.assertIn(f"bad.csv:43: error: ", result.stderr.decode())
                self.assertIn(message, result.stderr.decode())
        for text, formula, message in (("x\n1\n", "G y = 1", "never mentions a variable 'y'"),
                                       ("", "G y = 1", "the file is empty"),
                                       ("x,x\n1,1\n", "G x = 1", "two columns are called 'x'"),
                                       ('x\n"1\n2\n', "G x = 1", "a quote that is never closed")):
            result = run([self.write("e.csv", text), "--ltl", formula])
            self.assertEqual((result.returncode, message in result.stderr.decode()), (2, True), text)

    def errors_of(self, path, asked, text):
        """Lines and messages; the same however the trace is cut."""
        seen = []
        for more in ([], ["--jobs", 2, "--piece-size", 1], ["--jobs", 3, "--piece-size", 50], "merge"):
            if more == "merge":
                parts = [pathlib.Path(self.folder.name) / f"error{i}.json" for i in (1, 2, 3, 4)]
                for i, part in enumerate(parts):
                    run([path, *asked, "--piece", f"{i + 1}/4", "--out", part])
                result = run(["--merge", *parts, "--format", "json"])
            else:
                result = run([path, *asked, *more, "--format", "json"])
            self.assertEqual(result.returncode, 2, text)
            seen.append([(e["line"], e["message"]) for e in json.loads(result.stdout)["errors"]])
        for other in seen[1:]:
            self.assertEqual(other, seen[0], text)
        return seen[0]

    def test_every_wrong_line_is_listed(self):
        for number in range(max(6, CASES // 3)):
            chance = random.Random(SEED * 5000003 + number)
            likely = chance.choice([0.02, 0.2, 0.8])
            text, expected, line = "x,y,note\n", [], 2
            for _ in range(chance.choice([3, 20, 60])):
                kind = chance.choice(["cells", "text", "two texts"]) if chance.random() < likely else "right"
                note = '"a\n""b"' if chance.random() < 0.2 else "c"
                if kind == "cells":
                    text += f"1,{note}\n"
                    expected.append((line, "expected 3 cells, found 2"))
                else:
                    x = "on" if kind != "right" else "1"
                    y = "off" if kind == "two texts" else "2"
                    text += f"{x},{y},{note}\n"
                    names = {"right": "", "text": "x", "two texts": "xy"}[kind]
                    expected += [(line, f'"{"on" if name == "x" else "off"}" is a text, and \'{name}\' is compared or '
                                  "computed with as a number") for name in names]
                line += 1 + note.count("\n")
            if not expected:
                continue
            if len(expected) > 20:
                expected[20:] = [(expected[20][0], "more errors from here on")]
            path = self.write("t.csv", text)
            self.assertEqual(self.errors_of(path, ["--ltl", "G(x + y > 0)"], text), expected, text)
        text = '{"x": 1}\n{"x": [1]}\n\n{"x" 1}\n{"x": 2}\n{"x": "on"}\n{"x": 3, "x": {}}\n'
        found = self.errors_of(self.write("t.jsonl", text), ["--ltl", "G(x > 0)"], text)
        self.assertEqual([line for line, _ in found], [2, 4, 6, 7])

    def test_a_line_that_assigns_a_variable_twice_is_wrong(self):
        text = '{"x": 1}\n{"x": 1, "y": 2, "x": 2}\n'
        found = self.errors_of(self.write("t.jsonl", text), ["--ltl", "G(x > 0)"], text)
        self.assertEqual(found, [(2, "the line assigns 'x' twice")])

    def test_a_match_may_end_where_the_last_line_repeats(self):
        path = self.write("t.csv", "x\n1\n3\n2\n")
        formulas = {"{x = 1; x = 3; x = 2[*20]}": "holds", "{true[*20]} |-> x = 2": "holds",
                    "{true[*20]} |=> x = 3": "fails", "G({x = 3} |=> X x = 2)": "holds",
                    "!{true[*]; {x = 3}[*2]}": "holds"}
        asked = [word for formula in formulas for word in ("--ltl", formula)]
        found = self.report([path, *asked, "--extend", "loop"])["properties"]
        self.assertEqual([one["verdict"] for one in found], list(formulas.values()))

    def test_replay_repeats_the_last_line_no_longer_than_a_match_can_be(self):
        # The product of the operands' states is beyond a thousand, the longest match has five positions.
        formula = "!{{x = 1; x = 3; x = 2[*1..3]} && {true[*1..40]; true[*0..40]}}"
        path = self.write("t.csv", "x\n1\n3\n2\n")
        report = subprocess.run([PROGRAM, "trace", path, "--ltl", formula, "--extend", "loop", "--format", "json"],
                                capture_output=True)
        self.assertEqual(report.returncode, 1)
        saved = self.write("report.json", report.stdout)
        judged = subprocess.run([PROGRAM, "replay", path, saved], capture_output=True, timeout=60)
        self.assertEqual((judged.returncode, judged.stdout), (0, b"ltl1: the evidence stands\n"))

    def test_a_large_formula_is_decided_where_the_last_line_repeats(self):
        # The subsets of its Büchi automaton were too many.
        formula = ("G (true R x?2 > x?2?T <-> {(x<3 ; {x!=x?3 & 1*x > 0 ; x = 2}) | 0=x} |=> x*x != x?T) & "
                   "G ((x*x + (x-1)/3 = 0 W x>0) U {[*0..] && 0.5-x <= -1.5[*2..2]} |=> x >= 1)")
        path = self.write("t.csv", "time,x\n1,2\n2,3\n3,1\n")
        found = self.report([path, "--ltl", formula, "--extend", "loop"])["properties"][0]
        self.assertEqual(found["verdict"], "fails")

    def test_a_division_by_zero_stands_among_the_errors_where_it_is(self):
        text = "x,y\n1,1\n0,1\n1\n0,0\n1,1,1\n"
        path = self.write("t.csv", text)
        lines = [("x != 0 & y / x > 1", [4, 6]), ("y / x > 1", [3, 4, 6]), ("y % x = 0", [3, 4, 6]),
                 ("1 / x?1 > 1", [2, 4, 6]), ("x?C = 1 | 1 / x?1 > 1", [4, 6]), ("x?C = 1 | 1 / (x?1 - 1) > 1", [3, 4, 6])]
        for condition, expected in lines:
            found = self.errors_of(path, ["--ltl", f"G({condition})"], condition)
            self.assertEqual([line for line, _ in found], expected, (condition, found))
        self.assertIn("division by zero", self.errors_of(path, ["--ltl", "G x = 1 / 0"], "")[0][1])
        result = run([path, "--ltl", "G 1 / 0 = 1"])
        self.assertEqual((result.returncode, b"division by zero" in result.stderr), (2, True))
        monitor = self.write("d.mon", "monitor d\ninitial a\nbad b\na -> b when 1 / y > 2\n")
        path = self.write("u.csv", "x,y\n1,\n1,1\n1,0\n1,0\n")
        found = self.errors_of(path, ["--monitor", monitor], "")
        self.assertEqual([line for line, _ in found], [4])

    def test_an_equivalence_can_stop_a_division(self):
        path = self.write("t.csv", "x,z\n2,0\n")
        formula = "(x = 2 <-> z = 0) | x / z = 1"
        self.assertEqual(self.report([path, "--ltl", formula])["properties"][0]["verdict"], "holds")
        order = self.write("t.trace", "P x := 0\n")
        formula = "G((x = 0 <-> true) | 1 / x = 1)"
        self.assertEqual(self.report([order, "--ltl", formula])["properties"][0]["verdict"], "holds")

    def test_counters_that_divide_by_zero_say_where(self):
        monitor = self.write("d.mon", "monitor d\ninitial a\ncounter n = 5, m = 0\n"
                             "a -> a when x = 1 do n = n - 1\na -> a when x = 2 do m = 1 / n\na -> a when x = 3 do m = 0\n")
        rows = [1, 2, 3, 1, 2, 3, 1, 1, 1, 2, 3, 3, 1]
        path = self.write("t.csv", "x\n" + "".join(f"{row}\n" for row in rows))
        for jobs, size in ((1, 1), (2, 1), (3, 4), (2, 11)):
            result = run([path, "--monitor", monitor, "--jobs", jobs, "--piece-size", size])
            self.assertEqual(result.returncode, 2)
            self.assertIn("t.csv:11: error: the update of counter 'm' divides by zero", result.stderr.decode(), (jobs, size))

    def test_a_table_is_read_like_the_other_forms(self):
        path = pathlib.Path(self.folder.name) / "t.db"
        database = sqlite3.connect(path)
        database.execute("CREATE TABLE log (time REAL, name TEXT, value)")
        rows = [(1, "x", 1), (1, "y", 0.5), (2, "x", 2), (2.5, "mode", "on"), (3, "y", 2)]
        database.executemany("INSERT INTO log VALUES (?, ?, ?)", rows[::-1])  # not in the order of time
        database.commit()
        database.close()
        report = self.report([path, "--table", "log", "--ltl", "G(x >= 2*y)", "--ltl", 'F mode = "on"',
                              "--ltl", "G(y?T <= 2)"])
        self.assertEqual([p["verdict"] for p in report["properties"]], ["fails", "holds", "fails"])
        self.assertEqual(report["inputs"][0]["events"], 4)
        self.assertEqual(report["properties"][0]["evidence"]["time"], 3)
        self.assertEqual(run([path, "--table", "nothing", "--ltl", "G x = 1"]).returncode, 2)

    def test_a_total_order_of_processes_is_a_sequential_trace(self):
        text = "init y = 7\nA x := 1\nB y := 2 after A#1\nA x := 3 after B#1\n"
        path = self.write("t.trace", text)
        report = self.report([path, "--sequential", "--ltl", "G(x + y >= 5)", "--ltl", "G(x?1 <= 1)"])
        self.assertEqual([p["verdict"] for p in report["properties"]], ["fails", "holds"])
        self.assertEqual(report["properties"][0]["evidence"]["line"], 3)
        path = self.write("u.trace", "A x := 1\nB y := 2\n")
        self.assertEqual(run([path, "--sequential", "--ltl", "G x = 1"]).returncode, 2)

    def test_a_buechi_automaton_of_another_tool_is_read_as_one_of_finite_words(self):
        automaton = self.write("a.hoa", 'HOA: v1\nStart: 0\nAP: 1 "x = 3"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n'
                               "State: 0\n[!0] 0\n[0] 1\nState: 1 {0}\n[t] 1\n--END--\n")
        path = self.write("t.csv", "x\n1\n3\n2\n")
        for how in ([], ["--extend", "loop"]):
            self.assertEqual(self.report([path, "--monitor", automaton, *how])["properties"][0]["verdict"], "fails")

    def test_a_summary_without_out_goes_to_standard_output(self):
        path = self.write("t.csv", "x\n1\n2\n3\n")
        parts = []
        for i in (1, 2):
            result = run([path, "--ltl", "G x < 3", "--piece", f"{i}/2", "--format", "json"])
            self.assertEqual((result.returncode, result.stderr), (0, b""))
            parts.append(self.write(f"part{i}", result.stdout))
        merged = run(["--merge", *parts, "--format", "json"])
        self.assertEqual(json.loads(merged.stdout)["properties"][0]["evidence"]["line"], 4)

    def test_evidence_on_every_form_stands_and_changed_evidence_does_not(self):
        database = sqlite3.connect(pathlib.Path(self.folder.name) / "t.db")
        database.execute("CREATE TABLE log (time REAL, name TEXT, value)")
        database.executemany("INSERT INTO log VALUES (?, ?, ?)", [(2, "x", 2), (1.5, "x", 1), (3, "x", 3)])
        database.commit()
        database.close()
        automaton = subprocess.run([PROGRAM, "automaton", "--finite", "--negate", "G x < 3"],
                                   capture_output=True, check=True)
        loop = subprocess.run([PROGRAM, "automaton", "--negate", "F G x < 3"], capture_output=True, check=True)
        asked = ["--ltl", "G x < 3", "--ltl", "G(x = 1 -> x?1 = 2)",
                 "--automaton", self.write("a.hoa", automaton.stdout)]
        looping = ["--extend", "loop", "--ltl", "{true[*5]} |-> x = 2", "--ltl", "!{true[*]; {x = 3}[*20]}",
                   "--automaton", self.write("b.hoa", loop.stdout)]
        for name, text in (("t.csv", "x\n1\n2\n3\n"), ("t.db", None), ("t.jsonl", '{"x": 1}\n{"x": 2}\n{"x": 3}\n'),
                           ("t.trace", "init x = 5\nA x := 1\nB x := 2 after A#1\nA x := 3 after B#1\n")):
            path = self.write(name, text) if text else pathlib.Path(self.folder.name) / name
            how = ["--sequential"] if name == "t.trace" else []
            for words_ in (asked, looping):
                report = self.report([path, *how, *words_])
                self.assertEqual({p["verdict"] for p in report["properties"]}, {"fails"}, (name, report))
                saved = self.write("report.json", json.dumps(report))
                judged = subprocess.run([PROGRAM, "replay", path, saved], capture_output=True, check=False)
                self.assertEqual((judged.returncode, judged.stdout.count(b"the evidence stands")), (0, 3), judged)
                for one in report["properties"]:
                    one["evidence"]["line"] += 1
                    one["formula"] = one["formula"].replace("x < 3", "x < 4")
                saved = self.write("report.json", json.dumps(report))
                judged = subprocess.run([PROGRAM, "replay", path, saved], capture_output=True, check=False)
                self.assertEqual((judged.returncode, judged.stdout.count(b"refuted")), (1, 3), judged)

    def test_counters_of_a_monitor(self):
        monitor = self.write("wait.mon", "monitor longest_wait\ninitial calm\ncounter since = 0, longest = 0, n = 0\n"
                             "calm -> busy when request = 1 do since = time, n = n + 1\n"
                             "busy -> calm when reply = 1 do longest = max(longest, time - since)\n")
        path = self.write("m.csv", "time,request,reply\n1,1,\n2.5,,1\n3,1,\n7,,1\n8,1,\n")
        for jobs in (1, 2):
            report = self.report([path, "--monitor", monitor, "--jobs", jobs, "--piece-size", 1])
            self.assertEqual(report["properties"][0]["verdict"], "holds")
            figures = report["properties"][0]["statistics"]
            self.assertEqual((figures["since"], figures["longest"], figures["n"]), (8, 4, 3))
            self.assertEqual(figures["counters"], {"since": 8, "longest": 4, "n": 3})

    def test_counters_do_not_depend_on_the_cuts(self):
        monitor = self.write("all.mon", "monitor figures\ninitial calm\n"
                             "counter n = 0, since = -1, longest = 0, total = 0, least = 1000, half = 64, swap = 5\n"
                             "calm -> busy when x = 1 do since = time, n = 2 * n + 1, least = min(least, y, n), half = half / 2, swap = n\n"
                             "busy -> calm when x = 0 do longest = max(longest, time - since), "
                             "total = total + (time - since), n = swap, swap = n\n")
        for number in range(max(4, CASES // 4)):
            chance = random.Random(SEED * 4000003 + number)
            rows = [(time, chance.choice([0, 1, 2, ""]), chance.choice([1, 2.5, -3, ""]))
                    for time in range(chance.choice([3, 20, 60]))]
            state, y = "calm", Fraction(0)
            c = {"n": Fraction(0), "since": Fraction(-1), "longest": Fraction(0), "total": Fraction(0),
                 "least": Fraction(1000), "half": Fraction(64), "swap": Fraction(5)}
            for time, x, new_y in rows:
                y = Fraction(new_y) if new_y != "" else y
                old = dict(c)
                if state == "calm" and x == 1:
                    state = "busy"
                    c.update(since=Fraction(time), n=2 * old["n"] + 1,
                             least=min(old["least"], y, old["n"]), half=old["half"] / 2, swap=old["n"])
                elif state == "busy" and x == 0:
                    state = "calm"
                    wait = time - old["since"]
                    c.update(longest=max(old["longest"], wait), total=old["total"] + wait, n=old["swap"],
                             swap=old["n"])
            text = "time,x,y\n" + "".join(f"{t},{x},{v}\n" for t, x, v in rows)
            path = self.write("t.csv", text)
            alone = self.report([path, "--monitor", monitor])
            got = {name: Fraction(str(alone["properties"][0]["statistics"][name])) for name in c}
            self.assertEqual(got, c, text)
            for jobs, size in ((2, 1), (3, 7), (4, 30)):
                cut = self.report([path, "--monitor", monitor, "--jobs", jobs, "--piece-size", size])
                self.assertEqual(cut, alone, (jobs, size, text))
            parts = [pathlib.Path(self.folder.name) / f"c{i}.json" for i in (1, 2, 3)]
            for i, part in enumerate(parts):
                run([path, "--monitor", monitor, "--piece", f"{i + 1}/3", "--out", part])
            merged = run(["--merge", *parts, "--format", "json"])
            self.assertEqual(without_time(json.loads(merged.stdout)), alone, text)

    def test_guards_that_no_value_triggers_at_once_are_deterministic(self):
        path = self.write("t.csv", "x,y\n1,0\n0,0\n2,0\non,0\n2.5,0\n0,0\n")
        for one, other, good in (("x = 1", "x = 2", True), ("x < 1", "x >= 1", True), ("x <= 1", "x >= 1", False),
                                 ("x < 2.5", "2 * x > 5", True), ("x != 1", "x = 2", False), ("x > 1", "x < 2", False),
                                 ('x = "on"', 'x = "off"', True), ('x = "on"', "x = 1", True),
                                 ('x != "on"', 'x != "off"', False), ('x = "on"', 'x != "off"', False),
                                 ("x = 1", "y = 2", False), ("x = 1 | x = 3", "x = 2 & !(x = 1)", True),
                                 ("-x < 0", "x <= 0", True), ("x = 1 & y = 1", "x = 1 & y = 2", True),
                                 ("1 / 3 * x = 1", "x = 3", False), ("1 < x & x < 2", "x = 1.5", False)):
            monitor = self.write("g.mon", f"monitor g\ninitial a\ncounter n = 0\na -> b when {one} do n = n + 1\n"
                                 f"a -> c when {other}\nb -> a when x = 0\nc -> a when true do n = n * 2\n")
            result = run([path, "--monitor", monitor])
            text = result.stderr.decode()
            self.assertEqual("can be triggered at once" in text, not good, (one, other, text))

    def test_which_guard_is_triggered_decides_what_is_counted(self):
        monitor = self.write("g.mon", "monitor g\ninitial a\ncounter n = 0, m = 0\na -> b when x = 1 do n = n + 1\n"
                             "a -> c when x = 2 do m = m + 10\nb -> a when x = 0\nc -> a when x <= 0 do n = n + 100\n"
                             "c -> b when x > 2\n")
        path = self.write("t.csv", "x\n1\n0\n2\n0\n2\n3\n0\n")
        for jobs in (1, 2, 3):
            figures = self.report([path, "--monitor", monitor, "--jobs", jobs, "--piece-size", 1])["properties"][0]["statistics"]
            self.assertEqual((figures["n"], figures["m"]), (101, 20))

    def test_decimals_as_seconds_since_1970_are_read_exactly(self):
        rows = ["1763495489.123456789", "1763495489.5", "1763495490", "-1763495489.000000001", "1763495489123456789",
                "9223372036854775807", "9223372036854775808", "0.0000000001", "12345678.87654321", "9.999999999"]
        for time in rows:
            for first in rows:
                path = self.write("t.csv", f"time,x\n{first},0\n{time},1\n")
                report = self.report([path, "--ltl", f"G(x = 1 -> time = {time})", "--ltl", "G x = 0"])
                self.assertEqual([p["verdict"] for p in report["properties"]], ["holds", "fails"], (first, time))
                self.assertEqual(Fraction(str(report["properties"][1]["evidence"]["time"])), Fraction(time))

    def test_counters_that_nest_are_checked_all_the_same(self):
        monitor = self.write("clamp.mon", "monitor clamp\ninitial on\ncounter n = 0\n"
                             "on -> on when x >= 0 do n = min(max(n * 3, x), 100 - x)\n")
        path = self.write("t.csv", "x\n" + "".join(f"{i % 7}\n" for i in range(5000)))
        reports = [self.report([path, "--monitor", monitor, "--jobs", jobs, "--piece-size", 100]) for jobs in (1, 3)]
        self.assertEqual(reports[0], reports[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
