#include "harness/comparison/instruction_counts.h"

#include <fmt/format.h>

#include "harness/records/json_codec.h"

namespace mbsbench {

std::map<CellName, HeldCell> InstructionCounts(const Store& store, const RunRow& run) {
  std::map<CellName, HeldCell> cells;
  const std::string& executable = run.build.binary_hash;
  if (executable.empty()) return cells;
  std::map<std::string, Json> built;  // by the benchmarks' run
  for (const BenchRunRow& bench : store.BenchRuns()) {
    if (bench.build.binary_hash != executable) continue;
    built[bench.id] = ToJson(BuildRecord{.compiler = bench.build.compiler,
                                         .flags = bench.build.flags,
                                         .libraries = bench.build.libraries});
  }
  for (const BenchRow& row : store.Benches()) {  // oldest first
    const auto found = built.find(row.run_id);
    if (found == built.end() || row.kind != "time") continue;
    if (!row.record.times || !row.record.times->instructions) continue;
    HeldCell held;
    held.outcome = "ok";
    held.judged = true;
    held.instructions = row.record.times->instructions;
    held.built = found->second;
    cells[{row.problem, row.method, "", {}, {}, {}, "kernel", row.what}] = std::move(held);
  }
  return cells;
}

Direction DirectionOfCounts(double before, double after) {
  if (after > (1 + kInstructionLimit) * before) return Direction::kWorse;
  return before > (1 + kInstructionLimit) * after ? Direction::kBetter : Direction::kAlike;
}

void CompareInstructions(const HeldCell& a, const HeldCell& b, std::vector<Change>& changes) {
  if (!a.instructions || !b.instructions) return;
  const double ratio = *b.instructions / *a.instructions;
  Change change{"instructions", *a.instructions, *b.instructions,
                DirectionOfCounts(*a.instructions, *b.instructions),
                fmt::format("{:+.2f} %", 100 * (ratio - 1))};
  if (change.direction == Direction::kAlike) return;
  if (a.built != b.built) {
    change.direction = Direction::kChanged;
    change.note += "; built by another compiler, with other flags or libraries";
  }
  changes.push_back(std::move(change));
}

}  // namespace mbsbench
