#include "quotient/counted_layout.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace cohort::quotient {
namespace {

[[nodiscard]] std::size_t size_of(const lang::Dimension& dimension) {
  return static_cast<std::size_t>(dimension.range.last - dimension.range.first + 1);
}

}  // namespace

CountedLayout::CountedLayout(const lang::Program& source) : source_(source) {
  find_roles();
  find_addresses();
  find_fields();
}

bool CountedLayout::fits() const {
  constexpr std::size_t most_individuals = 64;
  return num_individuals_ <= most_individuals;
}

bool CountedLayout::is_worth_counting() const {
  constexpr std::size_t few_processes = 12;
  if (num_individuals_ > 0) return num_counted_ >= num_individuals_;
  return pointers_.empty() || num_counted_ >= few_processes;
}

/// The large modules of a variable, one for each dimension and one for what it holds.
std::vector<std::size_t> CountedLayout::related(const lang::Variable& variable) const {
  std::vector<std::size_t> modules;
  for (const lang::Dimension& dimension : variable.dimensions) {
    if (dimension.module) modules.push_back(base::index_of(*dimension.module));
  }
  if (variable.type.is_process()) modules.push_back(base::index_of(variable.type.module));
  std::erase_if(modules, [&](std::size_t module) { return !is_large(module); });
  return modules;
}

/// The largest modules first: one is counted unless a variable relates its processes to each other
/// or to those of a module that is.
void CountedLayout::find_roles() {
  const std::size_t num_modules = source_.modules.size();
  roles_.assign(num_modules, Role::Single);
  std::vector<std::vector<std::size_t>> relations;
  for (const lang::Variable& variable : source_.variables) relations.push_back(related(variable));
  std::vector<std::size_t> order(num_modules);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t module) { return source_.modules[module].size; });
  for (const std::size_t module : order) {
    if (!is_large(module)) continue;
    const auto allows = [&](const std::vector<std::size_t>& relation) {
      if (std::ranges::find(relation, module) == relation.end()) return true;
      return std::ranges::count_if(relation, [&](std::size_t other) {
               return other == module || roles_[other] == Role::Counted;
             }) == 1;
    };
    roles_[module] = std::ranges::all_of(relations, allows) ? Role::Counted : Role::Individual;
  }
  for (std::size_t m = 0; m < num_modules; ++m) {
    const auto size = static_cast<std::size_t>(source_.modules[m].size);
    first_individuals_.push_back(num_individuals_);
    if (is_counted(m)) {
      counted_.push_back(m);
      num_counted_ += size;
    } else if (is_individual(m)) {
      individual_.push_back(m);
      num_individuals_ += size;
    }
  }
  first_individuals_.push_back(num_individuals_);
  for (const lang::Variable& variable : source_.variables) {
    points_.push_back(variable.type.is_process() &&
                      is_counted(base::index_of(variable.type.module)));
  }
}

std::size_t CountedLayout::owner(const lang::Variable& variable) const {
  for (const lang::Dimension& dimension : variable.dimensions) {
    if (dimension.module && is_counted(base::index_of(*dimension.module))) {
      return base::index_of(*dimension.module);
    }
  }
  return background();
}

std::size_t CountedLayout::values_each(const lang::Variable& variable) const {
  std::size_t values = 1;
  for (const lang::Dimension& dimension : variable.dimensions) {
    if (dimension.module && is_counted(base::index_of(*dimension.module))) continue;
    values *= size_of(dimension);
  }
  return values;
}

void CountedLayout::find_addresses() {
  model::Addresses& made = addresses_;
  made.records.resize(source_.modules.size());
  // First the sizes of the records, which lie module after module, then where each variable is.
  for (std::size_t v = 0; v < source_.variables.size(); ++v) {
    const lang::Variable& variable = source_.variables[v];
    const std::size_t module = owner(variable);
    std::size_t& size = module == background() ? made.first_row : made.records[module].size;
    size += values_each(variable);
    if (points_[v]) {
      made.records[base::index_of(variable.type.module)].size += values_each(variable);
    }
  }
  for (model::Addresses::Record& record : made.records) {
    record.first = made.row_size;
    made.row_size += record.size;
  }
  // Even a place without values needs a row that is its own.
  made.row_size = std::max<std::size_t>(made.row_size, 1);
  std::vector<std::size_t> next(source_.modules.size() + 1, 0);
  for (std::size_t m = 0; m < source_.modules.size(); ++m) {
    next[m] = made.first_row + made.records[m].first;
  }
  for (const lang::Variable& variable : source_.variables) {
    const std::size_t module = owner(variable);
    made.bases.push_back(static_cast<std::uint32_t>(next[module]));
    next[module] += values_each(variable);
    std::vector<std::uint32_t> strides(variable.dimensions.size(), 0);
    std::size_t stride = 1;
    for (std::size_t d = strides.size(); d-- > 0;) {
      const lang::Dimension& dimension = variable.dimensions[d];
      const bool counts = dimension.module && is_counted(base::index_of(*dimension.module));
      strides[d] = static_cast<std::uint32_t>(counts ? made.row_size : stride);
      if (!counts) stride *= size_of(dimension);
    }
    made.strides.push_back(std::move(strides));
  }
  for (std::size_t v = 0; v < source_.variables.size(); ++v) {
    if (!points_[v]) continue;
    const std::size_t module = base::index_of(source_.variables[v].type.module);
    const std::size_t record = made.first_row + made.records[module].first;
    for (std::size_t i = 0; i < values_each(source_.variables[v]); ++i) {
      pointers_.push_back({v, i, made.bases[v] + i, module, next[module]++ - record});
    }
  }
  for (const model::Addresses::Record& record : made.records) record_sizes_.push_back(record.size);
  record_sizes_.push_back(made.first_row + num_individuals_);
}

/// The fields of a variable, or of its marks, that begin at `first` in the records of a module.
void CountedLayout::add_fields(std::size_t variable, std::size_t module, std::size_t first,
                               std::uint32_t& sort) {
  const lang::Variable& of = source_.variables[variable];
  const bool is_mark = points_[variable] && module != background();
  std::vector<lang::Dimension> dimensions;
  for (const lang::Dimension& dimension : of.dimensions) {
    const bool counts = dimension.module && is_counted(base::index_of(*dimension.module));
    if (!counts) dimensions.push_back(dimension);
  }
  std::map<std::vector<std::size_t>, std::uint32_t> sorts;  // by what is no individual
  const std::size_t size = values_each(of);
  for (std::size_t i = 0; i < size; ++i) {
    Field field;
    field.at = first + i;
    std::vector<std::size_t> fixed;
    std::size_t stride = 1;
    std::size_t rest = i;
    for (std::size_t d = dimensions.size(); d-- > 0;) {
      const std::size_t subscript = rest % size_of(dimensions[d]);
      rest /= size_of(dimensions[d]);
      const auto& of_module = dimensions[d].module;
      if (of_module && is_individual(base::index_of(*of_module))) {
        const std::size_t number = first_individuals_[base::index_of(*of_module)] + subscript;
        field.subscripts.push_back(
            {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(stride)});
      } else {
        fixed.push_back(subscript);
      }
      stride *= size_of(dimensions[d]);
    }
    const std::size_t held = base::index_of(of.type.module);
    if (!is_mark && of.type.is_process() && is_individual(held)) {
      field.held = first_individuals_[held];
    }
    if (field.subscripts.empty() && field.held == Field::nobody) {
      plain_fields_[module].push_back(field.at);
      continue;
    }
    const auto [found, is_new] = sorts.emplace(std::move(fixed), sort);
    if (is_new) ++sort;
    field.sort = found->second;
    fields_[module].push_back(std::move(field));
  }
}

void CountedLayout::find_fields() {
  fields_.resize(source_.modules.size() + 1);
  plain_fields_.resize(source_.modules.size() + 1);
  std::uint32_t sort = 0;
  for (std::size_t v = 0; v < source_.variables.size(); ++v) {
    const lang::Variable& variable = source_.variables[v];
    const std::size_t module = owner(variable);
    const std::size_t record =
        module == background() ? 0 : addresses_.first_row + addresses_.records[module].first;
    // What points is `none` in the background; its marks say where to.
    if (!points_[v]) add_fields(v, module, addresses_.bases[v] - record, sort);
  }
  for (const Pointer& pointer : pointers_) {
    if (pointer.instance == 0) add_fields(pointer.variable, pointer.module, pointer.mark, sort);
  }
  for (const std::size_t module : counted_) crosses_ = crosses_ || !fields_[module].empty();
}

}  // namespace cohort::quotient
