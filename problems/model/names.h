// Names that people mistype: the closest ones to suggest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mbsbench {

// Up to `most` candidates, nearest in edit distance first; none when nothing is near.
std::vector<std::string> ClosestNames(std::string_view name,
                                      const std::vector<std::string>& candidates,
                                      std::size_t most = 3);

// " Did you mean 'a', 'b' or 'c'?", or the whole list when nothing is near: " Known are: ...".
std::string Suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace mbsbench
