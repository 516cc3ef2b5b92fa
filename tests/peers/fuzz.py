#!/usr/bin/env python3
"""By hand: exports of models and of random programs against spin and rumur.

    fuzz.py PROGRAM models [NAME…]           models of models/ with their specs, at the sizes of sizes.py
    fuzz.py PROGRAM file MODEL [ARGUMENT…]   one file, with options of check
    fuzz.py PROGRAM random FUZZ_CHECK FIRST COUNT [FAULT_PERCENT [BITS]]
    fuzz.py PROGRAM numbers FUZZ_CHECK FIRST COUNT …     states and transitions only: half as many compilations
    fuzz.py PROGRAM left-out                 which properties of models/ cannot be exported: left_out.txt

FUZZ_CHECK is build/release/tests/differential/fuzz_check; its random programs have priorities, simultaneous assignments, several
initial states and process-valued variables.  Each is asked its own formulas and some of linear time.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import agreement
import sizes

ROOT = pathlib.Path(__file__).resolve().parents[2]


def one(program, model, arguments, targets=("promela", "murphi"), timeout=300, properties=True, may_be_refused=False):
    """What a target has no words for is counted, not complained of: left_out.txt says what that may be.  A random
    model may be one that Cohort refuses."""
    with tempfile.TemporaryDirectory() as folder:
        found = agreement.Agreement(program, folder, timeout)
        for target in targets:
            try:
                found.compare(str(pathlib.Path(model).absolute()), arguments, targets=(target,), properties=properties)
            except agreement.TooLarge as reason:
                if may_be_refused:
                    found.count(str(reason))
                else:
                    found.complain(f"cohort: {reason}")
            except (agreement.NotExpressible, agreement.TooWide) as reason:
                found.count(str(reason))
            except agreement.Refused as reason:
                if may_be_refused:
                    found.count(f"refused by cohort: {reason}")
                else:
                    found.complain(f"cohort: {reason}")
            except agreement.NoAnswer as late:
                # Spin's automata can take hours.
                if str(late) == "spin":
                    found.count("no answer in time from spin -a")
                else:
                    found.complain(f"{target}: no answer in time from {late}")
            except agreement.Failed as failure:
                found.complain(str(failure))
        return found


# -----------------------------------------------------------------------------------------------------
# Models


def specs_of(name):
    spec = ROOT / "specs" / f"{name}.cctl"
    return [str(spec)] if spec.exists() else []


def linear(name, fair):
    words = [word for formula in sizes.LINEAR.get(name, []) for word in ("--ltl", formula)]
    return [*words, "--fair"] if words and fair else words


def compare_model(program, name):
    """A model with its specs; its formulas of linear time once for all runs, once for the fair ones."""
    model = ROOT / "models" / f"{name}.coh"
    size = sizes.SIZES.get(name, [])
    found = one(program, model, [*size, *specs_of(name), *linear(name, False)])
    if sizes.LINEAR.get(name):
        fair = one(program, model, [*size, *linear(name, True)], targets=("promela",))
        found.complaints += fair.complaints
        for key, number in fair.tally.items():
            found.tally[key] = found.tally.get(key, 0) + number
    return found


def names_of_models():
    return sorted(path.stem for path in (ROOT / "models").glob("*.coh"))


def left_out(program):
    """One line for each thing that a target cannot express."""
    lines = []
    for name in names_of_models():
        for target in ("promela", "murphi"):
            result = subprocess.run(
                [program, "export", ROOT / "models" / f"{name}.coh", *specs_of(name), *sizes.SIZES.get(name, []),
                 "--to", target], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            for line in result.stderr.decode().splitlines():
                if found := re.match(r"\S+:\d+:\d+: error: (.*)$", line):
                    lines.append(f"{name}, {target}: {found[1]}")
            if (result.returncode == 0) != (result.stdout != b""):
                lines.append(f"{name}, {target}: status {result.returncode}, {len(result.stdout)} bytes")
    return lines


# -----------------------------------------------------------------------------------------------------
# Random programs


class LinearFormulas:
    """Random formulas over the instances of a program's variables."""

    def __init__(self, program, model, seed):
        self.random = random.Random(seed)
        out = subprocess.run([program, "explain", model, "--steps", "", "--format", "json"], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=False).stdout
        state = json.loads(out).get("state", {})
        atoms = ["deadlock"]
        for name, value in state.items():
            values = [json.dumps(value).strip('"').replace("null", "none")]
            if type(value) is int:
                values += [str(value + 1)]
            atoms += [f"{name} = {v}" for v in values]
        # A process is no number: what the program refuses is no atom.
        words = [word for atom in atoms for word in ("--ltl", atom)]
        errors = json.loads(subprocess.run(
            [program, "check", model, *words, "--format", "json", "--no-witness", "--max-states", "1"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout)["errors"]
        refused = {error["file"] for error in errors}
        self.atoms = [atom for i, atom in enumerate(atoms) if f"ltl{i + 1}" not in refused]

    def formula(self, depth):
        if depth == 0 or self.random.random() < 0.1:
            atom = self.random.choice(self.atoms)
            return atom if self.random.random() < 0.7 else f"!({atom})"
        operator = self.random.choice(["F", "G", "G F", "F G", "&", "|", "->", "U", "W", "R"])
        left = self.formula(depth - 1)
        if operator[0] in "FG":
            return f"{operator} ({left})"
        return f"({left}) {operator} ({self.formula(depth - 1)})"


def compare_random(program, fuzz_check, seed, more, folder, properties=True):
    text = subprocess.run([fuzz_check, "show", str(seed), *more], stdout=subprocess.PIPE, check=True).stdout
    model = pathlib.Path(folder) / "case.coh"
    model.write_bytes(text)
    words = []
    if properties:
        formulas = LinearFormulas(program, model, seed)
        words = [word for _ in range(3) for word in ("--ltl", formulas.formula(2))]
        # The program's own formulas say themselves whether they are about fair paths.
        words += ["--fair"] if seed % 2 else []
    return one(program, model, words, timeout=60, properties=properties, may_be_refused=True)


def main():
    program, what, *rest = sys.argv[1:]
    program = pathlib.Path(program).absolute()
    tally, complained = {}, 0

    def take(name, found):
        nonlocal complained
        for key, number in found.tally.items():
            tally[key] = tally.get(key, 0) + number
        complained += bool(found.complaints)
        for complaint in found.complaints:
            print(f"{name}: {complaint}", flush=True)

    if what == "left-out":
        print("\n".join(left_out(program)))
        return 0
    if what == "file":
        take(rest[0], one(program, rest[0], rest[1:]))
    elif what == "models":
        for name in rest or names_of_models():
            print(name, flush=True)
            take(name, compare_model(program, name))
    else:
        fuzz_check, first, count, *more = rest
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(int(first), int(first) + int(count)):
                take(f"seed {seed}", compare_random(program, fuzz_check, seed, more, folder, what == "random"))
                if (seed - int(first)) % 20 == 19:
                    print(f"-- seed {seed}", flush=True)
    print(dict(sorted(tally.items())), "models with complaints:", complained)
    return complained > 0


if __name__ == "__main__":
    sys.exit(main())
