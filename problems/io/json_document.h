// JSON text as a tree that records the line of every value. Text that is not JSON, or exceeds the
// bounds of depth and size, is refused with one sentence that gives file and line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/io/quotable.h"

namespace mbsbench {

// Far above any real model; they limit the memory and time that a malformed file can take.
struct JsonBounds {
  std::size_t bytes = std::size_t{128} << 20;
  std::size_t values = 8'000'000;  // about 45 per body
  std::size_t depth = 16;          // a model needs 6
  std::size_t string_bytes = 10'000;
};

class JsonValue;

class JsonDocument {
 public:
  // Parses `text`; `name` is the file's name in sentences. Throws ModelError.
  JsonDocument(std::string_view text, std::string name, const JsonBounds& bounds = {});

  JsonValue root() const;
  const std::string& name() const { return name_; }

 private:
  friend class JsonValue;
  friend class JsonBuilder;
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };
  // Nodes are in the order of the text; the subtree of node i is [i, end).
  struct Node {
    Kind kind = Kind::kNull;
    std::uint32_t line = 0;
    std::uint32_t end = 0;
    std::uint32_t key = 0;  // index into keys_; 0: not a member of an object
    std::uint32_t size = 0;
    double number = 0;  // numbers and booleans; strings: index into strings_
  };
  std::string name_;
  std::vector<Node> nodes_;
  std::vector<std::string> keys_, strings_;
};

// One value of a document; valid as long as the document lives. The readers throw a ModelError that
// gives file, line, JSON pointer, the expected value and the value found.
class JsonValue {
 public:
  double Number() const;
  int WholeNumber() const;
  bool Boolean() const;
  const std::string& String() const;
  std::vector<JsonValue> Items() const;              // of an array
  std::vector<double> Numbers(std::size_t n) const;  // an array of exactly n numbers
  bool is_array() const { return node().kind == JsonDocument::Kind::kArray; }
  bool is_object() const { return node().kind == JsonDocument::Kind::kObject; }
  std::optional<JsonValue> Member(std::string_view key) const;  // of an object: the first such
  int line() const { return static_cast<int>(node().line); }

  // "model.json, line 3: /bodies/0/mass_kg " + why, as a ModelError.
  [[noreturn]] void Refuse(const std::string& why) const;
  [[noreturn]] void RefuseKind(const std::string& expected) const;  // "must be ..., not ..."

 private:
  friend class JsonDocument;
  friend class JsonObject;
  JsonValue(const JsonDocument* document, std::uint32_t index)
      : document_(document), index_(index) {}
  const JsonDocument::Node& node() const { return document_->nodes_[index_]; }
  const std::string& key() const { return document_->keys_[node().key]; }
  std::vector<JsonValue> Children() const;
  std::string Pointer() const;

  const JsonDocument* document_;
  std::uint32_t index_;
};

// An object with known keys only: the constructor refuses other keys, with the closest known ones
// as suggestions, and keys that occur twice.
class JsonObject {
 public:
  JsonObject(const JsonValue& value, const std::vector<std::string>& known_keys);

  const JsonValue& value() const { return value_; }
  std::optional<JsonValue> Find(std::string_view key) const;
  JsonValue At(std::string_view key) const;  // refuses an object without it

 private:
  JsonValue value_;
  std::vector<JsonValue> members_;
};

}  // namespace mbsbench
