// Reading automata in the HOA format, as other tools write them.
//
// A hand-written reader: the format is one of items, and its labels are the only expressions. Marks
// of edges, and several acceptance sets, become accepting states by with_accepting_states().
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "base/parse_state.hpp"
#include "base/utf8.hpp"
#include "ltl/generalized.hpp"
#include "monitor/hoa.hpp"

namespace cohort::monitor {
namespace {

using base::Diagnostics;
using base::Span;
using ltl::Automaton;
using ltl::Decision;
using ltl::Decisions;

enum class Kind : std::uint8_t {
  End,
  Header,  // `States:`; the text is without the colon
  Word,    // `Inf`, `trans-labels`
  Alias,   // `@a`
  Integer,
  String,
  Sign,     // one of ! & | ( ) [ ] { }
  Section,  // `--BODY--`, `--END--`, `--ABORT--`
  Bad,
};

struct Token {
  Kind kind = Kind::End;
  Span where;
  std::string_view text;
};

[[nodiscard]] bool is_digit(char c) { return '0' <= c && c <= '9'; }
[[nodiscard]] bool is_letter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
}

class Scanner {
 public:
  Scanner(const base::Source& source, Diagnostics& diagnostics)
      : text_(source.text()), diagnostics_(diagnostics) {}

  [[nodiscard]] Token next() {
    skip();
    const std::size_t begin = at_;
    if (at_ >= text_.size()) return token(Kind::End, begin, begin);
    const char c = text_[at_];
    if (is_digit(c)) return token(Kind::Integer, begin, end_of(begin, is_digit));
    if (is_letter(c) || c == '@') return word();
    if (c == '"') return string();
    if (text_.substr(at_, 2) == "--") {
      std::size_t end = end_of(begin + 2, is_letter);
      if (text_.substr(end, 2) == "--") return token(Kind::Section, begin, end + 2);
    }
    if (std::string_view("!&|()[]{}").find(c) != std::string_view::npos) {
      return token(Kind::Sign, begin, begin + 1);
    }
    const std::size_t length = std::max<std::size_t>(base::utf8_length(text_, begin), 1);
    const Token bad = token(Kind::Bad, begin, begin + length);
    diagnostics_.error(bad.where, "unexpected character in an automaton");
    return bad;
  }

 private:
  [[nodiscard]] static bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '-'; }

  template <typename Predicate>
  [[nodiscard]] std::size_t end_of(std::size_t from, const Predicate& inside) const {
    while (from < text_.size() && inside(text_[from])) ++from;
    return from;
  }

  [[nodiscard]] Token word() {
    const std::size_t begin = at_;
    const bool alias = text_[begin] == '@';
    const std::size_t end = end_of(begin + 1, in_word);
    if (!alias && end < text_.size() && text_[end] == ':') {
      Token made = token(Kind::Header, begin, end + 1);
      made.text.remove_suffix(1);
      return made;
    }
    return token(alias ? Kind::Alias : Kind::Word, begin, end);
  }

  [[nodiscard]] Token string() {
    const std::size_t begin = at_;
    std::size_t end = begin + 1;
    while (end < text_.size() && text_[end] != '"')
      end += text_[end] == '\\' ? std::size_t{2} : std::size_t{1};
    if (end >= text_.size()) {
      const Token bad = token(Kind::Bad, begin, text_.size());
      diagnostics_.error({bad.where.begin, bad.where.begin + 1}, "the string is not closed");
      return bad;
    }
    return token(Kind::String, begin, end + 1);
  }

  void skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++at_;
      } else if (text_.substr(at_, 2) == "/*") {
        comment();
      } else {
        return;
      }
    }
  }

  /// Comments nest.
  void comment() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    do {
      const std::string_view two = text_.substr(at_, 2);
      if (two == "/*") ++depth;
      if (two == "*/") --depth;
      at_ += two == "/*" || two == "*/" ? std::size_t{2} : std::size_t{1};
    } while (depth > 0 && at_ < text_.size());
    if (depth > 0) {
      diagnostics_.error({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 2)},
                         "the comment is not closed");
    }
  }

  [[nodiscard]] Token token(Kind kind, std::size_t begin, std::size_t end) {
    at_ = end;
    return {kind,
            {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
            text_.substr(begin, end - begin)};
  }

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
};

/// Thrown inside the reader when going on makes no sense; the finding has been reported.
struct Stop {};

class Reader {
 public:
  Reader(const base::Source& source, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), scanner_(source, diagnostics) {}

  [[nodiscard]] std::optional<Automaton> run() {
    try {
      advance();
      header();
      body();
    } catch (const Stop&) {
      return std::nullopt;
    }
    if (diagnostics_.has_errors()) return std::nullopt;
    return finish();
  }

 private:
  static constexpr std::uint64_t most_states = 1'000'000;
  static constexpr std::uint64_t most_atoms = 10'000;
  static constexpr std::size_t most_implicit_atoms = 20;
  static constexpr std::size_t deepest = base::deepest_nesting;

  struct StateOf {
    bool defined = false;
    Decision label = Decision::False;
    bool has_label = false;
    ltl::Marks marks;
    std::uint64_t num_implicit = 0;
    Span where;
  };

  // -------------------------------------------------------------------------------------------------
  // Tokens

  void advance() {
    token_ = scanner_.next();
    if (token_.kind == Kind::Bad) throw Stop{};
  }
  [[nodiscard]] bool at_sign(char c) const {
    return token_.kind == Kind::Sign && token_.text.front() == c;
  }
  [[noreturn]] void fail(Span where, std::string message, std::string hint = {}) {
    diagnostics_.error(where, std::move(message), std::move(hint));
    throw Stop{};
  }
  [[noreturn]] void expected(std::string_view what) {
    const std::string found =
        token_.kind == Kind::End ? "the end of the input" : fmt::format("'{}'", token_.text);
    fail(token_.where, fmt::format("expected {} but found {}", what, found));
  }
  void take_sign(char c) {
    if (!at_sign(c)) expected(fmt::format("'{}'", c));
    advance();
  }
  [[nodiscard]] std::uint64_t integer(std::uint64_t most, std::string_view what) {
    if (token_.kind != Kind::Integer) expected(what);
    std::uint64_t value = 0;
    const char* const end = token_.text.data() + token_.text.size();
    const bool fits = std::from_chars(token_.text.data(), end, value).ec == std::errc{};
    if (!fits || value > most) {
      fail(token_.where, fmt::format("{} is too large: at most {}", what, most));
    }
    advance();
    return value;
  }
  [[nodiscard]] static std::string unquoted(std::string_view text) {
    std::string value;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
      if (text[i] == '\\' && i + 2 < text.size()) ++i;
      value += text[i];
    }
    return value;
  }

  // -------------------------------------------------------------------------------------------------
  // Header

  void header() {
    if (token_.kind != Kind::Header || token_.text != "HOA") expected("'HOA: v1'");
    advance();
    if (token_.text != "v1") fail(token_.where, "only version v1 of the HOA format is read");
    advance();
    while (token_.kind != Kind::Section) {
      if (token_.kind != Kind::Header) expected("a header or '--BODY--'");
      item();
    }
    if (token_.text != "--BODY--") expected("'--BODY--'");
    if (!seen_.contains("Acceptance")) {
      fail(token_.where, "the header 'Acceptance:' is missing");
    }
    advance();
  }

  void item() {
    const Token name = token_;
    advance();
    const bool repeatable = name.text == "Start" || name.text == "Alias" ||
                            name.text == "properties" || !is_known(name.text);
    if (!seen_.insert(std::string(name.text)).second && !repeatable) {
      fail(name.where, fmt::format("a second header '{}:'", name.text));
    }
    if (name.text == "States") {
      num_states_ = integer(most_states, "a number of states");
      states_.resize(num_states_);
      made_.states.resize(num_states_);
    } else if (name.text == "Start") {
      starts_.emplace_back(integer(most_states, "a state"), name.where);
      if (at_sign('&')) refuse_alternation();
    } else if (name.text == "AP") {
      atoms();
    } else if (name.text == "Alias") {
      alias();
    } else if (name.text == "Acceptance") {
      acceptance();
    } else if (name.text == "properties") {
      properties();
    } else if (name.text == "name") {
      if (token_.kind != Kind::String) expected("a string");
      name_ = unquoted(token_.text);
      advance();
    } else if (!is_known(name.text) && 'A' <= name.text.front() && name.text.front() <= 'Z') {
      // The format: an unknown header with a capital changes the meaning.
      fail(name.where, fmt::format("the header '{}:' is not supported", name.text));
    } else {
      while (token_.kind != Kind::Header && token_.kind != Kind::Section &&
             token_.kind != Kind::End) {
        advance();
      }
    }
  }

  [[nodiscard]] static bool is_known(std::string_view name) {
    static const std::set<std::string_view> known{"HOA",   "States",     "Start", "AP",
                                                  "Alias", "Acceptance", "name",  "properties",
                                                  "tool",  "acc-name"};
    return known.contains(name);
  }

  [[noreturn]] void refuse_alternation() {
    fail(token_.where, "alternating automata are not supported", "make it nondeterministic first");
  }

  void atoms() {
    const std::uint64_t count = integer(most_atoms, "a number of atoms");
    for (std::uint64_t i = 0; i < count; ++i) {
      if (token_.kind != Kind::String) expected("the name of an atom, a string");
      atoms_.push_back(unquoted(token_.text));
      advance();
    }
  }

  void alias() {
    if (token_.kind != Kind::Alias) expected("a name that begins with '@'");
    const std::string name(token_.text);
    if (aliases_.contains(name)) fail(token_.where, fmt::format("a second alias '{}'", name));
    advance();
    aliases_.emplace(name, label(0));
  }

  void properties() {
    while (token_.kind == Kind::Word) {
      if (token_.text == "finite-words") finite_ = true;
      if (token_.text == "univ-branch") refuse_alternation();
      advance();
    }
  }

  /// A conjunction of `Inf(k)`, `t`, or `f`.
  void acceptance() {
    num_sets_ = integer(ltl::most_marks, "a number of acceptance sets");
    conjunction(0);
    if (at_sign('|')) {
      fail(token_.where, "a disjunction of acceptance sets is not supported",
           "only Büchi and generalized Büchi acceptance is");
    }
  }

  void conjunction(std::size_t depth) {
    condition(depth);
    while (at_sign('&')) {
      advance();
      condition(depth);
    }
  }

  void condition(std::size_t depth) {
    if (depth > deepest) fail(token_.where, "nested too deeply");
    if (at_sign('(')) {
      advance();
      conjunction(depth + 1);
      if (at_sign('|')) {
        fail(token_.where, "a disjunction of acceptance sets is not supported",
             "only Büchi and generalized Büchi acceptance is");
      }
      take_sign(')');
      return;
    }
    if (token_.kind != Kind::Word) expected("an acceptance condition");
    if (token_.text == "Fin") {
      fail(token_.where, "acceptance with Fin is not supported",
           "only Büchi and generalized Büchi acceptance is");
    }
    if (token_.text == "t" || token_.text == "f") {
      if (token_.text == "f") nothing_accepted_ = true;
      advance();
      return;
    }
    if (token_.text != "Inf") expected("'Inf', 't' or 'f'");
    advance();
    take_sign('(');
    if (at_sign('!')) fail(token_.where, "a complemented acceptance set is not supported");
    const Span where = token_.where;
    const std::uint64_t set = integer(ltl::most_marks, "an acceptance set");
    if (set >= num_sets_) fail(where, fmt::format("there is no acceptance set {}", set));
    asked_.set(set);
    take_sign(')');
  }

  // -------------------------------------------------------------------------------------------------
  // Labels

  /// Recurses at brackets and `!` only, `depth` times.
  [[nodiscard]] Decision label(std::size_t depth) {
    Decision any = product(depth);
    while (at_sign('|')) {
      advance();
      any = made_.letters.disjunction(any, product(depth));
    }
    return any;
  }

  [[nodiscard]] Decision product(std::size_t depth) {
    Decision all = literal(depth);
    while (at_sign('&')) {
      advance();
      all = made_.letters.conjunction(all, literal(depth));
    }
    return all;
  }

  [[nodiscard]] Decision literal(std::size_t depth) {
    if (depth > deepest) fail(token_.where, "nested too deeply");
    if (at_sign('!')) {
      advance();
      return made_.letters.negation(literal(depth + 1));
    }
    if (at_sign('(')) {
      advance();
      const Decision inner = label(depth + 1);
      take_sign(')');
      return inner;
    }
    if (token_.kind == Kind::Word && (token_.text == "t" || token_.text == "f")) {
      const bool value = token_.text == "t";
      advance();
      return made_.letters.constant(value);
    }
    if (token_.kind == Kind::Alias) {
      const auto known = aliases_.find(std::string(token_.text));
      if (known == aliases_.end()) {
        fail(token_.where, fmt::format("unknown alias '{}'", token_.text));
      }
      advance();
      return known->second;
    }
    const Span where = token_.where;
    const std::uint64_t atom = integer(most_atoms, "an atom's number");
    if (seen_.contains("AP") && atom >= atoms_.size()) {
      fail(where, fmt::format("there is no atom {}", atom));
    }
    if (!seen_.contains("AP")) most_atom_ = std::max(most_atom_, atom + 1);
    return made_.letters.variable(static_cast<ltl::Variable>(atom));
  }

  // -------------------------------------------------------------------------------------------------
  // Body

  void body() {
    while (token_.kind == Kind::Header && token_.text == "State") state();
    if (token_.kind != Kind::Section) expected("'State:' or '--END--'");
    if (token_.text == "--ABORT--") fail(token_.where, "the automaton was not finished");
    if (token_.text != "--END--") expected("'--END--'");
    advance();
    if (token_.kind != Kind::End) {
      fail(token_.where, "something follows the automaton", "a file holds one automaton");
    }
  }

  [[nodiscard]] ltl::Marks marks() {
    ltl::Marks found;
    if (!at_sign('{')) return found;
    advance();
    while (!at_sign('}')) {
      const Span where = token_.where;
      const std::uint64_t set = integer(ltl::most_marks, "an acceptance set or '}'");
      if (set >= num_sets_) fail(where, fmt::format("there is no acceptance set {}", set));
      found.set(set);
    }
    advance();
    return found;
  }

  [[nodiscard]] std::uint64_t state_number() {
    const Span where = token_.where;
    const std::uint64_t number = integer(most_states, "a state");
    if (at_sign('&')) refuse_alternation();
    if (seen_.contains("States") && number >= num_states_) {
      fail(where, fmt::format("there is no state {}", number));
    }
    if (number >= states_.size()) {
      states_.resize(number + 1);
      made_.states.resize(number + 1);
    }
    if (!states_[number].defined && states_[number].where == Span{}) states_[number].where = where;
    return number;
  }

  [[nodiscard]] Decision bracketed_label() {
    take_sign('[');
    const Decision found = label(0);
    take_sign(']');
    return found;
  }

  void state() {
    advance();
    StateOf current;
    if (at_sign('[')) {
      current.has_label = true;
      current.label = bracketed_label();
    }
    const Span where = token_.where;
    const std::uint64_t number = state_number();
    if (states_[number].defined) fail(where, fmt::format("state {} is given twice", number));
    if (token_.kind == Kind::String) advance();
    current.marks = marks();
    current.defined = true;
    current.where = where;
    states_[number] = current;
    while (at_sign('[') || token_.kind == Kind::Integer) edge(number);
    const StateOf& done = states_[number];
    const std::uint64_t wanted = std::uint64_t{1} << std::min<std::size_t>(atoms_.size(), 63);
    if (done.num_implicit > 0 && done.num_implicit != wanted) {
      fail(where, fmt::format("state {} has {} edges without labels; {} atoms need {}", number,
                              done.num_implicit, atoms_.size(), wanted));
    }
  }

  void edge(std::uint64_t from) {
    StateOf& source = states_[from];
    const Span where = token_.where;
    Decision letter = source.label;
    if (at_sign('[')) {
      if (source.has_label) fail(where, "the state has a label, so its edges cannot have one");
      letter = bracketed_label();
    } else if (!source.has_label) {
      if (atoms_.size() > most_implicit_atoms) fail(where, "an edge without a label");
      letter = implicit_label(source.num_implicit++);
    }
    const std::uint64_t to = state_number();
    const ltl::Marks found = marks() | states_[from].marks;
    if (letter == Decision::False) return;
    made_.states[from].push_back({letter, found, static_cast<ltl::StateIndex>(to)});
  }

  /// The n-th edge without a label is for the n-th letter, atom 0 being the lowest bit.
  [[nodiscard]] Decision implicit_label(std::uint64_t number) {
    ltl::Cube cube;
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      cube.push_back({static_cast<ltl::Variable>(i), ((number >> i) & 1U) != 0});
    }
    return made_.letters.cube(cube);
  }

  // -------------------------------------------------------------------------------------------------
  // The automaton

  [[nodiscard]] std::optional<Automaton> finish() {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_[i].defined || seen_.contains("States")) continue;
      diagnostics_.error(states_[i].where, fmt::format("state {} is used but not given", i));
    }
    for (const auto& [start, where] : starts_) {
      if (start >= states_.size()) {
        diagnostics_.error(where, fmt::format("there is no state {}", start));
      }
    }
    if (diagnostics_.has_errors()) return std::nullopt;
    if (seen_.contains("AP") && most_atom_ > atoms_.size()) {
      diagnostics_.error({}, fmt::format("there is no atom {}", most_atom_ - 1));
      return std::nullopt;
    }
    for (std::size_t i = atoms_.size(); i < most_atom_; ++i)
      atoms_.push_back(fmt::format("p{}", i));
    for (const auto& [start, where] : starts_) {
      made_.initial.push_back(static_cast<ltl::StateIndex>(start));
    }
    std::ranges::sort(made_.initial);
    made_.initial.erase(std::unique(made_.initial.begin(), made_.initial.end()),
                        made_.initial.end());
    if (nothing_accepted_) made_.initial.clear();
    std::optional<Automaton> automaton = finite_ ? finite_words() : infinite_words();
    if (automaton) automaton->name = name_;
    return automaton;
  }

  /// The sets that the condition asks for, numbered from 0.
  void renumber_marks() {
    for (std::vector<ltl::MarkedEdge>& edges : made_.states) {
      for (ltl::MarkedEdge& edge : edges) {
        ltl::Marks kept;
        std::size_t next = 0;
        for (std::size_t m = 0; m < num_sets_; ++m) {
          if (asked_.test(m)) kept.set(next++, edge.marks.test(m));
        }
        edge.marks = kept;
      }
    }
    made_.num_marks = asked_.count();
  }

  /// State-based acceptance stays as it is, so that a file comes back as it was written.
  [[nodiscard]] std::optional<Automaton> as_it_stands() {
    Automaton automaton;
    automaton.acceptance = finite_ ? ltl::Acceptance::Finite : ltl::Acceptance::Buchi;
    automaton.atoms = atoms_;
    automaton.initial = made_.initial;
    automaton.letters = made_.letters;
    automaton.states.resize(made_.states.size());
    for (ltl::StateIndex s = 0; s < made_.states.size(); ++s) {
      const ltl::Marks own = states_[s].marks & asked_;
      for (const ltl::MarkedEdge& edge : made_.states[s]) {
        if ((edge.marks & asked_) != own) return std::nullopt;
        automaton.add_edge(s, edge.letter, edge.target);
      }
      automaton.states[s].accepting = own == asked_;
    }
    return automaton;
  }

  [[nodiscard]] std::optional<Automaton> finite_words() {
    std::optional<Automaton> automaton = as_it_stands();
    if (automaton) return automaton;
    diagnostics_.error({}, "finite words need acceptance of states, not of edges");
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Automaton> infinite_words() {
    if (asked_.count() <= 1) {
      std::optional<Automaton> automaton = as_it_stands();
      if (automaton) return automaton;
    }
    renumber_marks();
    return ltl::with_accepting_states(made_, 0, atoms_);
  }

  Diagnostics& diagnostics_;
  Scanner scanner_;
  Token token_;
  std::set<std::string, std::less<>> seen_;  // headers
  std::uint64_t num_states_ = 0;
  std::vector<std::pair<std::uint64_t, Span>> starts_;
  std::vector<std::string> atoms_;
  std::uint64_t most_atom_ = 0;
  std::map<std::string, Decision> aliases_;
  std::uint64_t num_sets_ = 0;
  ltl::Marks asked_;  // the sets of the acceptance condition
  bool nothing_accepted_ = false;
  bool finite_ = false;
  std::string name_;
  std::vector<StateOf> states_;
  ltl::Generalized made_;
};

}  // namespace

std::optional<Automaton> read_hoa(const base::Source& source, Diagnostics& diagnostics) {
  return Reader(source, diagnostics).run();
}

bool looks_like_hoa(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with("/*")) return text.starts_with("HOA:");
    const std::size_t end = text.find("*/", 2);
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 2);
  }
}

}  // namespace cohort::monitor
