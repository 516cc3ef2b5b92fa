#!/usr/bin/env python3
"""models/README.md is true: every model has a row, and the numbers of states and orbits are the program's.

    models_readme_test.py ROOT PROGRAM

Rows with more than 200,000 states are left out, for the time they take.
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT, PROGRAM = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1)).absolute()
MOST = 200_000


def rows():
    """(model, -D …, states, orbits) of each row; a row without a name goes with the one before."""
    name = None
    for line in (ROOT / "models" / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 6 or not cells[3].replace(",", "").isdigit():
            continue
        if link := re.match(r"\[(\w+)\]\((\w+)\.coh\)$", cells[0]):
            name = link[1]
        yield name, re.findall(r"-D (\w+=\d+)", cells[2]), *(int(cell.replace(",", "")) for cell in cells[3:5])


def states(name, definitions, engine):
    words = [word for definition in definitions for word in ("-D", definition)]
    result = subprocess.run([PROGRAM, "check", ROOT / "models" / f"{name}.coh", *words, "--engine", engine, "--build", "eager",
                             "--cctl", "true", "--property", "cctl1", "--format", "json"], stdout=subprocess.PIPE,
                            timeout=300, check=True)
    return json.loads(result.stdout)["summary"]["states"]


class Models(unittest.TestCase):
    def test_every_model_has_a_row_and_a_spec(self):
        models = {path.stem for path in (ROOT / "models").glob("*.coh")}
        self.assertEqual(models, {row[0] for row in rows()})
        self.assertEqual(models, {path.stem for path in (ROOT / "specs").glob("*.cctl")})

    def test_the_numbers_are_true(self):
        for name, definitions, full, orbits in rows():
            if full > MOST:
                continue
            with self.subTest(name=name, definitions=definitions):
                self.assertEqual((states(name, definitions, "full"), states(name, definitions, "quotient")),
                                 (full, orbits))


if __name__ == "__main__":
    unittest.main()
