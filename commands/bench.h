// The parts of `mbsbench bench`, a file each.
#pragma once

#include <string>
#include <vector>

#include "commands/commands.h"
#include "harness/bench/cases.h"
#include "harness/bench/paired.h"

namespace mbsbench {

struct BenchOptions {
  BenchWish wish;
  std::string store;
  double milliseconds = 100;
  int rounds = 5;  // of plain times
  std::uint64_t seed = 1;
  bool json = false;
  std::string against;
  std::vector<std::string> against_plugins;
  std::vector<std::string> pair;  // two methods
  std::string baselines, run;     // gate
  std::string reason;             // of moved baselines
  bool list = false, gate = false, move = false;
};

// Each returns an exit code.
int BenchTimes(const BenchOptions& options, const CommandContext& context);
int BenchAgainst(const BenchOptions& options, const CommandContext& context);
int BenchPair(const BenchOptions& options, const CommandContext& context);
int BenchGate(const BenchOptions& options, const CommandContext& context);
int MoveBaselines(const BenchOptions& options, const CommandContext& context);

// This executable with its plug-ins.
Contestant Myself(const CommandContext& context);

// The row of a call that begins now.
BenchRunRow NewBenchRun(const BenchOptions& options, const CommandContext& context);

std::string Nanoseconds(double seconds);  // "123.4 ns", "12.3 us", "4.56 ms"

}  // namespace mbsbench
