// Text output: without control characters, in lines no wider than a terminal.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "harness/records/number.h"

namespace mbsbench {

// Writes Printable(text). Throws std::system_error if standard output cannot be written; a failed write to standard
// error is ignored.
void Write(std::FILE* stream, const std::string& text);
// Writes text that is Printable already.
void WriteAsItIs(std::FILE* stream, const std::string& text);

// Commands print only through these two, because names, titles and reasons may come from untrusted files.
template <typename... Values>
void Print(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  Write(stream, fmt::format(format, std::forward<Values>(values)...));
}
template <typename... Values>
void Print(fmt::format_string<Values...> format, Values&&... values) {
  Write(stdout, fmt::format(format, std::forward<Values>(values)...));
}

inline constexpr std::size_t kTerminalWidth = 100;

// `lead`, then `text` broken at blanks; further lines are indented by the length of the lead. Ends in a line feed. A
// word that is longer than a line is broken too.
std::string Wrapped(const std::string& lead, const std::string& text);

// Three digits, or `unknown` without a finite number.
std::string ShownNumber(MaybeNumber number, const std::string& unknown = "-");

// Each sentence as "WARNING: ...", wrapped.
void PrintWarnings(const std::vector<std::string>& sentences, std::FILE* stream = stdout);

// This program as it was called, to be copied into a shell.
std::string Program();
// What started this command and continues it when it is called again ("make suite"); empty: a user did. The Makefile states it.
std::string StartedBy();

inline void PrintWrapped(const std::string& lead, const std::string& text) {
  Print("{}", Wrapped(lead, text));
}

}  // namespace mbsbench
