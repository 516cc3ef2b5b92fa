// Refinement of colours.
//
// What the relations of a process say is gathered as a sum of hashes, one for each relation and
// part that the process plays in it, so that their order is of no matter and nothing is allocated.
// Two processes with different surroundings could, once in 2^64, get the same sum: then they tie,
// and ties are decided exactly.
#include "symmetry/refinement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cohort::symmetry {
namespace {

using model::Value;

[[nodiscard]] std::uint64_t mix(std::uint64_t hash, std::uint64_t number) {
  hash = (hash ^ number) * 0xD6E8FEB86659FD93ULL;
  hash ^= hash >> 32U;
  hash *= 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29U);
}

constexpr std::uint32_t nobody = UINT32_MAX;

/// A process after the exchange of two.
[[nodiscard]] std::uint32_t exchanged(std::uint32_t p, std::uint32_t a, std::uint32_t b) {
  if (p == a) return b;
  return p == b ? a : p;
}

}  // namespace

Refinement::Refinement(const model::Program& program, const Structure& structure)
    : program_(program),
      structure_(structure),
      values_(program.instances().size()),
      colours_(program.num_processes()),
      numbered_(program.num_processes()),
      gathered_(program.num_processes()),
      first_holder_(structure.holders.empty() ? 0 : program.num_processes()),
      next_holder_(structure.holders.size()) {}

void Refinement::load(const model::Word* words) {
  program_.layout().unpack(words, values_.data());
  std::ranges::fill(first_holder_, nobody);
  for (std::uint32_t i = 0; i < next_holder_.size(); ++i) {
    const Relation& relation = structure_.relations[structure_.holders[i]];
    if (!holds_some(relation)) continue;
    next_holder_[i] = std::exchange(first_holder_[held(relation)], i);
  }
}

/// Gives the processes of a module colours in an order: a colour is the number of processes before
/// it.  Returns how many different ones there are.
template <typename Before>
std::size_t Refinement::number(const Structure::Module& module, Before before) {
  order_.resize(module.size);
  std::iota(order_.begin(), order_.end(), static_cast<std::uint32_t>(module.first));
  std::ranges::sort(order_, before);
  std::size_t different = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const bool is_new = i == 0 || before(order_[i - 1], order_[i]);
    if (is_new) ++different;
    numbered_[order_[i]] =
        is_new ? static_cast<std::uint32_t>(module.first + i) : numbered_[order_[i - 1]];
  }
  // Not before: the order may look at the old ones.
  for (const std::uint32_t p : order_) colours_[p] = numbered_[p];
  return different;
}

void Refinement::colour_by_content() {
  std::iota(colours_.begin(), colours_.end(), 0U);
  for (const Structure::Module& module : structure_.modules) {
    if (!module.movable) continue;
    (void)number(module, [&](std::uint32_t a, std::uint32_t b) {
      const std::vector<std::uint32_t>& own_a = module.own[a - module.first];
      const std::vector<std::uint32_t>& own_b = module.own[b - module.first];
      for (std::size_t i = 0; i < own_a.size(); ++i) {
        const Value value_a = values_[own_a[i]];
        const Value value_b = values_[own_b[i]];
        if (value_a != value_b) return value_a < value_b;
      }
      for (const std::uint32_t pointer : module.pointers) {
        const auto target =
            static_cast<std::uint32_t>(values_[pointer] + static_cast<Value>(module.first));
        if (values_[pointer] == lang::none_value || (target == a) == (target == b)) continue;
        return target == b;
      }
      return false;
    });
  }
}

/// Tells every process of a relation what it says: which, with what value, what part the process
/// plays, and the colours of all that are in it, the process itself marked.
void Refinement::gather(const Relation& relation) {
  const bool holds = holds_some(relation);
  const std::size_t num_subscripts = relation.processes.size();
  const std::size_t num_parts = num_subscripts + (holds ? 1 : 0);
  const auto part = [&](std::size_t i) {
    return i < num_subscripts ? relation.processes[i] : held(relation);
  };
  const Value value = holds ? 0 : values_[relation.instance];
  const std::uint64_t start = mix(relation.kind, static_cast<std::uint64_t>(value));
  for (std::size_t i = 0; i < num_parts; ++i) {
    const std::uint32_t me = part(i);
    std::uint64_t hash = mix(start, i);
    for (std::size_t j = 0; j < num_parts; ++j) {
      const std::uint32_t other = part(j);
      hash = mix(hash, other == me ? UINT64_MAX : colours_[other]);
    }
    gathered_[me] += hash;
  }
}

void Refinement::refine() {
  if (!structure_.entangled) return;
  std::size_t possible = 0;
  for (const Structure::Module& module : structure_.modules) {
    if (module.entangled) possible += module.size;
  }
  for (std::size_t different = 0;;) {
    std::ranges::fill(gathered_, 0);
    for (const Relation& relation : structure_.relations) gather(relation);
    std::size_t now = 0;
    for (const Structure::Module& module : structure_.modules) {
      if (!module.entangled) continue;
      now += number(module, [&](std::uint32_t a, std::uint32_t b) {
        return colours_[a] != colours_[b] ? colours_[a] < colours_[b] : gathered_[a] < gathered_[b];
      });
    }
    if (now == different || now == possible) return;
    different = now;
  }
}

void Refinement::split(const std::vector<std::uint64_t>& numbers) {
  for (const Structure::Module& module : structure_.modules) {
    if (!module.entangled) continue;
    (void)number(module, [&](std::uint32_t a, std::uint32_t b) {
      return colours_[a] != colours_[b] ? colours_[a] < colours_[b] : numbers[a] < numbers[b];
    });
  }
}

bool Refinement::can_exchange(std::uint32_t a, std::uint32_t b) const {
  const auto stays = [&](std::uint32_t r) {
    const Relation& relation = structure_.relations[r];
    std::size_t image = relation.instance;
    for (std::size_t i = 0; i < relation.processes.size(); ++i) {
      const std::uint32_t p = relation.processes[i];
      image += relation.strides[i] * (std::size_t{exchanged(p, a, b)} - std::size_t{p});
    }
    Value value = values_[relation.instance];
    if (holds_some(relation)) {
      value = static_cast<Value>(exchanged(held(relation), a, b)) -
              static_cast<Value>(relation.value_module_first);
    }
    return values_[image] == value;
  };
  const auto all_stay = [&](std::uint32_t p) {
    return std::ranges::all_of(structure_.relations_of[p], stays);
  };
  if (!all_stay(a) || !all_stay(b)) return false;
  // Who holds one of the two, and is not one of them, holds the other one afterwards.
  const auto is_held_by_others = [&](std::uint32_t process) {
    for (std::uint32_t i = first_holder_[process]; i != nobody; i = next_holder_[i]) {
      const Relation& relation = structure_.relations[structure_.holders[i]];
      const bool is_own = std::ranges::any_of(relation.processes,
                                              [&](std::uint32_t p) { return p == a || p == b; });
      if (!is_own) return true;
    }
    return false;
  };
  return first_holder_.empty() || (!is_held_by_others(a) && !is_held_by_others(b));
}

bool Refinement::ties_are_plain() {
  for (const Structure::Module& module : structure_.modules) {
    if (!module.entangled) continue;
    for (std::size_t i = 0; i < module.size; ++i) {
      const auto p = static_cast<std::uint32_t>(module.first + i);
      // A colour is the place of its first process; the others of the colour follow there.
      numbered_[p] = UINT32_MAX;
    }
    for (std::size_t i = 0; i < module.size; ++i) {
      const auto p = static_cast<std::uint32_t>(module.first + i);
      std::uint32_t& first = numbered_[colours_[p]];
      if (first == UINT32_MAX) {
        first = p;
      } else if (!can_exchange(first, p)) {
        return false;
      }
    }
  }
  return true;
}

void Refinement::classes(std::vector<std::uint32_t>& numbers) {
  numbers.resize(colours_.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  first_of_colour_.assign(colours_.size(), UINT32_MAX);
  for (const Structure::Module& module : structure_.modules) {
    if (!module.movable) continue;
    for (std::size_t i = 0; i < module.size; ++i) {
      const auto p = static_cast<std::uint32_t>(module.first + i);
      std::uint32_t& first = first_of_colour_[colours_[p]];
      if (first == UINT32_MAX) {
        first = p;
        continue;
      }
      if (!module.entangled) {
        numbers[p] = first;
        continue;
      }
      for (std::uint32_t q = first; q < p; ++q) {
        const bool leads = colours_[q] == colours_[p] && numbers[q] == q;
        if (!leads || !can_exchange(q, p)) continue;
        numbers[p] = q;
        break;
      }
    }
  }
}

void Refinement::write(const Permutation& permutation, model::Word* words) const {
  const model::Layout& layout = program_.layout();
  const auto image = [&](std::size_t first, Value process) {
    return static_cast<Value>(permutation[first + static_cast<std::size_t>(process)]) -
           static_cast<Value>(first);
  };
  for (const Structure::Module& module : structure_.modules) {
    if (!module.movable) continue;
    for (std::size_t p = 0; p < module.size; ++p) {
      const std::vector<std::uint32_t>& from = module.own[p];
      const std::vector<std::uint32_t>& to =
          module.own[permutation[module.first + p] - module.first];
      for (std::size_t i = 0; i < from.size(); ++i) layout.set(words, to[i], values_[from[i]]);
    }
    for (const std::uint32_t pointer : module.pointers) {
      if (values_[pointer] == lang::none_value) continue;
      layout.set(words, pointer, image(module.first, values_[pointer]));
    }
  }
  for (const Relation& relation : structure_.relations) {
    std::size_t target = relation.instance;
    for (std::size_t i = 0; i < relation.processes.size(); ++i) {
      const std::uint32_t p = relation.processes[i];
      target += relation.strides[i] * (std::size_t{permutation[p]} - std::size_t{p});
    }
    Value value = values_[relation.instance];
    if (holds_some(relation)) value = image(relation.value_module_first, value);
    layout.set(words, target, value);
  }
}

}  // namespace cohort::symmetry
