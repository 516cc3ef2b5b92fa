#include "trace/sequential/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "ltl/lower.hpp"
#include "ltl/parse.hpp"
#include "trace/event_atoms.hpp"
#include "trace/term.hpp"

namespace cohort::trace::sequential {
namespace {

using ltl::Formula;
using ltl::Formulas;
using ltl::Operator;
using ltl::syntax::Expr;
using ltl::syntax::History;

/// A number or a text that owns its characters.
struct Owned {
  std::string text;
  bool is_text = false;

  [[nodiscard]] Value value(std::string& digits) const {
    if (is_text) return Value::text(text);
    const auto number = parse_number(text, digits);
    return number ? *number : Value::text(text);
  }
};

[[nodiscard]] Owned cell(std::string text) {
  std::string digits;
  if (text.starts_with('+')) text.erase(0, 1);
  if (text.starts_with('.')) text.insert(0, "0");
  if (text.starts_with("-.")) text.insert(1, "0");
  if (text.ends_with('.')) text += "0";
  const bool number = parse_number(text, digits).has_value();
  return {std::move(text), !number};
}

/// One variable's past.
struct Past {
  std::vector<Owned> values;
  std::vector<Owned> times;
};

/// The comparisons of a formula, at one position after the other.
class PlainAtoms : public ltl::AtomSource {
 public:
  PlainAtoms(const PlainTrace& trace, base::Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    for (const PlainRow::Change& initial : trace.initial) {
      initial_.emplace(initial.name, own(initial));
    }
  }

  [[nodiscard]] Formula atom(const Expr& expr, Formulas& formulas) override {
    return formulas.atom(ltl::Atom{number(expr)});
  }
  [[nodiscard]] std::uint32_t number(const Expr& expr) {
    const auto made = make_comparison(
        expr,
        [&](const Expr& variable) -> std::optional<VariableId> {
          const auto name = variable_name(variable, diagnostics_);
          if (!name) return std::nullopt;
          reads_.push_back({*name, variable.history});
          return VariableId{static_cast<std::uint32_t>(reads_.size() - 1)};
        },
        diagnostics_);
    if (made) comparisons_.push_back(*made);
    return static_cast<std::uint32_t>(comparisons_.size() - (made ? 1 : 0));
  }

  void apply(const PlainRow& row) {
    assigned_.clear();
    for (const PlainRow::Change& change : row.changes) {
      if (change.name == "time") time_ = own(change);
    }
    for (const PlainRow::Change& change : row.changes) {
      pasts_[change.name].values.push_back(own(change));
      pasts_[change.name].times.push_back(time_);
      assigned_.insert(change.name);
    }
  }
  [[nodiscard]] bool assigns(const std::string& name) const { return assigned_.contains(name); }
  [[nodiscard]] std::size_t size() const { return comparisons_.size(); }
  [[nodiscard]] bool holds(std::size_t atom) const {
    std::vector<std::string> digits(reads_.size());
    std::vector<Owned> kept(reads_.size());
    return comparisons_[atom].holds([&](VariableId id) {
      const auto i = static_cast<std::size_t>(id);
      kept[i] = read(reads_[i]);
      return kept[i].value(digits[i]);
    });
  }
  [[nodiscard]] Owned now(const std::string& name) const { return read({name, History{}}); }

 private:
  struct Read {
    std::string name;
    History history;
  };

  [[nodiscard]] static Owned own(const PlainRow::Change& change) {
    return change.text ? Owned{change.value, true} : cell(change.value);
  }
  [[nodiscard]] Owned read(const Read& asked) const {
    const auto past = pasts_.find(asked.name);
    const std::size_t changes = past == pasts_.end() ? 0 : past->second.values.size();
    const std::size_t left =
        changes > asked.history.changes_ago ? changes - asked.history.changes_ago : 0;
    if (asked.history.asked == History::Asked::Count) return {std::to_string(left), false};
    const bool value = asked.history.asked == History::Asked::Value;
    if (left == 0) {
      const auto initial = initial_.find(asked.name);
      return value && initial != initial_.end() ? initial->second : Owned{"0", false};
    }
    return value ? past->second.values[left - 1] : past->second.times[left - 1];
  }

  base::Diagnostics& diagnostics_;
  std::vector<Comparison> comparisons_;
  std::vector<Read> reads_;
  std::map<std::string, Past> pasts_;
  std::map<std::string, Owned> initial_;
  std::set<std::string> assigned_;
  Owned time_{"0", false};
};

/// Longer words are not tried with regular expressions: that takes cubic time.
constexpr std::size_t longest_for_regexes = 2000;
/// How often the last letter of a loop is repeated for them at most.
constexpr std::size_t most_repeats = 1000;

/// Letters of all positions; each is the truth of the atoms.
using Word = std::vector<std::vector<std::uint8_t>>;

/// No match is longer than this; most_repeats stands for more as well.
[[nodiscard]] std::size_t longest_match(const Formulas& formulas, ltl::Regex r) {
  const auto operands = formulas.operands(r);
  std::size_t longest = 0;
  switch (formulas.op(r)) {
    case ltl::RegexOperator::None:
    case ltl::RegexOperator::EmptyWord:
      return 0;
    case ltl::RegexOperator::Condition:
      return 1;
    case ltl::RegexOperator::Intersection:
      longest = most_repeats;
      for (const ltl::Regex s : operands) longest = std::min(longest, longest_match(formulas, s));
      return longest;
    case ltl::RegexOperator::Union:
      for (const ltl::Regex s : operands) longest = std::max(longest, longest_match(formulas, s));
      return longest;
    case ltl::RegexOperator::Repeat: {
      const ltl::Times times = formulas.times_of(r);
      longest = longest_match(formulas, operands[0]);
      if (times.most == ltl::Times::unbounded) return longest == 0 ? 0 : most_repeats;
      return std::min(longest * times.most, most_repeats);
    }
    default:
      for (const ltl::Regex s : operands) longest += longest_match(formulas, s);
      return std::min(longest, most_repeats);
  }
}

/// How many states an automaton of the expression needs at most: a match of any length, on a word
/// of one letter, means that there is one that is shorter than this.
[[nodiscard]] std::size_t num_states(const Formulas& formulas, ltl::Regex r) {
  const auto operands = formulas.operands(r);
  const auto of = [&](ltl::Regex s) { return num_states(formulas, s); };
  std::size_t states = 2;
  switch (formulas.op(r)) {
    case ltl::RegexOperator::None:
    case ltl::RegexOperator::EmptyWord:
    case ltl::RegexOperator::Condition:
      break;
    case ltl::RegexOperator::Intersection:
      states = 1;
      for (const ltl::Regex s : operands) states = std::min(states * of(s), most_repeats);
      states = std::min(states, longest_match(formulas, r) + 2);
      break;
    case ltl::RegexOperator::Repeat: {
      const ltl::Times times = formulas.times_of(r);
      const std::size_t copies =
          times.most == ltl::Times::unbounded ? times.least + std::size_t{1} : times.most;
      states = 1 + copies * of(operands[0]);
      break;
    }
    default:
      for (const ltl::Regex s : operands) states += of(s);
  }
  return std::min(states, most_repeats);
}

/// A formula on the first `length` letters, maybe with the last one repeated for ever.
class PlainEvaluation {
 public:
  PlainEvaluation(const Formulas& formulas, const Word& word, std::size_t length, bool loop)
      : formulas_(formulas), word_(word), length_(length), loop_(loop) {}

  [[nodiscard]] bool holds(Formula f) {
    collect(f);
    std::vector<std::uint8_t> now(parts_.size(), 0);
    std::vector<std::uint8_t> next;
    for (std::size_t i = 0; i < parts_.size(); ++i) now[i] = at_the_end(parts_[i], now) ? 1 : 0;
    for (std::size_t at = length_; at-- > 0;) {
      next = now;
      const bool last = at + 1 == length_;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        now[i] = holds_at(parts_[i], at, last, now, next) ? 1 : 0;
      }
      if (has_regex_) kept_[at] = now;
    }
    return now[number_.at(f)] != 0;
  }
  [[nodiscard]] bool has_regex() const { return has_regex_; }
  /// How often regular expressions have to see the last letter of a loop once more.
  [[nodiscard]] std::size_t repeats() const { return repeats_; }
  void collect(Formula f) {
    if (number_.contains(f)) return;
    for (const Formula operand : formulas_.operands(f)) collect(operand);
    if (formulas_.op(f) == Operator::Some || formulas_.op(f) == Operator::All) {
      has_regex_ = true;
      collect(formulas_.regex_of(f));
      if (loop_) repeats_ = std::max(repeats_, num_states(formulas_, formulas_.regex_of(f)));
    }
    number_.emplace(f, parts_.size());
    parts_.push_back(f);
  }

 private:
  void collect(ltl::Regex r) {
    if (formulas_.op(r) == ltl::RegexOperator::Condition) collect(formulas_.condition_of(r));
    for (const ltl::Regex s : formulas_.operands(r)) collect(s);
  }

  [[nodiscard]] bool of(Formula f, const std::vector<std::uint8_t>& truths) const {
    return truths[number_.at(f)] != 0;
  }
  /// Connectives are the same everywhere.
  [[nodiscard]] std::optional<bool> boolean(Formula f, const std::vector<std::uint8_t>& now) const {
    const auto operands = formulas_.operands(f);
    const auto truth = [&](Formula g) { return of(g, now); };
    switch (formulas_.op(f)) {
      case Operator::True:
        return true;
      case Operator::False:
        return false;
      case Operator::Not:
        return !truth(operands[0]);
      case Operator::And:
        return std::ranges::all_of(operands, truth);
      case Operator::Or:
        return std::ranges::any_of(operands, truth);
      default:
        return std::nullopt;
    }
  }
  /// On the empty rest.
  [[nodiscard]] bool at_the_end(Formula f, const std::vector<std::uint8_t>& now) const {
    if (const auto truth = boolean(f, now)) return *truth;
    switch (formulas_.op(f)) {
      case Operator::X:
      case Operator::G:
      case Operator::W:
      case Operator::R:
      case Operator::All:
        return true;
      default:
        return false;
    }
  }
  [[nodiscard]] bool holds_at(Formula f, std::size_t at, bool last,
                              const std::vector<std::uint8_t>& now,
                              const std::vector<std::uint8_t>& next) {
    if (const auto truth = boolean(f, now)) return *truth;
    const auto operands = formulas_.operands(f);
    const Operator op = formulas_.op(f);
    const bool right = !operands.empty() && of(operands.back(), now);
    const bool left = !operands.empty() && of(operands.front(), now);
    const bool forever = loop_ && last;  // what comes is what is
    switch (op) {
      case Operator::Atom:
        return word_[at][static_cast<std::size_t>(formulas_.atom_of(f))] != 0;
      case Operator::X:
        return forever ? right : last || of(operands[0], next);
      case Operator::StrongX:
        return forever ? right : !last && of(operands[0], next);
      case Operator::F:
        return right || (!last && of(f, next));
      case Operator::G:
        return right && (last || of(f, next));
      case Operator::U:
        return right || (left && !last && of(f, next));
      case Operator::W:
        return right || (left && (last || of(f, next)));
      case Operator::R:
        return right && (left || last || of(f, next));
      case Operator::M:
        return right && (left || (!last && of(f, next)));
      case Operator::Some:
      case Operator::All: {
        // Matches end at this position or later: what holds there is known, or is `now`.
        kept_[at] = now;
        bool some = false;
        bool all = true;
        for (std::size_t end = at + 1; end <= length_ + repeats_; ++end) {
          if (!matches(formulas_.regex_of(f), at, end)) continue;
          const bool there = of(operands.back(), kept(end - 1));
          some = some || there;
          all = all && there;
        }
        return op == Operator::Some ? some : all;
      }
      default:
        return false;
    }
  }
  /// The truths at a position; behind the end those of the last one, which is repeated.
  [[nodiscard]] const std::vector<std::uint8_t>& kept(std::size_t at) const {
    return kept_.at(std::min(at, length_ - 1));
  }
  /// Whether the positions [begin, end) match.
  [[nodiscard]] bool matches(ltl::Regex r, std::size_t begin, std::size_t end) {
    const auto key = std::make_tuple(r, begin, end);
    if (const auto known = matched_.find(key); known != matched_.end()) return known->second;
    const bool result = find_match(r, begin, end);
    matched_.emplace(key, result);
    return result;
  }
  [[nodiscard]] bool find_match(ltl::Regex r, std::size_t begin, std::size_t end) {
    const auto operands = formulas_.operands(r);
    switch (formulas_.op(r)) {
      case ltl::RegexOperator::None:
        return false;
      case ltl::RegexOperator::EmptyWord:
        return begin == end;
      case ltl::RegexOperator::Condition:
        return end == begin + 1 && of(formulas_.condition_of(r), kept(begin));
      case ltl::RegexOperator::Concat:
        for (std::size_t cut = begin; cut <= end; ++cut) {
          if (matches(operands[0], begin, cut) && matches(operands[1], cut, end)) return true;
        }
        return false;
      case ltl::RegexOperator::Fusion:
        for (std::size_t cut = begin; cut < end; ++cut) {
          if (matches(operands[0], begin, cut + 1) && matches(operands[1], cut, end)) return true;
        }
        return false;
      case ltl::RegexOperator::Union:
        return std::ranges::any_of(operands, [&](ltl::Regex s) { return matches(s, begin, end); });
      case ltl::RegexOperator::Intersection:
        return std::ranges::all_of(operands, [&](ltl::Regex s) { return matches(s, begin, end); });
      case ltl::RegexOperator::Repeat:
        return repeats(operands[0], formulas_.times_of(r), begin, end);
    }
    return false;
  }
  [[nodiscard]] bool repeats(ltl::Regex r, const ltl::Times& times, std::size_t begin,
                             std::size_t end) {
    // How many non-empty matches in a row can lead to each place; empty ones fill up the rest.
    const std::size_t length = end - begin;
    std::set<std::pair<std::size_t, std::size_t>> reached{{begin, 0}};
    std::vector<std::pair<std::size_t, std::size_t>> open{{begin, 0}};
    const std::size_t most = std::min<std::size_t>(times.most, length);
    while (!open.empty()) {
      const auto [at, count] = open.back();
      open.pop_back();
      if (at == end && (count >= times.least || formulas_.matches_empty_word(r))) return true;
      if (count >= most) continue;
      for (std::size_t to = at + 1; to <= end; ++to) {
        if (matches(r, at, to) && reached.emplace(to, count + 1).second) {
          open.emplace_back(to, count + 1);
        }
      }
    }
    return false;
  }

  const Formulas& formulas_;
  const Word& word_;
  std::size_t length_;
  bool loop_;
  bool has_regex_ = false;
  std::size_t repeats_ = 0;
  std::map<Formula, std::size_t> number_;
  std::vector<Formula> parts_;
  std::map<std::size_t, std::vector<std::uint8_t>> kept_;
  std::map<std::tuple<ltl::Regex, std::size_t, std::size_t>, bool> matched_;
};

/// The place that the evidence names is as it says.
void check_claim(const PlainTrace& trace, const Claim& claim, const PlainAtoms& atoms,
                 Judgement& judgement) {
  const auto object = [&](std::string text) { judgement.objections.push_back(std::move(text)); };
  const PlainRow& row = trace.rows[claim.position];
  if (claim.line && *claim.line != row.line) {
    object(fmt::format("position {} stands in line {}, not {}", claim.position, row.line,
                       *claim.line));
  }
  const auto check_value = [&](const std::string& name, const std::string& said) {
    std::string digits;
    const std::string right = to_string(atoms.now(name).value(digits));
    if (right != said) object(fmt::format("there {} is {}, not {}", name, right, said));
  };
  for (const auto& [name, said] : claim.values) check_value(name, said);
  if (claim.time) check_value("time", *claim.time);
}

/// Steps of an automaton on one letter, which says what its atoms are true of.
class PlainRun {
 public:
  PlainRun(const ltl::Automaton& automaton, std::vector<std::uint8_t> truth)
      : automaton_(automaton), truth_(std::move(truth)) {}

  [[nodiscard]] std::set<ltl::StateIndex> step(const std::set<ltl::StateIndex>& states) const {
    std::set<ltl::StateIndex> next;
    for (const ltl::StateIndex s : states) {
      for (const ltl::Edge& edge : automaton_.states[s].edges) {
        const auto truth = [&](ltl::Variable v) { return truth_[v] != 0; };
        if (automaton_.letters.evaluate(edge.letter, truth)) next.insert(edge.target);
      }
    }
    return next;
  }
  /// Whether from one of the states an accepting one can be visited again and again.
  [[nodiscard]] bool goes_round(std::set<ltl::StateIndex> states) const {
    for (const ltl::StateIndex s : reach(std::move(states))) {
      if (automaton_.states[s].accepting && reach(step({s})).contains(s)) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] std::set<ltl::StateIndex> reach(std::set<ltl::StateIndex> states) const {
    for (std::size_t before = 0; before != states.size();) {
      before = states.size();
      states.merge(step(states));
    }
    return states;
  }

  const ltl::Automaton& automaton_;
  std::vector<std::uint8_t> truth_;
};

[[nodiscard]] std::string first_message(const base::Diagnostics& found) {
  return found.sorted().front().message;
}

}  // namespace

Judgement judge_place(const PlainTrace& trace, const std::string& formula, const Claim& claim) {
  Judgement judgement;
  const auto object = [&](std::string text) { judgement.objections.push_back(std::move(text)); };
  if (claim.position >= trace.rows.size()) {
    object(fmt::format("the trace has no position {}", claim.position));
    return judgement;
  }
  const base::Source source = base::Source::from_text("formula", formula);
  base::Diagnostics found;
  Formulas formulas;
  PlainAtoms atoms{trace, found};
  const Expr tree = ltl::parse_formula(source, found);
  const Formula f =
      found.has_errors() ? formulas.constant(true) : ltl::lower(tree, formulas, atoms, found);
  if (found.has_errors()) {
    object("the formula has errors: " + first_message(found));
    return judgement;
  }
  Word word;
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    atoms.apply(trace.rows[i]);
    std::vector<std::uint8_t>& letter = word.emplace_back(atoms.size());
    for (std::size_t a = 0; a < atoms.size(); ++a) letter[a] = atoms.holds(a) ? 1 : 0;
    if (i == claim.position) check_claim(trace, claim, atoms, judgement);
  }
  PlainEvaluation trial{formulas, word, 0, claim.loop};
  trial.collect(f);
  if (trial.has_regex() && word.size() + trial.repeats() > longest_for_regexes) {
    object("the trace is too long to judge a regular expression on it");
    judgement.undecided = true;
    return judgement;
  }
  const auto holds = [&](std::size_t length) {
    return PlainEvaluation{formulas, word, length, claim.loop}.holds(f);
  };
  if (holds(word.size())) object("the trace satisfies the formula");
  if (holds(claim.position + 1)) {
    object(fmt::format("the trace up to position {} satisfies the formula", claim.position));
  }
  if (claim.waits && claim.position > 0 && !holds(claim.position)) {
    object(fmt::format("before position {} the formula fails as well", claim.position));
  }
  return judgement;
}

Judgement judge_place(const PlainTrace& trace, const monitor::MonitorFile& file,
                      const Claim& claim) {
  Judgement judgement;
  const auto object = [&](std::string text) { judgement.objections.push_back(std::move(text)); };
  if (claim.position >= trace.rows.size()) {
    object(fmt::format("the trace has no position {}", claim.position));
    return judgement;
  }
  const monitor::Monitor made = monitor::automaton_of(file, monitor::Trigger::OnAssignment);
  base::Diagnostics found;
  PlainAtoms atoms{trace, found};
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> names;
  for (const monitor::MonitorAtom& atom : made.atoms) {
    const bool compares = atom.kind == monitor::MonitorAtom::Kind::Comparison;
    numbers.push_back(compares ? atoms.number(*atom.expr) : 0);
    names.push_back(compares ? "" : variable_name(*atom.expr, found).value_or(""));
  }
  if (found.has_errors()) {
    object("the monitor has errors: " + first_message(found));
    return judgement;
  }
  std::set<ltl::StateIndex> states(made.automaton.initial.begin(), made.automaton.initial.end());
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    atoms.apply(trace.rows[i]);
    std::set<ltl::StateIndex> next;
    for (const ltl::StateIndex s : states) {
      for (const ltl::Edge& edge : made.automaton.states[s].edges) {
        const bool taken = made.automaton.letters.evaluate(edge.letter, [&](ltl::Variable v) {
          return names[v].empty() ? atoms.holds(numbers[v]) : atoms.assigns(names[v]);
        });
        if (taken) next.insert(edge.target);
      }
    }
    states = std::move(next);
    if (i == claim.position) check_claim(trace, claim, atoms, judgement);
  }
  const bool bad = std::ranges::any_of(
      states, [&](ltl::StateIndex s) { return made.automaton.states[s].accepting; });
  if (!bad) object("no run of the monitor ends in a bad state");
  return judgement;
}

Judgement judge_place(const PlainTrace& trace, const ltl::Automaton& automaton,
                      const Claim& claim) {
  Judgement judgement;
  const auto object = [&](std::string text) { judgement.objections.push_back(std::move(text)); };
  if (claim.position >= trace.rows.size()) {
    object(fmt::format("the trace has no position {}", claim.position));
    return judgement;
  }
  base::Diagnostics found;
  PlainAtoms atoms{trace, found};
  Formulas formulas;
  std::vector<Formula> conditions;
  for (const std::string& text : automaton.atoms) {
    const base::Source source = base::Source::from_text("atom", text);
    const Expr tree = ltl::parse_formula(source, found);
    if (!found.has_errors()) conditions.push_back(ltl::lower(tree, formulas, atoms, found));
    if (found.has_errors()) {
      object(fmt::format("atom '{}': {}", text, first_message(found)));
      return judgement;
    }
  }
  std::set<ltl::StateIndex> states(automaton.initial.begin(), automaton.initial.end());
  bool accepted = false;
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    atoms.apply(trace.rows[i]);
    Word letter(1, std::vector<std::uint8_t>(atoms.size()));
    for (std::size_t a = 0; a < atoms.size(); ++a) letter[0][a] = atoms.holds(a) ? 1 : 0;
    std::vector<std::uint8_t> truth;
    for (const Formula condition : conditions) {
      truth.push_back(PlainEvaluation{formulas, letter, 1, false}.holds(condition) ? 1 : 0);
    }
    const PlainRun run{automaton, std::move(truth)};
    states = run.step(states);
    if (i == claim.position) check_claim(trace, claim, atoms, judgement);
    accepted = claim.loop && i + 1 == trace.rows.size() && run.goes_round(states);
  }
  if (!claim.loop) {
    accepted = std::ranges::any_of(
        states, [&](ltl::StateIndex s) { return automaton.states[s].accepting; });
  }
  if (!accepted) object("no run of the automaton accepts the trace");
  return judgement;
}

}  // namespace cohort::trace::sequential
