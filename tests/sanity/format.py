#!/usr/bin/env python3
"""Every C++ file is as clang-format 14 would write it (.clang-format).

    format.py ROOT [CLANG_FORMAT]      exit status 77: not installed, the test is skipped
"""

import shutil
import subprocess
import sys

import tree

SKIPPED = 77

root = sys.argv[1]
program = shutil.which(sys.argv[2] if len(sys.argv) > 2 else "clang-format-14")
if program is None:
    print("skipped: clang-format-14 is not installed")
    sys.exit(SKIPPED)

sources = [str(path) for path in tree.sources(root, "src", "include", "tests", "bench")]
result = subprocess.run([program, "--dry-run", "-Werror", *sources], cwd=root)
if result.returncode != 0:
    print("to repair:  clang-format-14 -i FILE…")
sys.exit(result.returncode)
