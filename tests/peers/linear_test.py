#!/usr/bin/env python3
"""LTL on models beside spin, which checks twins of the models that were written by hand (twins/).

    linear_test.py ROOT PROGRAM      status 77 if spin or gcc is missing
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

if missing := [tool for tool in ("spin", "gcc") if shutil.which(tool) is None]:
    print(f"skipped: {', '.join(missing)} missing")
    sys.exit(77)

ROOT, PROGRAM = (pathlib.Path(sys.argv.pop(1)).absolute() for _ in range(2))

# Formulas for Cohort and for spin; which are true, the two have to agree on.  Spin as Debian has it knows no X.
FORMULAS = {
    "peterson_two": [
        ("G !(crit[0] & crit[1])", "[] !(crit[0] && crit[1])"),
        ("G(place[0] = waiting -> F crit[0])", "[] (place[0] == waiting -> <> crit[0])"),
        ("(G F place[1] != critical) & (G F place[0] != waiting) -> G(flag[0] -> F crit[0])",
         "([] <> (place[1] != critical)) && ([] <> (place[0] != waiting)) -> [] (flag[0] -> <> crit[0])"),
        ("(!crit[0] U crit[1]) | (G !crit[1])", "(!crit[0] U crit[1]) || ([] !crit[1])"),
        ("forall p in process . G(turn = p -> G F turn != p)",
         "[] (turn == 0 -> [] <> (turn != 0)) && [] (turn == 1 -> [] <> (turn != 1))"),
        ("exists p in process . G F crit[p]", "([] <> crit[0]) || ([] <> crit[1])"),
        ("G(COUNT(p in process : flag[p]) = 2 -> F (exists p in process . crit[p]))",
         "[] ((flag[0] + flag[1] == 2) -> <> (crit[0] || crit[1]))"),
        ("G(crit[0] -> (crit[0] U !crit[0]))", "[] (crit[0] -> (crit[0] U !crit[0]))"),
        ("F crit[0] -> (!crit[0] U flag[0])", "<> crit[0] -> (!crit[0] U flag[0])"),
    ],
    "alternating_bit": [
        ("G !wrong", "[] !wrong"),
        ("G F answered", "[] <> answered"),
        ("(G F received = 0) -> G(received = 1 -> F received = 2)",
         "([] <> (received == 0)) -> [] (received == 1 -> <> (received == 2))"),
        ("G(received = 1 -> (received = 1 W received = 2))",
         "[] (received == 1 -> ((received == 1 U received == 2) || [] (received == 1)))"),
        ("G(received = 1 -> (received = 1 U received = 2))",
         "[] (received == 1 -> (received == 1 U received == 2))"),
        ("(F G !sent) | (G F sent)", "(<> [] !sent) || ([] <> sent)"),
        ("(G F sent) -> (G F answered)", "([] <> sent) -> ([] <> answered)"),
        ("(received = 0) R (received = 3 | received = 0)", "(received == 0) V (received == 3 || received == 0)"),
    ],
    "traffic_lights": [
        ("G !(light[0] = green & light[2] = green)", "[] !(light[0] == green && light[2] == green)"),
        ("G(light[1] = waiting -> F light[1] = green)", "[] (light[1] == waiting -> <> (light[1] == green))"),
        ("(G F light[0] = empty) & (G F light[2] = empty) -> G F light[1] != waiting",
         "([] <> (light[0] == empty)) && ([] <> (light[2] == empty)) -> [] <> (light[1] != waiting)"),
        ("(F G light[0] = empty) -> G F light[1] != waiting",
         "(<> [] (light[0] == empty)) -> [] <> (light[1] != waiting)"),
        ("(light[1] != green) W (light[1] = waiting)",
         "((light[1] != green) U (light[1] == waiting)) || [] (light[1] != green)"),
        ("forall l in lane{1-3} . G F light[l] = green -> G F light[l] = empty",
         "([] <> (light[1] == green) -> [] <> (light[1] == empty)) && "
         "([] <> (light[2] == green) -> [] <> (light[2] == empty)) && "
         "([] <> (light[3] == green) -> [] <> (light[3] == empty))"),
        ("(F light[1] = green) -> (light[1] != green U light[1] = waiting)",
         "(<> (light[1] == green)) -> (light[1] != green U light[1] == waiting)"),
        ("G !(forall l in lane . light[l] = waiting)",
         "[] !(light[0] == waiting && light[1] == waiting && light[2] == waiting && light[3] == waiting)"),
    ],
}


class Linear(unittest.TestCase):
    def run_in(self, folder, *command):
        result = subprocess.run(list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                stdin=subprocess.DEVNULL, timeout=120)
        return result.returncode, result.stdout.decode(errors="replace")

    def test_spin_has_the_same_verdicts(self):
        verdicts = set()
        for model, formulas in FORMULAS.items():
            with tempfile.TemporaryDirectory() as folder:
                text = (ROOT / "tests/peers/twins" / f"{model}.pml").read_text(encoding="utf-8")
                text += "".join(f"ltl p{i} {{ {theirs} }}\n" for i, (_, theirs) in enumerate(formulas))
                pathlib.Path(folder, "m.pml").write_text(text, encoding="utf-8")
                status, out = self.run_in(folder, "spin", "-a", "m.pml")
                self.assertEqual(status, 0, out)
                status, out = self.run_in(folder, "gcc", "-O0", "-w", "-DNOREDUCE", "-o", "pan", "pan.c")
                self.assertEqual(status, 0, out)
                for i, (ours, _) in enumerate(formulas):
                    _, out = self.run_in(folder, "./pan", "-a", "-m100000", "-N", f"p{i}")
                    self.assertNotIn("max search depth too small", out)
                    holds = int(re.search(r"errors: (\d+)", out)[1]) == 0
                    verdicts.add(holds)
                    for engine in ("full", "quotient"):
                        with self.subTest(model=model, formula=ours, engine=engine):
                            status, out = self.run_in(ROOT, PROGRAM, "check", f"models/{model}.coh", "--engine", engine,
                                                      "--ltl", ours, "--property", "ltl1", "--quiet", "--no-witness")
                            self.assertEqual(out, f"ltl1: {'holds' if holds else 'fails'}\n")
                            self.assertEqual(status, 0 if holds else 1)
        self.assertEqual(verdicts, {True, False})


unittest.main()
