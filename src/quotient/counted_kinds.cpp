#include "quotient/counted_kinds.hpp"

#include <algorithm>

namespace cohort::quotient {

std::uint64_t Kinds::hash(Look look, const Value* record) const {
  std::uint64_t hash = mixed((std::uint64_t{look.module} << 16U) | look.colour, look.names);
  for (std::size_t i = 0; i < sizes_[look.module]; ++i) {
    hash = mixed(hash, static_cast<std::uint64_t>(record[i]));
  }
  return hash;
}

KindId Kinds::insert(Look look, const Value* record) {
  const std::size_t size = sizes_[look.module];
  const auto fresh = static_cast<KindId>(looks_.size());
  const KindId found = numbers_.insert(hash(look, record), fresh, [&](KindId kind) {
    return looks_[kind] == look && std::equal(record, record + size, this->record(kind));
  });
  if (found != fresh) return found;
  looks_.push_back(look);
  first_.push_back(values_.size());
  const bool has_looks = look.module + 1 == sizes_.size() && num_individuals_ > 0;
  const bool is_plain = look.colour == 0 && look.names == 0 && !has_looks;
  plain_.push_back(is_plain ? fresh : IdSet::none);
  values_.insert(values_.end(), record, record + size);
  return fresh;
}

KindId Kinds::find(Look look, const Value* record) const {
  const std::size_t size = sizes_[look.module];
  return numbers_.find(hash(look, record), [&](KindId kind) {
    return looks_[kind] == look && std::equal(record, record + size, this->record(kind));
  });
}

KindId Kinds::make_plain(KindId kind) {
  const Look look = looks_[kind];
  if (look.module + 1 < sizes_.size()) return dressed(kind, 0, 0);
  const std::size_t size = sizes_[look.module];
  buffer_.assign(record(kind), record(kind) + size);
  std::fill(buffer_.end() - static_cast<std::ptrdiff_t>(num_individuals_), buffer_.end(), 0);
  return insert(look, buffer_.data());
}

KindId Kinds::dressed(KindId kind, std::uint16_t colour, Names names) {
  const Look& known = looks_[kind];
  if (known.colour == colour && known.names == names) return kind;
  const Look look{known.module, colour, names};
  // The record may move when it is copied to the end.
  buffer_.assign(record(kind), record(kind) + sizes_[look.module]);
  return insert(look, buffer_.data());
}

}  // namespace cohort::quotient
