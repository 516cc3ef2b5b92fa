"""Cohort beside spin and rumur on one exported model: numbers of states and transitions, and verdicts.

    found = Agreement(program, folder).compare(model, arguments)
    found.complaints     # sentences; none if all agree
    found.tally          # what was compared, how often

Cohort counts the full graph; a Promela export has one more state, before the initial values are chosen.
With a single initial state the transitions are exact as well; with several, choices are transitions
of their own there, and only the states are compared.

rumur with symmetry counts orbits of the scalarsets.  That is Cohort's quotient if every module of more
than one process is a scalarset; otherwise the groups differ, and only the verdict is compared.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess

# Most of the time is spent in the compiler; CC=clang-14 takes two thirds of it.
GCC = [os.environ.get("CC", "gcc"), "-O0", "-w"]


def available():
    """What is missing, in words; empty if nothing is."""
    return [tool for tool in ("spin", "rumur", GCC[0]) if shutil.which(tool) is None]


class Failed(Exception):
    pass


class NotExpressible(Exception):
    """The target has no words for the model; the message is the first error."""


class Refused(Exception):
    """Cohort refuses the model; the message is the first error."""


class TooLarge(Exception):
    """The model has more states than are worth comparing."""


class NoAnswer(Exception):
    """A program of the other side took too long; the message is its name."""


class TooWide(Exception):
    """A verifier met a number that it has no room for, and said so."""


class Case:
    """A model, what is asked of it, and what Cohort says of its full graph."""

    def __init__(self, model, arguments, full, fault, in_formula, properties):
        self.model = model
        self.arguments = arguments
        self.full = full
        self.fault = fault            # of the model: every search meets it
        self.in_formula = in_formula  # a fault while a formula is evaluated
        self.properties = properties
        self.verdicts = {p["name"]: p["verdict"] for p in full["properties"]}
        self.truth = f"cctl{arguments.count('--cctl') + 1}"  # the name of one more formula


class Agreement:
    def __init__(self, program, folder, timeout=300):
        self.program = str(program)
        self.folder = pathlib.Path(folder)
        self.timeout = timeout
        self.complaints = []
        self.tally = {}

    def run(self, command, statuses=(0,)):
        # How long a compiler takes depends on what else the machine has to do.
        timeout = max(self.timeout, 1200) if command[0] == GCC[0] else self.timeout
        try:
            result = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, timeout=timeout)
        except subprocess.TimeoutExpired as late:
            raise NoAnswer(pathlib.Path(command[0]).name) from late
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
        found = json.loads(self.run([self.program, "check", model, *arguments, "--format", "json", "--no-witness",
                                     "--build", "eager", "--max-states", "1000000", *more], (0, 1, 2, 3)))
        if not found["errors"] and not found["summary"]["complete"]:
            raise TooLarge("more than 1,000,000 states")
        return found

    def export(self, target, model, arguments, path):
        out = self.run(["sh", "-c", '"$@" 2>&1', "sh", self.program, "export", model, *arguments, "--to", target,
                        "--partial", "-q", "-o", path], (0, 2))
        if found := re.search(r"error: (.*)", out):
            raise NotExpressible(f"{target}: {found[1]}")
        return (self.folder / path).read_text(encoding="utf-8")

    def compare(self, model, arguments, targets=("promela", "murphi"), properties=True):
        """`arguments`: spec files, -D, --ltl and so on, for check and for export alike."""
        full = self.check(model, arguments, "--engine", "full")
        fault = any("label" in error for error in full["errors"])
        if full["errors"] and not fault and not any(p["verdict"] == "error" for p in full["properties"]):
            raise Refused(full["errors"][0]["message"])
        case = Case(model, arguments, full, fault, bool(full["errors"]) and not fault, properties)
        if "promela" in targets:
            self.promela(case)
        if "murphi" in targets:
            self.murphi(case)
        return self

    # -------------------------------------------------------------------------------------------------

    def promela(self, case):
        text = self.export("promela", case.model, case.arguments, "m.pml")
        self.run(["spin", "-a", "m.pml"])
        size = re.findall(r"-DVECTORSZ=\d+", text)[:1]
        self.run([*GCC, "-DNOCLAIM", "-DNOREDUCE", *size, "-o", "pan", "pan.c"])
        out = self.pan(case)
        if "assertion violated fits_in_32_bits" in out:
            raise TooWide("spin's verifier met a number beyond 32 bits")
        wrong = self.errors(out) > 0
        self.expect("spin: model error", case.fault, wrong)
        if case.fault:
            return
        if not case.in_formula:
            summary = case.full["summary"]
            self.expect("spin: states", summary["states"] + 1, self.number(out, r"(\d+) states, stored"))
            if not re.search(r"^    if$", text[text.index("\ninit {"):], re.M):
                # Spin counts how often it came to a state: at the first one it only begins.
                # A process that idles, for fair paths, goes round where nothing can be fired.
                idle = summary["deadlocks"] if "\n/* Repeats the last state" in text else 0
                self.expect("spin: transitions", summary["edges"] + 2 + idle,
                            self.number(out, r"(\d+) transitions"))
        found = []
        for claim in re.finditer(r"^ltl (\S+) ", text, re.M):
            comment = text[:claim.start()].rsplit("\n/* ", 1)[1]
            found.append((comment.split(":")[0], claim[1], "run the verifier with -f" in comment))
        if not found or case.in_formula or not case.properties:
            return
        fair = re.findall(r"-DNFAIR=\d+", text)[:1]
        self.run([*GCC, "-DNOREDUCE", *fair, *size, "-o", "pan", "pan.c"])
        theirs = {}
        for name, claim, is_fair in found:
            fair = ["-f"] if is_fair else []
            out = self.pan(case, "-a", *fair, "-N", claim)
            holds, _ = theirs.get(name, (True, is_fair))
            theirs[name] = (holds and self.errors(out) == 0, is_fair)
        for name, (holds, is_fair) in theirs.items():
            self.expect(f"spin: {'fair ' if is_fair else ''}verdict", (name, case.verdicts[name]),
                        (name, "holds" if holds else "fails"))

    def pan(self, case, *options):
        """With a claim, and counters of fairness beside it, paths are longer than the model's.  What is found is found,
        however deep the search was allowed to go."""
        depth = 4 * case.full["summary"]["states"] + 10000
        while True:
            out = self.run(["./pan", f"-m{depth}", *options], None)
            if "max search depth too small" not in out or "errors: 0" not in out or depth > 10 ** 7:
                return out
            depth *= 10

    def errors(self, out):
        return self.number(out, r"errors: (\d+)")

    def number(self, text, expression):
        found = re.search(expression, text)
        if not found:
            raise Failed(f"no '{expression}' in\n{text[-2000:]}")
        if "errors: 0" in text and ("max search depth too small" in text or "resource" in text):
            raise Failed(f"a limit of the verifier was hit\n{text[-2000:]}")
        return int(found[1])

    # -------------------------------------------------------------------------------------------------

    def murphi(self, case):
        """What holds goes into one program, whose numbers are compared: a false invariant ends the run.  Each
        property that fails has a program of its own."""
        text = self.export("murphi", case.model, case.arguments, "m.m")
        claims = re.findall(r"^-- (\S+): ", text[text.index("\nstartstate"):], re.M)
        if case.fault:
            status, _, _ = self.rumur("m.m", "off")
            self.expect("rumur: model error", True, status != 0)
            return
        failing = [name for name in claims if case.verdicts[name] != "holds"] if case.properties else []
        if failing or not case.properties:
            holding = [name for name in claims if name not in failing] if case.properties else []
            chosen = [word for name in [*holding, case.truth] for word in ("--property", name)]
            text = self.export("murphi", case.model, [*case.arguments, "--cctl", "true", *chosen], "m.m")
        self.murphi_numbers(case, text)
        for name in failing:
            self.export("murphi", case.model, [*case.arguments, "--property", name], "one.m")
            status, _, _ = self.rumur("one.m", "off")
            self.expect("rumur: verdict of what fails", (name, True), (name, status != 0))

    def murphi_numbers(self, case, text):
        summary = case.full["summary"]
        status, states, rules = self.rumur("m.m", "off")
        self.expect("rumur: verdict", 0, status)
        if not case.in_formula:
            self.expect("rumur: states", summary["states"], states)
            self.expect("rumur: rules", summary["edges"], rules)
        scalarsets = [int(size) for size in re.findall(r"scalarset\((\d+)\)", text)]
        # rumur tries all permutations.
        if case.in_formula or all(size == 1 for size in scalarsets) or max(scalarsets) > 5:
            return
        status, states, _ = self.rumur("m.m", "exhaustive")
        self.expect("rumur: verdict with symmetry", 0, status)
        if re.search(r"^  \w+ : 0\.\.[1-9]\d*;", text.split("\nvar")[0], re.M):
            return  # a module with more than one process and no scalarset: another group
        quotient = self.check(case.model, case.arguments, "--engine", "quotient")
        self.expect("rumur: orbits", quotient["summary"]["states"], states)

    def rumur(self, path, symmetry):
        self.run(["rumur", "--symmetry-reduction", symmetry, "--deadlock-detection", "off", "--threads", "1",
                  "--counterexample-trace", "off", "--output-format", "machine-readable", "--output", "m.c", path])
        self.run([*GCC, "-mcx16", "-o", "model", "m.c", "-lpthread", "-latomic"])
        try:
            result = subprocess.run(["./model"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    timeout=self.timeout)
        except subprocess.TimeoutExpired as late:
            raise NoAnswer("rumur's verifier") from late
        out = result.stdout.decode(errors="replace")
        if "integer overflow" in out:
            raise TooWide("rumur's verifier met a number beyond 64 bits")
        found = re.search(r'<summary states="(\d+)" rules_fired="(\d+)"', out)
        if not found:
            raise Failed(f"rumur's verifier: status {result.returncode}\n{out[-2000:]}")
        return result.returncode, int(found[1]), int(found[2])
