// Model files: grammar/model.ebnf.
//
// One rule for each kind of declaration and for a schema; ModelParser strings them together, so
// that an error costs one declaration, not the file.
#include <utility>

#include "lang/expression_grammar.hpp"
#include "lang/file_grammar.hpp"
#include "lang/parse.hpp"

namespace cohort::lang {
namespace grammar {
namespace {

using syntax::Action;
using syntax::Initial;
using syntax::Type;

const base::EndOfDeclaration end_of_declaration{static_cast<base::TokenKind>(Kind::Semicolon)};

// Semantic actions that put a name, or what was read, into a member of the node being built.
template <typename Node, typename Member>
[[nodiscard]] auto take_name(Member Node::*member) {
  return
      [member](auto& context) { x3::_val(context).*member = name_of(context, x3::_attr(context)); };
}
template <typename Node, typename Member>
[[nodiscard]] auto take(Member Node::*member) {
  return [member](auto& context) { x3::_val(context).*member = std::move(x3::_attr(context)); };
}
template <typename Node, typename Member>
[[nodiscard]] auto add_name(Member Node::*member) {
  return [member](auto& context) {
    (x3::_val(context).*member).push_back(name_of(context, x3::_attr(context)));
  };
}
template <typename Node, typename Member>
[[nodiscard]] auto add(Member Node::*member) {
  return [member](auto& context) {
    (x3::_val(context).*member).push_back(std::move(x3::_attr(context)));
  };
}

const auto name = token(Kind::Name);

template <typename Part, typename Separator>
auto separated(const Part& part, const Separator& separator) {
  return part >> *(separator >> part);
}

// ---------------------------------------------------------------------------------------------------
// Modules, constants, enums, classes

const x3::rule<struct ModuleRuleId, syntax::Module> module_rule{"module"};
const auto module_rule_def = token(Kind::Module) >> name[take_name(&syntax::Module::name)] >>
                             token(Kind::Assign) >> expression[take(&syntax::Module::size)] >>
                             end_of_declaration;

const x3::rule<struct ConstantRuleId, syntax::Constant> constant_rule{"constant"};
const auto constant_rule_def = token(Kind::Const) >> name[take_name(&syntax::Constant::name)] >>
                               token(Kind::Assign) >> expression[take(&syntax::Constant::value)] >>
                               end_of_declaration;

const x3::rule<struct EnumRuleId, syntax::Enum> enum_rule{"enum"};
const auto enum_rule_def = token(Kind::Enum) >> name[take_name(&syntax::Enum::name)] >>
                           token(Kind::Assign) >> token(Kind::BraceOpen) >>
                           separated(name[add_name(&syntax::Enum::constants)],
                                     token(Kind::Comma)) >>
                           token(Kind::BraceClose) >> end_of_declaration;

const x3::rule<struct ClassRuleId, syntax::PriorityClass> class_rule{"class"};
const auto class_rule_def = token(Kind::PriorityClass) >>
                            name[take_name(&syntax::PriorityClass::name)] >>
                            token(Kind::Colon) >> name[take_name(&syntax::PriorityClass::module)] >>
                            token(Kind::Assign) >> token(Kind::ParenOpen) >>
                            separated(id_range[add(&syntax::PriorityClass::ids)],
                                      token(Kind::Comma)) >>
                            token(Kind::ParenClose) >> end_of_declaration;

// ---------------------------------------------------------------------------------------------------
// Variables

const auto only_name = name >> !(quiet(Kind::DotDot) | quiet(Kind::Plus) | quiet(Kind::Minus) |
                                 quiet(Kind::Times) | quiet(Kind::Divide) | quiet(Kind::Modulo) |
                                 quiet(Kind::ParenOpen) | quiet(Kind::SquareOpen));

const x3::rule<struct RangeRuleId, syntax::Range> range_rule{"range"};
const auto range_rule_def = sum[take(&syntax::Range::first)] >>
                            token(Kind::DotDot) >> sum[take(&syntax::Range::last)];

const auto take_range = [](auto& context) {
  syntax::Range& range = x3::_attr(context);
  x3::_val(context).where = base::join(range.first.where, range.last.where);
  x3::_val(context).range.push_back(std::move(range));
};
const auto take_named = [](auto& context) {
  x3::_val(context).name = name_of(context, x3::_attr(context));
  x3::_val(context).where = x3::_attr(context).where;
};

const x3::rule<struct DimensionRuleId, syntax::Dimension> dimension_rule{"dimension"};
const auto dimension_rule_def =
    called("a module or a range")[(&only_name >> name[take_named]) | range_rule[take_range]];

[[nodiscard]] auto set_type(Type::Kind kind) {
  return [kind](auto& context) { x3::_val(context).kind = kind; };
}
const auto take_bool = [](auto& context) {
  x3::_val(context).kind = Type::Kind::Bool;
  x3::_val(context).where = x3::_attr(context).where;
};
const auto take_question = [](auto& context) {
  x3::_val(context).kind = Type::Kind::Optional;
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const x3::rule<struct TypeRuleId, Type> type_rule{"type"};
const auto type_rule_def =
    called("a type")[token(Kind::Bool)[take_bool] |
                     (&only_name >> name[take_named] >> x3::eps[set_type(Type::Kind::Named)] >>
                      -token(Kind::Question)[take_question]) |
                     (range_rule[take_range] >> x3::eps[set_type(Type::Kind::Range)])];

[[nodiscard]] auto start_initial(Initial::Kind kind) {
  return [kind](auto& context) {
    x3::_val(context).kind = kind;
    x3::_val(context).where = x3::_attr(context).where;
  };
}
const auto take_initial_value = [](auto& context) {
  Initial& initial = x3::_val(context);
  initial.values.push_back(std::move(x3::_attr(context)));
  initial.where.end = initial.values.back().where.end;
};
const auto take_initial_range = [](auto& context) {
  Initial& initial = x3::_val(context);
  initial.kind = Initial::Kind::Range;
  initial.values.push_back(std::move(x3::_attr(context).first));
  initial.values.push_back(std::move(x3::_attr(context).last));
  initial.where.end = initial.values.back().where.end;
};
const auto take_initial_module = [](auto& context) {
  Initial& initial = x3::_val(context);
  initial.kind = Initial::Kind::Module;
  initial.module = name_of(context, x3::_attr(context));
  initial.where.end = initial.module.where.end;
};
const auto end_initial = [](auto& context) {
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const x3::rule<struct InitialRuleId, Initial> initial_rule{"initial"};
const auto initial_rule_def =
    (token(Kind::Assign)[start_initial(Initial::Kind::Value)] >> expression[take_initial_value]) |
    (token(Kind::In)[start_initial(Initial::Kind::List)] >>
     called("'{', a module or a range")
         [(token(Kind::BraceOpen) >>
           separated(expression[take_initial_value], token(Kind::Comma)) >>
           token(Kind::BraceClose)[end_initial]) |
          (&only_name >> name[take_initial_module]) | range_rule[take_initial_range]]);

const x3::rule<struct InitRuleId, syntax::Init> init_rule{"init"};
const auto init_rule_def = token(Kind::Init) >> reference[take(&syntax::Init::target)] >>
                           initial_rule[take(&syntax::Init::initial)] >> end_of_declaration;

const x3::rule<struct VariableRuleId, syntax::Variable> variable_rule{"variable"};
const auto variable_rule_def = name[take_name(&syntax::Variable::name)] >>
                               -(token(Kind::SquareOpen) >>
                                 separated(dimension_rule[add(&syntax::Variable::dimensions)],
                                           token(Kind::Comma)) >>
                                 token(Kind::SquareClose)) >>
                               -(token(Kind::Colon) >> type_rule[take(&syntax::Variable::type)]) >>
                               -(&(token(Kind::Assign) | token(Kind::In)) >>
                                 initial_rule[take(&syntax::Variable::initial)]) >>
                               end_of_declaration;

/// `i, j of client;` and the head of a body, `k of client : {`.
struct OfHeading {
  std::vector<syntax::Name> names;
  syntax::Name module;
  bool opens_body = false;
};
const x3::rule<struct OfHeadingId, OfHeading> of_heading{"of_heading"};
const auto of_heading_def =
    separated(name[add_name(&OfHeading::names)], token(Kind::Comma)) >>
    token(Kind::Of) >> name[take_name(&OfHeading::module)] >>
    ((token(Kind::Colon) >>
      token(Kind::BraceOpen)[([](auto& context) { x3::_val(context).opens_body = true; })]) |
     end_of_declaration);

// ---------------------------------------------------------------------------------------------------
// Schemas

using ActionRule = x3::rule<struct ActionRuleId, Action>;
const ActionRule action_rule{"action"};

const auto take_target = [](auto& context) {
  Action& action = x3::_val(context);
  action.target = std::move(x3::_attr(context));
  action.where = action.target.where;
};
const auto take_value = [](auto& context) {
  Action& action = x3::_val(context);
  action.value = std::move(x3::_attr(context));
  action.where.end = action.value.where.end;
};
const auto start_all = [](auto& context) { x3::_val(context).where = x3::_attr(context).where; };
const auto end_all = [](auto& context) {
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const auto action_rule_def = called(
    "an assignment")[(reference[take_target] >> token(Kind::Assign) >> expression[take_value]) |
                     (token(Kind::All)[start_all] >> token(Kind::ParenOpen) >>
                      separated(name[add_name(&Action::binders)], token(Kind::Comma)) >>
                      -(token(Kind::Where) >> expression[add(&Action::filter)]) >>
                      token(Kind::Colon) >>
                      separated(nested[action_rule][add(&Action::actions)], token(Kind::Comma)) >>
                      token(Kind::ParenClose)[end_all])];

const x3::rule<struct RankRuleId, syntax::Rank> rank_rule{"rank"};
const auto take_rank_name = [](auto& context) {
  x3::_val(context).name = name_of(context, x3::_attr(context));
  x3::_val(context).where = x3::_attr(context).where;
};
const auto take_rank_ids = [](auto& context) {
  syntax::Rank& rank = x3::_val(context);
  const base::Span where = x3::_attr(context).where;
  rank.where = rank.ids.empty() ? where : base::join(rank.where, where);
  rank.ids.push_back(std::move(x3::_attr(context)));
};
const auto rank_rule_def =
    name[take_rank_name] | separated(id_range[take_rank_ids], token(Kind::Comma));

const auto start_priority = [](auto& context) {
  x3::_val(context) = {};
  x3::_val(context).where = x3::_attr(context).where;
};
const auto end_priority = [](auto& context) {
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const x3::rule<struct PriorityRuleId, syntax::Priority> priority_rule{"priority"};
const auto priority_rule_def =
    (token(Kind::Priority)[start_priority] >> -name[take_name(&syntax::Priority::variable)] >>
     token(Kind::ParenOpen) >>
     separated(rank_rule[add(&syntax::Priority::ranks)], token(Kind::Semicolon)) >>
     token(Kind::ParenClose)[end_priority]) |
    (quiet(Kind::ParenOpen)[start_priority] >> token(Kind::Priority) >>
     separated(rank_rule[add(&syntax::Priority::ranks)], token(Kind::Colon)) >>
     token(Kind::ParenClose)[end_priority]);

const x3::rule<struct SchemaRuleId, syntax::Schema> schema_rule{"schema"};
const auto schema_rule_def = -(token(Kind::SquareOpen) >> name[take_name(&syntax::Schema::label)] >>
                               token(Kind::SquareClose)) >>
                             expression[take(&syntax::Schema::condition)] >> token(Kind::Arrow) >>
                             separated(action_rule[add(&syntax::Schema::actions)],
                                       token(Kind::Comma)) >>
                             -(&(token(Kind::Priority) | quiet(Kind::ParenOpen)) >>
                               priority_rule[take(&syntax::Schema::priority)]) >>
                             end_of_declaration;

BOOST_SPIRIT_DEFINE(module_rule, constant_rule, enum_rule, class_rule, range_rule, dimension_rule,
                    type_rule, initial_rule, init_rule, variable_rule, of_heading, action_rule,
                    rank_rule, priority_rule, schema_rule)

// A formula of the Formula section, with its name or without; a value of the Evaluation section.
const auto take_property_name = [](auto& context) {
  x3::_val(context).name = name_of(context, x3::_attr(context));
};
const auto take_property_formula = [](auto& context) {
  x3::_val(context).formula = std::move(x3::_attr(context));
};
const x3::rule<struct NamedFormulaId, syntax::Property> named_formula{"named_formula"};
const auto named_formula_def = name[take_property_name] >>
                               token(Kind::Colon) >> formula[take_property_formula] >>
                               end_of_declaration;

struct EndOfSection : x3::parser<EndOfSection> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& /*attribute*/) const {
    if (kind_of(*first) == Kind::End || kind_of(*first) == Kind::Evaluation) return true;
    state(context).expected(*first, "the end of the section");
    return false;
  }
};
const x3::rule<struct BareFormulaId, syntax::Property> bare_formula{"bare_formula"};
const auto bare_formula_def = formula[take_property_formula] >>
                              -token(Kind::Semicolon) >> EndOfSection{};

const x3::rule<struct EvaluationValueId, syntax::Value> evaluation_value{"evaluation_value"};
const auto take_evaluation_value = [](auto& context) {
  x3::_val(context) = std::move(x3::_attr(context));
};
const auto evaluation_value_def = value[take_evaluation_value] >>
                                  (&quiet(Kind::End) | end_of_declaration);

BOOST_SPIRIT_DEFINE(named_formula, bare_formula, evaluation_value)

}  // namespace
}  // namespace grammar

namespace {

class ModelParser : FileParser {
 public:
  using FileParser::FileParser;

  [[nodiscard]] syntax::ModelFile parse() {
    if (diagnostics_.full()) return std::move(model_);
    const bool has_keyword = kind() == Kind::Program;
    if (has_keyword) ++at_;
    if (kind() == Kind::End && !has_keyword && !diagnostics_.has_errors()) {
      diagnostics_.error({},
                         at_->where.begin == 0 ? "the file is empty" : "the file declares nothing",
                         "a model starts with 'Program' and a declaration such as "
                         "'Module client = 3;'");
    }
    while (!done() && !at_section()) item();
    if (!done() && !has_keyword) {
      refuse("'" + std::string(state_.text(*at_)) + "' in a file without 'Program'",
             "write 'Program' at the start of the file");
    }
    if (!done() && kind() == Kind::Formula) formulas();
    if (!done() && kind() == Kind::Evaluation) evaluation();
    model_.names_in_errors = std::move(skipped_names_);
    return std::move(model_);
  }

 private:
  template <typename Rule, typename Node>
  void declare(const Rule& rule, std::vector<Node>& nodes) {
    Node node;
    if (piece(rule, node)) nodes.push_back(std::move(node));
  }

  [[nodiscard]] bool at_section() const {
    return (kind() == Kind::Formula || kind() == Kind::Evaluation) && !declares_keyword();
  }

  void item() {
    if (declares_keyword()) {
      return refuse_piece("'" + std::string(state_.text(*at_)) +
                          "' is a keyword and cannot be used as a name");
    }
    switch (kind()) {
      case Kind::Module:
        return declare(grammar::module_rule, model_.modules);
      case Kind::Const:
        return declare(grammar::constant_rule, model_.constants);
      case Kind::Enum:
        return declare(grammar::enum_rule, model_.enums);
      case Kind::PriorityClass:
        return declare(grammar::class_rule, model_.classes);
      case Kind::Init:
        return declare(grammar::init_rule, model_.inits);
      case Kind::Name:
        if (kind(1) == Kind::Of || kind(1) == Kind::Comma) return indices_or_body();
        return declare(grammar::variable_rule, model_.variables);
      case Kind::Property:
        return refuse_piece(
            "'property' starts a property of a spec file",
            "in a model write 'Formula' and then 'name : formula;', or use a .cctl file");
      case Kind::Semicolon:
        refuse("';' without a declaration before it", "remove it");
        ++at_;
        return;
      case Kind::BraceClose:
        // It may belong to a body that was found open because of a declaration inside.
        if (open_bodies_ == 0) {
          refuse("'}' closes nothing", "remove it, or look for a missing '{' before");
        } else {
          --open_bodies_;
        }
        ++at_;
        return;
      default:
        return unexpected("a declaration");
    }
  }

  /// `bool = 0;`, `Init of client;`: what stands behind the keyword shows that it is meant as a
  /// name.
  [[nodiscard]] bool declares_keyword() const {
    if (!lexicon().is_word(at_->kind)) return false;
    switch (kind(1)) {
      case Kind::Assign:
      case Kind::Colon:
        return !wants_name();
      case Kind::SquareOpen:
      case Kind::Comma:
        return true;
      case Kind::Of:
        return kind(2) == Kind::Name;
      case Kind::In:
      case Kind::Semicolon:
        return !starts_declaration(*at_);
      default:
        return false;
    }
  }

  /// `Module = 3;` has forgotten a name rather than used one that it should not.
  [[nodiscard]] bool wants_name() const {
    switch (kind()) {
      case Kind::Module:
      case Kind::Const:
      case Kind::Enum:
      case Kind::PriorityClass:
      case Kind::Init:
        return true;
      default:
        return false;
    }
  }

  void indices_or_body() {
    grammar::OfHeading heading;
    const base::Token* const start = at_;
    if (!piece(grammar::of_heading, heading)) return;
    if (!heading.opens_body) {
      model_.indices.push_back({std::move(heading.names), heading.module});
      return;
    }
    if (heading.names.size() > 1) {
      diagnostics_.error(
          heading.names[1].where, "a body has one index variable",
          "declare the others with 'j of " + std::string(heading.module.text) + ";'");
    }
    body(heading, start->where);
  }

  void body(const grammar::OfHeading& heading, base::Span head) {
    syntax::Body body{heading.names.front(), heading.module, {}};
    while (!done() && kind() != Kind::BraceClose && !leaves_body()) {
      syntax::Schema schema;
      const base::Token* const start = at_;
      if (!piece(grammar::schema_rule, schema, Recovery::InBody)) continue;
      schema.where = base::join(start->where, at_[-1].where);
      body.schemas.push_back(std::move(schema));
    }
    model_.bodies.push_back(std::move(body));
    if (kind() == Kind::BraceClose) {
      ++at_;
    } else if (!diagnostics_.full()) {
      ++open_bodies_;
      diagnostics_.error(
          head, "the body of module '" + std::string(heading.module.text) + "' is not closed",
          "a body ends with '}'");
    }
  }

  /// A declaration's keyword in a body: the closing brace was forgotten.
  [[nodiscard]] bool leaves_body() const {
    switch (kind()) {
      case Kind::Module:
      case Kind::Const:
      case Kind::Enum:
      case Kind::PriorityClass:
      case Kind::Init:
      case Kind::Formula:
      case Kind::Evaluation:
        return true;
      case Kind::Name:
        return kind(1) == Kind::Of;
      default:
        return false;
    }
  }

  void formulas() {
    ++at_;
    if (done() || kind() == Kind::Evaluation) return;
    // A keyword before the colon is a wrong name, and no formula starts like that.
    const bool is_word = kind() == Kind::Name || lexicon().is_word(at_->kind);
    if (is_word && kind(1) == Kind::Colon) {
      while (!done() && kind() != Kind::Evaluation) {
        syntax::Property property;
        if (piece(grammar::named_formula, property, Recovery::InFormula)) {
          model_.properties.push_back(std::move(property));
        }
      }
      return;
    }
    syntax::Property property;
    if (piece(grammar::bare_formula, property, Recovery::InFormula)) {
      property.name = {"formula", property.formula.where};
      model_.properties.push_back(std::move(property));
    }
    while (!done() && kind() != Kind::Evaluation)
      ++at_;  // what follows a bare formula was reported
  }

  void evaluation() {
    ++at_;
    while (!done()) {
      syntax::Value value;
      if (piece(grammar::evaluation_value, value, Recovery::InFormula))
        model_.evaluation.push_back(value);
    }
  }

  syntax::ModelFile model_;
  std::size_t open_bodies_ = 0;  ///< reported as not closed
};

}  // namespace

syntax::ModelFile parse_model(const base::Source& source, base::Diagnostics& diagnostics) {
  return ModelParser(source, diagnostics).parse();
}

}  // namespace cohort::lang
