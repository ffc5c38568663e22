// Commands that a reader may copy into a shell.
#pragma once

#include <string>

namespace mbsbench {

// The word as it is, or in single quotes where a shell would make something else of it.
std::string ShellWord(const std::string& word);

}  // namespace mbsbench
