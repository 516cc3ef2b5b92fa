// Initial states up to symmetry.
//
// Idea.  The initial states are a product: each variable instance chooses on its own.  So all of
// them are reached from one by changing a choice at a time.  Processes that start with the same
// choices, and that nothing tracked tells apart, can be exchanged: the change maps to a change.  So
// going from one state of each orbit to its changed ones, and on from those whose orbit is new,
// meets every orbit; thirty clients that each start in two ways are thirty-one.
//
// A change is tried for one of the processes that can be exchanged in the state.  A number goes up
// by one step at a time, so that a range of a million values costs a million steps and not their
// square; a process-valued choice goes to each of its values, for their order means nothing.
#include "quotient/initial_orbits.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace cohort::quotient {
namespace {

using model::Word;

/// What the program's initial values say about each process, as a number.  Exchanging two processes
/// of a module with the same number maps initial states to initial states.
class InitialLooks {
 public:
  explicit InitialLooks(const model::Program& program)
      : program_(program), source_(program.source()), entries_(program.num_processes()) {
    for (std::uint32_t v = 0; v < source_.variables.size(); ++v) {
      add_values(source_.variables[v], {Value{0}, Value{v}}, source_.variables[v].initial);
    }
    for (std::size_t i = 0; i < source_.inits.size(); ++i) add(source_.inits[i], i);
  }

  /// Numbers processes by these and by `marks`.
  [[nodiscard]] std::vector<std::size_t> numbers(const std::vector<std::uint32_t>& marks) const {
    std::map<std::pair<std::uint32_t, std::vector<Entry>>, std::size_t> known;
    std::vector<std::size_t> made;
    for (std::size_t p = 0; p < entries_.size(); ++p) {
      made.push_back(known.emplace(std::pair{marks[p], entries_[p]}, known.size()).first->second);
    }
    return made;
  }

 private:
  using Entry = std::vector<Value>;

  /// Of a variable that holds a process: which processes it may hold.
  void add_values(const lang::Variable& variable, const Entry& entry,
                  const std::vector<lang::Interval>& values) {
    if (!variable.type.is_process()) return;
    const std::size_t first = program_.process_number(variable.type.module, 0);
    for (Value p = 0; p < source_[variable.type.module].size; ++p) {
      const bool may = std::ranges::any_of(
          values, [&](const lang::Interval& interval) { return interval.contains(p); });
      if (may) entries_[first + static_cast<std::size_t>(p)].push_back(entry);
    }
  }

  void add(const lang::Init& init, std::size_t number) {
    const lang::Variable& variable = source_[init.variable];
    add_values(variable, {Value{1}, static_cast<Value>(number)}, init.initial);
    std::vector<std::size_t> processes;
    Entry entry{Value{2}, static_cast<Value>(base::index_of(init.variable))};
    for (std::size_t d = 0; d < variable.dimensions.size(); ++d) {
      const auto& module = variable.dimensions[d].module;
      const Value subscript = init.subscripts[d];
      const bool moves = module && source_[*module].size > 1;
      if (moves) processes.push_back(program_.process_number(*module, subscript));
      entry.push_back(moves ? -1 : subscript);
    }
    if (processes.size() == 1) {
      for (const lang::Interval& interval : init.initial) {
        entry.push_back(interval.first);
        entry.push_back(interval.last);
      }
      entries_[processes.front()].push_back(std::move(entry));
      return;
    }
    // Processes that are named together stay as they are.
    for (const std::size_t p : processes) entries_[p].push_back({Value{3}, static_cast<Value>(p)});
  }

  const model::Program& program_;
  const lang::Program& source_;
  std::vector<std::vector<Entry>> entries_;  // by process
};

class InitialOrbits final : public InitialSource {
 public:
  InitialOrbits(Graph& graph, const std::vector<std::size_t>& numbers)
      : graph_(graph),
        program_(graph.program()),
        first_(program_),
        tried_(program_.layout().num_words()) {
    for (const std::size_t number : numbers) {
      colouring_.initial.push_back(static_cast<Colour>(number));
    }
    space_ = graph.space({{}, true}, colouring_);
    for (const model::InitialStates::Choice& choice : first_.choices()) add_choice(choice);
    words_.assign(first_.words(), first_.words() + program_.layout().num_words());
    meet();
  }

  [[nodiscard]] const Word* next() override {
    if (at_ == num_states()) return nullptr;
    // Its changed ones first: they may move what is remembered.
    expand(at_);
    return found_.data() + at_++ * words_.size();
  }

 private:
  struct Choice {
    std::size_t instance = 0;
    const std::vector<lang::Interval>* values = nullptr;
    std::vector<std::size_t> processes;  ///< of the subscripts, among all
    bool holds_process = false;
    std::size_t first_held = 0;  ///< the first process of the module, among all
  };

  [[nodiscard]] std::size_t num_states() const { return found_.size() / words_.size(); }

  void add_choice(const model::InitialStates::Choice& choice) {
    Choice made;
    made.instance = choice.instance;
    made.values = choice.values;
    const lang::Variable& variable =
        program_.source()[program_.instances().variable_of(choice.instance)];
    const std::vector<Value> subscripts = program_.instances().subscripts(choice.instance);
    for (std::size_t d = 0; d < subscripts.size(); ++d) {
      const auto& module = variable.dimensions[d].module;
      if (module) made.processes.push_back(program_.process_number(*module, subscripts[d]));
    }
    made.holds_process = variable.type.is_process();
    if (made.holds_process) made.first_held = program_.process_number(variable.type.module, 0);
    choices_.push_back(std::move(made));
  }

  [[nodiscard]] Position position_of_words() {
    at_graph_ = graph_.add(words_.data());
    Position position{at_graph_.state, {}, colouring_.initial};
    for (std::size_t p = 0; p < at_graph_.to_real.size(); ++p) {
      position.colours[p] = colouring_.initial[at_graph_.to_real[p]];
    }
    return position;
  }

  /// Keeps the state in words_ if its orbit is new.
  void meet() {
    // The same state often comes from several others, and finding its orbit is what takes time.
    if (!tried_.insert(words_.data()).is_new) return;
    const std::size_t before = space_->num_nodes();
    (void)space_->enter(position_of_words());
    if (space_->num_nodes() > before) found_.insert(found_.end(), words_.begin(), words_.end());
  }

  /// Which processes of the state in words_ can be exchanged, and how many of its kind come before
  /// each.
  void find_kinds() {
    const Position position = position_of_words();
    const std::vector<std::uint32_t>& classes = graph_.classes(position.state);
    std::map<std::pair<std::uint32_t, Colour>, std::size_t> known;
    kinds_.resize(classes.size());
    for (std::size_t p = 0; p < classes.size(); ++p) {
      kinds_[at_graph_.to_real[p]] =
          known.emplace(std::pair{classes[p], position.colours[p]}, known.size()).first->second;
    }
    std::vector<std::size_t> counts(known.size(), 0);
    before_.resize(kinds_.size());
    for (std::size_t p = 0; p < kinds_.size(); ++p) before_[p] = counts[kinds_[p]]++;
  }

  /// Whether of all that an exchange maps these processes to they are the first: those of one kind
  /// are taken in their order.
  [[nodiscard]] bool are_first(const std::vector<std::size_t>& processes) const {
    for (std::size_t i = 0; i < processes.size(); ++i) {
      std::size_t taken = 0;
      bool repeated = false;
      for (std::size_t j = 0; j < i && !repeated; ++j) {
        repeated = processes[j] == processes[i];
        const auto end = processes.begin() + static_cast<std::ptrdiff_t>(j);
        const bool is_new = std::find(processes.begin(), end, processes[j]) == end;
        if (is_new && kinds_[processes[j]] == kinds_[processes[i]]) ++taken;
      }
      if (!repeated && before_[processes[i]] != taken) return false;
    }
    return true;
  }

  void expand(std::size_t number) {
    const auto begin = found_.begin() + static_cast<std::ptrdiff_t>(number * words_.size());
    std::copy_n(begin, words_.size(), words_.begin());
    find_kinds();
    for (const Choice& choice : choices_) {
      if (!are_first(choice.processes)) continue;
      const Value now = program_.layout().get(words_.data(), choice.instance);
      if (choice.holds_process) {
        change_process(choice, now);
      } else if (const std::optional<Value> value = value_after(*choice.values, now)) {
        change(choice, *value, now);
      }
    }
  }

  void change(const Choice& choice, Value value, Value now) {
    program_.layout().set(words_.data(), choice.instance, value);
    meet();
    program_.layout().set(words_.data(), choice.instance, now);
  }

  void change_process(const Choice& choice, Value now) {
    std::vector<std::size_t> processes = choice.processes;
    processes.push_back(0);
    for (const lang::Interval& interval : *choice.values) {
      for (Value value = interval.first; value <= interval.last; ++value) {
        if (value == now) continue;
        if (value != lang::none_value) {
          processes.back() = choice.first_held + static_cast<std::size_t>(value);
          if (!are_first(processes)) continue;
        }
        change(choice, value, now);
      }
    }
  }

  [[nodiscard]] static std::optional<Value> value_after(const std::vector<lang::Interval>& values,
                                                        Value now) {
    for (const lang::Interval& interval : values) {
      if (now < interval.first) return interval.first;
      if (now < interval.last) return now + 1;
    }
    return std::nullopt;
  }

  Graph& graph_;
  const model::Program& program_;
  model::InitialStates first_;
  Colouring colouring_;
  std::unique_ptr<Space> space_;
  std::vector<Choice> choices_;
  model::Store tried_;
  std::vector<Word> found_;  // real states, one after the other
  std::size_t at_ = 0;       // the next one to be handed out
  std::vector<Word> words_;
  InitialState at_graph_;
  // Of the state in words_ when its choices are changed; by process.
  std::vector<std::size_t> kinds_;
  std::vector<std::size_t> before_;
};

}  // namespace

std::unique_ptr<InitialSource> make_initial_orbits(Graph& graph,
                                                   const std::vector<std::uint32_t>& marks) {
  if (model::InitialStates(graph.program()).choices().empty()) return nullptr;
  const std::vector<std::size_t> numbers = InitialLooks(graph.program()).numbers(marks);
  if (std::ranges::any_of(numbers, [](std::size_t number) {
        return number > std::numeric_limits<Colour>::max();
      })) {
    return nullptr;
  }
  return std::make_unique<InitialOrbits>(graph, numbers);
}

}  // namespace cohort::quotient
