#!/usr/bin/env python3
"""layers.py finds what it is there to find: each rule is broken once in a small tree."""

import pathlib
import tempfile
import unittest

import layers

TABLE = """
| folder | holds | may include |
| --- | --- | --- |
| `base` | ground | – |
| `lang` | language | `base` |
| `model` | program | `lang` |
| `symmetry` | permutations | `model` |
| `quotient` | structure | `symmetry` |
| `cctl` | checker | `quotient` |
| `trace` | traces | `lang` |
| `cli` | commands | `cctl` |
"""


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/architecture.md", TABLE)
        for name in ("base/ids", "lang/syntax", "model/state", "symmetry/permutation", "quotient/edge",
                     "cctl/formula", "cctl/evidence", "cctl/checker"):
            self.write(f"src/{name}.hpp", "#pragma once\n")

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def expect(self, *parts):
        found = layers.findings(self.root)
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def accept(self, path, text):
        self.write(path, text)
        self.assertEqual(layers.findings(self.root), [])

    def test_a_good_tree_passes(self):
        self.accept("src/cctl/checker.cpp",
                    '#include "cctl/checker.hpp"\n\n#include <vector>\n\n#include "quotient/edge.hpp"\n')

    def test_what_lies_far_below_may_be_included(self):
        self.accept("src/cli/main.cpp", '#include "base/ids.hpp"\n')

    def test_an_upward_include_is_found_with_its_line(self):
        self.write("src/lang/bad.cpp", '#include <vector>\n\n  #  include "model/state.hpp"  // header only\n')
        self.expect("src/lang/bad.cpp:3:", "'lang' may not include 'model'")

    def test_base_includes_nobody(self):
        self.write("src/base/bad.hpp", '#include "lang/syntax.hpp"\n')
        self.expect("src/base/bad.hpp:1:", "'base' may not include 'lang'")

    def test_a_folder_outside_the_table_is_found(self):
        self.write("src/helpers/bad.cpp", "")
        self.expect("'helpers' has no row")

    def test_a_relative_include_is_found(self):
        self.write("src/lang/bad.cpp", '#include "../model/state.hpp"\n')
        self.expect("does not begin with a folder")

    def test_an_include_without_folder_is_found(self):
        self.write("src/lang/bad.cpp", '#include "syntax.hpp"\n')
        self.expect("does not begin with a folder")

    def test_an_upward_link_is_found(self):
        self.write("src/lang/CMakeLists.txt", "cohort_module(lang SOURCES a.cpp\n  DEPENDS base model\n  PACKAGES fmt::fmt)\n")
        self.expect("src/lang/CMakeLists.txt", "'lang' may not link 'model'")

    def test_every_third_party_header_has_its_door(self):
        for header, good, bad in (
            ("boost/spirit/home/x3.hpp", "src/lang/model_grammar.cpp", "src/lang/resolve.cpp"),
            ("boost/graph/adjacency_list.hpp", "src/model/components.cpp", "src/model/components.hpp"),
            ("tsl/robin_map.h", "src/trace/ctl_symbolic.cpp", "src/trace/ctl_lattice.cpp"),
            ("bliss/graph.hh", "src/symmetry/labelling.cpp", "src/symmetry/labelling.hpp"),
            ("CLI/CLI.hpp", "src/cli/main.cpp", "src/lang/options.cpp"),
            ("cohort/program.hpp", "src/cli/main.cpp", "src/lang/program.hpp"),
            ("fmt/format.h", "src/base/text.cpp", "src/base/text.hpp"),
        ):
            with self.subTest(header):
                self.accept(good, f"#include <{header}>\n")
                self.write(bad, f"#include <{header}>\n")
                self.expect(bad, "only in", header)
                (self.root / bad).unlink()

    def test_a_public_header_shows_nothing_of_ours_or_of_others(self):
        self.accept("include/cohort/good.hpp", '#include <string_view>\n#include "cohort/other.hpp"\n')
        for line in ("#include <fmt/core.h>", '#include "lang/syntax.hpp"', "#include <zlib.h>"):
            with self.subTest(line):
                self.write("include/cohort/bad.hpp", line + "\n")
                self.expect("include/cohort/bad.hpp:1:", "public header")

    def test_the_judges_share_no_code_with_the_search(self):
        self.write("src/model/plain.hpp", "")
        self.accept("src/cctl/replay.cpp", '#include "cctl/evidence.hpp"\n#include "model/plain.hpp"\n')
        self.write("src/cctl/evidence.hpp", '#include "quotient/edge.hpp"\n')
        self.expect("src/cctl/replay.cpp:1:", "quotient/edge.hpp")
        self.write("src/cctl/evidence.hpp", "")
        self.accept("tests/oracle/reach.cpp", '#include "model/plain.hpp"\n')
        self.write("tests/oracle/holds.cpp", '#include <vector>\n#include "cctl/checker.hpp"\n')
        self.expect("tests/oracle/holds.cpp:2:", "cctl/checker.hpp")

    def test_a_table_with_an_unknown_folder_is_refused(self):
        self.write("docs/architecture.md", TABLE + "| `trace` | traces | `monitor` |\n")
        with self.assertRaises(SystemExit):
            layers.findings(self.root)


if __name__ == "__main__":
    unittest.main()
