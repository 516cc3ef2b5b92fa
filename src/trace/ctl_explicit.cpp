// The explicit engine: every cut, level by level from the end of the trace down.
//
// The cuts with n events are exactly the cuts with n + 1 events less one that nothing in them comes
// after.  So the sweep starts with the cut of all events and needs no forward search.  A cut is a
// few words of packed positions; what it satisfies is a row of bits, one for each subformula.  All
// that temporal operators ask of the successors is whether some satisfies a formula: the
// disjunction of their rows, collected while they are swept.
#include <algorithm>
#include <array>
#include <bit>

#include "trace/ctl_engines.hpp"

namespace cohort::trace::ctl {
namespace {

constexpr std::size_t bits_of_word = 64;
constexpr std::uint64_t cuts_between_questions = 64;

/// Where each component's position lies in a packed cut; no field straddles two words.
struct Packing {
  struct Field {
    std::size_t word = 0;
    unsigned shift = 0;
    std::uint64_t mask = 0;
  };

  explicit Packing(const Lattice& lattice) {
    unsigned used = bits_of_word;
    for (std::size_t c = 0; c < lattice.num_components(); ++c) {
      const auto width = static_cast<unsigned>(std::bit_width(lattice.num_events(c)));
      if (used + width > bits_of_word) {
        used = 0;
        ++num_words;
      }
      fields.push_back({num_words - 1, used, (std::uint64_t{1} << width) - 1});
      used += width;
    }
    num_words = std::max<std::size_t>(num_words, 1);
  }

  std::vector<Field> fields;
  std::size_t num_words = 0;
};

template <std::size_t num_words>
class Sweep : public Solution {
 public:
  using Key = std::array<std::uint64_t, num_words>;

  Sweep(const Question& question, const Limits& limits, Packing packing)
      : lattice_(question.lattice), packing_(std::move(packing)) {
    plan(question);
    Key top{};
    for (std::size_t c = 0; c < packing_.fields.size(); ++c) {
      const Packing::Field& field = packing_.fields[c];
      top[field.word] |= std::uint64_t{lattice_.num_events(c)} << field.shift;
    }
    levels_.resize(lattice_.num_events() + 1);
    Level first;
    first.keys.push_back(top);
    first.rows.assign(row_words_, 0);
    levels_.back() = std::move(first);
    for (std::size_t n = levels_.size(); n-- > 0;) sweep(n, limits);
  }

  [[nodiscard]] bool holds(FormulaId formula, std::span<const std::uint32_t> cut) override {
    Key key{};
    std::size_t size = 0;
    for (std::size_t c = 0; c < cut.size(); ++c) {
      key[packing_.fields[c].word] |= std::uint64_t{cut[c]} << packing_.fields[c].shift;
      size += cut[c];
    }
    Level& level = levels_[size];
    if (level.sorted.empty()) {
      for (std::uint32_t i = 0; i < level.keys.size(); ++i) level.sorted.push_back(i);
      std::ranges::sort(level.sorted, {}, [&](std::uint32_t i) { return level.keys[i]; });
    }
    const auto found = std::ranges::lower_bound(level.sorted, key, {},
                                                [&](std::uint32_t i) { return level.keys[i]; });
    return found != level.sorted.end() && level.keys[*found] == key &&
           bit(level, *found, column_of(formula));
  }

  [[nodiscard]] std::optional<std::vector<std::uint32_t>> least(FormulaId formula) override {
    const std::size_t column = column_of(formula);
    for (const Level& level : levels_) {
      for (std::size_t i = 0; i < level.keys.size(); ++i) {
        if (bit(level, i, column)) return unpack(level.keys[i]);
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t num_cuts() const override { return num_cuts_; }

 private:
  struct Level {
    std::vector<Key> keys;
    std::vector<std::uint64_t> rows;    ///< row_words_ for each cut
    std::vector<std::uint32_t> sorted;  ///< the cuts in order of their keys, once someone asks
  };
  /// A subformula and the columns of its parts.
  struct Column {
    FormulaId formula{};
    Form form = Form::True;
    std::uint32_t atom = 0;
    std::vector<std::size_t> args;
  };
  struct Slot {
    Key key{};
    std::uint32_t index = 0;
    std::uint32_t stamp = 0;
  };

  void plan(const Question& question) {
    for (const FormulaId id : question.forms.subformulas(question.root)) {
      const Formulas::Node& node = question.forms[id];
      Column column{id, node.form, node.atom, {}};
      for (const FormulaId arg : node.args) column.args.push_back(column_of(arg));
      columns_.push_back(std::move(column));
    }
    row_words_ = (columns_.size() + bits_of_word - 1) / bits_of_word;
    // What one component alone decides is looked up; the rest is asked for each cut.
    for (std::size_t c = 0; c < lattice_.num_components(); ++c) {
      local_rows_.emplace_back((lattice_.num_events(c) + std::size_t{1}) * row_words_, 0);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].form != Form::Atom) continue;
      const Lattice::View& view = lattice_.view(columns_[i].atom);
      const Signal& signal = lattice_.signal(view.signals[0]);
      if (!view.local || signal.places.size() != 1) {
        asked_.push_back(i);
        continue;
      }
      const Signal::Place& place = signal.places[0];
      for (std::size_t v = 0; v < place.index.size(); ++v) {
        if (signal.value[place.index[v]] == 0) continue;
        local_rows_[place.component][v * row_words_ + i / bits_of_word] |= std::uint64_t{1}
                                                                           << (i % bits_of_word);
      }
    }
  }

  [[nodiscard]] std::size_t column_of(FormulaId formula) const {
    const auto found = std::ranges::lower_bound(columns_, formula, {}, &Column::formula);
    return static_cast<std::size_t>(found - columns_.begin());
  }

  [[nodiscard]] bool bit(const Level& level, std::size_t cut, std::size_t column) const {
    return ((level.rows[cut * row_words_ + column / bits_of_word] >> (column % bits_of_word)) &
            1U) != 0;
  }

  [[nodiscard]] std::vector<std::uint32_t> unpack(const Key& key) const {
    std::vector<std::uint32_t> cut;
    unpack(key, cut);
    return cut;
  }
  void unpack(const Key& key, std::vector<std::uint32_t>& cut) const {
    cut.clear();
    for (const Packing::Field& field : packing_.fields) {
      cut.push_back(static_cast<std::uint32_t>((key[field.word] >> field.shift) & field.mask));
    }
  }

  void sweep(std::size_t n, const Limits& limits) {
    Level& level = levels_[n];
    Level below;
    ++stamp_;
    std::vector<std::uint32_t> cut;
    for (std::size_t i = 0; i < level.keys.size(); ++i) {
      if (++num_cuts_ > limits.most_cuts) throw LimitHit("too many cuts");
      if (num_cuts_ % cuts_between_questions == 0 && limits.should_stop && limits.should_stop()) {
        throw LimitHit("stopped");
      }
      unpack(level.keys[i], cut);
      evaluate(cut, n + 1 == levels_.size(), level.rows.data() + i * row_words_);
      for (std::uint32_t c = 0; c < cut.size(); ++c) {
        if (cut[c] == 0 || is_held(cut, {c, cut[c]})) continue;
        Key key = level.keys[i];
        key[packing_.fields[c].word] -= std::uint64_t{1} << packing_.fields[c].shift;
        const std::size_t at = find_or_add(below, key);
        for (std::size_t w = 0; w < row_words_; ++w) {
          below.rows[at * row_words_ + w] |= level.rows[i * row_words_ + w];
        }
      }
    }
    if (n > 0) levels_[n - 1] = std::move(below);
  }

  [[nodiscard]] bool is_held(const std::vector<std::uint32_t>& cut, Step step) const {
    for (const Step& holder : lattice_.holders(step)) {
      if (cut[holder.component] >= holder.position) return true;
    }
    return false;
  }

  /// `row` comes in as the disjunction of the successors' rows and goes out as the cut's own.
  void evaluate(const std::vector<std::uint32_t>& cut, bool is_end, std::uint64_t* row) {
    after_.assign(row, row + row_words_);
    std::fill(row, row + row_words_, 0);
    for (std::size_t c = 0; c < cut.size(); ++c) {
      for (std::size_t w = 0; w < row_words_; ++w) {
        row[w] |= local_rows_[c][cut[c] * row_words_ + w];
      }
    }
    const auto has = [](const std::uint64_t* words, std::size_t column) {
      return ((words[column / bits_of_word] >> (column % bits_of_word)) & 1U) != 0;
    };
    const auto set = [&](std::size_t column) {
      row[column / bits_of_word] |= std::uint64_t{1} << (column % bits_of_word);
    };
    for (const std::size_t i : asked_) {
      if (lattice_.truth(columns_[i].atom, cut)) set(i);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      const std::vector<std::size_t>& args = column.args;
      const auto here = [&](std::size_t arg) { return has(row, arg); };
      bool holds = false;
      switch (column.form) {
        case Form::Atom:
          continue;
        case Form::True:
          holds = true;
          break;
        case Form::End:
          holds = is_end;
          break;
        case Form::Not:
          holds = !here(args[0]);
          break;
        case Form::And:
          holds = std::ranges::all_of(args, here);
          break;
        case Form::Or:
          holds = std::ranges::any_of(args, here);
          break;
        case Form::SomeNext:
          holds = has(after_.data(), args[0]);
          break;
        case Form::SomeFinally:
          holds = here(args[0]) || has(after_.data(), i);
          break;
        case Form::SomeUntil:
          holds = here(args[1]) || (here(args[0]) && has(after_.data(), i));
          break;
      }
      if (holds) set(i);
    }
  }

  /// The table is emptied by raising the stamp: most levels of a narrow lattice have a handful of
  /// cuts, and there are many levels.
  [[nodiscard]] std::size_t find_or_add(Level& level, const Key& key) {
    if ((level.keys.size() + 1) * 2 > table_.size()) grow_table(level);
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = hash(key) & mask;; at = (at + 1) & mask) {
      Slot& slot = table_[at];
      if (slot.stamp != stamp_) {
        slot = {key, static_cast<std::uint32_t>(level.keys.size()), stamp_};
        level.keys.push_back(key);
        level.rows.resize(level.rows.size() + row_words_, 0);
        return slot.index;
      }
      if (slot.key == key) return slot.index;
    }
  }

  void grow_table(const Level& level) {
    table_.assign(std::max<std::size_t>(64, table_.size() * 2), Slot{});
    const std::size_t mask = table_.size() - 1;
    for (std::uint32_t i = 0; i < level.keys.size(); ++i) {
      std::size_t at = hash(level.keys[i]) & mask;
      while (table_[at].stamp == stamp_) at = (at + 1) & mask;
      table_[at] = {level.keys[i], i, stamp_};
    }
  }

  [[nodiscard]] static std::size_t hash(const Key& key) {
    std::uint64_t mixed = 0;
    for (const std::uint64_t word : key) {
      mixed = (mixed ^ word) * 0x9E3779B97F4A7C15ULL;
      mixed ^= mixed >> 29U;
    }
    return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
  }

  const Lattice& lattice_;
  Packing packing_;
  std::vector<Column> columns_;
  std::size_t row_words_ = 1;
  std::vector<std::vector<std::uint64_t>> local_rows_;  ///< by component, then position
  std::vector<std::size_t> asked_;
  std::vector<Level> levels_;  ///< by number of events
  std::vector<std::uint64_t> after_;
  std::vector<Slot> table_;
  std::uint32_t stamp_ = 0;
  std::uint64_t num_cuts_ = 0;
};

}  // namespace

std::unique_ptr<Solution> solve_explicitly(const Question& question, const Limits& limits) {
  Packing packing{question.lattice};
  const std::size_t words = packing.num_words;
  if (words == 1) return std::make_unique<Sweep<1>>(question, limits, std::move(packing));
  if (words == 2) return std::make_unique<Sweep<2>>(question, limits, std::move(packing));
  if (words <= 4) return std::make_unique<Sweep<4>>(question, limits, std::move(packing));
  if (words <= 16) return std::make_unique<Sweep<16>>(question, limits, std::move(packing));
  if (words <= 256) return std::make_unique<Sweep<256>>(question, limits, std::move(packing));
  throw LimitHit("too many processes for the explicit engine");
}

}  // namespace cohort::trace::ctl
