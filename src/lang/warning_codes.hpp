// The codes of what the language warns of before any state is looked at.
#pragma once

#include <vector>

#include "base/finding_code.hpp"

namespace cohort::lang {

inline constexpr base::FindingCode id_left_out{
    "id-left-out", "a process id that is left out because -D made its module smaller"};
inline constexpr base::FindingCode no_module{"no-module", "a program without processes"};
inline constexpr base::FindingCode schema_changes_nothing{
    "schema-changes-nothing", "a schema that gives variables the values that they have"};
/// The same code as that of a schema that fires in no reachable state.
inline constexpr base::FindingCode schema_never_fires{"schema-never-fires",
                                                      "a schema that fires in no reachable state"};
inline constexpr base::FindingCode subscript_out_of_range{
    "subscript-out-of-range", "a constant subscript outside its dimension"};
inline constexpr base::FindingCode unranked_process{"unranked-process",
                                                    "a process that is in no set of a priority"};
inline constexpr base::FindingCode unused_class{"unused-class",
                                                "a priority class that is never used"};
inline constexpr base::FindingCode unused_index{"unused-index",
                                                "an index variable that is never used"};
inline constexpr base::FindingCode unused_value{
    "unused-value", "a value for a variable that is not free in the formula"};
inline constexpr base::FindingCode unused_variable{"unused-variable",
                                                   "a variable that is never used"};
inline constexpr base::FindingCode value_out_of_type{
    "value-out-of-type", "a constant that is assigned to a variable whose type does not have it"};

/// All of them, in the order of the alphabet.
[[nodiscard]] const std::vector<base::FindingCode>& warning_codes();

}  // namespace cohort::lang
