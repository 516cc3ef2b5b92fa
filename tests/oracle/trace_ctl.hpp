// CTL on partial-order traces, slowly and obviously: every cut is listed, and every operator is the
// textbook fixpoint, round by round.  Knows nothing of Cohort's sources.
//
//   const TraceOracle oracle{trace};
//   const std::vector<bool> where = oracle.satisfying(formula);   // by cut
//   where[oracle.empty_cut()]
//
// Numbers are kept as halves, so that decimals take part: 3 is 1.5.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cohort::oracle {

using TraceValue = std::variant<int, std::string>;  ///< halves, or a string

struct TraceEvent {
  std::size_t process = 0;
  std::vector<std::pair<std::string, TraceValue>> assignments;
  std::vector<std::size_t> after;  ///< indices of earlier events
};

/// Events stand in an order that agrees with the partial order.
struct TraceText {
  std::size_t num_processes = 1;
  std::map<std::string, TraceValue> initial;
  std::vector<TraceEvent> events;

  /// In the native form.
  [[nodiscard]] std::string text() const;
};

struct TraceFormula {
  enum class Kind {
    True,
    False,
    Compare,  ///< name op value
    Sum,      ///< name + name2 op value
    Equal,    ///< name = name2
    Not,
    And,
    Or,
    Implies,
    Iff,
    EX,
    AX,
    EF,
    AF,
    EG,
    AG,
    EU,
    AU,
    EW,
    AW,
    ER,
    AR,
  };
  Kind kind = Kind::True;
  std::string name;
  std::string name2;
  std::string op;  ///< = != < <= > >=
  TraceValue value;
  std::vector<TraceFormula> args;

  [[nodiscard]] std::string text() const;
};

class TraceOracle {
 public:
  explicit TraceOracle(const TraceText& trace);

  /// A cut for each number: how many events of each process have happened.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& cuts() const { return cuts_; }
  [[nodiscard]] std::size_t empty_cut() const { return 0; }
  /// Which cuts satisfy the formula.
  [[nodiscard]] std::vector<bool> satisfying(const TraceFormula& formula) const;
  /// Two assignments to one variable with neither before the other.
  [[nodiscard]] bool has_unordered_writes(const std::string& name) const;

 private:
  using Set = std::vector<bool>;

  [[nodiscard]] bool atom(const TraceFormula& formula, std::size_t cut) const;
  [[nodiscard]] Set some_successor(const Set& set) const;
  [[nodiscard]] Set all_successors(const Set& set) const;

  const TraceText& trace_;
  std::vector<std::vector<bool>> below_;  ///< by event: the events before it, and itself
  std::vector<std::vector<bool>> members_;
  std::vector<std::vector<std::uint32_t>> cuts_;
  std::vector<std::vector<std::size_t>> successors_;
};

}  // namespace cohort::oracle
