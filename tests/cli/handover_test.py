#!/usr/bin/env python3
"""What Cohort hands to others and explains: export's errors, evidence as ITF and for ShiViz and back, explain.

    handover_test.py ROOT PROGRAM
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT, PROGRAM = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1)).absolute()

MODEL = """
Program
  Module client = 3;
  Enum Phase = { idle, waiting, holding };
  lk[client] : Phase = idle;
  owner : client? = none;
  seen[client, 0..1] : bool = 0;
  PriorityClass vip : client = (0);
  server of desk : {
    [serve] lk[k] == waiting & owner == none -> owner = k, lk[k] = holding  Priority (vip);
  }
  Module desk = 1;
  k of client : {
    [ask]  lk[k] == idle & !seen[k, 0] -> lk[k] = waiting, seen[k, 0] = 1;
    [done] lk[k] == holding & owner == k -> lk[k] = idle, owner = none, seen[k, 1] = 1;
  }
"""


def run(*arguments):
    result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=ROOT, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


class Handover(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.write("model.coh", MODEL)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def report(self, *formulas):
        arguments = [word for formula in formulas for word in ("--cctl", formula)]
        _, out, _ = run("check", self.model, *arguments, "--format", "json", "-q")
        return self.write("report.json", out), json.loads(out)

    # Export

    def test_what_cannot_be_expressed_is_an_error_with_its_place(self):
        for target, formula, words in [
                ("promela", "AG EF lk[0] = idle", "LTL speaks of all paths"),
                ("promela", "AF AG lk[0] = idle", "moment"),
                ("promela", "(AG lk[0] = idle) | (AG lk[1] = idle)", "one of several"),
                ("promela", "AX lk[0] = idle", "next"),
                ("murphi", "AF lk[0] = holding", "invariants only"),
                ("murphi", "lk[0] = holding -> AG lk[1] = idle", "choose")]:
            with self.subTest(formula):
                status, out, err = run("export", self.model, "--to", target, "--cctl", formula)
                self.assertEqual((status, out), (2, ""))
                self.assertIn(words, err)
                self.assertIn("cctl1:1:", err)
                status, out, err = run("export", self.model, "--to", target, "--cctl", formula, "--partial")
                self.assertEqual(status, 0)
                self.assertIn("warning", err)
                self.assertNotIn("cctl1", out)

    def test_variables_beyond_32_bits_are_no_promela(self):
        model = self.write("wide.coh", "Program Module m = 1; x : 0..5000000000 = 0; k of m : { [up] x < 5000000000 -> x = x + 1; }")
        status, out, err = run("export", model, "--to", "promela")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("variable 'x' needs more than 32 bits", err)
        self.assertEqual(run("export", model, "--to", "murphi")[0], 0)

    def test_modules_are_scalarsets_where_nothing_tells_processes_apart(self):
        def types(*arguments):
            status, out, err = run("export", *arguments, "--to", "murphi", "-q")
            self.assertEqual((status, err), (0, ""))
            return out.split("\nvar")[0]
        self.assertIn("client : 0..2;", types(self.model))  # priorities
        free = self.write("free.coh", MODEL.replace("  Priority (vip)", ""))
        self.assertIn("client : scalarset(3);", types(free))
        self.assertIn("client : scalarset(3);", types(free, "--cctl", "forall i in client . AG(owner = i -> lk[i] = holding)"))
        self.assertIn("client : 0..2;", types(free, "--cctl", "AG lk[1] != holding"))
        self.assertIn("client : 0..2;", types(free, "--cctl", "AG COUNT(i in vip : lk[i] = idle) >= 0"))
        started = self.write("started.coh", MODEL.replace("  Priority (vip)", "").replace("Program", "Program Init lk[1] = waiting;"))
        self.assertIn("client : 0..2;", types(started))
        self.assertIn("desk : 0..0;", types(started))  # a module of one has no symmetry

    def test_export_to_a_file(self):
        out = self.folder / "m.pml"
        self.assertEqual(run("export", self.model, "--to", "promela", "-o", out, "-q")[:2], (0, ""))
        self.assertEqual(out.read_text(encoding="utf-8"), run("export", self.model, "--to", "promela", "-q")[1])

    # Evidence

    def test_itf_comes_back_as_it_went(self):
        # With a desk that may tick for ever there is a loop.
        self.model = self.write("ticking.coh", MODEL.replace("[serve]", "[tick] owner == none -> owner = none;\n    [serve]"))
        path, report = self.report("AG lk[2] != holding", "AF lk[1] = holding")
        self.assertIn("loop", report["properties"][1]["evidence"])
        for name in ("cctl1", "cctl2"):
            itf = self.folder / f"{name}.itf.json"
            status, _, err = run("replay", self.model, path, "--property", name, "--to", "itf", "--out", itf)
            self.assertEqual((status, err), (0, ""))
            trace = json.loads(itf.read_text(encoding="utf-8"))
            self.assertEqual(trace["#meta"]["format"], "ITF")
            self.assertEqual(set(trace["vars"]), {"lk", "owner", "seen", "mbt::actionTaken"})
            evidence = next(p for p in report["properties"] if p["name"] == name)["evidence"]
            self.assertEqual(len(trace["states"]), len(evidence["steps"]) + 1)
            self.assertEqual(trace["states"][0]["owner"], "none")
            self.assertEqual(trace["states"][0]["lk"], {"#map": [[i, "idle"] for i in range(3)]})
            self.assertEqual(trace.get("loop"), evidence["loop"] + 1 if "loop" in evidence else None)
            formula = next(p for p in report["properties"] if p["name"] == name)["formula"]
            status, out, err = run("replay", self.model, itf, "--cctl", formula, "--property", "cctl1")
            self.assertEqual((status, err), (0, ""), out)
            self.assertIn("which shows that the property fails", out)
            # and once more through ITF: the same text
            again = self.folder / "again.itf.json"
            self.assertEqual(run("replay", self.model, itf, "--to", "itf", "--out", again)[0], 0)
            other = json.loads(again.read_text(encoding="utf-8"))
            self.assertEqual((other["states"], other.get("loop")), (trace["states"], trace.get("loop")))
            trace["states"][1]["lk"]["#map"][0][1] = "holding"
            self.assertEqual(run("replay", self.model, self.write("wrong.json", json.dumps(trace)))[0], 1)

    def test_a_shiviz_log_is_a_trace(self):
        path, _ = self.report("AG lk[2] != holding")
        log = self.folder / "run.log"
        self.assertEqual(run("replay", self.model, path, "--property", "cctl1", "--to", "shiviz", "--out", log)[0], 0)
        status, out, err = run("trace", log, "--input", "shiviz", "--ctl", 'EF(lk[2] = "holding")',
                               "--ctl", 'EF(lk[1] = "waiting")')
        self.assertEqual((status, err), (1, ""), out)
        self.assertIn("ctl1: holds", out)
        self.assertIn("ctl2: fails", out)
        # A causal chain: nothing can be exchanged.
        self.assertEqual(log.read_text(encoding="utf-8").splitlines()[-2].count('":1'), 3)

    # Explain

    def explain(self, *arguments):
        status, out, err = run("explain", *arguments, "--format", "json")
        self.assertEqual((status, err), (0, ""), out)
        return json.loads(out)

    def reasons(self, explained, label):
        return [reason for process in explained["processes"] for schema in process["schemas"]
                if schema["label"] == label for reason in schema["reasons"]]

    def test_steps_lead_to_the_state_that_is_explained(self):
        found = self.explain(self.model, "--steps", "ask(2); ask(0)")
        self.assertEqual(found["place"], "steps")
        self.assertEqual(found["state"]["lk[2]"], "waiting")
        serve = self.reasons(found, "serve")
        self.assertEqual([reason["status"] for reason in serve], ["fireable", "false", "outranked"])
        self.assertEqual(serve[1]["false"], [{"text": "lk[k] == waiting", "line": 10, "column": 13,
                                              "values": {"lk[1]": "idle"}}])
        self.assertEqual(serve[2]["by"], {"label": "serve", "processes": {"server": 0, "k": 0}})
        status, _, err = run("explain", self.model, "--steps", "ask(2); done(2)")
        self.assertEqual(status, 2)
        self.assertIn("step 2: done(2) is not fireable there", err)
        self.assertEqual(run("explain", self.model, "--steps", "aks(2)")[0], 2)
        for steps, words in [("serve", "step 1: 'serve' is not fireable there"), ("ask(7)", "'client' has no process 7"),
                             ("ask", "step 1: 'ask' may be several instances: name all processes")]:
            status, _, err = run("explain", self.model, "--steps", steps)
            self.assertEqual(status, 2)
            self.assertIn(words, err)
            self.assertEqual("hint" in err, "not fireable" in err)

    def test_of_a_quantifier_those_are_told_that_decide_it(self):
        model = self.write("all.coh", """Program Module m = 3; x[m] = 0; y[m] = 0; i, j of m;
            Init x[1] = 1; Init x[2] = 2; Init y[2] = 1;
            k of m : { [go] ALL(i where i != k: x[i] == 0) -> x[k] = x[k]; [come] !EXISTS(i, j: x[i] == 2 & y[j] == 1) -> x[k] = 5; }
            """)
        found = self.explain(model, "--steps", "")
        go = self.reasons(found, "go")
        self.assertEqual([reason["false"][0]["values"] for reason in go], [{"x[1]": 1, "x[2]": 2}, {"x[2]": 2}, {"x[1]": 1}])
        self.assertEqual(self.reasons(found, "come")[0]["false"][0]["values"], {"x[2]": 2, "y[2]": 1})

    def test_a_deadlock_is_looked_for(self):
        found = self.explain(self.model)
        self.assertEqual((found["place"], found["deadlock"]), ("deadlock", True))
        self.assertEqual(len(found["path"]["steps"]), 9)
        ask = self.reasons(found, "ask")
        self.assertTrue(all(reason["false"][0]["text"] == "!seen[k, 0]" for reason in ask))
        status, out, _ = run("explain", "models/dining_philosophers.coh")
        self.assertEqual(status, 0)
        self.assertIn("In a deadlock", out)
        self.assertIn("take_right(0): holder[right[p]] == none is false", out)

    def test_without_a_deadlock_the_initial_state_is_explained(self):
        found = self.explain("models/mutual_exclusion.coh")
        self.assertEqual((found["place"], found["deadlock"]), ("initial", False))

    def test_the_end_of_evidence_is_explained(self):
        path, _ = self.report("AG lk[2] != holding", "AG lk[1] != holding")
        found = self.explain(self.model, "--evidence", path, "--property", "cctl2")
        self.assertEqual((found["place"], found["state"]["owner"]), ("evidence", 1))
        status, _, err = run("explain", self.model, "--evidence", path)
        self.assertEqual(status, 2)
        self.assertIn("choose with --property", err)

    def test_a_model_error_is_where_it_is_explained(self):
        model = self.write("fault.coh", "Program Module m = 2; x[m] : 0..2 = 0; k of m : { [up] x[k] < 9 -> x[k] = x[k] + 1; }")
        found = self.explain(model)
        self.assertEqual(found["place"], "fault")
        self.assertIn("outside the type", [r for r in self.reasons(found, "up") if r["status"] == "fault"][0]["message"])

    # Findings

    FOUND = """
Program
  Module m = 2;
  x[m] : 0..3 = 0;
  still = 4;
  same : bool = 1;
  PriorityClass some : m = (0, 5);
  k of m : {
    [up]    x[k] < 2 -> x[k] = x[k] + 1, same = 1;
    [never] x[k] == 3 -> x[k] = 0, still = 5;
  }
Formula
  vacuous : AG(x[0] = 3 -> AF x[0] = 0);
  fine    : AG(x[0] = 1 -> AF(x[0] = 2 | deadlock));
  extra   : AG(x[0] <= 2 & (x[1] >= 0 | x[1] = 7));
"""

    def findings(self, status, *arguments):
        code, out, _ = run("check", self.write("found.coh", self.FOUND.replace("(0, 5)", "(0)")), "--format", "json",
                           "--no-witness", *arguments)
        self.assertEqual(code, status, out)
        return sorted((f["code"], f["line"], f.get("property")) for f in json.loads(out).get("findings", []))

    def test_findings_have_codes_and_places(self):
        everything = [
            ("irrelevant-subformula", 15, "extra"), ("schema-never-fires", 10, None), ("unused-class", 7, None),
            ("vacuous-antecedent", 13, "vacuous"), ("variable-never-changes", 5, None),
            ("variable-never-changes", 6, None)]
        found = self.findings(0, "-W", "all=warn")
        self.assertEqual([f for f in found if f[2] != "fine"], everything)
        self.assertEqual(self.findings(0, "-W", "all=off"), [])
        self.assertEqual([f[0] for f in self.findings(2, "-W", "all=off", "-W", "schema-never-fires=error")],
                         ["schema-never-fires"])
        self.assertEqual([f[0] for f in self.findings(2, "-q", "-W", "unused-class=error")], ["unused-class"])
        self.assertEqual(self.findings(0, "-q"), [])
        self.assertEqual(run("check", self.model, "-W", "nothing=error")[0], 2)
        self.assertIn("[schema-never-fires]", run("check", self.folder / "found.coh")[2])

    def test_an_antecedent_that_is_true_somewhere_is_not_called_never_true(self):
        model = self.write("once.coh", """
Program Module m = 2; x[m] : 0..2; k of m : { [up] x[k] == 0 & ALL(i: x[i] == 0) -> x[k] = 1; } i of m;
Formula other : AG exists i in m . x[i] = 1 -> x[i] = 2;
""")
        code, out, _ = run("check", model, "--format", "json", "-W", "all=warn", "-W", "schema-never-fires=off")
        self.assertEqual(code, 0)
        self.assertEqual([f["code"] for f in json.loads(out)["findings"]], ["irrelevant-subformula"])

    def test_output_that_cannot_be_written_is_an_error(self):
        for command in ("check", "compare", "explain", "graph"):
            with self.subTest(command), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([PROGRAM, command, self.model], cwd=ROOT, stdout=full, stderr=subprocess.PIPE,
                                      timeout=120, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn("cannot write to standard output", done.stderr.decode())

    def test_every_code_is_documented(self):
        text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
        documented = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
        _, _, err = run("check", self.model, "-W", "?=off")
        known = err.split("there are: ")[1].splitlines()[0].split(", ")
        self.assertEqual(sorted(documented), known)


if __name__ == "__main__":
    unittest.main()
