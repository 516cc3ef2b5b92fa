// Names and types of a schema.
#pragma once

#include <optional>

#include "base/diagnostic.hpp"
#include "lang/program.hpp"
#include "lang/resolve_expression.hpp"
#include "lang/syntax.hpp"

namespace cohort::lang {

/// The index variable of a body, and its module, if that is known.
struct Primary {
  syntax::Name index;
  std::optional<ModuleId> module;
};

/// The name of an unlabelled schema is left empty.
[[nodiscard]] Schema resolve_schema(const Program& program, const syntax::Schema& schema,
                                    const Primary& primary, NameErrors& names,
                                    base::Diagnostics& diagnostics);

}  // namespace cohort::lang
