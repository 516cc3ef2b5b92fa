// A path as people read it: one step a line, and only what it changes.
//
//      0  lc[*] = 0, lk[*] = idle, request[*,*] = 0
//      1  ask(3)       lk[3] = waiting, request[0,3] = 1
//         fails: lk[i] != waiting
//     -- steps 2 to 3 repeat for ever --
//      2  grant(0, 3)  reply[0,3] = 1
//      3  …
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "cctl/evidence.hpp"
#include "report/names.hpp"

namespace cohort::report {

/// `source` is the text that the notes of the evidence are about; none: they are left out.
void write_path(std::ostream& out, const Names& names, const cctl::Evidence& evidence,
                const base::Source* source);

/// A state, variable after variable, equal values together: "lk[*] = idle (but lk[3] = waiting)".
[[nodiscard]] std::vector<std::string> pieces_of_state(const Names& names,
                                                       const std::vector<cctl::Value>& values);

/// "i = client(1), j = client(3)"; empty without choices.
[[nodiscard]] std::string text_of_choices(const Names& names, const cctl::Evidence& evidence);

}  // namespace cohort::report
