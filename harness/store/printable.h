// Text from model files, plug-ins, exceptions and stores, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace mbsbench {

// `text` with each control character (C0 but the line feed and the tab, DEL, C1) and each character that
// turns the direction of writing as its escape "\u001b", and U+FFFD for what is not UTF-8: nothing in
// it can move a cursor, colour a terminal or show another order than it has. The escapes are those of
// JSON, so that a document stays the same document.
std::string Printable(std::string_view text);

// The same in one line: line feeds and tabs are blanks.
std::string PrintableLine(std::string_view text);

}  // namespace mbsbench
