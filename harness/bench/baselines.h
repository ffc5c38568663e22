// The baselines for regressions: instructions of the fixed kernels, and outcome, error, drift and
// exact counters of cells. These files of the repository change only in explicit commits.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/comparison/comparison.h"

namespace mbsbench {

struct InstructionBaselines {
  struct Build {
    std::map<std::string, double> instructions;  // by name of the case
    // {"reason", "date", "commit"} of the last move; null in files that state none
    Json moved = nullptr;
  };
  // By the text of the key with which they were counted; a build that is not here is not gated.
  std::map<std::string, Build> builds;
};

// Cells of one run. Refused and skipped cells are not stored: they cannot become worse.
struct CellBaselines {
  Json key;  // compiler, flags, libraries, processor: rounding may differ with another key
  RunContent content;
  Json moved = nullptr;  // as above
};
Json CellKey(const BuildRecord& build, const MachineRecord& machine);

// In `folder`: instructions.json and cells.json. A missing file is an empty baseline. Throws
// ModelError if a file cannot be read or written.
InstructionBaselines ReadInstructionBaselines(const std::filesystem::path& folder);
CellBaselines ReadCellBaselines(const std::filesystem::path& folder);
// Throws ModelError if there is nothing to compare with: both files are missing, or one of them is empty.
void CheckHoldBaselines(const std::filesystem::path& folder);
void Write(const InstructionBaselines& baselines, const std::filesystem::path& folder);
void Write(const CellBaselines& baselines, const std::filesystem::path& folder);

// ---- the gate

// Differences between build and machine of the baseline and the current ones.
enum class KeyMatch { kSame, kOtherProcessor, kOtherBuild };

// With the key of the baseline, compares counters exactly, and errors within a factor that a
// different order of operations does not exceed. On another processor it compares outcomes, and
// errors within a wider factor; counters are not gated. With another compiler, flags or libraries
// the same is compared, but agreement is no verdict. Baseline cells that were not run: only_a.
struct CellGate {
  KeyMatch match = KeyMatch::kOtherBuild;
  ComparedRuns comparison;
};
CellGate CompareCells(const CellBaselines& baseline, const Json& key, const RunContent& now);

}  // namespace mbsbench
