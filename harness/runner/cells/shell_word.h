// Quoting for commands that a reader may copy into a shell.
#pragma once

#include <string>

namespace mbsbench {

// The word itself, or in single quotes if a shell would interpret it.
std::string ShellWord(const std::string& word);

}  // namespace mbsbench
