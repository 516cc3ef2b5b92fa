#include "quotient/counted_kinds.hpp"

#include <algorithm>

namespace cohort::quotient {

KindId Kinds::insert(Look look, const Value* record) {
  const std::size_t size = sizes_[look.module];
  std::uint64_t hash = mixed((std::uint64_t{look.module} << 16U) | look.colour, look.names);
  for (std::size_t i = 0; i < size; ++i) hash = mixed(hash, static_cast<std::uint64_t>(record[i]));
  const auto fresh = static_cast<KindId>(looks_.size());
  const KindId found = numbers_.insert(hash, fresh, [&](KindId kind) {
    return looks_[kind] == look && std::equal(record, record + size, this->record(kind));
  });
  if (found != fresh) return found;
  looks_.push_back(look);
  first_.push_back(values_.size());
  plain_.push_back(look.colour == 0 && look.names == 0 ? fresh : IdSet::none);
  values_.insert(values_.end(), record, record + size);
  return fresh;
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
