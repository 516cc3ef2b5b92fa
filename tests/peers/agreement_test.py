#!/usr/bin/env python3
"""Exports of models and random programs: spin and rumur count the states that Cohort counts, and agree on verdicts.

    agreement_test.py ROOT PROGRAM FUZZ_CHECK [Features|Commands|Models|RandomPrograms]      status 77 if spin, rumur or gcc is missing

All models, and a few random programs; as many as one likes: fuzz.py.
"""

import pathlib
import re
import subprocess
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
    ("promela", ["-D", "client=253", "--ltl", "G at[0] < 3"],
     "more than 253 processes, which Promela cannot have beside a property"),
]


# The initial state is a deadlock; so is the state after the only step.
ENDS_AT_ONCE = "Program Module m = 2; x[m] : 0..2 = 0; k of m : { [a] x[k] == 1 -> x[k] = 2; }"
ENDS_LATER = "Program Module m = 2; x[m] : 0..2 in 0..1; k of m : { [a] x[k] == 1 -> x[k] = 2; }"
ITSELF = """
Program Module m = 2; v[0..2] : 0..2 = 1; friend[m] : m in m; w[m] : bool = 0;
  k of m : { [a] v[v[0]] < 2 -> v[v[v[0]]] = (v[v[0]] + 1) % 3, v[0] = v[0];  [b] v[v[1]] > 1 -> v[v[0]] = 0;
             [c] friend[friend[k]] == k -> friend[friend[k]] = friend[k];  [d] !w[k] -> w[friend[friend[k]]] = 1; }
"""
# Four conditions, each for nine instances of a process, of which the indices occur in actions only.
FIRING = """
Program Module m = 3; x[m] : 0..4 = 0; y[m] : bool = 0; k, j, l of m;
  k of m : { [a] x[k] == 0 & !y[k] -> x[j] = 1, y[l] = 1; [b] x[k] == 1 & y[k] -> x[j] = 2, y[l] = 0;
             [c] x[k] == 2 & !y[k] -> x[j] = 3, y[l] = 1; [d] x[k] == 3 & y[k] -> x[j] = 4, y[l] = 0; }
"""
# Free choices with and without gaps, of processes and none.
CHOICES = """
Program Module m = 2; Module n = 2; a : 0..9 in { 7, 0, 8, 1 }; b : bool in { 1, 0 }; c : m? in { none, m(1) }; d[n] : n? in { none, n(0), n(1) };
  e[n] : -3..9 in { -3, -2, 5 }; f : m in m; k of m : { [down] a > 0 & c != k -> a = a - 1, c = k, f = k; }
  j of n : { [own] b & d[j] == none -> d[j] = j, e[j] = 0; }
"""
# A negation of a negation; a condition with a conditional, in formulas as well.
SIGNS = """
Program Module m = 2; x[m] : 0..2 = 0; flag : bool = 0; j, k of m;
  k of m : { [a] !(x[j] == 1) -> x[j] = x[j] > 1 ? 0 : 2 - x[k], flag = !flag Priority j (1; 0);
             [b] flag ? x[k] > 0 : !(x[j] == 2 => flag) -> flag = x[k] == 2; }
Formula
  p : AG(enabled(m(0)) | !(!(flag & (x[m(0)] == 2 => x[m(1)] == 1))));
  q : AG(enabled(m(1)) -> AF flag);
  r : AG !(x[m(0)] - 3 < -3 | -2 > x[m(1)] - x[m(0)] & x[m(0)] - 2 <= -2);
"""
# Products that stay within 32 bits, by one step.
PRODUCTS = """
Program
  Module m = 2; x[m] : -70000..70000 = 46340; y : -70000..70000 in { 46341, -1, -46341, -2 };
  k of m : { [times] x[k] > 0 & x[k] * y < 2147441940 & y * x[k] > -2147483000 & -1 * y * x[k] > -2147483000 & x[k] * -30000 < 0 -> x[k] = 0; }
"""
TOO_WIDE = "Program x = 2147483647; y = 0; Module m = 1; k of m : { [a] x * x > 0 & y == 0 -> y = 1; [b] x + 1 > 0 -> y = 2; }"
ONE = """
Program Module m = 1; Module n = 3; first : m = m(0); last[n] : m? in { m(0), none }; x[m] : bool = 0;
  k of m : { [a] last[j] == none -> last[j] = first; [b] last[j] == first -> x[first] = 1 - x[k]; } j of n;
"""
# Words of Promela, of Murphi and of the C that both become; Cohort has other ones.
NAMES = """
Program
  Module client = 2; Module process = 1;
  Pclient : 0..1 = 0; errno : 0..1 = 0; uint : 0..1 = 0; sv : 0..1 = 0; maxseq0 : 0..1 = 0; x : 0..1 = 0; v[client] : 0..1 = 0; V : 0..1 = 0;
  len : 0..1 = 0; rule : 0..1 = 0; begin : 0..1 = 0; set_x : 0..1 = 0; new_x : 0..1 = 0; count : 0..1 = 0; Pmutex : 0..1 = 0; held : 0..1 = 0;
  me, k, p0, set_len, take_holds of client; init of process;
  k of client : {
    [take] x == 0 & ALL(me: v[me] == 0) & COUNT(set_len: v[set_len] == 1) < 2 -> x = len, len = 1 - x, v[p0] = 1, rule = v[k];
    [never] x == 0 & v[me] == 1 & v[take_holds] == 0 -> v[me] = 0, v[take_holds] = COUNT(p0: v[p0] == 0), errno = 1 - errno, set_x = new_x, new_x = set_x;
  }
  init of process : { [do] begin + count + V + Pclient + uint + sv + maxseq0 + held < 8 -> begin = 1 - begin, count = begin, V = count, Pclient = V,
    uint = Pclient, sv = uint, maxseq0 = sv, held = maxseq0, Pmutex = held; }
Formula
  mutex : AG(COUNT(k in client : v[k] = 1) <= 2);
  idle : AG !deadlock;
  stdin : AG (forall p in client . enabled(p) | v[p] < 2);
"""


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

    def test_a_finite_run_is_fair(self):
        formulas = ["F G x[0] = 1", "G F x[0] = 2", "F deadlock", "(F G x[1] = 0) | (F G x[1] = 2)", "G F x[0] != 1"]
        for text in (ENDS_AT_ONCE, ENDS_LATER):
            tally = self.compare(self.model(text), *[word for formula in formulas for word in ("--ltl", formula)], "--fair",
                                 targets=("promela",))
            self.assertEqual(tally["spin: fair verdict"], len(formulas))

    def test_products_within_32_bits(self):
        self.compare(self.model(PRODUCTS))

    def test_a_number_that_spin_has_no_room_for_is_told_from_a_fault_of_the_model(self):
        model = self.model(TOO_WIDE)
        with self.assertRaisesRegex(agreement.TooWide, "spin's verifier"):
            self.compare(model)
        self.compare(model, targets=("murphi",))

    def test_fairness_counts_any_number_of_processes(self):
        for number in (4, 8):  # Spin takes six with its usual counters, `init` and the claim among them
            tally = self.compare(self.model(ENDS_LATER), "-D", f"m={number}", "--ltl", "F G x[0] = 1", "--fair",
                                 targets=("promela",))
            self.assertEqual(tally["spin: fair verdict"], 1)

    def test_an_array_that_is_indexed_with_itself(self):
        self.compare(self.model(ITSELF), "--ltl", "G F v[v[0]] = 1", "--cctl", "AG v[v[v[0]]] < 3")

    def test_a_process_of_a_module_of_one_as_initial_value(self):
        self.compare(self.model(ONE))

    def test_free_choices(self):
        self.compare(self.model(CHOICES))

    def test_negations_and_conditionals(self):
        tally = self.compare(self.model(SIGNS), "--ltl", "G F !(enabled(m(1)) & flag)", "--ltl", "F x[0] - 1 < -1")
        self.assertEqual(tally["spin: verdict"], 5)

    def test_formulas_about_what_can_be_fired(self):
        tally = self.compare(self.model(FIRING), "--ltl", "F deadlock", "--ltl", "G(deadlock -> G deadlock)", "--ltl",
                             "F(forall i in m . !enabled(i) | x[i] = 2)")
        self.assertEqual(tally["spin: verdict"], 3)

    def test_names_that_the_other_languages_have(self):
        tally = self.compare(self.model(NAMES))
        self.assertEqual(tally["spin: verdict"], 3)

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


class Commands(Test):
    """The first lines of an export say how to run it; what they say works, and nothing warns."""

    def commands(self, text, sign):
        return [found[1] for found in re.finditer(rf"^ ?{re.escape(sign)}   (\S.*)$", text, re.M)]

    def run_all(self, target, sign, words, renamed):
        with tempfile.TemporaryDirectory() as folder:
            text = agreement.Agreement(PROGRAM, folder).export(target, self.model(CLIENTS), words, "FILE")
            outs = []
            for command in self.commands(text.split("\n\n")[0], sign):
                for old, new in renamed:
                    command = command.replace(old, new)
                result = subprocess.run(["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, check=False)
                out = result.stdout.decode()
                self.assertEqual(result.returncode, 0, f"{command}\n{out}")
                self.assertNotIn("warning", out, command)
                outs.append(out)
            return outs

    def test_of_spin(self):
        words = ["--ltl", "G !(at[0] = 2 & at[1] = 2)", "--ltl", "G F at[0] < 2", "--fair"]
        outs = self.run_all("promela", "*", words, [("-N NAME", "-N ltl2"), ("gcc -O2", "gcc -O0")])
        self.assertEqual(len(outs), 4)
        for out in outs[1:]:
            self.assertIn("errors: 0", out)

    def test_of_rumur(self):
        outs = self.run_all("murphi", "--", ["--ltl", "G !(at[0] = 2 & at[1] = 2)"], [("gcc -O2", "gcc -O1")])
        self.assertEqual(len(outs), 2)
        self.assertIn("No error found", outs[1])

    def test_of_spin_with_one_property(self):
        outs = self.run_all("promela", "*", ["--ltl", "G F at[0] < 2", "--fair"], [("gcc -O2", "gcc -O0")])
        self.assertEqual(len(outs), 4)
        self.assertIn("errors: 0", outs[3])


class Models(Test):
    def test_models(self):
        for name in fuzz.names_of_models():
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
