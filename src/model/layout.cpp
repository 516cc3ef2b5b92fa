#include "model/layout.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

namespace cohort::model {
namespace {

constexpr unsigned word_bits = 64;

[[nodiscard]] std::uint8_t width_of(const lang::Interval& values) {
  const auto most = static_cast<Word>(values.last) - static_cast<Word>(values.first);
  return static_cast<std::uint8_t>(std::bit_width(most));
}

/// The process that an instance belongs to: that of the subscript with the largest module, for the
/// fewest fields then lie outside the records that get permuted most.
struct Owner {
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  std::size_t module = nobody;
  std::int64_t process = 0;

  friend auto operator<=>(const Owner&, const Owner&) = default;
};

class Owners {
 public:
  Owners(const lang::Program& program, const lang::Variable& variable)
      : dimensions_(variable.dimensions) {
    std::int64_t largest = 0;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (!dimensions_[d].module) continue;
      const std::int64_t size = program[*dimensions_[d].module].size;
      if (size < largest) continue;
      largest = size;
      owning_ = d;
    }
  }

  /// Of the instance with this number in its variable.
  [[nodiscard]] Owner of(std::size_t instance) const {
    if (owning_ == Owner::nobody) return {};
    std::size_t rest = instance;
    for (std::size_t d = dimensions_.size() - 1; d > owning_; --d) rest /= size(d);
    return {base::index_of(*dimensions_[owning_].module),
            static_cast<std::int64_t>(rest % size(owning_))};
  }

 private:
  [[nodiscard]] std::size_t size(std::size_t d) const {
    return static_cast<std::size_t>(dimensions_[d].range.last - dimensions_[d].range.first + 1);
  }

  const std::vector<lang::Dimension>& dimensions_;
  std::size_t owning_ = Owner::nobody;
};

}  // namespace

Layout::Layout(const lang::Program& program, const Instances& instances, const Bounds& bounds) {
  std::vector<Owner> owners;
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const lang::Variable& variable = program.variables[v];
    const lang::VariableId id{static_cast<std::uint32_t>(v)};
    const lang::Interval& values = bounds.of(id);
    const Owners owner{program, variable};
    for (std::size_t i = 0; i < instances.count(id); ++i) {
      Field field;
      field.width = width_of(values);
      field.first = values.first;
      fields_.push_back(field);
      owners.push_back(owner.of(i));
    }
  }
  // Records one after the other.  A field never crosses the border of two words, nor does a record
  // that fits in one.
  std::vector<std::size_t> order(fields_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return owners[i]; });
  std::size_t bit = 0;
  for (std::size_t first = 0; first < order.size();) {
    const Owner& owner = owners[order[first]];
    std::size_t last = first;
    std::size_t width = 0;
    for (; last < order.size() && owners[order[last]] == owner; ++last) {
      width += fields_[order[last]].width;
    }
    if (width <= word_bits && bit % word_bits + width > word_bits) {
      bit += word_bits - bit % word_bits;
    }
    for (; first < last; ++first) {
      Field& field = fields_[order[first]];
      if (bit % word_bits + field.width > word_bits) bit += word_bits - bit % word_bits;
      field.word = static_cast<std::uint32_t>(bit / word_bits);
      field.shift = static_cast<std::uint8_t>(bit % word_bits);
      bit += field.width;
    }
  }
  num_words_ = std::max<std::size_t>((bit + word_bits - 1) / word_bits, 1);
  for (Field& field : fields_) {
    // A field without bits may come behind the last word; it is read as any other.
    if (field.width == 0) field.word = field.shift = 0;
    masks_.push_back(field.mask());
  }
}

}  // namespace cohort::model
