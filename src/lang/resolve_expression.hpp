// Names and types of expressions, for models and formulas alike.
//
// ExpressionResolver knows the operators; what a process name means, and what becomes of a literal
// process, its derived classes say: in a body the first is an index variable and the second an
// error, in a formula both are process variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "lang/program.hpp"
#include "lang/resolve_names.hpp"
#include "lang/syntax.hpp"

namespace cohort::lang {

class ExpressionResolver {
 public:
  ExpressionResolver(const Program& program, NameErrors& names, base::Diagnostics& diagnostics)
      : program_(program), names_(names), diagnostics_(diagnostics) {}
  ExpressionResolver(const ExpressionResolver&) = delete;
  ExpressionResolver& operator=(const ExpressionResolver&) = delete;
  virtual ~ExpressionResolver() = default;

  /// Anything; the type tells what.
  [[nodiscard]] Expr any(const syntax::Expr& expr);
  /// What can be true or false.
  [[nodiscard]] Expr condition(const syntax::Expr& expr);
  [[nodiscard]] Expr number(const syntax::Expr& expr);
  /// A variable with its subscripts, to be assigned to.
  [[nodiscard]] Expr target(const syntax::Expr& expr);
  /// A value for a place of this type (constants are not compared with its range).
  [[nodiscard]] Expr value_for(const Type& type, const syntax::Expr& expr, std::string_view place);

  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }

 protected:
  /// A process name that no operator around it binds: `symbol` is null, or an index variable's.
  [[nodiscard]] virtual Expr unbound(const syntax::Expr& reference, const Symbol* symbol) = 0;
  /// Process `id` of `module`, written as a number or as `client(3)`.  `in` names what it stands
  /// in.
  [[nodiscard]] virtual Expr literal(Span where, ModuleId module, std::int64_t id,
                                     std::string_view use) = 0;
  /// The module of a variable that ALL, EXISTS or COUNT binds.
  [[nodiscard]] virtual std::optional<ModuleId> binder_module(const syntax::Name& name) = 0;

  [[nodiscard]] static Expr failed(Span where);
  [[nodiscard]] static Expr slot_expr(Span where, std::uint32_t slot, ModuleId module);
  [[nodiscard]] std::uint32_t add_slot(std::string name, ModuleId module);
  /// A new slot for `name`, which hides older ones until unbind; without a module its uses are
  /// silently unknown.
  std::uint32_t bind_new(std::string_view name, std::optional<ModuleId> module);
  void unbind(const std::vector<syntax::Name>& names);
  /// Binds the names of ALL(i, j where …: …).
  [[nodiscard]] std::vector<Binder> bind_indices(const std::vector<syntax::Name>& names);
  [[nodiscard]] bool is_bound(std::string_view name) const;
  [[nodiscard]] std::vector<std::string_view> bound_names() const;
  const Program& program_;
  NameErrors& names_;
  base::Diagnostics& diagnostics_;
  std::vector<Slot> slots_;

 private:
  /// What a number is made of.
  enum class Content : std::uint8_t {
    Constant,
    State,   ///< what a state gives: program variables
    Counts,  ///< sums of COUNT(i, M, …) of formulas
  };

  [[nodiscard]] Expr reference(const syntax::Expr& expr);
  [[nodiscard]] Expr variable(const syntax::Expr& expr, const Symbol& symbol);
  [[nodiscard]] Expr subscript(const syntax::Expr& expr, const Dimension& dimension,
                               std::string_view of_variable);
  [[nodiscard]] Expr process_subscript(const syntax::Expr& expr, ModuleId module,
                                       std::string_view of_variable);
  [[nodiscard]] Expr process_literal(const syntax::Expr& expr);
  [[nodiscard]] Expr arithmetic(const syntax::Expr& expr, Op op);
  [[nodiscard]] Expr connective(const syntax::Expr& expr, Op op);
  [[nodiscard]] Expr compare(const syntax::Expr& expr);
  [[nodiscard]] Expr compare_processes(const syntax::Expr& expr, Expr left, Expr right);
  [[nodiscard]] static Content content(const Expr& expr);
  [[nodiscard]] bool is_count(const Expr& expr) const {
    return has_counts_ && content(expr) == Content::Counts;
  }
  void check_counts(Expr& expr);
  [[nodiscard]] ValueType::Kind compare_counts(const Expr& left, const Expr& right);
  void misplaced_count(Span where);
  [[nodiscard]] Expr conditional(const syntax::Expr& expr);
  [[nodiscard]] Expr index_quantifier(const syntax::Expr& expr, Op op);
  [[nodiscard]] Expr process_quantifier(const syntax::Expr& expr, Op op);
  void check_bound_name(const syntax::Name& name);
  void bound_twice(const syntax::Name& name);
  [[nodiscard]] Expr temporal(const syntax::Expr& expr);
  [[nodiscard]] Expr enabled(const syntax::Expr& expr);
  void require_number(Expr& expr, std::string_view use);
  [[nodiscard]] std::string of_module(ModuleId module) const;

  std::unordered_map<std::string_view, std::vector<std::uint32_t>> scope_;
  std::unordered_set<std::uint32_t> broken_slots_;
  bool has_counts_ = false;  ///< a COUNT(i, M, …) was met; without one nobody has to look for it
};

/// Gives every slot s of an expression the number new_number[s].
void renumber(Expr& expr, const std::vector<std::uint32_t>& new_number);

}  // namespace cohort::lang
