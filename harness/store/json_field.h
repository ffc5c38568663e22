// A field of a document that may be partial or damaged, for all who read the store.
#pragma once

namespace mbsbench {

// null where `object` is no object or has no such field. A template, since some keep the order of
// fields and some do not.
template <typename Document>
const Document& Field(const Document& object, const char* name) {
  static const Document null;
  if (!object.is_object()) return null;
  const auto it = object.find(name);
  return it == object.end() ? null : *it;
}

}  // namespace mbsbench
