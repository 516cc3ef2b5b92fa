#!/usr/bin/env python3
"""Exports of models and random programs: spin and rumur count the states that Cohort counts, and agree on verdicts.

    agreement_test.py ROOT PROGRAM FUZZ_CHECK [Features|Models|RandomPrograms]      status 77 if spin, rumur or gcc is missing

All models and as many random programs as one likes: fuzz.py.
"""

import pathlib
import re
import sys
import tempfile
import unittest

import agreement
import fuzz
import sizes

if missing := agreement.available():
    print(f"skipped: {', '.join(missing)} missing")
    sys.exit(77)

ROOT, PROGRAM, FUZZ_CHECK = (pathlib.Path(sys.argv.pop(1)).absolute() for _ in range(3))

# Everything that a translation can get wrong: priorities with several secondary variables, simultaneous
# assignments, free choices, none, range dimensions, quantifiers with filters, C division, early stops.
EVERYTHING = """
Program
  Module m = 2;
  Module n = 1;
  Const BASE = 2;
  Enum Colour = { red, green };
  a[m] : 0..3 = 0;
  colour[n] : Colour = green;
  who : m? = none;
  friend[n] : m in m;
  slot[1..3] : 0..2 = 1;
  flag : bool in { 0, 1 };
  plain = -3;
  Init a[1] = 2;
  i, j of m;
  c of n;
  PriorityClass first : m = (1);
  k of m : {
    [swap]  j != k & a[k] < 3 & who == none & ALL(i, j where i != j: a[i] + a[j] <= 4) -> a[k] = a[j] + 1 > 3 ? 0 : a[j] + 1, a[j] = a[k], who = k
              Priority j (first; 0);
    [drop]  who == k | (who != none & a[k] == 0 & a[who] > 1) -> who = none, slot[a[k] % 3 + 1] = (plain / BASE + 3) % 3;
    [turn]  COUNT(i: a[i] > 0) >= 2 & flag -> ALL(c where colour[c] == red: colour[c] = green), flag = 0;
  }
  d of n : {
    [paint] colour[d] == green & !(a[friend[d]] == 0) => slot[2] > 0 -> colour[d] = red, friend[d] = who == none ? friend[d] : who,
              plain = plain > -5 ? plain * 2 % 7 : plain + 2;
  }
Formula
  low : AG COUNT(i in m : a[i] = 3) <= 2;
  back : AG(who != none -> AF who = none);
  fairly : forall i in m . AG(who = i -> Afair F who != i);
  never : AG !(deadlock | slot[3] = 2);
  first : colour[0] = green & (forall x in n . enabled(x) | colour[x] = green);
"""
FAULT = """
Program Module m = 2; x[m] : 0..2 = 0; owner : m? = none;
  k of m : { [up] x[k] < 2 -> x[k] = x[k] + 1; [own] x[k] == 2 & (owner == none | x[owner] == 2) -> owner = k;
             [bad] owner == k & 4 / (x[k] - 2) > 0 -> owner = none; }
"""
CONFLICT = "Program Module m = 2; x[m] : 0..2 = 0; i of m; k of m : { [a] x[k] == 0 -> ALL(i: x[k] = i == k ? 1 : 2); }"


# Two clients of one lock, with a rank; client 1 can be kept waiting for ever.
CLIENTS = """
Program Module client = 2; Module lock = 1;
  at[client] : 0..2 = 0; holder : client? = none;
  k of client : { [ask] at[k] == 0 -> at[k] = 1; [leave] holder == k -> at[k] = 0, holder = none; }
  h of lock : { [give] holder == none & at[k] == 1 -> holder = k, at[k] = 2 Priority (0; 1); }
"""
LINEAR = [
    "forall i in client . G(at[i] = 1 -> F at[i] = 2)",
    "G(at[0] = 1 -> F at[0] = 2)",
    "G !(at[0] = 2 & at[1] = 2)",
    "forall i, j in client . i = j | G !(at[i] = 2 & at[j] = 2)",
    "G(holder = none | at[0] = 0)",
    "at[0] = 0 & holder = client(1)",
    "(exists i in client . G F holder = i) | F G holder = none",
    "holder = none W at[0] = 2",
    "(at[0] = 1) R (at[1] < 2)",
    "(exists i in client . holder = i) U at[0] = 1 | G at[0] = 0",
    "!(F(at[1] = 2 & (at[0] = 0 U holder = none)))",
    "G(enabled(lock(0)) -> F COUNT(i in client : at[i] = 2) = 1)",
]
NOT_EXPRESSIBLE = [
    ("promela", ["--ltl", "G(ask -> F give)"],
     "property 'ltl1': its positions are actions, and what is exported has states only"),
    ("murphi", ["--ltl", "G(ask -> F give)"],
     "property 'ltl1': its positions are actions, and what is exported has states only"),
    ("promela", ["--ltl", "G X at[0] < 3"], "property 'ltl1': Spin is built without the next operator"),
    ("promela", ["--ltl", "{at[0] = 0; at[0] = 1}"],
     "property 'ltl1': a regular expression over positions, which only Cohort knows"),
    ("murphi", ["--ltl", "G F at[0] = 0"], "property 'ltl1': Murphi has invariants only: G of a formula without time"),
    ("promela", ["--cctl", "EF at[0] = 2"],
     "property 'cctl1': LTL speaks of all paths, and this says that there is one"),
    ("murphi", ["--cctl", "AF at[0] = 2"], "property 'cctl1': Murphi has invariants only: AG of a formula without time"),
    ("promela", ["-D", "client=300"], "more than 254 processes, which Promela cannot have"),
]


class Test(unittest.TestCase):
    def agree(self, found):
        self.assertEqual(found.complaints, [])
        return found.tally

    def compare(self, model, *arguments, **options):
        with tempfile.TemporaryDirectory() as folder:
            return self.agree(agreement.Agreement(PROGRAM, folder).compare(str(model), list(arguments), **options))

    def model(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".coh", encoding="utf-8")
        self.addCleanup(file.close)
        file.write(text)
        file.flush()
        return file.name


class Features(Test):
    def test_everything_the_language_has(self):
        tally = self.compare(self.model(EVERYTHING))
        self.assertGreater(tally["spin: verdict"], 1)
        self.assertEqual(tally["spin: fair verdict"], 1)
        self.assertEqual(tally["rumur: verdict"], 1)

    def test_model_errors_are_found_there_as_well(self):
        for text in (FAULT, CONFLICT):
            self.compare(self.model(text))

    def test_formulas_of_linear_time(self):
        ltl = [word for formula in LINEAR for word in ("--ltl", formula)]
        model = self.model(CLIENTS)
        tally = self.compare(model, *ltl)
        self.assertEqual(tally["spin: verdict"], len(LINEAR))
        # What has no time in it or is G of such a formula; two of the four fail.
        self.assertEqual(tally["rumur: verdict of what fails"], 2)
        self.assertEqual(tally["rumur: states"], 1)
        tally = self.compare(model, *ltl, "--fair", targets=("promela",))
        self.assertEqual(tally["spin: fair verdict"], len(LINEAR))

    def test_a_chosen_property_is_exported_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            run = agreement.Agreement(PROGRAM, folder)
            words = ["--cctl", "AG true", "--ltl", "G true", "--ltl", "F deadlock", "--property", "ltl2"]
            text = run.export("promela", self.model(CLIENTS), words, "m.pml")
        self.assertEqual(text.count("\nltl "), 1)
        self.assertIn("ltl2", text)

    def test_what_cannot_be_said(self):
        with tempfile.TemporaryDirectory() as folder:
            run = agreement.Agreement(PROGRAM, folder)
            model = self.model(CLIENTS)
            for target, words, complaint in NOT_EXPRESSIBLE:
                with self.subTest(target=target, words=words):
                    out = run.run(["sh", "-c", '"$@" 2>&1', "sh", PROGRAM, "export", model, *words, "--to", target],
                                  (2,))
                    self.assertEqual(re.findall(": error: (.*)", out)[:1], [complaint])
                    self.assertNotIn("proctype", out)


class Models(Test):
    def test_models(self):
        for name in sizes.REPRESENTATIVE:
            with self.subTest(name):
                self.agree(fuzz.compare_model(PROGRAM, name))

    def test_what_cannot_be_exported_of_the_models(self):
        expected = (pathlib.Path(__file__).parent / "left_out.txt").read_text(encoding="utf-8")
        self.assertEqual(fuzz.left_out(PROGRAM), expected.splitlines())


class RandomPrograms(Test):
    def test_random_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(201, 213):
                with self.subTest(seed):
                    self.agree(fuzz.compare_random(PROGRAM, FUZZ_CHECK, seed, [], folder))


if __name__ == "__main__":
    unittest.main()
