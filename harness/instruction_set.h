// What a processor has to be able to do to run this executable.
#pragma once

#include <string>
#include <vector>

namespace mbsbench {

// This file is compiled as the methods are: some rooms are built for fewer instruction sets.
// Instruction sets that the compiler was allowed to use, as /proc/cpuinfo calls them: "avx2", "fma", ...
std::vector<std::string> NeededInstructionSets();

// The x86-64 level that these need, 1 to 4, 0 on another architecture.
int NeededLevel();

// The level that a list of a node's features names, such as "skylake,avx512"; empty where it names none.
int LevelOfFeatures(const std::string& features);

}  // namespace mbsbench
