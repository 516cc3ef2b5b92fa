#include "cli/trace_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/part_json.hpp"
#include "trace/sequential/part.hpp"

namespace cohort::cli {

namespace sequential = trace::sequential;
using Json = nlohmann::ordered_json;

namespace {

constexpr int layout_version = 1;

struct PieceNumber {
  std::uint32_t piece = 0;
  std::uint32_t pieces = 0;
};

[[nodiscard]] std::optional<PieceNumber> parse_piece(const std::string& text) {
  PieceNumber number;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, number.piece);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '/') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, number.pieces);
  if (second.ec != std::errc{} || second.ptr != end) return std::nullopt;
  if (number.piece < 1 || number.piece > number.pieces) return std::nullopt;
  return number;
}

/// All that pieces of one check have in common.
[[nodiscard]] Json identity(const sequential::Source& source, const PlanWords& made) {
  Json json;
  json["version"] = COHORT_VERSION;
  json["layout"] = layout_version;
  json["form"] = source.form() == sequential::Form::Csv ? "csv" : "jsonl";
  json["size"] = source.bytes()->size();
  json["fingerprint"] = sequential::fingerprint(*source.bytes());
  json["begin"] = source.begin();
  json["header_lines"] = source.header_lines();
  Json names = Json::array();
  if (source.names()) {
    for (const std::string& name : *source.names()) names.push_back(to_hex(name));
  }
  json["names"] = std::move(names);
  json["extend"] = made.plan.extension == sequential::Extension::Loop ? "loop" : "";
  json["statistics"] = made.plan.statistics;
  json["scale"] = made.plan.atoms.scale();
  Json properties = Json::array();
  for (std::size_t i = 0; i < made.plan.properties.size(); ++i) {
    const sequential::Property& property = made.plan.properties[i];
    const char* const kind = property.kind() == sequential::Property::Kind::Ltl       ? "ltl"
                             : property.kind() == sequential::Property::Kind::Monitor ? "monitor"
                                                                                      : "automaton";
    properties.push_back({{"kind", kind},
                          {"name", property.name()},
                          {"source", property.source().name()},
                          {"text", std::string{property.source().text()}},
                          {"expected", made.named[i].expected}});
  }
  json["properties"] = std::move(properties);
  return json;
}

void add_error(report::TraceReport& report, const std::string& file, const std::string& message,
               const std::string& hint = {}) {
  std::fputs(fmt::format("{}: error: {}\n", file, message).c_str(), stderr);
  if (!hint.empty()) std::fputs(fmt::format("  hint: {}\n", hint).c_str(), stderr);
  report.errors.push_back({file, 0, 0, message, hint});
}

/// The plan that the pieces were checked with.
[[nodiscard]] PlanWords plan_of(const Json& of) {
  PlanWords made;
  made.plan.extension = of.at("extend").get<std::string>() == "loop" ? sequential::Extension::Loop
                                                                     : sequential::Extension::None;
  of.at("statistics").get_to(made.plan.statistics);
  for (const Json& property : of.at("properties")) {
    const auto kind = property.at("kind").get<std::string>();
    const auto text = property.at("text").get<std::string>();
    const auto source = property.at("source").get<std::string>();
    if (kind == "ltl") {
      made.plan.add_ltl(property.at("name").get<std::string>(), text);
    } else if (kind == "monitor") {
      made.plan.add_monitor(base::Source::from_text(source, text));
    } else {
      made.plan.add_automaton(base::Source::from_text(source, text));
    }
    made.named.push_back({property.at("expected").get<bool>()});
  }
  return made;
}

/// The first thing about which two pieces differ.
[[nodiscard]] std::string difference(const Json& a, const Json& b) {
  static const std::vector<std::pair<const char*, const char*>> words{
      {"version", "versions of cohort"}, {"layout", "versions of cohort"},
      {"form", "forms of trace"},        {"size", "files"},
      {"fingerprint", "files"},          {"begin", "files"},
      {"header_lines", "files"},         {"names", "files"},
      {"extend", "ends (--extend)"},     {"statistics", "questions (--statistics)"},
      {"properties", "properties"},      {"scale", "files"}};
  for (const auto& [member, what] : words) {
    if (a.value(member, Json{}) != b.value(member, Json{})) return what;
  }
  return "";
}

}  // namespace

void write_part(const std::string& path, const sequential::Source& source, const PlanWords& made,
                const SequentialWords& words, base::Limits& limits, report::TraceReport& report) {
  const std::optional<PieceNumber> number = parse_piece(words.piece);
  if (!number) {
    add_error(report, path, fmt::format("--piece '{}': which of how many?", words.piece),
              "for instance --piece 2/4");
    return;
  }
  if (!source.bytes()) {
    add_error(report, path, "a piece of what cannot be cut by bytes",
              "--piece is for CSV and JSON-lines files that are not packed");
    return;
  }
  const auto reader = source.reader(made.plan);
  const sequential::TracePart part = sequential::make_part(
      made.plan, *reader, *source.bytes(), source.begin(), number->piece, number->pieces, limits);
  if (!part.complete) {
    report::TraceResult result;
    result.input = path;
    result.sequential = true;
    result.name = fmt::format("piece {}", words.piece);
    result.reason = limits.describe();
    report.results.push_back(std::move(result));
    return;
  }
  Json json;
  json["tool"] = "cohort";
  json["kind"] = "part of a sequential trace";
  json["file"] = path;
  json["of"] = identity(source, made);
  json["part"] = json_of(part, made.plan.atoms.scale());
  const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
  if (words.out.empty()) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  std::ofstream out{words.out, std::ios::binary};
  out << text;
  out.close();
  if (!out) add_error(report, words.out, "cannot be written");
}

void merge_parts(const std::vector<std::string>& paths, report::TraceReport& report) {
  const auto started = std::chrono::steady_clock::now();
  std::vector<Json> parts;
  for (const std::string& path : paths) {
    std::ifstream file{path, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || !json.is_object() || !json.contains("of") ||
        !json.contains("part")) {
      add_error(report, path, "this is no part that --piece has written");
      return;
    }
    parts.push_back(std::move(json));
  }
  try {
    const Json of = parts.front().at("of");
    if (of.value("layout", 0) != layout_version ||
        of.value("version", std::string{}) != COHORT_VERSION) {
      add_error(report, paths.front(), "the part is of another version of cohort");
      return;
    }
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::string what = difference(of, parts[i].at("of"));
      if (what.empty()) continue;
      add_error(report, paths[i], fmt::format("parts of different {}", what),
                fmt::format("the other one is {}", paths.front()));
      return;
    }
    PlanWords made = plan_of(of);
    sequential::CsvHeader header;
    for (const Json& name : of.at("names")) {
      header.names.push_back(from_hex(name.get<std::string>()));
    }
    const bool is_csv = of.at("form") == "csv";
    const auto scale = of.at("scale").get<unsigned>();
    made.plan.finish(scale);
    std::vector<sequential::TracePart> pieces;
    for (const Json& part : parts) pieces.push_back(part_of(part.at("part"), scale));
    std::ranges::sort(pieces, {}, [](const auto& piece) { return piece.piece; });
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].pieces == pieces.size() && pieces[i].piece == i + 1) continue;
      if (pieces[i].pieces != pieces.front().pieces) {
        add_error(report, paths.front(), "parts of different numbers of pieces");
      } else if (i > 0 && pieces[i].piece == pieces[i - 1].piece) {
        add_error(report, paths.front(), fmt::format("piece {} is there twice", pieces[i].piece));
      } else {
        std::size_t missing = 1;
        for (const auto& piece : pieces) missing += piece.piece == missing ? 1U : 0U;
        add_error(report, paths.front(),
                  fmt::format("piece {} of {} is missing", missing, pieces[i].pieces));
      }
      return;
    }
    std::unique_ptr<sequential::RecordReader> reader;
    if (is_csv) {
      reader = std::make_unique<sequential::CsvReader>(sequential::CsvLayout{made.plan, header});
    } else {
      reader = std::make_unique<sequential::JsonLinesReader>();
    }
    const sequential::Checked checked =
        sequential::merge_parts(made.plan, *reader, of.at("header_lines").get<std::uint64_t>(),
                                of.at("begin").get<std::uint64_t>(), pieces);
    report::TraceInput input;
    input.file = parts.front().at("file").get<std::string>();
    input.sequential = true;
    input.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    finish_sequential(input.file, made, checked, is_csv, "", input, report);
  } catch (const nlohmann::json::exception&) {
    add_error(report, paths.front(), "a part is damaged");
  }
}

}  // namespace cohort::cli
