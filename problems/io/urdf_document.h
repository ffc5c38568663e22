// The XML of a URDF file.
#pragma once

#include <string>
#include <string_view>

class TiXmlDocument;

namespace mbsbench {

// Throws ModelError if the text is not XML with the root element <robot>, or exceeds the bounds that keep TinyXML from
// hanging or exhausting the stack.
void ParseUrdf(std::string_view text, const std::string& name, TiXmlDocument& xml);

// Throws ModelError, with the line unless it is 0.
[[noreturn]] void RefuseUrdf(const std::string& name, int line, const std::string& sentence);

}  // namespace mbsbench
