#!/usr/bin/env python3
"""What other programs read: JSON reports are as docs/report.schema.json says, JUnit reports are XML and count right.

    formats_test.py ROOT PROGRAM
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import json_schema

ROOT, PROGRAM = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1)).absolute()
SCHEMA = json.loads((ROOT / "docs/report.schema.json").read_text(encoding="utf-8"))

# Every type, a global, two dimensions, a schema that never fires, a deadlock.
MODEL = """
Program
  Module client = 3;
  Module desk = 2;
  Enum Phase = { idle, waiting, holding };
  lk[client] : Phase = idle;
  owner : client? = none;
  at[client] : desk in desk;
  open[desk] : bool = 1;
  seen[desk, client] : 0..1 = 0;
  c, d of client;
  k of client : {
    [ask]   lk[k] == idle & open[t] -> lk[k] = waiting, at[k] = t, seen[t, k] = 1;
    [take]  lk[k] == waiting & owner == none -> lk[k] = holding, owner = k;
    [never] lk[k] == holding & lk[c] == holding & c != k -> owner = none;
    owner == d & lk[k] == holding -> open[at[k]] = 0;
  }
  t of desk;
Formula
  mutex : AG COUNT(i in client : lk[i] = holding) <= 1;
  low : AG lk[i] != holding;
  live : forall i in client . AF lk[i] = holding;
  can : EF (owner = i & !open[1]);
Evaluation i = 1;
"""
FAULT = "Program Module m = 2; x[m] : 0..2 = 0; k of m : { [up] x[k] < 9 -> x[k] = x[k] + 1; } Formula AG x[0] < 7"
SPEC = "property no with i = 0 expect false : AG lk[i] != holding; property yes expect false : true;"


def run(*arguments):
    result = subprocess.run([PROGRAM, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, timeout=60)
    return result.returncode, result.stdout.decode()


class Formats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.write("model.coh", MODEL)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def report(self, status, *arguments):
        code, text = run("check", "--format", "json", *arguments)
        self.assertEqual(code, status, text)
        document = json.loads(text)
        self.assertEqual(list(json_schema.findings(document, SCHEMA)), [])
        return document

    def test_reports_of_all_kinds_fit_the_schema(self):
        full = self.report(1, self.model)
        self.assertEqual([p["verdict"] for p in full["properties"]], ["holds", "fails", "fails", "holds"])
        low = full["properties"][1]
        self.assertEqual(low["evaluation"], [{"variable": "i", "module": "client", "process": 1}])
        evidence = low["evidence"]
        self.assertEqual(evidence["kind"], "counterexample")
        self.assertEqual(len(evidence["initial"]), 3 + 1 + 3 + 2 + 6)
        self.assertEqual(evidence["initial"]["lk[2]"], "idle")
        self.assertIs(evidence["initial"]["owner"], None)
        self.assertIs(evidence["initial"]["open[0]"], True)
        self.assertEqual(evidence["initial"]["seen[1,2]"], 0)
        self.assertEqual([step["label"] for step in evidence["steps"]], ["ask", "take"])
        self.assertEqual(evidence["steps"][0]["processes"].keys(), {"k", "t"})
        self.assertEqual(evidence["steps"][0]["state"]["lk[1]"], "waiting")
        self.assertEqual(evidence["steps"][1]["state"], {"lk[1]": "holding", "owner": 1})
        self.assertNotIn("loop", evidence)
        self.assertEqual(full["properties"][3]["evidence"]["kind"], "witness")

        self.assertEqual(self.report(0, self.model, "--property", "mutex")["properties"][0]["name"], "mutex")
        self.assertNotIn("evidence", self.report(1, self.model, "--no-witness")["properties"][1])
        self.assertNotIn("summary", self.report(1, self.model, "--quiet"))
        self.assertEqual(self.report(1, self.model, "-D", "client=2", "-Dclient=4")["definitions"], {"client": 4})
        limited = self.report(3, self.model, "--property", "mutex", "--max-states", "1")["properties"][0]
        self.assertEqual(limited["verdict"], "unknown")
        self.assertIn("states", limited["reason"])

    def test_a_finite_or_looping_path_is_evidence_for_liveness(self):
        live = self.report(1, self.model, "--property", "live")["properties"][0]
        self.assertEqual(live["verdict"], "fails")
        self.assertEqual(live["evidence"]["choices"][0]["variable"], "i")
        if "loop" in live["evidence"]:
            self.assertLess(live["evidence"]["loop"], len(live["evidence"]["steps"]))

    def test_expectations_are_said_and_counted(self):
        both = self.report(1, self.model, self.write("s.cctl", SPEC), "--property", "no", "--property", "yes")
        self.assertEqual([(p["verdict"], p["expected"]) for p in both["properties"]],
                         [("fails", False), ("holds", False)])
        self.report(0, self.model, self.write("s.cctl", SPEC), "--property", "no")

    def test_errors_fit_the_schema(self):
        wrong = self.report(2, self.write("wrong.coh", "Program Module m = 2; x[n] = 0;"))
        self.assertEqual(wrong["errors"][0]["line"], 1)
        self.report(2, str(self.folder / "none.coh"))
        fault = self.report(2, self.write("fault.coh", FAULT))
        self.assertEqual(fault["properties"][0]["verdict"], "error")
        (error,) = fault["errors"]
        self.assertEqual(error["property"], "formula")
        self.assertEqual(error["label"], "up")
        self.assertIn("outside the type", error["message"])
        self.assertEqual(len(error["path"]["steps"]), 2)  # the third step up is the wrong one

    def test_a_model_without_properties_is_explored(self):
        explored = self.report(0, self.write("m.coh", MODEL.split("Formula")[0]))
        self.assertEqual(explored["properties"], [])
        self.assertTrue(explored["summary"]["complete"])
        self.assertEqual(explored["summary"]["unfired"], ["never"])
        fault = self.report(2, self.write("fault.coh", FAULT.split("Formula")[0]))
        self.assertNotIn("property", fault["errors"][0])

    def test_the_schema_rejects_what_is_no_report(self):
        good = self.report(1, self.model)
        for break_it in [
                lambda report: report.pop("tool"),
                lambda report: report.update(command="chck"),
                lambda report: report.update(more=1),
                lambda report: report["properties"][0].update(verdict="maybe"),
                lambda report: report["properties"][0]["statistics"].update(states=-1),
                lambda report: report["properties"][1]["evidence"].update(loop="0"),
                lambda report: report["properties"][1]["evidence"]["steps"][0].pop("state"),
                lambda report: report["properties"][1]["evidence"]["steps"][0]["processes"].update(k="0"),
        ]:
            bad = copy.deepcopy(good)
            break_it(bad)
            self.assertNotEqual(list(json_schema.findings(bad, SCHEMA)), [])

    def junit(self, *arguments):
        _, text = run("check", "--format", "junit", *arguments)
        (suite,) = xml.fromstring(text)
        self.assertEqual(suite.tag, "testsuite")
        found = {case.get("name"): [child.tag for child in case] for case in suite}
        tags = [tag for tags in found.values() for tag in tags]
        self.assertEqual(int(suite.get("tests")), len(suite))
        for tag, attribute in [("failure", "failures"), ("error", "errors"), ("skipped", "skipped")]:
            self.assertEqual(int(suite.get(attribute)), tags.count(tag))
        return found

    def test_junit_is_well_formed_and_counts_right(self):
        self.assertEqual(self.junit(self.model),
                         {"mutex": [], "low": ["failure"], "live": ["failure"], "can": []})
        self.assertEqual(self.junit(self.model, self.write("s.cctl", SPEC), "--property", "no", "--property", "yes"),
                         {"no": [], "yes": ["failure"]})
        self.assertEqual(self.junit(self.model, "--property", "mutex", "--max-states", "1"), {"mutex": ["skipped"]})
        self.assertEqual(self.junit(self.write("fault.coh", FAULT)), {"formula": ["error"]})
        self.assertEqual(self.junit(self.write("x&<\u0001.coh", "Program <&\u0001> \"")), {"input": ["error"]})


if __name__ == "__main__":
    unittest.main()
