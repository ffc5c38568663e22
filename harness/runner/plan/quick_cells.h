// The cells of the quick run, an explicit list: its baselines (tests/baselines) are compared cell by cell.
#pragma once

#include <string>
#include <string_view>

namespace mbsbench {

// Whether the quick run integrates a problem of the catalogue ("branchN:bodies=6") by a method ("articulated-body:none"). A
// method whose key is not on the list is compared where every method is.
bool IsQuick(std::string_view problem, std::string_view method, std::string_view integrator);
// Whether the quick run has cells of the problem.
bool IsQuick(std::string_view problem);

}  // namespace mbsbench
