#include "translate/promela_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace cohort::translate {
namespace {

class Writer {
 public:
  /// Expressions become calls of functions if there are words for their names.
  Writer(const Linear& linear, PromelaExpressions& expressions, Words* words, std::string name)
      : linear_(linear), expressions_(expressions), words_(words), name_(std::move(name)) {}

  /// As several if it is a conjunction: Spin's automata of these grow fast.
  [[nodiscard]] PromelaFormula run() {
    const auto closed = [&](const Printed& part) {
      if (!part.plain) return part.text;
      if (part.text == "1") return std::string("true");
      if (part.text == "0") return std::string("false");
      return words_ == nullptr ? part.text : as_function(part.text);
    };
    std::vector<Printed> parts;
    for (const LinearNode& node : linear_.nodes) {
      std::vector<Printed> args;
      for (const std::uint32_t arg : node.args) args.push_back(parts[arg]);
      parts.push_back(node.kind == LinearNode::Kind::State
                          ? Printed{proposition(node, expressions_), true, {}}
                          : combine(node.kind, args, closed));
    }
    // The conjuncts of the whole; those that are invariants are one.
    std::vector<std::uint32_t> pending{static_cast<std::uint32_t>(parts.size() - 1)};
    std::vector<std::string> always;
    std::vector<std::string> made;
    while (!pending.empty()) {
      const std::uint32_t at = pending.back();
      pending.pop_back();
      const LinearNode& node = linear_.nodes[at];
      const Printed& part = parts[at];
      if (part.plain || !part.always.empty() || node.kind != LinearNode::Kind::And) {
        if (!part.always.empty()) {
          always.push_back(part.always);
          continue;
        }
        std::string text = from_start(linear_, parts, at, closed);
        if (std::ranges::find(made, text) == made.end()) made.push_back(std::move(text));
        continue;
      }
      pending.insert(pending.end(), node.args.rbegin(), node.args.rend());
    }
    if (!always.empty()) {
      made.insert(made.begin(),
                  fmt::format("[] (!started || {})", closed({all_of(always), true, {}})));
    }
    made_.parts = std::move(made);
    return std::move(made_);
  }

 private:
  /// A part of a formula.  What has no temporal operator is one expression; `[] of such a one`
  /// keeps it, so that a conjunction of invariants is an invariant.
  struct Printed {
    std::string text;
    bool plain = true;
    std::string always;  ///< the expression under [], if it is no more than that
  };

  /// A part as it is seen from the first state, which is none of the model.  `!started U (started
  /// && …)` around the whole says the same, but Spin's automata of it take minutes.
  template <typename Closed>
  [[nodiscard]] static std::string from_start(const Linear& linear,
                                              const std::vector<Printed>& parts, std::uint32_t at,
                                              const Closed& closed) {
    using Kind = LinearNode::Kind;
    const LinearNode& node = linear.nodes[at];
    if (parts[at].plain) return fmt::format("(!started U (started && {}))", closed(parts[at]));
    const auto arg = [&](std::size_t i) { return closed(parts[node.args[i]]); };
    // Whether something is so again and again does not depend on where one begins.
    const auto inner = [&](Kind kind) {
      const std::uint32_t below = node.args[0];
      return linear.nodes[below].kind == kind && !parts[below].plain;
    };
    switch (node.kind) {
      case Kind::And:
      case Kind::Or: {
        std::vector<std::string> plain;
        std::vector<std::string> terms;
        for (const std::uint32_t below : node.args) {
          if (parts[below].plain) {
            plain.push_back(parts[below].text);
          } else {
            terms.push_back(from_start(linear, parts, below, closed));
          }
        }
        const bool is_and = node.kind == Kind::And;
        if (!plain.empty()) {
          const Printed whole{is_and ? all_of(plain) : any_of(plain), true, {}};
          terms.push_back(fmt::format("(!started U (started && {}))", closed(whole)));
        }
        return operation(node.kind, terms);
      }
      case Kind::Globally:
        return inner(Kind::Finally) ? fmt::format("([] {})", arg(0))
                                    : fmt::format("([] (!started || {}))", arg(0));
      case Kind::Finally:
        return inner(Kind::Globally) ? fmt::format("(<> {})", arg(0))
                                     : fmt::format("(<> (started && {}))", arg(0));
      case Kind::Until:
        return fmt::format("((!started || {}) U (started && {}))", arg(0), arg(1));
      case Kind::Weak:
        return fmt::format("(((!started || {0}) U (started && {1})) || [] (!started || {0}))",
                           arg(0), arg(1));
      case Kind::Release:
        return fmt::format("((started && {}) V (!started || {}))", arg(0), arg(1));
      default:
        return fmt::format("(!started U (started && {}))", closed(parts[at]));
    }
  }

  template <typename Closed>
  [[nodiscard]] static Printed combine(LinearNode::Kind kind, std::vector<Printed> args,
                                       const Closed& closed) {
    const bool is_and = kind == LinearNode::Kind::And;
    if (!is_and && kind != LinearNode::Kind::Or) {
      if (kind == LinearNode::Kind::Globally && args[0].plain) {
        if (args[0].text == "1" || args[0].text == "0") return args[0];
        return {fmt::format("([] {})", closed(args[0])), false, args[0].text};
      }
      std::vector<std::string> texts;
      for (const Printed& arg : args) texts.push_back(closed(arg));
      return {operation(kind, texts), false, {}};
    }
    // Expressions first become one, then invariants.
    std::vector<std::string> plain;
    std::vector<std::string> always;
    std::vector<std::string> others;
    for (const Printed& arg : args) {
      if (arg.plain) {
        plain.push_back(arg.text);
      } else if (is_and && !arg.always.empty()) {
        always.push_back(arg.always);
      } else {
        others.push_back(arg.text);
      }
    }
    const std::string expression = is_and ? all_of(plain) : any_of(plain);
    if (others.empty() && always.empty()) return {expression, true, {}};
    if (expression == (is_and ? "0" : "1")) return {expression, true, {}};
    if (!always.empty()) {
      Printed invariant = combine(LinearNode::Kind::Globally, {{all_of(always), true, {}}}, closed);
      if (others.empty() && expression == "1") return invariant;
      others.push_back(closed(invariant));
    }
    if (expression != (is_and ? "1" : "0")) others.push_back(closed({expression, true, {}}));
    if (others.size() == 1 && !is_and && args.size() > 1) {
      // A disjunction of which one side is left may still be an invariant.
      for (const Printed& arg : args) {
        if (!arg.plain && arg.text == others.front()) return arg;
      }
    }
    return {operation(kind, others), false, {}};
  }

  [[nodiscard]] static std::string proposition(const LinearNode& node,
                                               PromelaExpressions& expressions) {
    Slots slots;
    for (const std::int64_t id : node.slots) slots.push_back(named(id));
    const std::string truth = expressions.truth(*node.state, slots);
    return all_of({expressions.defined(*node.state, slots), node.holds ? truth : negated(truth)});
  }

  [[nodiscard]] std::string as_function(const std::string& text) {
    const auto [found, is_new] = known_.emplace(text, "");
    if (is_new) {
      // In brackets, because Spin takes a name before "(" for a call with side effects.
      found->second = words_->take(fmt::format("{}_{}", name_, known_.size()));
      made_.functions += fmt::format(
          "c_code {{ int {0}_c(void) {{ return {1}; }} }}\n"
          "#define {0} c_expr {{ ({0}_c)() }}\n",
          found->second, text);
    }
    return found->second;
  }

  [[nodiscard]] static std::string operation(LinearNode::Kind kind,
                                             const std::vector<std::string>& args) {
    switch (kind) {
      case LinearNode::Kind::And:
        return args.empty() ? "true" : fmt::format("({})", fmt::join(args, " && "));
      case LinearNode::Kind::Or:
        return args.empty() ? "false" : fmt::format("({})", fmt::join(args, " || "));
      case LinearNode::Kind::Globally:
        return fmt::format("([] {})", args[0]);
      case LinearNode::Kind::Finally:
        return fmt::format("(<> {})", args[0]);
      case LinearNode::Kind::Until:
        return fmt::format("({} U {})", args[0], args[1]);
      case LinearNode::Kind::Weak:
        return fmt::format("(({0} U {1}) || [] {0})", args[0], args[1]);
      case LinearNode::Kind::Release:
        return fmt::format("({} V {})", args[0], args[1]);
      default:
        return "false";
    }
  }

  const Linear& linear_;
  PromelaExpressions& expressions_;
  Words* words_;
  std::string name_;
  std::map<std::string, std::string> known_;  // functions by what they return
  PromelaFormula made_;
};

}  // namespace

PromelaFormula promela_formula(const Linear& linear, PromelaExpressions& expressions) {
  return Writer(linear, expressions, nullptr, {}).run();
}

PromelaFormula promela_formula_of_functions(const Linear& linear, PromelaExpressions& expressions,
                                            Words& words, const std::string& name) {
  return Writer(linear, expressions, &words, name).run();
}

}  // namespace cohort::translate
