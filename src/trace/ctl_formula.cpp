#include "trace/ctl_formula.hpp"

#include <algorithm>
#include <utility>

namespace cohort::trace::ctl {

Formulas::Formulas() {
  true_ = make(Form::True, {});
  false_ = make(Form::Not, {true_});
}

FormulaId Formulas::make(Form form, std::vector<FormulaId> args, std::uint32_t atom) {
  const FormulaId next{static_cast<std::uint32_t>(nodes_.size())};
  const auto [found, is_new] = ids_.try_emplace(Key{form, atom, args}, next);
  if (!is_new) return found->second;
  Node node;
  node.form = form;
  node.atom = atom;
  node.has_next = form == Form::SomeNext ||
                  std::ranges::any_of(args, [&](FormulaId a) { return (*this)[a].has_next; });
  node.args = std::move(args);
  nodes_.push_back(std::move(node));
  return next;
}

FormulaId Formulas::end() { return make(Form::End, {}); }

FormulaId Formulas::atom(std::uint32_t number) { return make(Form::Atom, {}, number); }

FormulaId Formulas::negate(FormulaId a) {
  const Node node = (*this)[a];
  if (node.form == Form::Not) return node.args[0];
  if (node.form != Form::And && node.form != Form::Or) return make(Form::Not, {a});
  std::vector<FormulaId> negated;
  negated.reserve(node.args.size());
  for (const FormulaId part : node.args) negated.push_back(negate(part));
  return node.form == Form::And ? disjunction(std::move(negated)) : conjunction(std::move(negated));
}

FormulaId Formulas::join(Form form, const std::vector<FormulaId>& parts, FormulaId neutral,
                         FormulaId absorbing) {
  std::vector<FormulaId> flat;
  for (const FormulaId part : parts) {
    const Node& node = (*this)[part];
    if (part == absorbing) return absorbing;
    if (part == neutral) continue;
    if (node.form == form) {
      flat.insert(flat.end(), node.args.begin(), node.args.end());
    } else {
      flat.push_back(part);
    }
  }
  std::ranges::sort(flat);
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  for (const FormulaId part : flat) {
    const Node& node = (*this)[part];
    if (node.form == Form::Not && std::ranges::binary_search(flat, node.args[0])) return absorbing;
  }
  if (flat.empty()) return neutral;
  if (flat.size() == 1) return flat[0];
  return make(form, std::move(flat));
}

FormulaId Formulas::conjunction(std::vector<FormulaId> parts) {
  return join(Form::And, parts, true_, false_);
}

FormulaId Formulas::disjunction(std::vector<FormulaId> parts) {
  return join(Form::Or, parts, false_, true_);
}

FormulaId Formulas::some_next(FormulaId a) {
  if (a == false_) return false_;
  return make(Form::SomeNext, {a});
}

FormulaId Formulas::some_finally(FormulaId a) {
  const Node node = (*this)[a];
  if (a == true_ || a == false_ || node.form == Form::SomeFinally) return a;
  if (node.form == Form::End) return true_;
  if (node.form != Form::Or) return make(Form::SomeFinally, {a});
  std::vector<FormulaId> parts;
  parts.reserve(node.args.size());
  for (const FormulaId part : node.args) parts.push_back(some_finally(part));
  return disjunction(std::move(parts));
}

FormulaId Formulas::some_until(FormulaId a, FormulaId b) {
  if (a == true_) return some_finally(b);
  if (a == false_ || a == b || b == true_ || b == false_) return b;
  return make(Form::SomeUntil, {a, b});
}

FormulaId Formulas::some_globally(FormulaId a) { return some_until(a, conjunction({a, end()})); }

FormulaId Formulas::some_weak_until(FormulaId a, FormulaId b) {
  return some_until(a, disjunction({b, conjunction({a, end()})}));
}

FormulaId Formulas::some_release(FormulaId a, FormulaId b) {
  return some_until(b, conjunction({b, disjunction({a, end()})}));
}

FormulaId Formulas::all_next(FormulaId a) { return negate(some_next(negate(a))); }

FormulaId Formulas::all_finally(FormulaId a) { return negate(some_globally(negate(a))); }

FormulaId Formulas::all_globally(FormulaId a) { return negate(some_finally(negate(a))); }

FormulaId Formulas::all_until(FormulaId a, FormulaId b) {
  return negate(some_release(negate(a), negate(b)));
}

FormulaId Formulas::all_weak_until(FormulaId a, FormulaId b) {
  const FormulaId not_b = negate(b);
  return negate(some_until(not_b, conjunction({not_b, negate(a)})));
}

FormulaId Formulas::all_release(FormulaId a, FormulaId b) {
  return negate(some_until(negate(a), negate(b)));
}

std::vector<FormulaId> Formulas::subformulas(FormulaId root) const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<FormulaId> open{root};
  std::vector<FormulaId> found;
  seen[static_cast<std::size_t>(root)] = true;
  while (!open.empty()) {
    const FormulaId at = open.back();
    open.pop_back();
    found.push_back(at);
    for (const FormulaId arg : (*this)[at].args) {
      if (seen[static_cast<std::size_t>(arg)]) continue;
      seen[static_cast<std::size_t>(arg)] = true;
      open.push_back(arg);
    }
  }
  // A formula is made after its parts, so the order of making will do.
  std::ranges::sort(found);
  return found;
}

}  // namespace cohort::trace::ctl
