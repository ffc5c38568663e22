#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mbsbench {

inline constexpr std::size_t kMostDiagrams = 4;

// What the user chooses of the figures for a paper.
struct PaperOptions {
  std::vector<std::string> problems = {};   // of the work-precision diagrams, at most kMostDiagrams
  std::vector<std::string> preferred = {};  // those taken first where none is named
  bool swap = false;                        // draws times on the abscissa instead of errors
};

}  // namespace mbsbench
