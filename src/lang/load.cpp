#include "lang/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "lang/parse.hpp"

namespace cohort::lang {
namespace {

[[nodiscard]] std::optional<std::int64_t> to_id(std::string_view digits) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  if (error != std::errc{} || end != digits.data() + digits.size() || id < 0) return std::nullopt;
  return id;
}

/// `i=3` or `i=client(3)`; the value's names are views into `text`.
[[nodiscard]] std::optional<syntax::Value> parse_value(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
  syntax::Value value;
  value.variable.text = text.substr(0, equals);
  std::string_view process = text.substr(equals + 1);
  if (const std::size_t open = process.find('('); open != std::string_view::npos) {
    if (open == 0 || !process.ends_with(')')) return std::nullopt;
    value.module = syntax::Name{process.substr(0, open), {}};
    process = process.substr(open + 1, process.size() - open - 2);
  }
  const std::optional<std::int64_t> id = to_id(process);
  if (!id) return std::nullopt;
  value.id = *id;
  return value;
}

class Loader {
 public:
  explicit Loader(const LoadRequest& request) : request_(request) {}

  [[nodiscard]] Loaded run(std::variant<base::Source, base::Unreadable> model) {
    Input* const input = add(request_.model, std::move(model));
    read_values();
    if (input != nullptr) read_model(*input);
    for (const std::string& path : request_.specs) {
      if (Input* const spec = add(path, base::read_source(path))) read_spec(*spec, input);
    }
    for (std::size_t i = 0; i < request_.cctl.size(); ++i) read_formula(i, input);
    keep_values();
    // A formula that was left out may be the only one that uses something.
    if (input != nullptr && loaded_.ok() && !leaves_out_) {
      warn_of_unused(loaded_.program, loaded_.formulas, input->diagnostics);
    }
    return std::move(loaded_);
  }

 private:
  Input* add(const std::string& path, std::variant<base::Source, base::Unreadable> read) {
    if (const auto* const failure = std::get_if<base::Unreadable>(&read)) {
      loaded_.problems.push_back({path, failure->reason, {}});
      return nullptr;
    }
    loaded_.inputs.push_back(
        std::make_unique<Input>(Input{std::get<base::Source>(std::move(read)), {}}));
    return loaded_.inputs.back().get();
  }

  void read_values() {
    for (const std::string& text : request_.values) {
      if (const std::optional<syntax::Value> value = parse_value(text)) {
        commanded_.push_back(*value);
      } else {
        loaded_.problems.push_back({"--evaluate " + text, "is no value of a process variable",
                                    "write 'i=3', or 'i=client(3)'"});
      }
    }
  }

  void keep_values() {
    for (const auto* const values : {&model_.evaluation, &commanded_}) {
      for (const syntax::Value& value : *values) {
        GivenValue& kept = loaded_.evaluation.emplace_back();
        kept.variable = value.variable.text;
        if (value.module) kept.module = std::string(value.module->text);
        kept.id = value.id;
      }
    }
  }

  void read_model(Input& input) {
    model_ = parse_model(input.source, input.diagnostics);
    Resolved resolved = resolve_model(model_, input.source, request_.overrides, input.diagnostics);
    loaded_.program = std::move(resolved.program);
    model_.bodies = {};  // most of a large file; what comes next may have the memory
    excused_ = std::move(resolved.excused_names);
    // A name that could not be read may be declared where the file is wrong.
    if (!input.diagnostics.has_errors()) report_unknown(resolved.unknown_overrides);
    const bool wanted = request_.own_formulas == OwnFormulas::ToCheck;
    const PropertyContext context{
        loaded_.program,   input.source,
        model_.evaluation, wanted ? commanded_ : std::vector<syntax::Value>{},
        excused_,          wanted ? MissingValues::Error : MissingValues::LeaveOut};
    resolve(model_.properties, input, context);
    leaves_out_ = loaded_.formulas.size() < model_.properties.size();
  }

  void report_unknown(const std::vector<std::string>& overrides) {
    std::string known;
    for (const Module& module : loaded_.program.modules) known += ", " + module.name;
    for (const syntax::Constant& constant : model_.constants) {
      known += fmt::format(", {}", constant.name.text);
    }
    const std::string hint = known.empty() ? std::string() : "there are: " + known.substr(2);
    for (const std::string& name : overrides) {
      loaded_.problems.push_back({"-D " + name, "is no Module and no Const of the model", hint});
    }
  }

  void read_spec(Input& input, const Input* model) {
    specs_.push_back(
        std::make_unique<syntax::SpecFile>(parse_spec(input.source, input.diagnostics)));
    if (model != nullptr) resolve(specs_.back()->properties, input, commanded_);
  }

  void read_formula(std::size_t number, const Input* model) {
    const std::string name = fmt::format("cctl{}", number + 1);
    Input* const input = add(name, base::Source::from_text(name, request_.cctl[number]));
    syntax::Property property;
    property.formula = parse_formula(input->source, input->diagnostics);
    if (model == nullptr || input->diagnostics.has_errors()) return;
    property.name = {input->source.name(), property.formula.where};
    // The places of the model's Evaluation are not this text's.
    std::vector<syntax::Value> known = model_.evaluation;
    known.insert(known.end(), commanded_.begin(), commanded_.end());
    resolve({property}, *input, known);
  }

  void resolve(const std::vector<syntax::Property>& properties, Input& input,
               const PropertyContext& context) {
    std::vector<Formula> formulas = resolve_properties(properties, context, input.diagnostics);
    std::ranges::move(formulas, std::back_inserter(loaded_.formulas));
  }

  void resolve(const std::vector<syntax::Property>& properties, Input& input,
               const std::vector<syntax::Value>& commanded) {
    resolve(properties, input, {loaded_.program, input.source, {}, commanded, excused_});
  }

  const LoadRequest& request_;
  Loaded loaded_;
  syntax::ModelFile model_;
  std::vector<std::unique_ptr<syntax::SpecFile>> specs_;
  std::vector<syntax::Value> commanded_;
  std::vector<std::string_view> excused_;
  bool leaves_out_ = false;
};

}  // namespace

bool Loaded::ok() const {
  return problems.empty() && std::ranges::none_of(inputs, [](const auto& input) {
           return input->diagnostics.has_errors();
         });
}

Loaded load(const LoadRequest& request) {
  return Loader(request).run(base::read_source(request.model));
}

Loaded load_text(std::string name, const std::string& text, const LoadRequest& request) {
  return Loader(request).run(base::Source::from_text(std::move(name), text));
}

}  // namespace cohort::lang
