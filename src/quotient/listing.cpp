#include "quotient/listing.hpp"

#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include "quotient/guarded.hpp"
#include "symmetry/apply.hpp"
#include "symmetry/canonical.hpp"

namespace cohort::quotient {
namespace {

/// Counts the states of an orbit.
class Orbits {
 public:
  explicit Orbits(const model::Program& program) : program_(program), canonical_(program) {}

  [[nodiscard]] std::optional<double> size(const model::Word* words,
                                           const std::vector<model::Value>& values) {
    return canonical_.sorts() ? std::optional(size_by_classes(words)) : size_by_counting(values);
  }

 private:
  /// Where processes are independent records, only exchanges of equal ones change nothing.
  [[nodiscard]] double size_by_classes(const model::Word* words) {
    std::vector<std::uint32_t> classes;
    canonical_.classes(words, classes);
    double size = 1;
    std::size_t first = 0;
    for (const lang::Module& module : program_.source().modules) {
      // n! / (c1! c2! …), a factor at a time.
      std::vector<double> members(classes.size(), 0);
      for (std::size_t i = 0; i < static_cast<std::size_t>(module.size); ++i) {
        size *= static_cast<double>(i + 1) / ++members[classes[first + i]];
      }
      first += static_cast<std::size_t>(module.size);
    }
    return size;
  }

  /// Exchanges of neighbours reach every state of the orbit.
  [[nodiscard]] std::optional<double> size_by_counting(const std::vector<model::Value>& values) {
    constexpr std::size_t most = 5000;
    std::set<std::vector<model::Value>> seen{values};
    std::vector<std::vector<model::Value>> queue{values};
    while (!queue.empty()) {
      const std::vector<model::Value> at = std::move(queue.back());
      queue.pop_back();
      std::size_t first = 0;
      for (const lang::Module& module : program_.source().modules) {
        for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(module.size); ++i) {
          Permutation swap = symmetry::identity(program_.num_processes());
          std::swap(swap[first + i], swap[first + i + 1]);
          std::vector<model::Value> next = symmetry::apply(program_, swap, at);
          if (!seen.insert(next).second) continue;
          if (seen.size() > most) return std::nullopt;
          queue.push_back(std::move(next));
        }
        first += static_cast<std::size_t>(module.size);
      }
    }
    return static_cast<double>(seen.size());
  }

  const model::Program& program_;
  symmetry::Canonicalizer canonical_;
};

/// A graph as the lister walks it: states and their edges, by number.
class Source {
 public:
  virtual ~Source() = default;
  [[nodiscard]] virtual std::unique_ptr<InitialSource> initial_states() = 0;
  [[nodiscard]] virtual StateId add(const model::Word* words) = 0;
  [[nodiscard]] virtual const model::Word* words(StateId state) const = 0;
  [[nodiscard]] virtual GuardedFan edges(StateId state) = 0;
};

class GuardedSource final : public Source {
 public:
  GuardedSource(const model::Program& program, GuardedQuotient::Edges which)
      : structure_(program, which) {}
  [[nodiscard]] std::unique_ptr<InitialSource> initial_states() override {
    return structure_.initial_states();
  }
  [[nodiscard]] StateId add(const model::Word* words) override {
    return structure_.add(words).state;
  }
  [[nodiscard]] const model::Word* words(StateId state) const override {
    return structure_.words(state);
  }
  [[nodiscard]] GuardedFan edges(StateId state) override { return structure_.edges(state); }

 private:
  GuardedQuotient structure_;
};

/// G itself: no permutations, no guards.
class FullSource final : public Source {
 public:
  explicit FullSource(const model::Program& program)
      : program_(program),
        graph_(make_full_graph(program)),
        space_(graph_->space({}, colouring_)) {}
  [[nodiscard]] std::unique_ptr<InitialSource> initial_states() override {
    return graph_->initial_states({});
  }
  [[nodiscard]] StateId add(const model::Word* words) override { return graph_->add(words).state; }
  [[nodiscard]] const model::Word* words(StateId state) const override {
    return graph_->store()[state];
  }
  [[nodiscard]] GuardedFan edges(StateId state) override {
    GuardedFan made;
    const Fan& fan = space_->fan(space_->enter({state, {}, {}}), Detail::Permutations);
    made.fault = fan.fault;
    for (std::size_t e = 0; e < fan.targets.size() && !made.fault; ++e) {
      made.edges.push_back(
          {space_->state(fan.targets[e]), program_.instance(fan.codes[e]), {}, {}});
    }
    return made;
  }

 private:
  const model::Program& program_;
  std::unique_ptr<Graph> graph_;
  Colouring colouring_;
  std::unique_ptr<Space> space_;
};

[[nodiscard]] std::unique_ptr<Source> make_source(const model::Program& program,
                                                  const ListingOptions& options) {
  if (options.symmetry) return std::make_unique<GuardedSource>(program, options.edges);
  return std::make_unique<FullSource>(program);
}

class Lister {
 public:
  Lister(const model::Program& program, const ListingOptions& options, base::Limits& limits)
      : program_(program),
        options_(options),
        limits_(limits),
        source_(make_source(program, options)),
        orbits_(program) {}

  [[nodiscard]] Listing run() {
    const std::unique_ptr<InitialSource> initial = source_->initial_states();
    while (const model::Word* const words = initial->next()) {
      if (limits_.exceeded()) return stopped();
      const std::optional<std::size_t> place = place_of(source_->add(words));
      if (!place) break;
      listing_.states[*place].initial = true;
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (limits_.exceeded()) return stopped();
      add_edges(i);
    }
    return std::move(listing_);
  }

 private:
  [[nodiscard]] Listing stopped() {
    listing_.complete = false;
    return std::move(listing_);
  }

  /// Where a state is listed, now at the latest; none if there are too many.
  [[nodiscard]] std::optional<std::size_t> place_of(StateId state) {
    const auto known = places_.find(state);
    if (known != places_.end()) return known->second;
    if (states_.size() >= options_.most_states) {
      listing_.complete = false;
      return std::nullopt;
    }
    places_.emplace(state, states_.size());
    states_.push_back(state);
    const model::Word* const words = source_->words(state);
    ListedState made;
    made.values.resize(program_.layout().num_instances());
    program_.layout().unpack(words, made.values.data());
    if (options_.symmetry) made.orbit = orbits_.size(words, made.values);
    listing_.states.push_back(std::move(made));
    return states_.size() - 1;
  }

  void add_edges(std::size_t from) {
    GuardedFan fan = source_->edges(states_[from]);
    if (fan.fault) {
      listing_.states[from].fault = fan.fault->fault;
      return;
    }
    for (GuardedEdge& edge : fan.edges) {
      const std::optional<std::size_t> to = place_of(edge.target);
      if (!to || listing_.edges.size() >= options_.most_edges) {
        listing_.complete = false;
        ++listing_.edges_left_out;
        continue;
      }
      listing_.edges.push_back({from, *to, std::move(edge.instance), std::move(edge.from_target),
                                std::move(edge.guard)});
    }
  }

  const model::Program& program_;
  ListingOptions options_;
  base::Limits& limits_;
  std::unique_ptr<Source> source_;
  Orbits orbits_;
  std::vector<StateId> states_;
  std::unordered_map<StateId, std::size_t> places_;
  Listing listing_;
};

}  // namespace

Listing list_graph(const model::Program& program, const ListingOptions& options,
                   base::Limits& limits) {
  return Lister(program, options, limits).run();
}

}  // namespace cohort::quotient
