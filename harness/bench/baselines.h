// What is held against regressions: instructions of the fixed kernels, and outcome, error, drift and
// exact counters of cells. Files in the repository, moved by an explicit commit only.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/store/comparison.h"

namespace mbsbench {

// Instructions by name of the case, for each key that they were counted with.
struct InstructionBaselines {
  struct Build {
    Json key;
    std::map<std::string, double> instructions;
    Json moved = nullptr;  // BaselineMove; null in files that state none
  };
  std::vector<Build> builds;

  // Null where none was counted with this key: that is "not gated", not "slower".
  const Build* Find(const Json& key) const;
  // Makes `instructions` what the build of this key is held against; what is no longer among them is
  // no baseline any more.
  void Move(const Json& key, std::map<std::string, double> instructions, const Json& moved = {});
};

// Cells of one run. Those that were refused or skipped are not kept: nothing can get worse there.
struct CellBaselines {
  Json key;  // compiler, flags, libraries, processor: with another one rounding may differ
  RunContent content;
  Json moved = nullptr;  // BaselineMove; null in files that state none
};
Json CellKey(const Json& build, const Json& machine);

// Why the baselines are what they are: {"reason", "date", "commit"}.
Json BaselineMove(const std::string& reason, const std::string& date, const std::string& commit);

// In `folder`: instructions.json and cells.json. A file that is absent is an empty baseline. Throws
// ModelError where one cannot be read or written.
InstructionBaselines ReadInstructionBaselines(const std::filesystem::path& folder);
CellBaselines ReadCellBaselines(const std::filesystem::path& folder);
void Write(const InstructionBaselines& baselines, const std::filesystem::path& folder);
void Write(const CellBaselines& baselines, const std::filesystem::path& folder);

// ---- the gate

// By kInstructionLimit, either way.
struct InstructionChange {
  std::string name;
  double before = 0, after = 0;
  Direction direction() const;
};
std::vector<InstructionChange> CompareInstructions(const InstructionBaselines::Build& baseline,
                                                   const std::map<std::string, double>& now);

// How the build and machine of the baseline differ from those of now.
enum class KeyMatch { kSame, kOtherProcessor, kOtherBuild };

// With the key of the baseline: counters exactly, errors within a factor that rounding in another
// order of operations stays below. On another processor: outcomes, and errors within a wider factor;
// counters are not gated. With another compiler, flags or libraries the same is compared, but nothing
// that is found alike is a verdict. Cells of the baseline that were not run are in only_a.
struct CellGate {
  KeyMatch match = KeyMatch::kOtherBuild;
  Comparison comparison;
};
CellGate CompareCells(const CellBaselines& baseline, const Json& key, const RunContent& now);

}  // namespace mbsbench
