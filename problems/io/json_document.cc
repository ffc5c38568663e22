#include "problems/io/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

// The position of the parser. The library reports positions with errors only, so its input is counted.
struct Cursor {
  const char* at;
};

class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Cursor* cursor) : at_(at), cursor_(cursor) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    cursor_->at = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }

 private:
  const char* at_;
  Cursor* cursor_;
};

// A part of the file for quotation in a message: short and printable.
std::string Quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string quoted;
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return fmt::format("'{}{}'", quoted, text.size() > kMost ? "..." : "");
}

std::string_view Between(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + from.size());
  return text.substr(0, text.find(to));
}

}  // namespace

// Receives the parser's events and appends nodes.
class JsonBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;
  using Kind = JsonDocument::Kind;

  JsonBuilder(JsonDocument& document, std::string_view text, const Cursor& cursor,
              const JsonBounds& bounds)
      : document_(document), text_(text), cursor_(cursor), bounds_(bounds) {
    document_.keys_.emplace_back();
  }

  bool null() { return Append(Kind::kNull, 0); }
  bool boolean(bool value) { return Append(Kind::kBoolean, value); }
  bool number_integer(number_integer_t value) {
    return Append(Kind::kNumber, static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) {
    return Append(Kind::kNumber, static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) { return Append(Kind::kNumber, value); }
  bool string(string_t& value) {
    CheckString(value);
    document_.strings_.push_back(std::move(value));
    return Append(Kind::kString, static_cast<double>(document_.strings_.size() - 1));
  }
  bool binary(binary_t&) { return false; }  // never in text
  bool start_object(std::size_t) { return Open(Kind::kObject); }
  bool start_array(std::size_t) { return Open(Kind::kArray); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool key(string_t& value) {
    CheckString(value);
    const auto [found, is_new] =
        key_index_.try_emplace(value, static_cast<std::uint32_t>(document_.keys_.size()));
    if (is_new) document_.keys_.push_back(value);
    pending_key_ = found->second;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::json::exception& error) {
    // `position` counts from 1 and is that of the invalid character, or after the text.
    const std::size_t at = std::min(position == 0 ? 0 : position - 1, text_.size());
    const std::string_view before = text_.substr(0, at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n');
    const std::size_t column = line_start == std::string_view::npos ? at + 1 : at - line_start;
    throw ModelError(fmt::format("{}, line {}, column {}: {}", document_.name_, line, column,
                                 Sentence(at, last_token, error)));
  }

 private:
  // The fault and the expected text, from the library's "syntax error while parsing object key -
  // invalid literal; last read: '...'; expected string literal".
  std::string Sentence(std::size_t at, std::string_view last_token,
                       const nlohmann::json::exception& error) const {
    if (error.id == 406) {  // number overflow
      return "the number " + Quoted(last_token) + " is beyond what a double can hold.";
    }
    const std::string_view from_here = text_.substr(at);
    if (from_here.starts_with("//") || from_here.starts_with("/*") || from_here.starts_with('#')) {
      return "JSON has no comments: put the remark into 'description', or leave it out.";
    }
    const std::string_view whole = error.what();
    std::string_view problem = Between(whole, " - ", "; last read: ");
    problem = problem.substr(0, problem.find("; expected "));
    const std::size_t expected_at = whole.rfind("; expected ");
    std::string_view expected =
        expected_at == std::string_view::npos ? "a value" : whole.substr(expected_at + 11);
    // The alternatives that the parser accepts here; the library names only one of two.
    if (expected == "'}'") expected = "',' or '}'";
    if (expected == "']'") expected = "',' or ']'";
    if (expected == "string literal") expected = "a name in double quotes";
    // Strings explain themselves: "invalid string: control character U+000A must be escaped ...".
    if (problem.starts_with("invalid string")) expected = {};
    const std::size_t before = text_.substr(0, at).find_last_not_of(" \t\r\n");
    const bool behind_comma = before != std::string_view::npos && text_[before] == ',';
    return fmt::format("this is not JSON: {}{}{}{}{}.", problem, LineUpTo(at),
                       expected.empty() ? "" : "; expected ", expected,
                       behind_comma ? " after the comma" : "");
  }

  // " in '...'": the end of the line that was read when the error was seen.
  std::string LineUpTo(std::size_t at) const {
    constexpr std::size_t kMost = 30;
    std::string_view line = text_.substr(0, std::min(at + 1, text_.size()));
    if (line.ends_with('\n')) line.remove_suffix(1);
    line = line.substr(line.rfind('\n') + 1);  // npos + 1 is 0
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || begin + 1 == line.size()) return "";  // nothing to see
    line.remove_prefix(begin);
    if (line.size() > kMost) line = line.substr(line.size() - kMost);
    return " in " + Quoted(line);
  }

  void CheckString(const std::string& value) {
    if (value.size() > bounds_.string_bytes) {
      RefuseHere(fmt::format("a string of {} bytes: at most {} are allowed.", value.size(),
                             bounds_.string_bytes));
    }
  }

  [[noreturn]] void RefuseHere(const std::string& why) {
    throw ModelError(fmt::format("{}, line {}: {}", document_.name_, Line(false), why));
  }

  // The line on which the token just read ends (no token spans lines). A number is only known to end
  // by the next character, which has been read too.
  std::uint32_t Line(bool one_ahead) {
    const char* const to = cursor_.at - (one_ahead && cursor_.at > text_.data() ? 1 : 0);
    if (to > counted_to_) {
      line_ += static_cast<std::uint32_t>(std::count(counted_to_, to, '\n'));
      counted_to_ = to;
    }
    return line_;
  }

  bool Append(Kind kind, double number) {
    if (document_.nodes_.size() >= bounds_.values) {
      RefuseHere(fmt::format("more than {} values: the model is too large.", bounds_.values));
    }
    JsonDocument::Node node;
    node.kind = kind;
    node.line = Line(kind == Kind::kNumber);
    node.key = pending_key_;
    node.number = number;
    pending_key_ = 0;
    if (!open_.empty()) ++document_.nodes_[open_.back()].size;
    document_.nodes_.push_back(node);
    document_.nodes_.back().end = static_cast<std::uint32_t>(document_.nodes_.size());
    return true;
  }

  bool Open(Kind kind) {
    if (open_.size() >= bounds_.depth) {
      RefuseHere(fmt::format("nested deeper than {} levels: no model needs that.", bounds_.depth));
    }
    Append(kind, 0);
    open_.push_back(static_cast<std::uint32_t>(document_.nodes_.size() - 1));
    return true;
  }

  bool Close() {
    document_.nodes_[open_.back()].end = static_cast<std::uint32_t>(document_.nodes_.size());
    open_.pop_back();
    return true;
  }

  JsonDocument& document_;
  std::string_view text_;
  const Cursor& cursor_;
  const JsonBounds& bounds_;
  const char* counted_to_ = text_.data();
  std::uint32_t line_ = 1;
  std::uint32_t pending_key_ = 0;
  std::vector<std::uint32_t> open_;
  std::unordered_map<std::string, std::uint32_t> key_index_;
};

JsonDocument::JsonDocument(std::string_view text, std::string name, const JsonBounds& bounds)
    : name_(std::move(name)) {
  if (text.size() > bounds.bytes) {
    throw ModelError(fmt::format("{}: the file is larger than {} MB: no model needs that.", name_,
                                 bounds.bytes >> 20));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw ModelError(name_ + ", line 1: the file is empty; expected a JSON object '{...}'.");
  }
  Cursor cursor{text.data()};
  JsonBuilder builder(*this, text, cursor, bounds);
  const CountingIterator begin(text.data(), &cursor), end(text.data() + text.size(), &cursor);
  nlohmann::json::sax_parse(begin, end, &builder);
}

JsonValue JsonDocument::root() const { return {this, 0}; }

double JsonValue::Number() const {
  if (node().kind != JsonDocument::Kind::kNumber) RefuseKind("a number");
  return node().number;
}

int JsonValue::WholeNumber() const {
  const double value = Number();
  if (value != std::floor(value) || std::abs(value) > 1e9) {
    Refuse(fmt::format("must be a whole number, not {}.", value));
  }
  return static_cast<int>(value);
}

bool JsonValue::Boolean() const {
  if (node().kind != JsonDocument::Kind::kBoolean) RefuseKind("true or false");
  return node().number != 0;
}

const std::string& JsonValue::String() const {
  if (node().kind != JsonDocument::Kind::kString) RefuseKind("a string");
  return document_->strings_[static_cast<std::size_t>(node().number)];
}

std::vector<JsonValue> JsonValue::Children() const {
  std::vector<JsonValue> children;
  children.reserve(node().size);
  for (std::uint32_t i = index_ + 1; i < node().end; i = document_->nodes_[i].end) {
    children.push_back({document_, i});
  }
  return children;
}

std::optional<JsonValue> JsonValue::Member(std::string_view key) const {
  if (!is_object()) RefuseKind("an object");
  for (std::uint32_t i = index_ + 1; i < node().end; i = document_->nodes_[i].end) {
    const JsonValue member(document_, i);
    if (member.key() == key) return member;
  }
  return std::nullopt;
}

std::vector<JsonValue> JsonValue::Items() const {
  if (!is_array()) RefuseKind("an array");
  return Children();
}

std::vector<double> JsonValue::Numbers(std::size_t n) const {
  if (!is_array()) RefuseKind(fmt::format("an array of {} numbers", n));
  if (node().size != n) {
    Refuse(fmt::format("must be an array of {} numbers, not of {}.", n, node().size));
  }
  std::vector<double> numbers;
  for (const JsonValue& item : Children()) numbers.push_back(item.Number());
  return numbers;
}

std::string JsonValue::Pointer() const {
  std::string pointer;
  std::uint32_t at = 0;
  while (at != index_) {
    std::size_t position = 0;
    std::uint32_t child = at + 1;
    while (document_->nodes_[child].end <= index_) {
      child = document_->nodes_[child].end;
      ++position;
    }
    const JsonValue value(document_, child);
    if (document_->nodes_[at].kind == JsonDocument::Kind::kArray) {
      pointer += fmt::format("/{}", position);
    } else {
      pointer += '/';
      for (const char c : Quotable(value.key())) {
        if (c == '~') {
          pointer += "~0";  // RFC 6901
        } else if (c == '/') {
          pointer += "~1";
        } else {
          pointer += c;
        }
      }
    }
    at = child;
  }
  return pointer;
}

void JsonValue::Refuse(const std::string& why) const {
  const std::string pointer = Pointer();
  throw ModelError(fmt::format("{}, line {}: {} {}", document_->name_, line(),
                               pointer.empty() ? "the model" : pointer, why));
}

void JsonValue::RefuseKind(const std::string& expected) const {
  static constexpr const char* kNames[] = {"null",     "true or false", "a number",
                                           "a string", "an array",      "an object"};
  Refuse(fmt::format("must be {}, not {}.", expected, kNames[static_cast<int>(node().kind)]));
}

JsonObject::JsonObject(const JsonValue& value, const std::vector<std::string>& known_keys)
    : value_(value) {
  if (!value.is_object()) value.RefuseKind("an object");
  std::vector<bool> seen(known_keys.size(), false);
  std::vector<JsonValue> members;
  for (const JsonValue& member : value.Children()) {
    const auto known = std::find(known_keys.begin(), known_keys.end(), member.key());
    if (known == known_keys.end()) {
      member.Refuse("is a field that does not exist." +
                    Suggestion(std::string_view(member.key()).substr(0, 64), known_keys));
    }
    const auto k = static_cast<std::size_t>(known - known_keys.begin());
    if (seen[k]) member.Refuse("occurs twice.");
    seen[k] = true;
    members.push_back(member);
  }
  members_ = std::move(members);
}

std::optional<JsonValue> JsonObject::Find(std::string_view key) const {
  for (const JsonValue& member : members_) {
    if (member.key() == key) return member;
  }
  return std::nullopt;
}

JsonValue JsonObject::At(std::string_view key) const {
  const std::optional<JsonValue> found = Find(key);
  if (!found) value_.Refuse(fmt::format("has no '{}', which is required.", key));
  return *found;
}

}  // namespace mbsbench
