"""Cohort beside spin and rumur on one exported model: numbers of states and edges, and verdicts.

    found = Agreement(program, folder).compare(model, arguments)
    found.complaints     # sentences; none if all agree

Cohort counts the full graph.  A Promela export has one more state and one more transition, before the
initial values are chosen; with a single initial state the numbers are exact, with several only the states
are, because each choice is a transition of its own there.
"""

import json
import pathlib
import re
import shutil
import subprocess

GCC = ["gcc", "-O0", "-w"]


def available():
    """What is missing, in words; empty if nothing is."""
    return [tool for tool in ("spin", "rumur", "gcc") if shutil.which(tool) is None]


class Failed(Exception):
    pass


class Agreement:
    def __init__(self, program, folder, timeout=300):
        self.program = str(program)
        self.folder = pathlib.Path(folder)
        self.timeout = timeout
        self.complaints = []
        self.tally = {}

    def run(self, command, statuses=(0,)):
        result = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, timeout=self.timeout)
        text = result.stdout.decode(errors="replace")
        if statuses is not None and result.returncode not in statuses:
            raise Failed(f"{' '.join(map(str, command))}: status {result.returncode}\n{text[-2000:]}"
                         f"{result.stderr.decode(errors='replace')[-2000:]}")
        return text

    def count(self, what):
        self.tally[what] = self.tally.get(what, 0) + 1

    def complain(self, text):
        self.complaints.append(text)

    def expect(self, what, ours, theirs):
        self.count(what)
        if ours != theirs:
            self.complain(f"{what}: cohort says {ours}, the other {theirs}")

    def check(self, model, arguments, *more):
        return json.loads(self.run([self.program, "check", model, *arguments, "--format", "json", "--no-witness",
                                    "--build", "eager", *more], (0, 1, 2)))

    def compare(self, model, arguments, symmetry=True, properties=True):
        """`arguments`: spec files, -D and so on, for check and for export alike."""
        full = self.check(model, arguments, "--engine", "full")
        fault = any("label" in error for error in full["errors"])
        if full["errors"] and not fault and not any(p["verdict"] == "error" for p in full["properties"]):
            raise Failed(f"cohort: {full['errors']}")
        in_formula = bool(full["errors"]) and not fault
        self.promela(model, arguments, full, fault, in_formula, properties)
        self.murphi(model, arguments, full, fault, in_formula, symmetry)
        return self

    # -------------------------------------------------------------------------------------------------

    def promela(self, model, arguments, full, fault, in_formula, properties):
        self.run([self.program, "export", model, *arguments, "--to", "promela", "--partial", "-q", "-o", "m.pml"])
        text = (self.folder / "m.pml").read_text(encoding="utf-8")
        self.run(["spin", "-a", "m.pml"])
        size = re.search(r"-DVECTORSZ=\d+", text)
        size = [size[0]] if size else []
        self.run([*GCC, "-DNOCLAIM", "-DNOREDUCE", *size, "-o", "pan", "pan.c"])
        depth = f"-m{4 * full['summary']['states'] + 10000}"
        out = self.run(["./pan", depth], None)
        wrong = self.errors(out) > 0
        self.expect("spin: model error", fault, wrong)
        if fault:
            return
        if not in_formula:
            self.expect("spin: states", full["summary"]["states"] + 1, self.number(out, r"(\d+) states, stored"))
        found = []
        for claim in re.finditer(r"^ltl (\S+) ", text, re.M):
            comment = text[:claim.start()].rsplit("\n/* ", 1)[1]
            found.append((comment.split(":")[0], claim[1], "run the verifier with -f" in comment))
        if not found or in_formula or not properties:
            return
        self.run([*GCC, "-DNOREDUCE", "-DNFAIR=5", *size, "-o", "pan", "pan.c"])
        verdicts = {p["name"]: p["verdict"] for p in full["properties"]}
        theirs = {}
        for name, claim, is_fair in found:
            fair = ["-f"] if is_fair else []
            out = self.run(["./pan", depth, "-a", *fair, "-N", claim], None)
            holds, _ = theirs.get(name, (True, is_fair))
            theirs[name] = (holds and self.errors(out) == 0, is_fair)
        for name, (holds, is_fair) in theirs.items():
            self.expect(f"spin: {'fair ' if is_fair else ''}verdict", (name, verdicts[name]),
                        (name, "holds" if holds else "fails"))

    def errors(self, out):
        return self.number(out, r"errors: (\d+)")

    def number(self, text, expression):
        found = re.search(expression, text)
        if not found:
            raise Failed(f"no '{expression}' in\n{text[-2000:]}")
        if "max search depth too small" in text or "resource" in text:
            raise Failed(f"a limit of the verifier was hit\n{text[-2000:]}")
        return int(found[1])

    # -------------------------------------------------------------------------------------------------

    def murphi(self, model, arguments, full, fault, in_formula, symmetry):
        # Without properties for the numbers: one that is false ends the run.
        names = [p["name"] for p in full["properties"]]
        self.run([self.program, "export", model, *arguments, "--to", "murphi", "--partial", "-q", "-o", "m.m"])
        text = (self.folder / "m.m").read_text(encoding="utf-8")
        claims = re.findall(r"^-- (\S+): ", text[text.index("\nstartstate"):], re.M)
        verdicts = {p["name"]: p["verdict"] for p in full["properties"]}
        status, states, rules = self.rumur("m.m", "off")
        failing = fault or any(verdicts[name] != "holds" for name in claims if name in names)
        self.expect("rumur: verdict", not failing, status == 0)
        if status == 0:
            self.expect("rumur: states", full["summary"]["states"], states)
            initial = self.initial_states(text)
            self.expect("rumur: rules", full["summary"]["edges"] + initial, rules)
        if fault or in_formula or not symmetry or "scalarset" not in text:
            return
        if status != 0:
            return
        if any(int(size) > 5 for size in re.findall(r"scalarset\((\d+)\)", text)):
            return
        if re.search(r"^  \w+ : 0\.\.[1-9]\d*;$", text.split("\nvar")[0], re.M):
            return  # a module with more than one process and no scalarset: another group
        quotient = self.check(model, arguments, "--engine", "quotient")
        status, states, _ = self.rumur("m.m", "exhaustive")
        self.expect("rumur: verdict with symmetry", 0, status)
        self.expect("rumur: orbits", quotient["summary"]["states"], states)

    @staticmethod
    def initial_states(text):
        """rumur counts a start state as a rule that was fired."""
        return 0

    def rumur(self, path, symmetry):
        self.run(["rumur", "--symmetry-reduction", symmetry, "--deadlock-detection", "off", "--threads", "1",
                  "--counterexample-trace", "off", "--output-format", "machine-readable", "--output", "m.c", path])
        self.run([*GCC, "-mcx16", "-o", "model", "m.c", "-lpthread", "-latomic"])
        result = subprocess.run(["./model"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                timeout=self.timeout)
        out = result.stdout.decode(errors="replace")
        found = re.search(r'<summary states="(\d+)" rules_fired="(\d+)"', out)
        if not found:
            raise Failed(f"rumur's verifier: status {result.returncode}\n{out[-2000:]}")
        return result.returncode, int(found[1]), int(found[2])
