#!/usr/bin/env python3
"""Compares every #include with the table of docs/architecture.md: dependencies point down.

    layers.py ROOT         prints what breaks the rules, as file:line: message; exit status 1 if anything does

The linker finds an upward call, because a folder is a library that links its row only; this finds what
the linker cannot see, such as a header-only use.  The rules about folders are read from the table, so that
the page cannot say one thing and the test another.
"""

import fnmatch
import pathlib
import re
import sys

import tree

INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
ROW = re.compile(r"\|\s*`(\w+)`\s*\|[^|]*\|([^|]*)\|")

# A third-party header stays behind one door: what it begins with, where it may be, how to say that.
# The public headers have one as well.
DOORS = [
    ("boost/spirit", ["src/*grammar.cpp", "src/*grammar.hpp"], "Spirit only in *grammar.cpp and *grammar.hpp"),
    ("boost/graph", ["src/*.cpp"], "Boost.Graph only in .cpp files"),
    ("tsl/", ["src/trace/ctl_symbolic.cpp"], "robin-map only in trace/ctl_symbolic.cpp"),
    ("bliss/", ["src/symmetry/labelling.cpp"], "bliss only in symmetry/labelling.cpp"),
    ("CLI/", ["src/cli/*"], "CLI11 only in cli/"),
    ("cohort/", ["src/api/*", "src/cli/*"], "the public headers only in api/ and cli/"),
    ("fmt/", ["src/*.cpp"], "fmt only in .cpp files"),
]

# What judges the search shares no code with it: these may reach, through all headers, none of that.
JUDGES = ["src/cctl/replay.?pp", "src/cctl/path_truth.?pp", "src/cctl/path_states.hpp", "tests/oracle/*"]
JUDGED = re.compile(r"(symmetry|quotient)/|model/(?!(fault|instances|plain)\.hpp$)|cctl/(?!(formula|evidence|replay|path_truth|path_states|one_path)\.hpp$)")
JUDGES += ["src/online/replay.?pp", "src/online/word_truth.?pp"]
JUDGED = re.compile(JUDGED.pattern + r"|online/(?!(property|replay|word_truth)\.hpp$)|ltl/(buchi|finite_word|derivative|tableau)")
# The same for traces.
JUDGES.append("src/trace/replay.?pp")
JUDGED = re.compile(JUDGED.pattern + r"|trace/(ltl_|check|property|letters|watched|covering)")


def read_table(page):
    """Folder -> the folders that it may include, itself and all that lies below it among them."""
    rows = {}
    for line in page.read_text(encoding="utf-8").splitlines():
        if row := ROW.match(line):
            rows[row[1]] = set(re.findall(r"`(\w+)`", row[2]))
    for folder, below in rows.items():
        if unknown := below - rows.keys():
            raise SystemExit(f"{page}: row '{folder}' names unknown folders: {', '.join(sorted(unknown))}")
    allowed = {}
    for folder in rows:
        reached, pending = set(), [folder]
        while pending:
            current = pending.pop()
            if current not in reached:
                reached.add(current)
                pending.extend(rows[current])
        allowed[folder] = reached
    return allowed


def includes(path):
    """(line number, "…" or None, <…> or None) for every #include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1], match[2]


def check_src(root, allowed):
    for path in tree.sources(root, "src"):
        folder = path.parts[1]
        if folder not in allowed:
            yield f"{path}:1: folder '{folder}' has no row in docs/architecture.md"
            continue
        for number, quoted, _ in includes(root / path):
            if quoted is None or quoted.startswith("cohort/"):
                continue
            place = f"{path}:{number}"
            target = quoted.split("/")[0]
            if "/" not in quoted or target not in allowed:
                yield f'{place}: "{quoted}" does not begin with a folder of src/'
            elif not (root / "src" / quoted).is_file():
                yield f'{place}: there is no src/{quoted}'
            elif target not in allowed[folder]:
                yield f"{place}: '{folder}' may not include '{target}' (\"{quoted}\")"


def check_links(root, allowed):
    """DEPENDS in the list files is a part of the table's row, too."""
    for folder in sorted(allowed):
        listing = root / "src" / folder / "CMakeLists.txt"
        if not listing.is_file():
            continue
        for arguments in re.findall(r"cohort_module\(([^)]*)\)", listing.read_text(encoding="utf-8")):
            linked = re.search(r"\bDEPENDS\s+((?:[a-z_]+\s*)*)", arguments)
            for target in linked[1].split() if linked else []:
                if target not in allowed[folder]:
                    yield f"{listing.relative_to(root)}:1: '{folder}' may not link '{target}'"


def check_doors(root):
    for path in tree.sources(root, "src"):
        for number, quoted, bracketed in includes(root / path):
            for start, places, rule in DOORS:
                if (quoted or bracketed).startswith(start):
                    if not any(fnmatch.fnmatchcase(str(path), place) for place in places):
                        yield f"{path}:{number}: {rule} ({quoted or bracketed})"


def check_public(root):
    """The public headers stand on the standard library and on each other."""
    for path in tree.sources(root, "include"):
        for number, quoted, bracketed in includes(root / path):
            name = quoted or bracketed
            if not name.startswith("cohort/") and not (bracketed and re.fullmatch(r"[a-z_0-9]+", name)):
                yield f"{path}:{number}: a public header may include the standard library and cohort/ only ({name})"


def check_judges(root):
    for path in tree.sources(root, "src", "tests"):
        if not any(fnmatch.fnmatchcase(str(path), judge) for judge in JUDGES):
            continue
        seen, pending = set(), [(path, None)]
        while pending:
            current, first = pending.pop()
            for number, quoted, _ in includes(root / current):
                if quoted is None or quoted in seen:
                    continue
                seen.add(quoted)
                line = first or number
                if JUDGED.match(quoted):
                    yield f"{path}:{line}: what judges the search shares no code with it, but this reaches \"{quoted}\""
                for base in ("src", "tests", str(current.parent)):
                    if (root / base / quoted).is_file():
                        pending.append((pathlib.Path(base) / quoted, line))
                        break


def findings(root):
    root = pathlib.Path(root)
    allowed = read_table(root / "docs" / "architecture.md")
    if "base" not in allowed:
        raise SystemExit("docs/architecture.md: found no table of folders")
    checks = (check_src(root, allowed), check_links(root, allowed), check_doors(root), check_public(root),
              check_judges(root))
    return [finding for check in checks for finding in check]


if __name__ == "__main__":
    found = findings(sys.argv[1])
    for finding in found:
        print(finding)
    sys.exit(1 if found else 0)
