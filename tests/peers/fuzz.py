#!/usr/bin/env python3
"""By hand: exports of models and of random programs against spin and rumur.

    fuzz.py PROGRAM models NAME…             models of models/ with their specs, at the sizes of sizes.py
    fuzz.py PROGRAM file MODEL [ARGUMENT…]   one file
    fuzz.py PROGRAM random FUZZ_CHECK FIRST COUNT [FAULT_PERCENT]
"""

import pathlib
import subprocess
import sys
import tempfile

import agreement


def one(program, model, arguments, **options):
    with tempfile.TemporaryDirectory() as folder:
        found = agreement.Agreement(program, folder)
        try:
            found.compare(str(pathlib.Path(model).absolute()), arguments, **options)
        except agreement.Failed as failure:
            found.complain(str(failure))
        except subprocess.TimeoutExpired as failure:
            found.complain(f"no answer in time: {failure.cmd}")
        return found


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

    if what == "file":
        take(rest[0], one(program, rest[0], rest[1:]))
    elif what == "models":
        import sizes
        root = pathlib.Path(__file__).resolve().parents[2]
        for name in rest or sorted(path.stem for path in (root / "models").glob("*.coh")):
            print(name, flush=True)
            spec = root / "specs" / f"{name}.cctl"
            arguments = [*sizes.SIZES.get(name, []), *([str(spec)] if spec.exists() else [])]
            take(name, one(program, root / "models" / f"{name}.coh", arguments))
    else:
        fuzz_check, first, count, *faults = rest
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(int(first), int(first) + int(count)):
                text = subprocess.run([fuzz_check, "show", str(seed), *faults], stdout=subprocess.PIPE,
                                      check=True).stdout
                model = pathlib.Path(folder) / "case.coh"
                model.write_bytes(text)
                take(f"seed {seed}", one(program, model, []))
    print(dict(sorted(tally.items())), "models with complaints:", complained)
    return complained > 0


if __name__ == "__main__":
    sys.exit(main())
