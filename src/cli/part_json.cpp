#include "cli/part_json.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cohort::cli {

namespace sequential = trace::sequential;
using Json = nlohmann::ordered_json;
using sequential::Held;
using sequential::WideInteger;

namespace {

// 128 bits are more than a number of JSON's readers holds.
[[nodiscard]] std::string text_of(WideInteger number) {
  const bool negative = number < 0;
  std::string digits;
  do {
    const int digit = static_cast<int>(number % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    number /= 10;
  } while (number != 0);
  return negative ? "-" + digits : digits;
}

[[nodiscard]] WideInteger wide_of(const Json& json) {
  const auto text = json.get<std::string>();
  WideInteger number = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
  }
  return text.starts_with('-') ? -number : number;
}

[[nodiscard]] Json json_of(const Held& held, unsigned scale) {
  if (!held.is_known()) return nullptr;
  const trace::Value value = held.value(scale);
  if (value.is_text()) return Json{{"text", to_hex(std::string{value.characters()})}};
  return trace::to_string(value);
}

[[nodiscard]] Held held_of(const Json& json, unsigned scale) {
  if (json.is_null()) return Held::unknown();
  if (json.is_object()) {
    const std::string text = from_hex(json.at("text").get<std::string>());
    return Held::of(trace::Value::text(text), scale);
  }
  std::string digits;
  const auto number = trace::parse_number(json.get<std::string>(), digits);
  return number ? Held::of(*number, scale) : Held{};
}

[[nodiscard]] Json json_of(const std::vector<Held>& list, unsigned scale) {
  Json json = Json::array();
  for (const Held& held : list) json.push_back(json_of(held, scale));
  return json;
}

[[nodiscard]] std::vector<Held> helds_of(const Json& json, unsigned scale) {
  std::vector<Held> list;
  for (const Json& held : json) list.push_back(held_of(held, scale));
  return list;
}

[[nodiscard]] Json json_of(const sequential::Place& place, unsigned scale) {
  return {{"position", place.position},         {"line", place.line},
          {"time", json_of(place.time, scale)}, {"before", json_of(place.before, scale)},
          {"now", json_of(place.now, scale)},   {"past", json_of(place.past, scale)}};
}

[[nodiscard]] sequential::Place place_of(const Json& json, unsigned scale) {
  sequential::Place place;
  json.at("position").get_to(place.position);
  json.at("line").get_to(place.line);
  place.time = held_of(json.at("time"), scale);
  place.before = helds_of(json.at("before"), scale);
  place.now = helds_of(json.at("now"), scale);
  place.past = helds_of(json.at("past"), scale);
  return place;
}

[[nodiscard]] Json json_of(const sequential::RunsSummary& runs, unsigned scale) {
  Json json;
  json["positions"] = runs.positions;
  json["first"] = json_of(runs.first, scale);
  Json outcomes = Json::array();
  for (std::size_t i = 0; i < runs.seeds.size(); ++i) {
    const sequential::Outcome& outcome = runs.outcomes[i];
    Json one = {{"from", runs.seeds[i]},
                {"to", outcome.state},
                {"settled", outcome.settled},
                {"good", outcome.good},
                {"first_good", outcome.first_good}};
    if (outcome.since) one["since"] = json_of(*outcome.since, scale);
    if (outcome.settled_at) one["settled_at"] = json_of(*outcome.settled_at, scale);
    outcomes.push_back(std::move(one));
  }
  json["outcomes"] = std::move(outcomes);
  return json;
}

[[nodiscard]] sequential::RunsSummary runs_of(const Json& json, unsigned scale) {
  sequential::RunsSummary runs;
  json.at("positions").get_to(runs.positions);
  runs.first = place_of(json.at("first"), scale);
  for (const Json& one : json.at("outcomes")) {
    runs.seeds.push_back(one.at("from").get<sequential::StateIndex>());
    sequential::Outcome outcome;
    one.at("to").get_to(outcome.state);
    one.at("settled").get_to(outcome.settled);
    one.at("good").get_to(outcome.good);
    one.at("first_good").get_to(outcome.first_good);
    if (one.contains("since")) outcome.since = place_of(one.at("since"), scale);
    if (one.contains("settled_at")) outcome.settled_at = place_of(one.at("settled_at"), scale);
    runs.outcomes.push_back(std::move(outcome));
  }
  return runs;
}

[[nodiscard]] Json json_of(const sequential::Spot& spot) {
  return {spot.position, spot.line, spot.time.known, text_of(spot.time.ticks)};
}

[[nodiscard]] Json json_of(const std::optional<sequential::Spot>& spot) {
  return spot ? json_of(*spot) : Json(nullptr);
}

[[nodiscard]] sequential::Spot spot_of(const Json& json) {
  sequential::Spot spot;
  json.at(0).get_to(spot.position);
  json.at(1).get_to(spot.line);
  json.at(2).get_to(spot.time.known);
  spot.time.ticks = wide_of(json.at(3));
  return spot;
}

void read_spot(const Json& json, std::optional<sequential::Spot>& spot) {
  if (!json.is_null()) spot = spot_of(json);
}

[[nodiscard]] Json json_of(const sequential::Distances& distances) {
  return {distances.count, text_of(distances.sum), text_of(distances.shortest),
          text_of(distances.longest)};
}

[[nodiscard]] sequential::Distances distances_of(const Json& json) {
  sequential::Distances distances;
  json.at(0).get_to(distances.count);
  distances.sum = wide_of(json.at(1));
  distances.shortest = wide_of(json.at(2));
  distances.longest = wide_of(json.at(3));
  return distances;
}

[[nodiscard]] Json json_of(const sequential::Tally& tally) {
  return {{"scopes", tally.scopes},
          {"occurrences", tally.occurrences},
          {"answered", tally.answered},
          {"unanswered", tally.unanswered},
          {"violations", tally.violations},
          {"most", tally.most},
          {"positions", json_of(tally.positions)},
          {"times", json_of(tally.times)},
          {"timed", tally.timed},
          {"first", json_of(tally.first)},
          {"last", json_of(tally.last)}};
}

[[nodiscard]] sequential::Tally tally_of(const Json& json) {
  sequential::Tally tally;
  json.at("scopes").get_to(tally.scopes);
  json.at("occurrences").get_to(tally.occurrences);
  json.at("answered").get_to(tally.answered);
  json.at("unanswered").get_to(tally.unanswered);
  json.at("violations").get_to(tally.violations);
  json.at("most").get_to(tally.most);
  tally.positions = distances_of(json.at("positions"));
  tally.times = distances_of(json.at("times"));
  json.at("timed").get_to(tally.timed);
  read_spot(json.at("first"), tally.first);
  read_spot(json.at("last"), tally.last);
  return tally;
}

[[nodiscard]] Json json_of(const sequential::Part& part) {
  const sequential::Pending& pending = part.pending;
  return {{"tally", json_of(part.tally)},
          {"answer", json_of(part.answer)},
          {"pending",
           {pending.number, text_of(pending.positions), text_of(pending.times), pending.timed,
            pending.oldest, pending.newest, text_of(pending.earliest), text_of(pending.latest)}},
          {"first", json_of(part.first)},
          {"last", json_of(part.last)},
          {"stretches", part.stretches}};
}

[[nodiscard]] sequential::Part stretch_of(const Json& json) {
  sequential::Part part;
  part.tally = tally_of(json.at("tally"));
  read_spot(json.at("answer"), part.answer);
  const Json& pending = json.at("pending");
  pending.at(0).get_to(part.pending.number);
  part.pending.positions = wide_of(pending.at(1));
  part.pending.times = wide_of(pending.at(2));
  pending.at(3).get_to(part.pending.timed);
  pending.at(4).get_to(part.pending.oldest);
  pending.at(5).get_to(part.pending.newest);
  part.pending.earliest = wide_of(pending.at(6));
  part.pending.latest = wide_of(pending.at(7));
  read_spot(json.at("first"), part.first);
  read_spot(json.at("last"), part.last);
  json.at("stretches").get_to(part.stretches);
  return part;
}

[[nodiscard]] Json json_of(const sequential::CountingSummary& counting) {
  Json rows = Json::array();
  for (const sequential::CountingSummary::Row& row : counting.rows) {
    rows.push_back({{"to", row.state},
                    {"head", json_of(row.account.head)},
                    {"closes", row.account.closes},
                    {"closed", json_of(row.account.closed)},
                    {"tail", json_of(row.account.tail)}});
  }
  return rows;
}

[[nodiscard]] sequential::CountingSummary counting_of(const Json& json) {
  sequential::CountingSummary counting;
  for (const Json& one : json) {
    sequential::CountingSummary::Row row;
    one.at("to").get_to(row.state);
    row.account.head = stretch_of(one.at("head"));
    one.at("closes").get_to(row.account.closes);
    row.account.closed = tally_of(one.at("closed"));
    row.account.tail = stretch_of(one.at("tail"));
    counting.rows.push_back(std::move(row));
  }
  counting.rows.resize(sequential::Counting::num_states);
  return counting;
}

[[nodiscard]] Json json_of(const sequential::Problem& problem) {
  return {{"line", problem.line},
          {"column", problem.column},
          {"message", to_hex(problem.message)},
          {"hint", to_hex(problem.hint)}};
}

[[nodiscard]] sequential::Problem problem_of(const Json& json) {
  sequential::Problem problem;
  json.at("line").get_to(problem.line);
  json.at("column").get_to(problem.column);
  problem.message = from_hex(json.at("message").get<std::string>());
  problem.hint = from_hex(json.at("hint").get<std::string>());
  return problem;
}

[[nodiscard]] Json json_of(const sequential::PieceSummary& summary, unsigned scale) {
  Json json;
  json["positions"] = summary.positions;
  json["lines"] = summary.lines;
  Json history = Json::array();
  for (const sequential::VariableHistory& variable : summary.history.variables) {
    history.push_back({{"changes", variable.count},
                       {"values", json_of(variable.values, scale)},
                       {"times", json_of(variable.times, scale)}});
  }
  json["history"] = std::move(history);
  Json properties = Json::array();
  for (const sequential::PropertySummary& property : summary.properties) {
    Json one = {{"from", property.from}, {"runs", json_of(property.runs, scale)}};
    if (property.counting) one["counting"] = json_of(*property.counting);
    if (property.counters) {
      Json rows = Json::array();
      for (const sequential::CounterRow& row : property.counters->rows) {
        rows.push_back({{"to", row.state},
                        {"sums", row.sums},
                        {"wrong", to_hex(row.wrong)},
                        {"line", row.line},
                        {"too_large", row.too_large}});
      }
      one["counters"] = std::move(rows);
    }
    properties.push_back(std::move(one));
  }
  json["properties"] = std::move(properties);
  Json problems = Json::array();
  for (const sequential::Problem& problem : summary.problems) problems.push_back(json_of(problem));
  json["problems"] = std::move(problems);
  json["stuck"] = summary.stuck;
  if (summary.fault) {
    json["fault"] = {{"problem", json_of(summary.fault->problem)}, {"rank", summary.fault->rank}};
  }
  return json;
}

[[nodiscard]] sequential::PieceSummary summary_of(const Json& json, unsigned scale) {
  sequential::PieceSummary summary;
  json.at("positions").get_to(summary.positions);
  json.at("lines").get_to(summary.lines);
  for (const Json& one : json.at("history")) {
    sequential::VariableHistory variable;
    one.at("changes").get_to(variable.count);
    variable.values = helds_of(one.at("values"), scale);
    variable.times = helds_of(one.at("times"), scale);
    summary.history.variables.push_back(std::move(variable));
  }
  for (const Json& one : json.at("properties")) {
    sequential::PropertySummary property;
    one.at("from").get_to(property.from);
    property.runs = runs_of(one.at("runs"), scale);
    if (one.contains("counting")) property.counting = counting_of(one.at("counting"));
    if (one.contains("counters")) {
      property.counters.emplace();
      for (const Json& row : one.at("counters")) {
        sequential::CounterRow made;
        row.at("to").get_to(made.state);
        row.at("sums").get_to(made.sums);
        made.wrong = from_hex(row.at("wrong").get<std::string>());
        row.at("line").get_to(made.line);
        row.at("too_large").get_to(made.too_large);
        property.counters->rows.push_back(std::move(made));
      }
    }
    summary.properties.push_back(std::move(property));
  }
  for (const Json& one : json.at("problems")) summary.problems.push_back(problem_of(one));
  json.at("stuck").get_to(summary.stuck);
  if (json.contains("fault")) {
    const Json& fault = json.at("fault");
    summary.fault =
        sequential::Fault{problem_of(fault.at("problem")), fault.at("rank").get<std::uint32_t>()};
  }
  return summary;
}

}  // namespace

std::string to_hex(const std::string& bytes) {
  static const char* const digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

std::string from_hex(const std::string& text) {
  const auto digit = [](char c) {
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10) & 15U;
  };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(digit(text[i]) << 4U | digit(text[i + 1]));
  }
  return bytes;
}

Json json_of(const sequential::TracePart& part, unsigned scale) {
  Json readings = Json::array();
  for (const sequential::PartReading& reading : part.readings) {
    Json one = {{"begin", reading.begin},
                {"end", reading.end},
                {"summary", json_of(reading.summary, scale)},
                {"prefix_text", to_hex(reading.prefix_text)}};
    if (reading.prefix) one["prefix"] = json_of(*reading.prefix, scale);
    readings.push_back(std::move(one));
  }
  return {{"piece", part.piece},
          {"pieces", part.pieces},
          {"cut_end", part.cut_end},
          {"readings", std::move(readings)}};
}

sequential::TracePart part_of(const Json& json, unsigned scale) {
  sequential::TracePart part;
  json.at("piece").get_to(part.piece);
  json.at("pieces").get_to(part.pieces);
  json.at("cut_end").get_to(part.cut_end);
  for (const Json& one : json.at("readings")) {
    sequential::PartReading reading;
    one.at("begin").get_to(reading.begin);
    one.at("end").get_to(reading.end);
    reading.summary = summary_of(one.at("summary"), scale);
    reading.prefix_text = from_hex(one.at("prefix_text").get<std::string>());
    if (one.contains("prefix")) reading.prefix = summary_of(one.at("prefix"), scale);
    part.readings.push_back(std::move(reading));
  }
  return part;
}

}  // namespace cohort::cli
