#!/usr/bin/env python3
"""Exports of models and random programs: spin and rumur count the states that Cohort counts, and agree on verdicts.

    agreement_test.py ROOT PROGRAM FUZZ_CHECK      status 77 if spin, rumur or gcc is missing
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import agreement

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


class Agreement(unittest.TestCase):
    def agree(self, model, *arguments, **options):
        with tempfile.TemporaryDirectory() as folder:
            found = agreement.Agreement(PROGRAM, folder).compare(str(model), list(arguments), **options)
            self.assertEqual(found.complaints, [])
            return found.tally

    def model(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".coh", encoding="utf-8")
        self.addCleanup(file.close)
        file.write(text)
        file.flush()
        return file.name

    def test_everything_the_language_has(self):
        tally = self.agree(self.model(EVERYTHING))
        self.assertGreater(tally["spin: verdict"], 1)
        self.assertEqual(tally["spin: fair verdict"], 1)
        self.assertEqual(tally["rumur: verdict"], 1)

    def test_model_errors_are_found_there_as_well(self):
        for text in (FAULT, CONFLICT):
            self.agree(self.model(text))

    def test_models(self):
        for name, sizes in [("resource_controller", ["-D", "client=3"]), ("mutual_exclusion", []),
                            ("leader_election", []), ("barrier", ["-D", "WORKERS=3"])]:
            with self.subTest(name):
                self.agree(ROOT / "models" / f"{name}.coh", str(ROOT / "specs" / f"{name}.cctl"), *sizes)

    def test_random_programs(self):
        for seed in range(201, 204):
            with self.subTest(seed):
                text = subprocess.run([FUZZ_CHECK, "show", str(seed)], stdout=subprocess.PIPE, check=True).stdout
                self.agree(self.model(text.decode()), properties=False)


if __name__ == "__main__":
    unittest.main()
