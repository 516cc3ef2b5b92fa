#include "report/trace_where.hpp"

#include <fmt/format.h>

#include <map>

#include "ist/iterate.hpp"
#include "ist/operations.hpp"

namespace cohort::report {
namespace {

constexpr std::size_t widest_picture = 120;
constexpr std::size_t longest_picture = 200;  // lines
constexpr std::size_t most_boxes_shown = 40;

/// The number of events of a process, as the greatest cut has it.
[[nodiscard]] std::vector<std::uint32_t> sizes_of(const ist::Set& all) {
  std::vector<std::uint32_t> sizes;
  for (ist::NodeId at = all.root(); at != ist::end_node;) {
    const ist::Edge& last = all.forest().edges(at).back();
    sizes.push_back(last.high);
    at = last.child;
  }
  return sizes;
}

/// Rows are the second process, upwards; columns the first; one picture for each number of events
/// of the third.
class Picture {
 public:
  Picture(const std::vector<std::string>& processes, const ist::Set& cuts, const ist::Set& all)
      : processes_(processes), cuts_(cuts), all_(all), sizes_(sizes_of(all)) {}

  [[nodiscard]] std::string draw() const {
    const std::size_t k = sizes_.size();
    if (k == 0 || k > 3 || sizes_[0] >= widest_picture) return {};
    const std::size_t rows = k > 1 ? sizes_[1] + std::size_t{1} : 1;
    const std::size_t slices = k > 2 ? sizes_[2] + std::size_t{1} : 1;
    if (rows > longest_picture || (rows + 1) * slices > longest_picture) return {};
    std::string out;
    for (std::uint32_t z = 0; z < slices; ++z) {
      if (k > 2) out += fmt::format("{} = {}\n", processes_[2], z);
      out += slice(z);
    }
    return out + fmt::format("{}-> {}   # satisfies it   . does not   (blank: no cut)\n",
                             std::string(margin(), ' '), processes_[0]);
  }

 private:
  [[nodiscard]] std::size_t margin() const {
    return processes_.size() > 1 ? processes_[1].size() + 8 : 2;
  }

  [[nodiscard]] std::string slice(std::uint32_t z) const {
    const std::size_t k = sizes_.size();
    std::string out;
    const std::uint32_t top = k > 1 ? sizes_[1] : 0;
    for (std::uint32_t row = top + 1; row-- > 0;) {
      std::string line(margin(), ' ');
      if (k > 1) {
        const std::string label = row == top ? processes_[1] : "";
        line = fmt::format("{:>{}} {:>5} ", label, processes_[1].size(), row);
      }
      for (std::uint32_t x = 0; x <= sizes_[0]; ++x) {
        std::vector<ist::Value> cut{x};
        if (k > 1) cut.push_back(row);
        if (k > 2) cut.push_back(z);
        line += contains(cuts_, cut) ? '#' : (contains(all_, cut) ? '.' : ' ');
      }
      while (line.ends_with(' ')) line.pop_back();
      out += line + "\n";
    }
    return out;
  }

  const std::vector<std::string>& processes_;
  const ist::Set& cuts_;
  const ist::Set& all_;
  std::vector<std::uint32_t> sizes_;
};

[[nodiscard]] std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

[[nodiscard]] std::string text_of(std::uint32_t low, std::uint32_t high) {
  return low == high ? fmt::format("{}", low) : fmt::format("{}..{}", low, high);
}

}  // namespace

TraceWhere where_of(const std::vector<std::string>& processes, const ist::Set& cuts,
                    const ist::Set& all) {
  TraceWhere made;
  made.processes = processes;
  made.count = count(cuts);
  made.all = count(all);
  made.nodes = num_nodes(cuts);
  for (ist::Boxes at{cuts}; at.valid(); at.next()) {
    if (made.boxes.size() == TraceWhere::most_boxes) {
      made.has_more = true;
      break;
    }
    TraceWhere::Box box;
    for (const ist::Interval& interval : at.box()) box.emplace_back(interval.low, interval.high);
    made.boxes.push_back(std::move(box));
  }
  made.picture = Picture{processes, cuts, all}.draw();
  return made;
}

std::string text_of(const TraceWhere& where) {
  std::string out =
      fmt::format("  in {} of {} cuts, a tree of {} nodes\n", where.count, where.all, where.nodes);
  for (std::size_t i = 0; i < where.boxes.size() && i < most_boxes_shown; ++i) {
    out += "   ";
    for (std::size_t p = 0; p < where.boxes[i].size(); ++p) {
      const auto& [low, high] = where.boxes[i][p];
      out += fmt::format(" {}:{}", where.processes[p], text_of(low, high));
    }
    out += "\n";
  }
  if (where.has_more || where.boxes.size() > most_boxes_shown) out += "    …\n";
  return out + where.picture;
}

std::string dot_of(const std::vector<std::string>& processes, const ist::Set& cuts) {
  std::string out = "digraph cuts {\n  rankdir=TB;\n  node [shape=box];\n";
  std::map<ist::NodeId, std::size_t> numbers;  // in the order of a breadth-first walk
  std::vector<ist::NodeId> layer;
  const auto number = [&](ist::NodeId id, std::vector<ist::NodeId>& found) {
    const auto [at, is_new] = numbers.try_emplace(id, numbers.size());
    if (is_new) found.push_back(id);
    return at->second;
  };
  if (!cuts.empty()) (void)number(cuts.root(), layer);
  for (std::size_t depth = 0; !layer.empty(); ++depth) {
    std::vector<ist::NodeId> next;
    for (const ist::NodeId id : layer) {
      const bool end = id == ist::end_node;
      out += fmt::format("  n{} [label={}{}];\n", numbers.at(id),
                         end ? "\"\"" : quoted(processes[depth]), end ? ", shape=point" : "");
      for (const ist::Edge& edge : cuts.forest().edges(id)) {
        out += fmt::format("  n{} -> n{} [label=\"{}\"];\n", numbers.at(id),
                           number(edge.child, next), text_of(edge.low, edge.high));
      }
    }
    layer = std::move(next);
  }
  return out + "}\n";
}

}  // namespace cohort::report
