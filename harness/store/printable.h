// Makes text from model files, plug-ins, exceptions and stores safe to print.
#pragma once

#include <string>
#include <string_view>

namespace mbsbench {

// `text` with each control character (C0 except line feed and tab, DEL, C1) and each character that
// changes the direction of writing replaced by its escape ("\u001b"), and U+FFFD for invalid UTF-8:
// the result cannot move a cursor, colour a terminal or change the displayed order. The escapes are
// those of JSON, so a document keeps its meaning.
std::string Printable(std::string_view text);

// Printable text on one line: line feeds and tabs become blanks.
std::string PrintableLine(std::string_view text);

}  // namespace mbsbench
