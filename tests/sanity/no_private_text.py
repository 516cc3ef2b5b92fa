#!/usr/bin/env python3
"""No file of the tree names a place of the machine that it was written on, nor a package server.

    no_private_text.py ROOT
"""

import pathlib
import re
import sys

import tree

# Written so that this file does not match itself.
PRIVATE = re.compile(
    rb"(?<![\w.}\]*-])/(?:work|home|root|Users)/[\w.]"
    rb"|/tmp/[b]ash|\b(?:deb|snapshot|security|ftp)[.\w]*\.debian\.(?:org|net)\b")


def findings(root):
    root = pathlib.Path(root)
    for path in tree.files(root):
        if not (root / path).is_file():
            continue
        for number, line in enumerate((root / path).read_bytes().split(b"\n"), 1):
            if match := PRIVATE.search(line):
                yield f"{path}:{number}: {match[0].decode(errors='replace')}"


def self_test():
    home = b"/" + b"home/somebody/cohort"
    assert PRIVATE.search(b"see " + home), "the check finds nothing"
    assert PRIVATE.search(b'"' + home + b'"'), "the check does not see quoted paths"
    assert not PRIVATE.search(b"src" + home), "a path inside the tree is no private one"


if __name__ == "__main__":
    self_test()
    found = list(findings(sys.argv[1]))
    for finding in found:
        print(finding)
    sys.exit(1 if found else 0)
