#include "online/arena.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "quotient/colouring.hpp"

namespace cohort::online {

using cctl::Kind;
using lang::Op;
using lang::syntax::Join;

namespace {

[[nodiscard]] std::vector<Value> members(const lang::ProcessSet& set,
                                         const lang::Program& program) {
  if (!set.all) return {set.ids.begin(), set.ids.end()};
  std::vector<Value> made;
  for (Value p = 0; p < program[set.module].size; ++p) made.push_back(p);
  return made;
}

[[nodiscard]] lang::Expr truth(Op op) {
  lang::Expr made;
  made.op = op;
  made.type.kind = lang::ValueType::Kind::Truth;
  return made;
}

}  // namespace

std::size_t Arena::WordsHash::operator()(const std::vector<std::uint64_t>& words) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) {
    hash = (hash ^ word ^ (hash >> 29U)) * 0x9E3779B97F4A7C15ULL;
  }
  return static_cast<std::size_t>(hash ^ (hash >> 32U));
}

Arena::Arena(quotient::Graph& graph, const Property& property, const Goal& goal,
             base::Limits& limits, Elimination elimination)
    : graph_(graph),
      property_(property),
      goal_(goal),
      limits_(limits),
      program_(graph.program()),
      eliminate_(elimination == Elimination::On),
      tracked_(goal.tracked()),
      width_(std::max<std::size_t>(1, (goal.atoms.size() + 63) / 64)),
      scratch_(width_) {
  // The last operand keeps the conjunction from becoming one expression.
  source_.root = truth(Op::And);
  source_.slots = goal.slots;
  source_.source = property.formula.source;
  if (property.view == View::States) source_.root.args = goal.atoms;
  source_.root.args.push_back(truth(Op::Constant));
  source_.root.args.push_back(truth(Op::Deadlock));
  // A few dozen tries are quicker than finding out which processes are alike.
  constexpr double few_tries = 64;
  const bool may_eliminate = graph.moves_processes() && eliminate_;
  formula_ = std::make_unique<cctl::Formula>(
      program_, source_, may_eliminate ? few_tries : std::numeric_limits<double>::infinity());
  atom_ids_ = (*formula_)[formula_->root()].args;
  // Sets that labels are quantified over have to be told apart as well.
  colouring_ = quotient::make_colouring(program_, &formula_->code());
  const bool coloured = graph.moves_processes() && (*formula_)[formula_->root()].coloured;
  quotient::Domain domain;
  domain.coloured = coloured;
  if (graph.moves_processes()) {
    for (const std::uint32_t slot : tracked_) domain.variables.push_back(goal.slots[slot].module);
  }
  space_ = graph.space(domain, colouring_);
  enabled_space_ =
      graph.space({{}, graph.moves_processes() && program_.has_priorities()}, colouring_);
  std::vector<quotient::Space*> spaces(formula_->size(), nullptr);
  for (cctl::FormulaId id = 0; id < formula_->size(); ++id) {
    const Kind kind = (*formula_)[id].kind;
    if (kind == Kind::Enabled || kind == Kind::Deadlock) spaces[id] = enabled_space_.get();
  }
  evaluator_ = std::make_unique<cctl::PositionEvaluator>(cctl::PositionEvaluator::Setting{
      *formula_, graph_, colouring_, std::move(spaces), limits_, may_eliminate});
  frame_.slots.assign(std::max<std::size_t>(goal.slots.size(), 1), 0);
}

// ---------------------------------------------------------------------------------------------------
// Starts

/// Of the foralls; what no atom names is not varied.
std::vector<std::vector<Value>> Arena::all_choices() const {
  std::vector<std::vector<Value>> made{{}};
  for (const lang::Binder& binder : goal_.foralls) {
    std::vector<Value> processes = members(binder.set, program_.source());
    if (!std::ranges::binary_search(tracked_, binder.slot) && processes.size() > 1) {
      processes.erase(processes.begin() + 1, processes.end());
    }
    std::vector<std::vector<Value>> longer;
    for (const std::vector<Value>& chosen : made) {
      for (const Value process : processes) {
        longer.push_back(chosen);
        longer.back().push_back(process);
      }
    }
    made = std::move(longer);
  }
  return made;
}

void Arena::set_slots(const std::vector<Value>& chosen) {
  slots_.assign(std::max<std::size_t>(goal_.slots.size(), 1), 0);
  for (std::size_t i = 0; i < goal_.values.size(); ++i) slots_[i] = goal_.values[i].value_or(0);
  for (std::size_t i = 0; i < chosen.size(); ++i) slots_[goal_.foralls[i].slot] = chosen[i];
}

bool Arena::next_round() {
  if (graph_.moves_processes()) {
    if (std::exchange(started_, true)) return false;
    start_moving();
    return true;
  }
  if (!std::exchange(started_, true)) {
    rounds_ = all_choices();
    std::ranges::reverse(rounds_);
  }
  if (rounds_.empty()) return false;
  const std::vector<Value> chosen = std::move(rounds_.back());
  rounds_.pop_back();
  start_fixed(chosen);
  return true;
}

void Arena::start_fixed(const std::vector<Value>& chosen) {
  set_slots(chosen);
  starts_.clear();
  letters_.clear();
  places_.clear();
  edges_.clear();
  std::set<NodeId> seen;
  for (model::InitialStates initial{program_}; !initial.done(); initial.next()) {
    tick();
    Start start;
    start.initial = graph_.add(initial.words());
    position_.state = start.initial.state;
    start.node = space_->enter(position_);
    start.chosen = chosen;
    if (seen.insert(start.node).second) starts_.push_back(std::move(start));
  }
}

/// Which of the sets that foralls range over the process is in: that tells processes apart until
/// all are chosen.
std::vector<bool> Arena::forall_sets(lang::ModuleId module, Value process) const {
  std::vector<bool> made;
  for (const lang::Binder& binder : goal_.foralls) {
    const lang::ProcessSet& set = binder.set;
    if (set.module != module || set.all) continue;
    made.push_back(std::ranges::find(set.ids, process) != set.ids.end());
  }
  return made;
}

void Arena::start_moving() {
  std::set<NodeId> seen;
  for (model::InitialStates initial{program_}; !initial.done(); initial.next()) {
    tick();
    const quotient::InitialState at = graph_.add(initial.words());
    const Permutation& to_real = at.to_real;
    const Permutation from_real = symmetry::inverse(to_real);
    std::vector<Colour> colours = colouring_.initial;
    for (std::size_t p = 0; p < to_real.size(); ++p) colours[p] = colouring_.initial[to_real[p]];
    const std::vector<std::uint32_t> classes = graph_.classes(at.state);
    // Process after process: of those that look alike and are not named yet one is enough.
    std::vector<std::vector<Value>> choices{{}};
    for (const lang::Binder& binder : goal_.foralls) {
      const bool is_tracked = std::ranges::binary_search(tracked_, binder.slot);
      std::vector<std::vector<Value>> longer;
      for (const std::vector<Value>& chosen : choices) {
        std::set<std::tuple<std::uint32_t, Colour, std::vector<bool>>> tried;
        const std::size_t before = longer.size();
        for (const Value process : members(binder.set, program_.source())) {
          const std::size_t real = program_.process_number(binder.set.module, process);
          const std::uint32_t number =
              from_real.empty() ? static_cast<std::uint32_t>(real) : from_real[real];
          const auto names_it = [&](lang::ModuleId module, Value other) {
            return module == binder.set.module && other == process;
          };
          bool is_named = false;
          for (const std::uint32_t slot : tracked_) {
            const std::optional<std::int64_t>& value = goal_.values[slot];
            is_named = is_named || (value && names_it(goal_.slots[slot].module, *value));
          }
          for (std::size_t i = 0; i < chosen.size(); ++i) {
            is_named = is_named || names_it(goal_.foralls[i].set.module, chosen[i]);
          }
          const Colour colour = space_->domain().coloured ? colours[number] : Colour{0};
          const std::tuple key{classes.empty() ? number : classes[number], colour,
                               forall_sets(binder.set.module, process)};
          const bool skipped = (eliminate_ && !is_named && !tried.insert(key).second) ||
                               (!is_tracked && longer.size() > before);
          if (skipped) continue;
          longer.push_back(chosen);
          longer.back().push_back(process);
        }
      }
      choices = std::move(longer);
    }
    for (const std::vector<Value>& chosen : choices) {
      tick();
      enter(at, from_real, colours, chosen);
      if (!seen.insert(starts_.back().node).second) starts_.pop_back();
    }
  }
}

void Arena::enter(const quotient::InitialState& initial, const Permutation& from_real,
                  const std::vector<Colour>& colours, const std::vector<Value>& chosen) {
  set_slots(chosen);
  Start start;
  start.initial = initial;
  start.chosen = chosen;
  position_.state = initial.state;
  position_.processes.clear();
  for (const std::uint32_t slot : tracked_) {
    const lang::ModuleId module = goal_.slots[slot].module;
    const std::size_t first = program_.process_number(module, 0);
    const std::size_t real = first + static_cast<std::size_t>(slots_[slot]);
    position_.processes.push_back(from_real.empty() ? slots_[slot]
                                                    : static_cast<Value>(from_real[real] - first));
  }
  position_.colours.clear();
  if (space_->domain().coloured) position_.colours = colours;
  start.node = space_->enter(position_, start.from_node);
  starts_.push_back(std::move(start));
}

// ---------------------------------------------------------------------------------------------------
// Letters

/// The state, the processes and the colours of a node.
void Arena::read_frame(NodeId node) {
  if (!graph_.moves_processes()) {
    frame_.state = space_->state(node);
    frame_.slots = slots_;
    return;
  }
  position_.colours = std::move(frame_.colours);
  space_->read(node, position_);
  frame_.state = position_.state;
  frame_.colours = std::move(position_.colours);
  for (std::size_t i = 0; i < tracked_.size(); ++i) {
    frame_.slots[tracked_[i]] = position_.processes[i];
  }
}

Letter Arena::intern() {
  const auto [found, is_new] = known_.emplace(scratch_, static_cast<Letter>(num_letters()));
  if (is_new) words_.insert(words_.end(), scratch_.begin(), scratch_.end());
  return found->second;
}

Letter Arena::find_letter(NodeId node) {
  read_frame(node);
  std::ranges::fill(scratch_, 0);
  for (std::size_t a = 0; a < goal_.atoms.size(); ++a) {
    if (evaluator_->holds(atom_ids_[a], frame_)) scratch_[a / 64] |= std::uint64_t{1} << (a % 64);
  }
  const auto at = static_cast<std::size_t>(node);
  if (letters_.size() <= at) {
    if (letters_.capacity() <= at) letters_.reserve(std::max(at + 1, 2 * letters_.capacity()));
    letters_.resize(at + 1, unknown);
  }
  letters_[at] = intern();
  return letters_[at];
}

Letter Arena::letter(NodeId node, model::InstanceCode code) {
  read_frame(node);
  const model::Program::Instance fired = program_.instance(code);
  std::ranges::fill(scratch_, 0);
  for (std::size_t a = 0; a < goal_.atoms.size(); ++a) {
    if (holds(goal_.atoms[a], fired)) scratch_[a / 64] |= std::uint64_t{1} << (a % 64);
  }
  return intern();
}

std::span<const Arena::Edge> Arena::edges(NodeId node) {
  const auto at = static_cast<std::size_t>(node);
  if (places_.size() <= at) {
    if (places_.capacity() <= at) places_.reserve(std::max(at + 1, 2 * places_.capacity()));
    places_.resize(at + 1);
  }
  Place place = places_[at];
  if (!place.known) {
    const quotient::Fan& fan = space_->fan(node, quotient::Detail::Permutations);
    if (fan.fault) throw quotient::StateFault{space_->state(node), *fan.fault};
    place = {edges_.size(), static_cast<std::uint32_t>(fan.targets.size()), true};
    for (std::size_t e = 0; e < fan.targets.size(); ++e) {
      edges_.push_back({fan.targets[e], letter(node, fan.codes[e])});
    }
    places_[at] = place;
  }
  return std::span<const Edge>(edges_).subspan(place.begin, place.count);
}

/// An atom about actions.  Recurses as deep as the formula, which the parser limits.
bool Arena::holds(const lang::Expr& expr, const model::Program::Instance& fired) {
  if (const std::optional<base::SchemaId> label = property_.label(expr)) {
    if (*label != fired.schema) return false;
    const std::vector<std::uint32_t> slots = Property::label_slots(expr);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (frame_.slots[slots[i]] != fired.processes[i]) return false;
    }
    return true;
  }
  const auto is_true = [&](const lang::Expr& arg) { return holds(arg, fired); };
  switch (expr.op) {
    case Op::Not:
      return !holds(expr.args[0], fired);
    case Op::And:
      return std::ranges::all_of(expr.args, is_true);
    case Op::Or:
      return std::ranges::any_of(expr.args, is_true);
    case Op::Implies:
      return !holds(expr.args[0], fired) || holds(expr.args[1], fired);
    case Op::Iff:
      return holds(expr.args[0], fired) == holds(expr.args[1], fired);
    case Op::ForallProcess:
      return number(expr, fired) == 0;
    case Op::ExistsProcess:
      return number(expr, fired) != 0;
    case Op::Compare: {
      const std::int64_t left = number(expr.args[0], fired);
      const std::int64_t right = number(expr.args[1], fired);
      return lang::syntax::compares(expr.args[1].join, left, right);
    }
    default:
      return number(expr, fired) != 0;
  }
}

/// A process or a number.  For a quantifier: how many choices of processes count, those that
/// satisfy the body or, for `forall`, those that do not.
std::int64_t Arena::number(const lang::Expr& expr, const model::Program::Instance& fired) {
  switch (expr.op) {
    case Op::Constant:
      return expr.value;
    case Op::None:
      return lang::none_value;
    case Op::Slot:
      return frame_.slots[expr.id];
    case Op::Minus:
      return -number(expr.args[0], fired);
    case Op::Sum: {
      std::int64_t sum = number(expr.args[0], fired);
      for (std::size_t i = 1; i < expr.args.size(); ++i) {
        const std::int64_t next = number(expr.args[i], fired);
        sum += expr.args[i].join == Join::Minus ? -next : next;
      }
      return sum;
    }
    case Op::Product: {
      std::int64_t product = number(expr.args[0], fired);
      for (std::size_t i = 1; i < expr.args.size(); ++i) product *= number(expr.args[i], fired);
      return product;
    }
    case Op::ForallProcess:
    case Op::ExistsProcess:
    case Op::CountProcess: {
      std::vector<std::vector<Value>> sets;
      std::size_t choices = 1;
      for (const lang::Binder& binder : expr.binders) {
        sets.push_back(members(binder.set, program_.source()));
        choices *= sets.back().size();
      }
      std::int64_t count = 0;
      for (std::size_t n = 0; n < choices; ++n) {
        std::size_t rest = n;
        for (std::size_t b = 0; b < sets.size(); ++b) {
          frame_.slots[expr.binders[b].slot] = sets[b][rest % sets[b].size()];
          rest /= sets[b].size();
        }
        count += holds(expr.args[0], fired) == (expr.op != Op::ForallProcess) ? 1 : 0;
      }
      return count;
    }
    default:
      return holds(expr, fired) ? 1 : 0;
  }
}

}  // namespace cohort::online
