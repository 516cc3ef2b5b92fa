#include "translate/words.hpp"

#include <algorithm>
#include <cctype>

namespace cohort::translate {
namespace {

constexpr const char* promela_words[] = {
    "active", "assert", "atomic", "bit", "bool", "break", "byte", "c_code", "c_decl", "c_expr",
    "c_state", "c_track", "chan", "cond_expr", "d_proctype", "d_step", "do", "else", "empty",
    "enabled", "end", "eval", "false", "fi", "for", "full", "get_priority", "goto", "hidden", "if",
    "in", "init", "inline", "int", "len", "local", "ltl", "mtype", "nempty", "never", "nfull",
    "none", "notrace", "np_", "od", "of", "pc_value", "pid", "print", "printf", "printm",
    "priority", "proctype", "progress", "provided", "return", "run", "select", "set_priority",
    "short", "show", "skip", "timeout", "trace", "true", "typedef", "u", "unless", "unsigned", "v",
    "w", "x", "xr", "xs", "_", "_last", "_nr_pr", "_pid", "_priority", "accept", "always",
    "eventually", "until", "weakuntil", "stronguntil", "release", "next", "implies", "equivalent",
    "now", "started", "held", "define", "ifdef", "ifndef", "endif", "include", "undef",
    // The verifier is a C program, in which Promela's names are fields and macros.
    "auto", "case", "char", "const", "continue", "default", "double", "enum", "extern", "float",
    "long", "register", "signed", "sizeof", "static", "struct", "switch", "union", "void",
    "volatile", "while", "restrict", "asm", "unix", "linux", "main", "state", "a", "g", "f", "r"};

constexpr const char* murphi_words[] = {"alias",
                                        "array",
                                        "assert",
                                        "assume",
                                        "begin",
                                        "boolean",
                                        "by",
                                        "case",
                                        "clear",
                                        "const",
                                        "cover",
                                        "do",
                                        "else",
                                        "elsif",
                                        "end",
                                        "endalias",
                                        "endexists",
                                        "endfor",
                                        "endforall",
                                        "endfunction",
                                        "endif",
                                        "endprocedure",
                                        "endrecord",
                                        "endrule",
                                        "endruleset",
                                        "endstartstate",
                                        "endswitch",
                                        "endwhile",
                                        "enum",
                                        "error",
                                        "exists",
                                        "false",
                                        "for",
                                        "forall",
                                        "from",
                                        "function",
                                        "if",
                                        "in",
                                        "interleaved",
                                        "invariant",
                                        "isundefined",
                                        "ismember",
                                        "liveness",
                                        "multiset",
                                        "multisetadd",
                                        "multisetcount",
                                        "multisetremove",
                                        "multisetremovepred",
                                        "none",
                                        "of",
                                        "procedure",
                                        "process",
                                        "program",
                                        "put",
                                        "record",
                                        "return",
                                        "rule",
                                        "ruleset",
                                        "scalarset",
                                        "startstate",
                                        "switch",
                                        "then",
                                        "to",
                                        "traceuntil",
                                        "true",
                                        "type",
                                        "undefine",
                                        "union",
                                        "var",
                                        "while",
                                        "number_t",
                                        "real",
                                        "and",
                                        "or",
                                        "not",
                                        "flat",
                                        "assumption",
                                        "undefined",
                                        "places",
                                        "initial"};

[[nodiscard]] std::string lowered(std::string_view word) {
  std::string lower;
  for (const char c : word) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

}  // namespace

Words::Words(Language language) {
  if (language == Language::Promela) {
    for (const char* const word : promela_words) taken_.insert(word);
    // Parameters of macros, and the parameter of a process.
    taken_.insert("me");
    for (int i = 0; i < 64; ++i) taken_.insert("p" + std::to_string(i));
  } else {
    for (const char* const word : murphi_words) taken_.insert(word);
  }
}

std::string Words::take(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  // C reserves names that begin with an underscore, and Spin uses some.
  if (name.empty() || name.front() == '_') name = "n" + name;
  // The verifiers have macros in capitals.
  if (std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; }))
    name += "_v";
  if (taken_.insert(lowered(name)).second) return name;
  for (std::size_t number = 2;; ++number) {
    const std::string next = name + "_" + std::to_string(number);
    if (taken_.insert(lowered(next)).second) return next;
  }
}

}  // namespace cohort::translate
