// A field of a document that may be partial or damaged; used by all readers of the store.
#pragma once

namespace mbsbench {

// null if `object` is not an object or has no such field. A template, since some document types
// keep the order of fields and others do not.
template <typename Document>
const Document& Field(const Document& object, const char* name) {
  static const Document null;
  if (!object.is_object()) return null;
  const auto it = object.find(name);
  return it == object.end() ? null : *it;
}

}  // namespace mbsbench
