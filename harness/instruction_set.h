// The instruction sets that a processor needs to run this executable.
#pragma once

#include <string>
#include <vector>

namespace mbsbench {

// Instruction sets that the compiler was allowed to use for the methods, as named in /proc/cpuinfo: "avx2", "fma", ...
// (The source is compiled with the flags of the methods; some rooms are built for fewer instruction sets.)
std::vector<std::string> NeededInstructionSets();

// The x86-64 level that these need, 1 to 4, 0 on another architecture.
int NeededLevel();

// The highest level in a list of a node's features, such as "skylake,avx512"; 0: it names none.
int LevelOfFeatures(const std::string& features);

}  // namespace mbsbench
