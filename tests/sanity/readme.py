#!/usr/bin/env python3
"""What the pages show is what the program prints: runs the ```console blocks of Markdown files.

    readme.py ROOT PROGRAM FILE.md…

A line `$ command` is run from ROOT by sh, with build/release/cohort standing for PROGRAM; the lines up to the
next command are its output, standard output and standard error together.  A block's commands run one after the
other, and `$ echo $?` shows the exit status of the one before.  In the expected output `…` stands for any
text within its line, and a line `…` alone for any number of lines.  Blocks in other languages (```sh) are not run.
"""

import pathlib
import re
import subprocess
import sys

SHOWN_PROGRAM = "build/release/cohort"
SECONDS = 60


def blocks(text):
    """Lists of (line number, command, expected lines), one for each console block."""
    block = None
    for number, line in enumerate(text.splitlines(), 1):
        if block is None:
            if line.strip() == "```console":
                block = []
        elif line.strip() == "```":
            yield block
            block = None
        elif line.startswith("$ "):
            block.append((number, line[2:], []))
        elif block:
            block[-1][2].append(line)
        else:
            raise SystemExit(f"line {number}: a console block begins with '$ command'")
    if block is not None:
        raise SystemExit("a console block is not closed")


def matches(expected, actual):
    """Whether the lines agree, `…` being a wild card."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
        for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def run(root, program, block):
    """The findings about one block, each as (line number, text)."""
    status = 0
    for number, command, expected in block:
        command_here = command.replace(SHOWN_PROGRAM, str(program))
        result = subprocess.run(["sh", "-c", f"(exit {status})\n{command_here}"], cwd=root, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
        status = result.returncode
        actual = result.stdout.decode(errors="replace").replace(str(program), SHOWN_PROGRAM).splitlines()
        if not matches(expected, actual):
            yield number, "\n".join([f"$ {command}", "--- the page says", *expected, "--- the program says", *actual,
                                     "---"])


def self_test():
    assert matches(["a", "…", "d 0.… s"], ["a", "b", "c", "d 0.25 s"])
    assert not matches(["a"], ["a", "b"]) and not matches(["a", "b"], ["a"]) and not matches(["a.c"], ["abc"])
    page = "```console\n$ false; echo one\none\n$ exit 3\n$ echo $?\n3\n```\n```sh\n$ not run\n```\n"
    (block,) = blocks(page)
    assert list(run(".", "none", block)) == [], "a true page is rejected"
    (block,) = blocks(page.replace("\n3\n", "\n4\n"))
    assert [number for number, _ in run(".", "none", block)] == [5], "a false page is accepted"


if __name__ == "__main__":
    self_test()
    root, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).absolute()
    failed = commands = 0
    for name in sys.argv[3:]:
        for block in blocks((root / name).read_text(encoding="utf-8")):
            commands += len(block)
            for number, finding in run(root, program, block):
                print(f"{name}:{number}:\n{finding}")
                failed += 1
    print(f"{commands} commands, {failed} with another output")
    sys.exit(1 if failed or not commands else 0)
