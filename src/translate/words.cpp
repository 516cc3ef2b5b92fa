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
    "short", "show", "skip", "timeout", "trace", "true", "typedef", "unless", "unsigned", "xr",
    "xs", "_", "_last", "_nr_pr", "_pid", "_priority", "accept", "always", "eventually", "until",
    "weakuntil", "stronguntil", "release", "next", "implies", "equivalent", "now", "started",
    "held", "fits_in_32_bits", "define", "ifdef", "ifndef", "endif", "include", "undef",
    // The verifier is a C program, in which Promela's names are fields and macros.
    "auto", "case", "char", "const", "continue", "default", "double", "enum", "extern", "float",
    "long", "register", "signed", "sizeof", "static", "struct", "switch", "union", "void",
    "volatile", "while", "restrict", "asm", "unix", "linux", "main", "state", "a", "g", "f", "r",
    "errno", "stdin", "stdout", "stderr", "uchar", "uint", "ulong", "ushort", "stacksize",
    "pansource", "spinversion", "sv", "g_int", "g_long", "pinit"};

// Likewise, with a number behind them.
constexpr const char* promela_numbered[] = {"air", "maxseq", "minseq"};

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
    for (const char* const word : promela_numbered) {
      for (int i = 0; i < 600; ++i) taken_.insert(word + std::to_string(i));
    }
  } else {
    for (const char* const word : murphi_words) taken_.insert(word);
  }
}

void Words::begin_scope(const std::vector<std::string>& kept) {
  local_.clear();
  for (const std::string& name : kept) local_.insert(lowered(name));
}

std::string Words::take(std::string_view wanted) { return take(wanted, false); }
std::string Words::take_local(std::string_view wanted) { return take(wanted, true); }

std::string Words::take_process(std::string_view wanted) {
  std::string name = take(wanted, false);
  while (!reserve("p" + name, false)) name = take(wanted, false);
  return name;
}

/// Whether it was free.
bool Words::reserve(const std::string& name, bool local) {
  const std::string lower = lowered(name);
  if (taken_.contains(lower)) return false;
  if (local) {
    ever_local_.insert(lower);
    return local_.insert(lower).second;
  }
  return !ever_local_.contains(lower) && taken_.insert(lower).second;
}

std::string Words::take(std::string_view wanted, bool local) {
  std::string name;
  for (const char c : wanted) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  // C reserves names that begin with an underscore, and Spin uses some.
  if (name.empty() || name.front() == '_') name = "n" + name;
  // The verifiers have macros in capitals.
  if (std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; }))
    name += "_v";
  if (reserve(name, local)) return name;
  for (std::size_t number = 2;; ++number) {
    const std::string next = name + "_" + std::to_string(number);
    if (reserve(next, local)) return next;
  }
}

}  // namespace cohort::translate
