#include "sim/labcc/rewriter/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace lab::sim {

namespace {

bool begins_name(char character) { return std::isalpha(static_cast<unsigned char>(character)) || character == '_'; }
bool in_name(char character) { return std::isalnum(static_cast<unsigned char>(character)) || character == '_'; }

class lexer {
 public:
  explicit lexer(std::string_view source) : s_{source} {}

  std::vector<token> run() {
    while (at_ < s_.size()) step();
    return std::move(found_);
  }

 private:
  char now(std::size_t ahead = 0) const { return at_ + ahead < s_.size() ? s_[at_ + ahead] : '\0'; }
  bool starts(std::string_view text) const { return s_.substr(at_).starts_with(text); }

  void step() {
    const char c = now();
    if (c == '\n') {
      directive_ = false;
      line_is_empty_ = true;
      ++at_;
    } else if (starts("\\\n")) {
      at_ += 2;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
    } else if (starts("//")) {
      skip_line_comment();
    } else if (starts("/*")) {
      const auto end = s_.find("*/", at_ + 2);
      at_ = end == s_.npos ? s_.size() : end + 2;
    } else {
      take_token();
      line_is_empty_ = false;
    }
  }

  void skip_line_comment() {
    while (at_ < s_.size() && now() != '\n') at_ += starts("\\\n") ? 2 : 1;
  }

  void take_token() {
    const std::size_t begin = at_;
    const char c = now();
    if (c == '#' && line_is_empty_) directive_ = true;
    if (begins_name(c)) return take_name(begin);
    if (std::isdigit(static_cast<unsigned char>(c)) || (c == '.' && std::isdigit(static_cast<unsigned char>(now(1)))))
      return take_number(begin);
    if (c == '"' || c == '\'') return take_quoted(begin);
    take_punctuation(begin);
  }

  void take_name(std::size_t begin) {
    while (in_name(now())) ++at_;
    const auto name = s_.substr(begin, at_ - begin);
    if (now() == '"' && name.ends_with('R') && name.size() <= 3) return take_raw(begin);
    if ((now() == '"' || now() == '\'') && (name == "L" || name == "u" || name == "U" || name == "u8"))
      return take_quoted(begin);
    add(token_kind::identifier, begin);
  }

  void take_number(std::size_t begin) {
    while (in_name(now()) || now() == '.' || (now() == '\'' && in_name(now(1))) ||
           ((now() == '+' || now() == '-') && exponent(s_[at_ - 1], begin)))
      ++at_;
    add(token_kind::number, begin);
  }

  bool exponent(char before, std::size_t begin) const {
    const bool hex = s_.substr(begin).starts_with("0x") || s_.substr(begin).starts_with("0X");
    return hex ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
  }

  void take_quoted(std::size_t begin) {
    const char quote = now();
    for (++at_; at_ < s_.size() && now() != quote && now() != '\n'; ++at_)
      if (now() == '\\') ++at_;
    if (now() == quote) ++at_;
    add(token_kind::text, begin);
  }

  void take_raw(std::size_t begin) {
    const auto open = s_.find('(', at_);
    if (open == s_.npos) return take_quoted(begin);
    const std::string close = ")" + std::string{s_.substr(at_ + 1, open - at_ - 1)} + "\"";
    const auto end = s_.find(close, open);
    at_ = end == s_.npos ? s_.size() : end + close.size();
    add(token_kind::text, begin);
  }

  void take_punctuation(std::size_t begin) {
    const char c = now();
    if (c == '<' || c == '>')
      if (const std::size_t end = chevrons(c); end != 0) {
        at_ = end;
        in_launch_ = c == '<';
        return add(token_kind::punctuation, begin, c == '<' ? "<<<" : ">>>");
      }
    std::size_t run = 1;
    if (c == '<')
      while (now(run) == c) ++run;
    if (c == ';') in_launch_ = false;
    at_ += run > 3 ? run : starts("::") || starts("->") ? 2 : 1;  // four and more: a merge conflict marker
    add(token_kind::punctuation, begin);
  }

  // The end of three `<` that open a launch, or of three `>` that close one; 0 if the characters mean something else.
  // A space may split them, as in `<< <`: clang-format writes that where it does not know CUDA.
  std::size_t chevrons(char c) const {
    std::size_t at = at_, count = 0, gaps = 0;
    for (; at < s_.size() && s_[at] == c; ++count) {
      std::size_t next = at + 1;
      while (next < s_.size() && std::isspace(static_cast<unsigned char>(s_[next]))) ++next;
      if (count < 2 && next > at + 1) ++gaps;
      at = count < 2 ? next : at + 1;
    }
    if (count != 3 || gaps > 1) return 0;
    if (c == '<') return gaps > 0 && after_operator() ? 0 : at;
    return in_launch_ && opens_arguments(at) ? at : 0;
  }

  bool after_operator() const { return !found_.empty() && found_.back().words == "operator"; }

  // Three `>` close a launch if a parenthesis follows.
  bool opens_arguments(std::size_t at) const {
    while (at < s_.size()) {
      const auto rest = s_.substr(at);
      if (rest.starts_with("//"))
        at = std::min(s_.find('\n', at), s_.size());
      else if (rest.starts_with("/*"))
        at = s_.find("*/", at) == s_.npos ? s_.size() : s_.find("*/", at) + 2;
      else if (std::isspace(static_cast<unsigned char>(rest[0])) || rest[0] == '\\')
        ++at;
      else
        return rest[0] == '(';
    }
    return false;
  }

  void add(token_kind kind, std::size_t begin) { add(kind, begin, s_.substr(begin, at_ - begin)); }
  void add(token_kind kind, std::size_t begin, std::string_view words) {
    found_.push_back({kind, begin, at_, words, directive_});
  }

  std::string_view s_;
  std::size_t at_ = 0;
  bool directive_ = false, line_is_empty_ = true, in_launch_ = false;
  std::vector<token> found_;
};

}  // namespace

std::vector<token> tokenize(std::string_view source) { return lexer{source}.run(); }

}  // namespace lab::sim
