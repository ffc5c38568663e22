// Suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mbsbench {

// Up to `most` candidates in order of edit distance; none if no candidate is close.
std::vector<std::string> ClosestNames(std::string_view name,
                                      const std::vector<std::string>& candidates,
                                      std::size_t most = 3);

// " Did you mean 'a', 'b' or 'c'?", or the whole list if none is close: " Known are: ...".
std::string Suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace mbsbench
