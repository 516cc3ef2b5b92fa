// A system and an automaton, side by side: what the searches of online.hpp run on.
//
//   Compiled automaton{*buchi_automaton(formulas, formulas.negated(f), names)};
//   Product<System> product{system, automaton};
//   const auto found = find_accepting_cycle(product);      // a run that violates f
//
// A system is a graph that says which atoms are true, of states or of steps:
//
//   struct System {
//     using State = …;  using Step = …;
//     void initial(std::vector<State>& out);
//     void successors(const State& state, std::vector<Move<System>>& out);
//     void letter(const State& state, std::uint64_t* bits);                        // View::States
//     void letter(const State& from, const Step& step, std::uint64_t* bits);       // View::Actions
//   };
//
// View::States: position i of the word is the i-th state.  View::Actions: it is the i-th step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "monitor/automaton.hpp"
#include "monitor/online.hpp"

namespace cohort::monitor {

enum class View : std::uint8_t { States, Actions };

template <typename SystemState>
struct ProductState {
  SystemState system;
  /// Of the automaton; beyond its dead state: the same, before the first step (View::Actions).
  StateIndex automaton = 0;

  friend bool operator==(const ProductState&, const ProductState&) = default;
};

/// What becomes of a run that the automaton cannot follow: it is dropped, or goes on in the
/// automaton's dead state, so that all states of the system are seen.
enum class Stuck : std::uint8_t { Dropped, Stays };

/// Accepting where the automaton is; with View::Actions not before the first step, so that of
/// finite computations only non-empty ones count.
template <typename System, View view = View::States>
class Product {
 public:
  using State = ProductState<typename System::State>;
  using Step = typename System::Step;

  /// Keeps references to both, which must outlive this object.
  Product(System& system, const Compiled& automaton, Stuck stuck = Stuck::Dropped)
      : system_(system),
        automaton_(automaton),
        stays_(stuck == Stuck::Stays),
        bits_(num_words(automaton.num_atoms()), 0) {}

  void initial(std::vector<State>& out) {
    std::vector<typename System::State> starts;
    system_.initial(starts);
    for (const typename System::State& start : starts) {
      if constexpr (view == View::Actions) {
        for (const StateIndex q : automaton_.initial()) out.push_back({start, q + before()});
      } else {
        read(start);
        for (const StateIndex q : automaton_.initial()) add_next(q, start, out);
      }
      if (stays_ && automaton_.initial().empty()) out.push_back({start, automaton_.dead()});
    }
  }

  void successors(const State& state, std::vector<Move<Product>>& out) {
    moves_.clear();
    system_.successors(state.system, moves_);
    const bool started = state.automaton < before();
    const StateIndex from = started ? state.automaton : state.automaton - before();
    for (const Move<System>& move : moves_) {
      if constexpr (view == View::Actions) {
        clear();
        system_.letter(state.system, move.step, bits_.data());
      } else {
        read(move.state);
      }
      const std::span<const StateIndex> next = automaton_.next(from, bits_.data());
      for (const StateIndex q : next) out.push_back({move.step, {move.state, q}});
      if (stays_ && next.empty()) out.push_back({move.step, {move.state, automaton_.dead()}});
    }
  }

  [[nodiscard]] bool accepting(const State& state) const {
    return state.automaton < before() && automaton_.accepting(state.automaton);
  }

 private:
  [[nodiscard]] StateIndex before() const { return automaton_.dead() + 1; }
  void clear() { std::fill(bits_.begin(), bits_.end(), 0); }
  void read(const typename System::State& state) {
    clear();
    system_.letter(state, bits_.data());
  }
  void add_next(StateIndex q, const typename System::State& state, std::vector<State>& out) {
    const std::span<const StateIndex> all = automaton_.next(q, bits_.data());
    for (const StateIndex next : all) out.push_back({state, next});
    if (stays_ && all.empty()) out.push_back({state, automaton_.dead()});
  }

  System& system_;
  const Compiled& automaton_;
  bool stays_;
  std::vector<std::uint64_t> bits_;
  std::vector<Move<System>> moves_;
};

}  // namespace cohort::monitor

template <typename SystemState>
struct std::hash<cohort::monitor::ProductState<SystemState>> {
  std::size_t operator()(const cohort::monitor::ProductState<SystemState>& state) const {
    const std::size_t h = std::hash<SystemState>{}(state.system);
    return (h ^ (h >> 29U)) * 0x9E3779B97F4A7C15ULL + state.automaton;
  }
};
