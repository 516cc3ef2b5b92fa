// Reading one JSON text without building it: the caller walks through it, member by member.
//
//   JsonScanner json{line};
//   if (json.open_object()) {
//     while (json.next_member()) {             // json.key()
//       if (json.key() == "process") name = json.string(); else json.skip();
//     }
//   }
//   if (json.failed()) …  json.message(), json.where()
//
// After a failure everything answers "no more", so that one test at the end is enough.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::trace {

class JsonScanner {
 public:
  enum class Type { Object, Array, String, Number, True, False, Null, None };

  /// Keeps a view of `text`, which must outlive this object.
  explicit JsonScanner(std::string_view text) : text_(text) {}

  /// What comes next.
  [[nodiscard]] Type type();

  /// Steps into an object or an array; false, with a failure, if something else is there.
  bool open_object();
  bool open_array();
  /// Goes to the next member, whose key is key(), or steps out of the object; likewise elements.
  bool next_member();
  bool next_element();
  /// Valid until the next member.
  [[nodiscard]] std::string_view key() const { return key_; }

  /// A string; valid until the next one is read.
  [[nodiscard]] std::string_view string();
  /// A number as it is written.
  [[nodiscard]] std::string_view number();
  /// Any value, as it is written.
  std::string_view skip();
  /// Nothing but blanks may be left.
  void finish();

  void fail(std::string_view message) { fail_at(at_, message); }
  void fail_at(std::size_t where, std::string_view message);
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  /// The byte at which it failed; before that, the byte that is read next.
  [[nodiscard]] std::size_t where() const { return failed_ ? failed_at_ : at_; }

 private:
  static constexpr std::size_t deepest = 200;

  void skip_blanks();
  [[nodiscard]] char look() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool open(char bracket, std::string_view what);
  bool next(char close);
  bool read_string(std::string& scratch, std::string_view& result);
  bool read_escape(std::string& scratch);
  bool read_hex(unsigned& code);
  bool skip_word(std::string_view word);

  std::string_view text_;
  std::size_t at_ = 0;
  bool fresh_ = true;  // nothing of the object or array has been read yet
  std::string_view key_;
  std::string key_scratch_;
  std::string scratch_;
  bool failed_ = false;
  std::size_t failed_at_ = 0;
  std::string message_;
};

}  // namespace cohort::trace
