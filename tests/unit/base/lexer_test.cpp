#include "base/lexer.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace cohort::base {
namespace {

constexpr TokenKind arrow = first_own_token;
constexpr TokenKind minus = first_own_token + 1;
constexpr TokenKind module_word = first_own_token + 2;
constexpr TokenKind in_word = first_own_token + 3;

const Lexicon& small_lexicon() {
  static const Lexicon lexicon{{"->", arrow},           {"→", arrow},    {"-", minus},
                               {"Module", module_word}, {"in", in_word}, {"∈", in_word}};
  return lexicon;
}

struct Result {
  std::vector<TokenKind> kinds;
  std::vector<std::string> texts;
  std::vector<bool> first_on_line;
  std::size_t num_comments = 0;
  std::vector<std::string> messages;
};

Result lexed(const std::string& text) {
  const Source source = Source::from_text("t", text);
  Diagnostics diagnostics;
  const Lexed found = lex(source, small_lexicon(), diagnostics);
  Result result;
  for (const Token& token : found.tokens) {
    result.kinds.push_back(token.kind);
    result.texts.emplace_back(source.text(token.where));
    result.first_on_line.push_back(token.first_on_line);
  }
  result.num_comments = found.comments.size();
  for (const Diagnostic& d : diagnostics.sorted()) result.messages.push_back(d.message);
  return result;
}

using Kinds = std::vector<TokenKind>;
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a token reaches as far right as it can", "[base][lexer]") {
  const Result result = lexed("Modules->Module--> 12x_3");
  CHECK(result.texts == Texts{"Modules", "->", "Module", "-", "->", "12", "x_3", ""});
  CHECK(result.kinds ==
        Kinds{name_token, arrow, module_word, minus, arrow, integer_token, name_token, end_token});
  CHECK(result.messages.empty());
}

TEST_CASE("several spellings have one kind", "[base][lexer]") {
  CHECK(lexed("→ ∈ in").kinds == Kinds{arrow, in_word, in_word, end_token});
  CHECK(small_lexicon().canonical(arrow) == "->");
  CHECK(small_lexicon().canonical(name_token).empty());
  CHECK(small_lexicon().is_word(in_word));
  CHECK_FALSE(small_lexicon().is_word(arrow));
}

TEST_CASE("comments are kept beside the tokens", "[base][lexer]") {
  const Result result = lexed("a // b\nc /* d\n */ e /***/ //");
  CHECK(result.texts == Texts{"a", "c", "e", ""});
  CHECK(result.num_comments == 4);
  CHECK(result.first_on_line[1]);
}

TEST_CASE("a byte order mark is skipped", "[base][lexer]") {
  CHECK(lexed("\xEF\xBB\xBF"
              "a")
            .texts == Texts{"a", ""});
}

TEST_CASE("what starts no token is reported, and a bad token stands for it", "[base][lexer]") {
  CHECK(lexed("a $ b").kinds == Kinds{name_token, bad_token, name_token, end_token});
  CHECK(lexed("a $ é").messages == Texts{"unexpected character '$'", "unexpected character 'é'"});
  CHECK(lexed("\x01").messages == Texts{"unexpected control character U+0001"});
  CHECK(lexed("a \xFF\xFE b").messages == Texts{"byte 0xFF is not UTF-8"});
  CHECK(lexed("// \xC3\n").messages == Texts{"byte 0xC3 is not UTF-8"});
  CHECK(lexed("a /* b").messages == Texts{"the comment is not closed"});
  CHECK(lexed("a /*/").messages == Texts{"the comment is not closed"});
}

}  // namespace cohort::base
